import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// Keeps responses in memory for as long as the API says that they may be kept (RFC 9111), and asks whether they still hold
/// when that time is over.
///
/// A response is found again by credential, server, full URL and the header fields that its `Vary` names, so that no account
/// ever gets another's. Header fields that may say who asks, such as a tenant's or a key's, count as if `Vary` named them. A
/// client certificate is known to the transport alone: clients with different ones need caches of their own. When another
/// user has logged in under the same credentials, everything that was kept for them is forgotten. Only `GET` with status 200
/// is kept, never what is marked `no-store`, and nothing at all without a lifetime, `ETag` or `Last-Modified`. A write that
/// succeeds, or is redirected, forgets what is kept of its URL, whoever had asked for it.
///
/// ```swift
/// let configuration = ClientConfiguration(middleware: [ResponseCache()])
/// ```
public final class ResponseCache: Middleware {
  private let storage: CacheStorage
  private let maximumBodySize: Int
  private let time: any TimeSource

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - capacity: The most bytes of bodies that are kept; what was not used for longest goes first. Default: 16 MiB.
  ///   - maximumBodySize: The most bytes that one body may have. Default: 1 MiB.
  ///   - time: By which responses grow old.
  public init(capacity: Int = 16 << 20, maximumBodySize: Int = 1 << 20, time: any TimeSource = SystemTime()) {
    storage = CacheStorage(capacity: capacity)
    self.maximumBodySize = maximumBodySize
    self.time = time
  }

  /// Forgets everything.
  public func removeAll() { storage.removeAll() }

  /// Responses from memory where it may.
  public func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    let key = CacheKey(
      credential: context.credential, login: Login(request.headerFields), server: request.url.origin, url: context.url)
    guard isCacheable(request, context) else {
      let response = try await next(request)
      // RFC 9111 §4.4. It may have changed what others see there, too.
      if !request.method.isSafe {
        switch response.head.status.kind {
        case .successful, .redirection: storage.remove(key.target)
        default: break
        }
      }
      return response
    }
    let (entry, question) = storage.entry(key, for: request.headerFields)
    let wish = CacheControl(request.headerFields)
    if let entry, entry.isFresh(at: time.now()), !wish.has("no-cache") { return entry.response(at: time.now()) }

    var request = request
    if let entry { entry.addValidators(to: &request) }
    let response = try await next(request)
    if let entry, response.head.status == .notModified {
      let renewed = entry.renewed(by: response.head.headerFields, now: time.now())
      if renewed.mayBeKept {
        storage.set(renewed, for: key, respondingTo: question)
      } else {
        storage.remove(key, for: request.headerFields, respondingTo: question)
      }
      var stored = renewed.response(at: time.now())
      for name in CacheEntry.fieldsOfOneResponse {
        if let value = response.head.headerFields[name] { stored.head.headerFields[name] = value }
      }
      return stored
    }
    return keeping(response, of: request, key, respondingTo: question)
  }

  /// Whether a response to this may be kept, or taken from what is kept. Conditions and ranges of the caller's own, and
  /// credentials that are not an authenticator's, are let through as they are.
  private func isCacheable(_ request: TransportRequest, _ context: AttemptContext) -> Bool {
    let headers = request.headerFields
    guard request.method == .get, request.body.length == 0, !CacheControl(headers).has("no-store") else {
      return false
    }
    let own: [HTTPField.Name] = [
      .range, .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange, .cookie,
    ]
    if own.contains(where: { headers[$0] != nil }) { return false }
    return context.credential != nil || headers[.authorization] == nil
  }

  private func keeping(
    _ response: TransportResponse, of request: TransportRequest, _ key: CacheKey, respondingTo question: Int
  ) -> TransportResponse {
    let head = response.head
    let now = time.now()
    guard head.status == .ok, let entry = CacheEntry(head, of: request, now: now) else {
      if head.status == .ok || head.status == .notFound || head.status == .gone {
        storage.remove(key, for: request.headerFields, respondingTo: question)
      }
      return response
    }
    var response = response
    response.body = ResponseBody(
      ObservedBody(response.body, limit: maximumBodySize) { [storage] body, isWhole in
        guard isWhole, let body else { return storage.remove(key, for: request.headerFields, respondingTo: question) }
        var whole = entry
        whole.body = body
        storage.set(whole, for: key, respondingTo: question)
      })
    return response
  }
}

extension ResponseCache: RedactedStringConvertible {
  /// The number of responses and bytes that are kept, and nothing of them.
  public var description: String {
    let (entries, bytes) = storage.size
    return "ResponseCache(\(entries) responses, \(bytes) bytes)"
  }
}

/// A hash of what an `Authorization` field tells of its account. A token that was renewed counts as another login, which
/// costs a few responses and mixes up none.
struct Login: Hashable, Sendable {
  /// Whether the field was there. It is not while an API has yet to challenge, or where a signature is in the query.
  let isKnown: Bool
  private let hash: Int

  init(_ headers: HTTPFields) {
    let field = headers[.authorization] ?? ""
    isKnown = !field.isEmpty
    var hasher = Hasher()
    // Everything else in these is new with each request.
    if field.hasPrefix("OAuth ") || field.hasPrefix("Digest ") {
      for parameter in field.split(separator: " ", maxSplits: 1).last?.split(separator: ",") ?? [] {
        let parameter = parameter.drop { $0 == " " }
        let isAccount = ["oauth_consumer_key=", "oauth_token=", "username=", "realm="].contains {
          parameter.hasPrefix($0)
        }
        if isAccount { hasher.combine(parameter) }
      }
    } else {
      hasher.combine(field)
    }
    hash = hasher.finalize()
  }
}
