import CallsignJSON
import CallsignSupport

/// The rules for checking arguments before they are sent.
public struct ArgumentPolicy: Sendable, Hashable {
  /// Whether bounds, patterns, counts and enum values are checked. If not, the API decides. Default: yes.
  public var checksBounds: Bool
  /// Whether an argument that is a file or raw bytes can be the path of a local file: text that begins with `/`, `./`, `../` or
  /// `~/`, or `{"file": path}`. Default: no, because arguments may come from elsewhere. Without paths, such arguments are base64,
  /// and a file is `{"base64": …, "name": …, "type": …}`. Raw bytes can also be given as `{"base64": …}`. Text that begins with `/`
  /// is read as base64 instead of a path if it has at least 256 bytes or ends with `=`.
  public var readsFiles: Bool

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - checksBounds: Whether bounds, patterns, counts and enum values are checked.
  ///   - readsFiles: Whether an argument can be the path of a file.
  public init(checksBounds: Bool = true, readsFiles: Bool = false) {
    self.checksBounds = checksBounds
    self.readsFiles = readsFiles
  }

  /// The file that an argument names, if the policy allows it.
  package func file(_ value: JSONValue) -> URL? {
    guard readsFiles else { return nil }
    if let path = value["file"]?.string { return Self.url(path) }
    guard let path = value.string, path.hasPrefix("/") || Self.isRelativePath(path) else { return nil }
    return Self.url(path)
  }

  /// Whether a text is a file's path and not base64 bytes. Base64 begins with `/` if the bytes begin like a JPEG file, so a path
  /// must be short and must not end as only base64 does.
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
