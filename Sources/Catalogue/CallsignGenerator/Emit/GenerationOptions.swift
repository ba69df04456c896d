import CallsignCatalogue

/// The parts of a catalogue to generate, and their access level.
public struct GenerationOptions: Sendable, Hashable {
  /// The access level of the generated declarations. Default: `public`.
  public var access: AccessLevel
  /// Names of endpoints or whole groups to generate, with the models that they need; empty for all.
  public var only: [String]
  /// The name of a protocol with the client's methods, for mocks; `nil` for none.
  public var protocolName: String?
  /// Whether public functions are compiled only into the modules that call them. A program then contains only the functions that it
  /// uses. Without it, a module compiles in two thirds of the time, so debug builds turn it off.
  public var emitsIntoClient: Bool

  /// Creates options. By default everything is generated and public.
  public init(
    access: AccessLevel = .public, only: [String] = [], protocolName: String? = nil, emitsIntoClient: Bool = true
  ) {
    self.access = access
    self.only = only
    self.protocolName = protocolName
    self.emitsIntoClient = emitsIntoClient
  }

  /// Applies the settings.
  mutating func take(_ settings: GenerationSettings) {
    if let access = settings.access.flatMap(AccessLevel.init) { self.access = access }
    if !settings.only.isEmpty { only = settings.only }
    if let name = settings.protocolName { protocolName = name }
  }
}

/// An access level of the generated declarations.
public enum AccessLevel: String, Sendable, Hashable, CaseIterable {
  /// Visible to everyone who imports the module.
  case `public`
  /// Visible to the modules of the package.
  case `package`
  /// Visible in the module itself.
  case `internal`
}
