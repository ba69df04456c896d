import CallsignJSON
import CallsignSupport

/// The rules for looking at arguments before they are sent.
public struct ArgumentPolicy: Sendable, Hashable {
  /// Whether bounds, patterns, counts and the values of enums are looked at. If not, the API judges them. Default: yes.
  public var checksBounds: Bool
  /// Whether an argument that is a file or raw bytes may be the path of a file on this machine: as text that begins
  /// with `/`, `./`, `../` or `~/`, or as `{"file": path}`. Default: no, as arguments may come from elsewhere; such
  /// arguments are then base64, a file's in `{"base64": …, "name": …, "type": …}`. Raw bytes may be `{"base64": …}`, too,
  /// and text that begins with `/` is base64, and no path, where it has 256 bytes or ends with `=`.
  public var readsFiles: Bool

  /// Describes a policy.
  ///
  /// - Parameters:
  ///   - checksBounds: Whether bounds, patterns, counts and the values of enums are looked at.
  ///   - readsFiles: Whether an argument may be the path of a file.
  public init(checksBounds: Bool = true, readsFiles: Bool = false) {
    self.checksBounds = checksBounds
    self.readsFiles = readsFiles
  }

  /// The file that an argument names, where it may.
  package func file(_ value: JSONValue) -> URL? {
    guard readsFiles else { return nil }
    if let path = value["file"]?.string { return Self.url(path) }
    guard let path = value.string, path.hasPrefix("/") || Self.isRelativePath(path) else { return nil }
    return Self.url(path)
  }

  /// Whether a text is a file's path rather than bytes in base64, which begins with `/` where they begin as those of a JPEG
  /// do: it is short, and does not end as base64 alone does.
  package static func isPath(_ text: String) -> Bool {
    guard text.hasPrefix("/") else { return isRelativePath(text) }
    return text.utf8.count < 256 && !text.hasSuffix("=")
  }

  private static func isRelativePath(_ text: String) -> Bool {
    ["./", "../", "~/"].contains { text.hasPrefix($0) }
  }

  private static func url(_ path: String) -> URL {
    guard path.hasPrefix("~/") else { return URL(fileURLWithPath: path) }
    return URL.homeDirectory.appendingPathComponent(String(path.dropFirst(2)))
  }
}
