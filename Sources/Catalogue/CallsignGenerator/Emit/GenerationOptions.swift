import CallsignCatalogue

/// The parts of a catalogue to generate, and for whom they are visible.
public struct GenerationOptions: Sendable, Hashable {
  /// The access level of the generated declarations. Default: `public`.
  public var access: AccessLevel
  /// Names of endpoints or of whole groups to generate, with the models that they need; empty for all.
  public var only: [String]
  /// The name of a protocol with the client's methods, for mocks; `nil` for none.
  public var protocolName: String?
  /// Whether public functions are compiled into the modules that call them, and there alone: a program then has none but
  /// those that it uses. Without it, a module compiles in two thirds of the time. Debug builds do without.
  public var emitsIntoClient: Bool

  /// Everything, for everyone, unless said otherwise.
  public init(
    access: AccessLevel = .public, only: [String] = [], protocolName: String? = nil, emitsIntoClient: Bool = true
  ) {
    self.access = access
    self.only = only
    self.protocolName = protocolName
    self.emitsIntoClient = emitsIntoClient
  }

  /// Takes over what the settings say.
  mutating func take(_ settings: GenerationSettings) {
    if let access = settings.access.flatMap(AccessLevel.init) { self.access = access }
    if !settings.only.isEmpty { only = settings.only }
    if let name = settings.protocolName { protocolName = name }
  }
}

/// An access level of the generated declarations.
public enum AccessLevel: String, Sendable, Hashable, CaseIterable {
  /// For everybody who imports the module.
  case `public`
  /// For the modules of the package.
  case `package`
  /// For the module itself.
  case `internal`
}
