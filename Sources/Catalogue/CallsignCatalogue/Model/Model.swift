/// A named type of the catalogue.
public struct Model: Sendable, Equatable {
  /// The form of the values.
  public enum Shape: Sendable, Equatable {
    /// A JSON object with known members, and the type of any further ones where the catalogue keeps them.
    case object(fields: [Field], extra: TypeReference?)
    /// Strings or whole numbers, of which the API may add more at any time, unless the model is closed.
    case enumeration([EnumCase])
    /// One of several types.
    case union(Union)
    /// Another name for a type, such as `ListID: string(/^[0-9]{1,19}$/)`.
    case alias(TypeReference)
  }

  /// The name that references use.
  public var name: String
  /// The Swift name where the wire name's own would not do.
  public var swiftName: String?
  /// One line of plain words for the documentation comment.
  public var summary: String?
  /// The page that documents it.
  public var documentation: String?
  /// Set where it should not be used any more.
  public var deprecation: Deprecation?
  /// Of an enum: whether the API never adds values, so that an unknown one cannot be read.
  public var isClosed = false
  /// Of an enum: whether its values are only those that are known, and any other may be sent as well.
  public var isExtensible = false
  /// Of an enum: whether its values are whole numbers.
  public var isInteger = false
  /// The form of its values.
  public var shape: Shape
  /// Its place in the catalogue.
  public var location: SourceLocation

  /// Describes it; see the properties.
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
  /// The Swift name where the wire name's own would not do.
  public var swiftName: String?
  /// Further names on the wire that are read as this member, and never written: names that the API used before.
  ///
  /// `Field.wholeResponse` among them is no name.
  public var aliases: [String]
  /// The type, with its constraints.
  public var type: TypeReference
  /// Whether the API sets it: a value that is sent goes without.
  public var isReadOnly: Bool
  /// Whether the API takes it and never responds with it.
  public var isWriteOnly: Bool
  /// The value that a new model has, in the field's type: an initializer does not ask for it.
  public var constant: String?
  /// The value that the API takes where none is sent.
  public var defaultValue: DefaultValue?
  /// One line of plain words for the documentation comment.
  public var summary: String?
  /// Set where it should not be used any more.
  public var deprecation: Deprecation?
  /// Its place in the catalogue.
  public var location: SourceLocation

  /// Stands among `aliases` where a response that lacks the member is the member's value itself.
  public static let wholeResponse = "."

  /// Describes it; see the properties.
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
  /// The Swift name where the wire name's own would not do.
  public var swiftName: String?
  /// One line of plain words for the documentation comment.
  public var summary: String?
  /// Its place in the catalogue.
  public var location: SourceLocation

  /// Describes it; see the properties.
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
  /// In the order in which they are tried.
  public var variants: [Variant]

  /// One of the types.
  public struct Variant: Sendable, Equatable {
    /// The tag's values that select this variant; empty in a union without tag.
    public var tags: [String]
    /// The Swift name where the wire name's own would not do.
    public var swiftName: String?
    /// The type, with its constraints.
    public var type: TypeReference
    /// Its place in the catalogue.
    public var location: SourceLocation

    /// Describes it; see the properties.
    public init(
      tags: [String] = [], swiftName: String? = nil, type: TypeReference, location: SourceLocation = .none
    ) {
      self.tags = tags
      self.swiftName = swiftName
      self.type = type
      self.location = location
    }
  }

  /// Describes it; see the properties.
  public init(tag: String? = nil, variants: [Variant]) {
    self.tag = tag
    self.variants = variants
  }
}
