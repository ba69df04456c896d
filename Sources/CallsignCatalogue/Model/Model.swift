/// A named type of the catalogue.
public struct Model: Sendable, Equatable {
  public enum Shape: Sendable, Equatable {
    /// A JSON object with known members, and the type of any further ones where the catalogue keeps them.
    case object(fields: [Field], extra: TypeReference?)
    /// Strings, of which the API may add more at any time.
    case enumeration([EnumCase])
    case union(Union)
    /// Another name for a type, such as `ListID: string(/^[0-9]{1,19}$/)`.
    case alias(TypeReference)
  }

  public var name: String
  public var swiftName: String?
  public var summary: String?
  public var documentation: String?
  public var deprecation: Deprecation?
  public var shape: Shape
  public var location: SourceLocation

  public init(
    name: String, swiftName: String? = nil, summary: String? = nil, documentation: String? = nil,
    deprecation: Deprecation? = nil, shape: Shape, location: SourceLocation = .none
  ) {
    self.name = name
    self.swiftName = swiftName
    self.summary = summary
    self.documentation = documentation
    self.deprecation = deprecation
    self.shape = shape
    self.location = location
  }
}

/// A member of an object model.
public struct Field: Sendable, Equatable {
  public var name: String
  public var swiftName: String?
  public var type: TypeReference
  public var summary: String?
  public var deprecation: Deprecation?
  public var location: SourceLocation

  public init(
    name: String, swiftName: String? = nil, type: TypeReference, summary: String? = nil,
    deprecation: Deprecation? = nil, location: SourceLocation = .none
  ) {
    self.name = name
    self.swiftName = swiftName
    self.type = type
    self.summary = summary
    self.deprecation = deprecation
    self.location = location
  }
}

/// A value of an open enum.
public struct EnumCase: Sendable, Equatable {
  /// The string on the wire.
  public var value: String
  public var swiftName: String?
  public var summary: String?
  public var location: SourceLocation

  public init(value: String, swiftName: String? = nil, summary: String? = nil, location: SourceLocation = .none) {
    self.value = value
    self.swiftName = swiftName
    self.summary = summary
    self.location = location
  }
}

/// One of several types.
public struct Union: Sendable, Equatable {
  /// The member whose value tells the variants apart; `nil` when their shapes do.
  public var tag: String?
  public var variants: [Variant]

  public struct Variant: Sendable, Equatable {
    /// The tag's values that select this variant; empty in a union without tag.
    public var tags: [String]
    public var swiftName: String?
    public var type: TypeReference
    public var location: SourceLocation

    public init(
      tags: [String] = [], swiftName: String? = nil, type: TypeReference, location: SourceLocation = .none
    ) {
      self.tags = tags
      self.swiftName = swiftName
      self.type = type
      self.location = location
    }
  }

  public init(tag: String? = nil, variants: [Variant]) {
    self.tag = tag
    self.variants = variants
  }
}
