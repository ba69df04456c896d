/// A value that a call sends.
public struct Parameter: Sendable, Equatable {
  /// The part of a request that carries the parameter.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// A segment of the path.
    case path
    /// The query.
    case query
    /// A header field.
    case header
    /// A cookie.
    case cookie
    /// A member of the endpoint's body, in the format of the body.
    case field
    /// The whole body: any JSON value, or raw bytes.
    case body
  }

  /// How a list is written in a place without native lists (query, header, cookie, path, form).
  public enum ListStyle: String, Sendable, Hashable, CaseIterable {
    /// `a,b,c`
    case comma
    /// `a b c`
    case space
    /// `a|b|c`
    case pipe
    /// `name=a&name=b`; in a path, the text from `;` up to the value is repeated.
    case `repeat`
    /// `name[]=a&name[]=b`
    case brackets
    /// `name[0]=a&name[1]=b`
    case indexed
    /// `a.b.c`
    case dot
  }

  /// How an object is written in a place without native objects (anywhere but in JSON).
  public enum ObjectStyle: String, Sendable, Hashable, CaseIterable {
    /// `name[member]=a`
    case brackets
    /// `name.member=a`
    case dots
    /// `member=a`, as if each member were a separate parameter.
    case members
    /// One JSON value. For a list that repeats its name, one JSON value per element.
    case json
    /// `name=member,a`: names and values of the members in turn. In a path, header or cookie, without `name=`.
    case flat
    /// `member=a,other=b`, in a path or header.
    case pairs

    /// Whether the object is one text made of only names and values.
    public var isOneText: Bool { self == .flat || self == .pairs }
  }

  /// The parameter's name in the catalogue. It is also the name on the wire, unless `wireName` is set.
  public var name: String
  /// The name on the wire, if a parameter in another place has the same one.
  public var wireName: String?
  /// The name on the wire.
  public var wire: String { wireName ?? name }
  /// The argument label, if the wire name does not give a good one.
  public var swiftName: String?
  /// The part of the request that carries it.
  public var place: Place
  /// The type, with its constraints.
  public var type: TypeReference
  /// The style of a list; used only for lists.
  public var listStyle: ListStyle
  /// Set for an object, or a list of objects, outside JSON.
  public var objectStyle: ObjectStyle?
  /// Whether the reserved characters of RFC 3986 §2.2, except `&`, `#` and `+`, are left unescaped in the value. Used only in a
  /// query.
  public var keepsReserved = false
  /// The text to send always, in the parameter's type. Such a parameter is not an argument.
  public var constant: String?
  /// The value that the API uses if none is sent.
  public var defaultValue: DefaultValue?
  /// A one-line summary for the documentation comment.
  public var summary: String?
  /// Set if it is deprecated.
  public var deprecation: Deprecation?
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
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

/// A rule about several parameters together, which no single type can express.
public struct ParameterRule: Sendable, Equatable {
  /// The kind of rule.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Exactly one of them is sent; with `isOptional`, at most one.
    case oneOf = "one_of"
    /// At least one of them is sent.
    case anyOf = "any_of"
    /// All of them or none are sent.
    case together
  }

  /// One case of the enum for the alternatives: the parameters that are sent together if you choose it.
  public struct Alternative: Sendable, Equatable {
    /// The case's Swift name; `nil` uses the name of its first parameter.
    public var name: String?
    /// The associated values, in order. The first parameter has no label; the others keep theirs.
    public var parts: [Part]
    /// The location in the catalogue.
    public var location: SourceLocation

    /// Creates a value from its properties.
    public init(name: String? = nil, parts: [Part], location: SourceLocation = .none) {
      self.name = name
      self.parts = parts
      self.location = location
    }
  }

  /// One associated value of an alternative.
  public indirect enum Part: Sendable, Equatable {
    /// A parameter, by name.
    case parameter(String)
    /// A nested choice, with a Swift type and a label.
    case choice(ParameterRule)
  }

  /// The kind of rule.
  public var kind: Kind
  /// Names from the endpoint's `parameters`, including those in nested choices.
  public var parameters: [String]
  /// For `oneOf`: the Swift enum for the alternatives, such as `UserReference`.
  public var swiftType: String?
  /// The argument label of the choice.
  public var swiftLabel: String?
  /// With a Swift type: whether the argument can be left out, so that nothing is sent.
  public var isOptional: Bool
  /// With a Swift type: the enum's cases, if the catalogue lists them; empty if each parameter is one case.
  public var alternatives: [Alternative]
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
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
