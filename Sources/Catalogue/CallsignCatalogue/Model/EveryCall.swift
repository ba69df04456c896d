/// The facts that concern every call of an API.
public struct EveryCall: Sendable, Equatable {
  /// Header fields that go along, in the catalogue's order.
  public var headers: [Constant] = []
  /// Query parameters that go along, in the catalogue's order.
  public var query: [Constant] = []
  /// The signs of a failure that a successful status hides; any one of these is enough.
  public var failures: [FailureSign] = []
  /// The types of error bodies by status, for endpoints that have none of their own for it.
  public var errors: [ErrorBody] = []
  /// The header field that carries a key by which the API knows a POST or PATCH again.
  public var idempotencyKey: String?

  /// An API of which nothing such is known.
  public init() {}
}

/// A name with a value that is always sent.
public struct Constant: Sendable, Hashable {
  /// The name on the wire.
  public var name: String
  /// The text that is sent.
  public var value: String

  /// Describes it; see the properties.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A member of a response whose value says that the call failed although its status does not.
public struct FailureSign: Sendable, Hashable {
  /// The member, as a dotted path.
  public var path: String
  /// Its values as text, such as `false`.
  public var values: [String]
  /// Whether the values are those of success.
  public var isNegated: Bool

  /// Describes it; see the properties.
  public init(path: String, values: [String], isNegated: Bool = false) {
    self.path = path
    self.values = values
    self.isNegated = isNegated
  }
}

/// The type of the body of errors.
public struct ErrorBody: Sendable, Equatable {
  /// `404`, `4xx`, or `default` for all others.
  public var status: String
  /// The type.
  public var type: TypeReference

  /// Describes it; see the properties.
  public init(status: String, type: TypeReference) {
    self.status = status
    self.type = type
  }
}

/// The place of an API key in a request.
public struct KeyPlace: Sendable, Hashable {
  /// The part of a request.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    /// A header field.
    case header
    /// A query parameter.
    case query
    /// A cookie.
    case cookie
  }

  /// The part of a request that carries it.
  public var part: Part
  /// The name of the header field, parameter or cookie.
  public var name: String
  /// The text before the key, such as `Token `.
  public var prefix: String?

  /// Describes it; see the properties.
  public init(part: Part, name: String, prefix: String? = nil) {
    self.part = part
    self.name = name
    self.prefix = prefix
  }
}

/// A header field of a response that callers use.
public struct ResponseHeader: Sendable, Equatable {
  /// The name on the wire.
  public var name: String
  /// The property's name where the wire name's own would not do.
  public var swiftName: String?
  /// A text, number, flag or date; it may always be missing.
  public var type: TypeReference
  /// One line of plain words for the documentation comment.
  public var summary: String?
  /// Its place in the catalogue.
  public var location: SourceLocation

  /// Describes it; see the properties.
  public init(
    name: String, swiftName: String? = nil, type: TypeReference, summary: String? = nil,
    location: SourceLocation = .none
  ) {
    self.name = name
    self.swiftName = swiftName
    self.type = type
    self.summary = summary
    self.location = location
  }
}

extension Endpoint {
  /// The bodies of errors that can be read: its own, and for other statuses those that the API has for all endpoints.
  package func errorBodies(with common: [ErrorBody]) -> [ErrorBody] {
    let own = Set(errors.map(\.status))
    return (errors + common.filter { !own.contains($0.status) }).filter { $0.type.kind != .scalar(.file) }
  }
}
