/// A value that a call sends.
public struct Parameter: Sendable, Equatable {
  /// The part of a request that carries a parameter.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// A segment of the path.
    case path
    /// The query.
    case query
    /// A header field.
    case header
    /// A cookie.
    case cookie
    /// A member of the endpoint's body, in the body's format.
    case field
    /// The parameter is the whole body: any JSON value, or raw bytes.
    case body
  }

  /// A form in which a list is written where the place has no lists of its own (query, header, cookie, path, form).
  public enum ListStyle: String, Sendable, Hashable, CaseIterable {
    /// `a,b,c`
    case comma
    /// `a b c`
    case space
    /// `a|b|c`
    case pipe
    /// `name=a&name=b`; in a path what stands before the value from its `;` on, again.
    case `repeat`
    /// `name[]=a&name[]=b`
    case brackets
    /// `name[0]=a&name[1]=b`
    case indexed
    /// `a.b.c`
    case dot
  }

  /// A form in which an object is written where the place has no objects of its own (anywhere but in JSON).
  public enum ObjectStyle: String, Sendable, Hashable, CaseIterable {
    /// `name[member]=a`
    case brackets
    /// `name.member=a`
    case dots
    /// `member=a`, as if each member were a parameter of its own.
    case members
    /// One value of JSON; of a list that repeats its name, one for each element.
    case json
    /// `name=member,a`, the names and values of its members by turns; in a path, header or cookie without `name=`.
    case flat
    /// `member=a,other=b`, in a path or header.
    case pairs

    /// Whether it is one text, of names and values alone.
    public var isOneText: Bool { self == .flat || self == .pairs }
  }

  /// The parameter's name in the catalogue, and on the wire unless `wireName` says another.
  public var name: String
  /// The name on the wire, where a parameter of another place has the same one.
  public var wireName: String?
  /// The name by which it is sent.
  public var wire: String { wireName ?? name }
  /// The argument label where the wire name's own would not do.
  public var swiftName: String?
  /// The part of the request that carries it.
  public var place: Place
  /// The type, with its constraints.
  public var type: TypeReference
  /// Meaningful for lists only.
  public var listStyle: ListStyle
  /// Set for an object, or a list of objects, that is not in JSON.
  public var objectStyle: ObjectStyle?
  /// Whether the reserved characters of RFC 3986 §2.2 stand in its value as they are, but for `&`, `#` and `+`. Meaningful
  /// in a query only.
  public var keepsReserved = false
  /// The text that is always sent, in the parameter's type; such a parameter is no argument.
  public var constant: String?
  /// The value that the API takes where none is sent.
  public var defaultValue: DefaultValue?
  /// One line of plain words for the documentation comment.
  public var summary: String?
  /// Set where it should not be used any more.
  public var deprecation: Deprecation?
  /// Its place in the catalogue.
  public var location: SourceLocation

  /// Describes it; see the properties.
  public init(
    name: String, swiftName: String? = nil, place: Place, type: TypeReference, listStyle: ListStyle = .comma,
    constant: String? = nil, summary: String? = nil, deprecation: Deprecation? = nil, location: SourceLocation = .none
  ) {
    self.name = name
    self.swiftName = swiftName
    self.place = place
    self.type = type
    self.listStyle = listStyle
    self.constant = constant
    self.summary = summary
    self.deprecation = deprecation
    self.location = location
  }
}

/// A demand on several parameters together, which no single type can state.
public struct ParameterRule: Sendable, Equatable {
  /// The demand.
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
    /// Its place in the catalogue.
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
    /// A parameter, by its name.
    case parameter(String)
    /// A choice of its own, with a Swift type and a label.
    case choice(ParameterRule)
  }

  /// The demand.
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
  /// Its place in the catalogue.
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
