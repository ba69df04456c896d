/// A named type of the catalogue.
public struct Model: Sendable, Equatable {
  /// The form of the values.
  public enum Shape: Sendable, Equatable {
    /// A JSON object with known members, and the type of other members if the catalogue keeps them.
    case object(fields: [Field], extra: TypeReference?)
    /// Strings or whole numbers. The API may add values at any time, unless the model is closed.
    case enumeration([EnumCase])
    /// One of several types.
    case union(Union)
    /// Another name for a type, such as `ListID: string(/^[0-9]{1,19}$/)`.
    case alias(TypeReference)
  }

  /// The name that types refer to.
  public var name: String
  /// The Swift name, if the wire name does not give a good one.
  public var swiftName: String?
  /// A one-line summary for the documentation comment.
  public var summary: String?
  /// The page that documents it.
  public var documentation: String?
  /// Set if it is deprecated.
  public var deprecation: Deprecation?
  /// For an enum: whether the API never adds values, so that an unknown value cannot be read.
  public var isClosed = false
  /// For an enum: whether only the known values are read, but any other value may be sent.
  public var isExtensible = false
  /// For an enum: whether its values are whole numbers.
  public var isInteger = false
  /// The form of its values.
  public var shape: Shape
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
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
  /// The name on the wire.
  public var name: String
  /// The Swift name, if the wire name does not give a good one.
  public var swiftName: String?
  /// Other names on the wire that are read into this member but never written, such as names that the API used before.
  ///
  /// `Field.wholeResponse` among them is not a name.
  public var aliases: [String]
  /// The type, with its constraints.
  public var type: TypeReference
  /// Whether the API sets it. It is removed from values that you send.
  public var isReadOnly: Bool
  /// Whether the API accepts it and never returns it.
  public var isWriteOnly: Bool
  /// The value of the field in a new model, in the field's type. The initializer does not ask for it.
  public var constant: String?
  /// The value that the API uses if none is sent.
  public var defaultValue: DefaultValue?
  /// A one-line summary for the documentation comment.
  public var summary: String?
  /// Set if it is deprecated.
  public var deprecation: Deprecation?
  /// The location in the catalogue.
  public var location: SourceLocation

  /// An entry in `aliases` for responses that lack the member: the whole response is then the member's value.
  public static let wholeResponse = "."

  /// Creates a value from its properties.
  public init(
    name: String, swiftName: String? = nil, aliases: [String] = [], type: TypeReference, isReadOnly: Bool = false,
    isWriteOnly: Bool = false, constant: String? = nil, summary: String? = nil, deprecation: Deprecation? = nil,
    location: SourceLocation = .none
  ) {
    self.isReadOnly = isReadOnly
    self.isWriteOnly = isWriteOnly
    self.constant = constant
    self.name = name
    self.swiftName = swiftName
    self.aliases = aliases
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
  /// The Swift name, if the wire name does not give a good one.
  public var swiftName: String?
  /// A one-line summary for the documentation comment.
  public var summary: String?
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
  public init(value: String, swiftName: String? = nil, summary: String? = nil, location: SourceLocation = .none) {
    self.value = value
    self.swiftName = swiftName
    self.summary = summary
    self.location = location
  }
}

/// One of several types.
public struct Union: Sendable, Equatable {
  /// The member whose value selects the variant; `nil` if the variants differ in shape.
  public var tag: String?
  /// The variants, in the order in which they are tried.
  public var variants: [Variant]

  /// One of the types.
  public struct Variant: Sendable, Equatable {
    /// The tag values that select this variant; empty in a union without a tag.
    public var tags: [String]
    /// The Swift name, if the wire name does not give a good one.
    public var swiftName: String?
    /// The type, with its constraints.
    public var type: TypeReference
    /// The location in the catalogue.
    public var location: SourceLocation

    /// Creates a value from its properties.
    public init(
      tags: [String] = [], swiftName: String? = nil, type: TypeReference, location: SourceLocation = .none
    ) {
      self.tags = tags
      self.swiftName = swiftName
      self.type = type
      self.location = location
    }
  }

  /// Creates a value from its properties.
  public init(tag: String? = nil, variants: [Variant]) {
    self.tag = tag
    self.variants = variants
  }
}
