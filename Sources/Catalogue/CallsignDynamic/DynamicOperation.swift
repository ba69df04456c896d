import Callsign
import CallsignCatalogue

/// An operation of a catalogue that you can call by name with JSON arguments.
public struct DynamicOperation: Sendable {
  /// Its description in the catalogue: parameters, types, credentials, limits.
  public let endpoint: CallsignCatalogue.Endpoint
  /// The name of the catalogue file that contains it.
  public let group: String
  package let models: ModelTable
  package let facts: EndpointFacts
  let described: Callsign.Endpoint

  init(_ endpoint: CallsignCatalogue.Endpoint, group: String, of api: API, _ models: ModelTable) {
    self.endpoint = endpoint
    self.group = group
    self.models = models
    let facts = EndpointFacts(endpoint, of: api, models)
    self.facts = facts
    let backfill = facts.backfillLimit.flatMap { limit in
      endpoint.backfill.map { StreamBackfill.minutes($0.parameter, upTo: limit, id: $0.id) }
    }
    described = Callsign.Endpoint(
      endpoint.name, endpoint.method, facts.baseURL, endpoint.path, auth: facts.auth, repeatable: facts.isRepeatable,
      body: facts.body.map { .init($0) } ?? .none, stream: endpoint.stream.map { .init($0) }, backfill: backfill,
      details: facts.details.joined(separator: "\n"))
  }

  /// The operation's name.
  public var name: String { endpoint.name }
  /// Whether the result comes in pages.
  public var hasPages: Bool { paging != nil }
  /// Whether the response is an endless stream.
  public var isStream: Bool { endpoint.stream != nil }
  /// Whether it only reads: `GET`, `HEAD` or `OPTIONS`.
  public var isReadOnly: Bool { endpoint.isSafe }

  /// Checks the arguments and creates a call. Nothing is sent.
  ///
  /// - Parameters:
  ///   - arguments: The values, by the parameters' names on the wire. Missing arguments are not sent.
  ///   - policy: How strictly to check them.
  ///   - options: The settings that differ from the client's.
  /// - Throws: ``ArgumentError`` with all problems at once.
  public func call(
    _ arguments: [String: JSONValue] = [:], policy: ArgumentPolicy = ArgumentPolicy(),
    options: CallOptions = CallOptions()
  ) throws(ArgumentError) -> DynamicCall {
    DynamicCall(
      operation: self, call: try CallBuilder(self).call(arguments, policy, options), arguments: arguments,
      policy: policy)
  }

  /// A phrase that describes the possible values of a parameter or of one of its members.
  public func phrase(for type: TypeReference) -> String { TypePhrase(type, models).text }

  /// The elements of a response, if the operation has pages. An empty page may lack them.
  package func items(of response: JSONValue) -> [JSONValue]? {
    endpoint.pages.flatMap { pages in
      guard let items = response.value(at: pages.items), !items.isNull else { return [] }
      return items.array
    }
  }

  /// The kind of response.
  enum Result {
    case nothing
    case bytes
    case text
    /// The response's header says the type.
    case content
    case json(TypeReference)
  }

  var result: Result {
    guard let returns = endpoint.returns else { return .nothing }
    if endpoint.returnsAnyContent { return .content }
    switch models.resolved(returns).kind {
    case .scalar(.bytes): return .bytes
    case .scalar(.string) where endpoint.accept.map({ !MediaType.isJSON($0) }) ?? false: return .text
    default: return .json(returns)
    }
  }

  /// How to request the pages; `nil` if the operation has none.
  var paging: Paging? { Paging(self) }
}

extension Callsign.Endpoint.Body {
  init(_ format: BodyFormat) {
    switch format {
    case .json: self = .json
    case .form: self = .form
    case .multipart: self = .multipart
    }
  }
}

extension Callsign.StreamFraming {
  init(_ framing: CallsignCatalogue.StreamFraming) {
    switch framing {
    case .lines: self = .lines
    case .length: self = .length
    case .events: self = .events
    case .array: self = .array
    }
  }
}
