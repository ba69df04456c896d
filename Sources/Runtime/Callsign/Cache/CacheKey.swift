import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The key for finding responses again. The method is always `GET`.
struct CacheKey: Hashable, Sendable {
  var credential: CredentialIdentity?
  /// The login: an identity may stay while the person changes.
  var login: Login
  /// The actual server of the request: the same URL may lead each tenant to a different server.
  var server: String
  var url: String

  /// The place that a write changes for everybody.
  var target: CacheTarget { CacheTarget(server: server, url: url) }
}

/// A URL at a server, for all accounts.
struct CacheTarget: Hashable, Sendable {
  var server: String
  var url: String
}

/// The header fields of a request that may tell who asks, besides its credentials: all but those that are known to tell
/// nothing of it.
struct CacheRequester: Hashable, Sendable {
  private let fields: [CacheVariation]

  /// The fields that make no difference: the owner of a response is in the key, the requested form is in `Vary`, and the others are
  /// new with each request.
  private static let indifferent: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "authorization", "baggage", "cache-control",
    "content-length", "content-type", "date", "expect", "if-modified-since", "if-none-match", "pragma", "priority",
    "request-id", "te", "traceparent", "tracestate", "user-agent", "x-correlation-id", "x-request-id",
  ]

  init(_ headers: HTTPFields) {
    var names: Set<HTTPField.Name> = []
    for field in headers where !Self.indifferent.contains(field.name.canonicalName) { names.insert(field.name) }
    fields =
      names.isEmpty ? [] : names.sorted { $0.canonicalName < $1.canonicalName }.map { CacheVariation($0, headers) }
  }
}
