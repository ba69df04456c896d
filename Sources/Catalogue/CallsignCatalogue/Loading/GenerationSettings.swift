import CallsignSupport
import CallsignYAML

/// The settings in a target's `callsign.yaml`: the access level of the generated API, and which parts to generate.
///
/// ```yaml
/// access: package                  # public (the default), package or internal
/// only: [lists, getUsersById]      # endpoints or whole groups, with the models that they need; default: all
/// protocol: ShopProtocol           # a protocol with the same methods, for mocks; default: none
/// ```
public struct GenerationSettings: Sendable, Hashable {
  /// The names of settings files, which are not read as catalogue files.
  public static let fileNames = ["callsign.yaml", "callsign.yml"]
  /// The allowed values of `access`.
  public static let accessLevels = ["public", "package", "internal"]

  /// `nil` if the file does not set it.
  public var access: String?
  /// Names of endpoints or groups; empty for all.
  public var only: [String] = []
  /// The name of a protocol with the client's methods; `nil` if none is requested.
  public var protocolName: String?

  /// Creates settings. By default everything is generated and the file leaves the access level open.
  public init(access: String? = nil, only: [String] = [], protocolName: String? = nil) {
    self.access = access
    self.only = only
    self.protocolName = protocolName
  }

  /// The settings file for the catalogue in a folder; `nil` if there is none. The file is in the folder itself or, if the folder is
  /// called `Catalogue`, in the target's folder around it.
  public static func file(forCatalogue folder: String) -> String? {
    let url = URL(fileURLWithPath: folder, isDirectory: true)
    var folders = [url]
    if url.lastPathComponent == CatalogueFolder.name { folders.append(url.deletingLastPathComponent()) }
    for folder in folders {
      for name in fileNames {
        let path = folder.appendingPathComponent(name).path
        if FileManager.default.fileExists(atPath: path) { return path }
      }
    }
    return nil
  }

  /// Reads a settings file.
  ///
  /// - Returns: The settings and the mistakes in the file.
  public static func read(_ source: CatalogueSource) -> (settings: GenerationSettings, diagnostics: [Diagnostic]) {
    var reader = SettingsReader(file: source.path)
    reader.read(source.bytes)
    return (reader.settings, reader.diagnostics)
  }
}

/// Parses the YAML of a settings file.
private struct SettingsReader {
  let file: String
  var settings = GenerationSettings()
  var diagnostics: [Diagnostic] = []

  mutating func read(_ bytes: [UInt8]) {
    let text: SourceText
    do throws(SourceProblem) { text = try SourceText(file: file, bytes: bytes) } catch {
      diagnostics.append(
        Diagnostic(.error, error.message, at: SourceLocation(file: file, line: error.line, column: error.column)))
      return
    }
    let yaml = YAMLReader(text)
    diagnostics += yaml.diagnostics
    guard let root = yaml.root, !root.isNull else { return }
    guard case .mapping(let mapping) = root.content else {
      return error("settings are a mapping with the keys \(Self.keys)", at: root)
    }
    for entry in mapping.entries {
      switch Self.text(entry.key) {
      case "access": readAccess(entry.value)
      case "only": readOnly(entry.value)
      case "protocol": readProtocol(entry.value)
      default: error("unknown key; settings have \(Self.keys)", at: entry.key)
      }
    }
  }

  private static let keys = "`access`, `only` and `protocol`"

  private mutating func readAccess(_ node: YAMLNode) {
    guard let level = Self.text(node), GenerationSettings.accessLevels.contains(level) else {
      return error("`access` is public, package or internal", at: node)
    }
    settings.access = level
  }

  private mutating func readOnly(_ node: YAMLNode) {
    guard case .list(let names) = node.content else {
      return error("`only` is a list of endpoints or groups, such as `[lists, getUsersById]`", at: node)
    }
    for name in names {
      if let text = Self.text(name) {
        settings.only.append(text)
      } else {
        error("this is not the name of an endpoint or a group", at: name)
      }
    }
  }

  private mutating func readProtocol(_ node: YAMLNode) {
    guard let name = Self.text(node), SwiftIdentifier.isValid(name) else {
      return error("`protocol` is the Swift name of the protocol, such as `ShopProtocol`", at: node)
    }
    settings.protocolName = name
  }

  private static func text(_ node: YAMLNode) -> String? {
    guard case .scalar(let scalar) = node.content, !node.isNull else { return nil }
    return scalar.text
  }

  private mutating func error(_ message: String, at node: YAMLNode) {
    diagnostics.append(
      Diagnostic(.error, message, at: SourceLocation(file: file, line: node.line, column: node.column)))
  }
}
