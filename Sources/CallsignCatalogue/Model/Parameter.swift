/// A value that a call sends.
public struct Parameter: Sendable, Equatable {
  /// Where a parameter goes.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    case path
    case query
    case header
    /// A member of the endpoint's body, in the body's format.
    case field
    /// The parameter is the whole body: any JSON value, or raw bytes.
    case body
  }

  /// How a list is written where the place has no lists of its own (query, header, path, form).
  public enum ListStyle: String, Sendable, Hashable, CaseIterable {
    /// `a,b,c`
    case comma
    /// `a b c`
    case space
    /// `name=a&name=b`
    case `repeat`
    /// `name[]=a&name[]=b`
    case brackets
  }

  /// The name on the wire.
  public var name: String
  /// The argument label where the wire name's own would not do.
  public var swiftName: String?
  /// Where it goes.
  public var place: Place
  /// The type, with its constraints.
  public var type: TypeReference
  /// Meaningful for lists only.
  public var listStyle: ListStyle
  /// The text that is always sent, in the parameter's type; such a parameter is no argument.
  public var constant: String?
  /// One line of plain words for the documentation comment.
  public var summary: String?
  /// Set where it should not be used any more.
  public var deprecation: Deprecation?
  /// Where the catalogue says it.
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
