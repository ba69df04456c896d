/// A demand on several parameters together, which no single type can state.
public struct ParameterRule: Sendable, Equatable {
  /// What is demanded.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Exactly one of them is sent, or with `isOptional` at most one.
    case oneOf = "one_of"
    /// At least one of them is sent.
    case anyOf = "any_of"
    /// All of them or none are sent.
    case together
  }

  /// One case of the enum that stands for the alternatives: what is sent together when it is chosen.
  public struct Alternative: Sendable, Equatable {
    /// The case's Swift name; `nil` means that of its first parameter.
    public var name: String?
    /// The associated values in order. The first parameter has no label, the others have their own.
    public var parts: [Part]
    /// Where the catalogue says it.
    public var location: SourceLocation

    /// Describes it; see the properties.
    public init(name: String? = nil, parts: [Part], location: SourceLocation = .none) {
      self.name = name
      self.parts = parts
      self.location = location
    }
  }

  /// One associated value of an alternative.
  public indirect enum Part: Sendable, Equatable {
    case parameter(String)
    /// A choice of its own, with a Swift type and a label.
    case choice(ParameterRule)
  }

  /// What is demanded.
  public var kind: Kind
  /// Names as in the endpoint's `parameters`, those of nested choices included.
  public var parameters: [String]
  /// For `oneOf`: the Swift enum that stands for the alternatives, such as `UserReference`, and its label.
  public var swiftType: String?
  /// The argument label of the choice.
  public var swiftLabel: String?
  /// With a Swift type: the argument may be left out, and then nothing is sent.
  public var isOptional: Bool
  /// With a Swift type: the enum's cases where the catalogue spells them out; empty where each parameter is one.
  public var alternatives: [Alternative]
  /// Where the catalogue says it.
  public var location: SourceLocation

  /// Describes it; see the properties.
  public init(
    kind: Kind, parameters: [String], swiftType: String? = nil, swiftLabel: String? = nil,
    isOptional: Bool = false, alternatives: [Alternative] = [], location: SourceLocation = .none
  ) {
    self.kind = kind
    self.parameters = parameters
    self.swiftType = swiftType
    self.swiftLabel = swiftLabel
    self.isOptional = isOptional
    self.alternatives = alternatives
    self.location = location
  }
}
