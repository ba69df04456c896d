/// The settings for every call of an API.
public struct EveryCall: Sendable, Equatable {
  /// The header fields that every call sends, in the catalogue's order.
  public var headers: [Constant] = []
  /// The query parameters that every call sends, in the catalogue's order.
  public var query: [Constant] = []
  /// The signs of a failure behind a successful status. Any one of them is enough.
  public var failures: [FailureSign] = []
  /// The types of error bodies by status, for endpoints that declare none for it.
  public var errors: [ErrorBody] = []
  /// The header field for the idempotency key of a POST or PATCH.
  public var idempotencyKey: String?

  /// Creates a value for an API without any of these.
  public init() {}
}

/// A name with a value that is always sent.
public struct Constant: Sendable, Hashable {
  /// The name on the wire.
  public var name: String
  /// The value to send.
  public var value: String

  /// Creates a value from its properties.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A member of a response whose value means that the call failed, although its status says otherwise.
public struct FailureSign: Sendable, Hashable {
  /// The member, as a dotted path.
  public var path: String
  /// The values as text, such as `false`.
  public var values: [String]
  /// Whether the values mean success instead.
  public var isNegated: Bool

  /// Creates a value from its properties.
  public init(path: String, values: [String], isNegated: Bool = false) {
    self.path = path
    self.values = values
    self.isNegated = isNegated
  }
}

/// The type of the body of errors.
public struct ErrorBody: Sendable, Equatable {
  /// `404`, `4xx`, or `default` for all other statuses.
  public var status: String
  /// The type.
  public var type: TypeReference

  /// Creates a value from its properties.
  public init(status: String, type: TypeReference) {
    self.status = status
    self.type = type
  }
}

/// Where a request carries an API key.
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

  /// The part of a request that carries the key.
  public var part: Part
  /// The name of the header field, parameter or cookie.
  public var name: String
  /// The text before the key, such as `Token `.
  public var prefix: String?

  /// Creates a value from its properties.
  public init(part: Part, name: String, prefix: String? = nil) {
    self.part = part
    self.name = name
    self.prefix = prefix
  }
}

/// A header field of a response that callers can read.
public struct ResponseHeader: Sendable, Equatable {
  /// The name on the wire.
  public var name: String
  /// The property's name, if the wire name does not give a good one.
  public var swiftName: String?
  /// The type: a string, number, flag or date. The field may always be missing.
  public var type: TypeReference
  /// A one-line summary for the documentation comment.
  public var summary: String?
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
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
  /// The error bodies that can be read: the endpoint's own and, for other statuses, those that the API declares for all endpoints.
  package func errorBodies(with common: [ErrorBody]) -> [ErrorBody] {
    let own = Set(errors.map(\.status))
    return (errors + common.filter { !own.contains($0.status) }).filter { $0.type.kind != .scalar(.file) }
  }
}
