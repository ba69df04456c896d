import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// Keeps responses in memory for as long as the API allows (RFC 9111), and revalidates them after that.
///
/// The cache finds a response by credential, server, full URL and the header fields that its `Vary` names, so an
/// account never gets another account's response. Header fields that may identify the caller, such as those for a
/// tenant or a key, count as if `Vary` named them. Only the transport knows a client certificate, so clients with
/// different certificates need separate caches. If another user logs in with the same credentials, everything kept for
/// the previous user is forgotten.
///
/// Only `GET` responses with status 200 are kept. Responses marked `no-store`, and those without a lifetime, `ETag` or
/// `Last-Modified`, are not. A write that succeeds, or is redirected, forgets everything kept for its URL, for all
/// accounts.
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
  ///   - capacity: The maximum number of bytes of bodies to keep; the least recently used go first. Default: 16 MiB.
  ///   - maximumBodySize: The maximum size of one body, in bytes. Default: 1 MiB.
  ///   - time: The clock for the age of responses.
  public init(capacity: Int = 16 << 20, maximumBodySize: Int = 1 << 20, time: any TimeSource = SystemTime()) {
    storage = CacheStorage(capacity: capacity)
    self.maximumBodySize = maximumBodySize
    self.time = time
  }

  /// Forgets everything.
  public func removeAll() { storage.removeAll() }

  /// Responds from memory if possible.
  public func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    let key = CacheKey(
      credential: context.credential, login: Login(request.headerFields), server: request.url.origin, url: context.url)
    guard isCacheable(request, context) else {
      let response = try await next(request)
      // RFC 9111 §4.4. The write may also have changed what others see there.
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

  /// Whether a response to this request may be kept, or taken from the cache. Requests with the caller's own conditions
  /// and ranges, or with credentials that are not an authenticator's, pass through unchanged.
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
  /// The number of responses and bytes in the cache, and nothing of their content.
  public var description: String {
    let (entries, bytes) = storage.size
    return "ResponseCache(\(entries) responses, \(bytes) bytes)"
  }
}

/// A hash of the part of an `Authorization` field that identifies its account. A renewed token counts as another login,
/// which costs a few responses but never mixes any up.
struct Login: Hashable, Sendable {
  /// Whether there was such a field. There is none while an API has yet to challenge, or if a signature is in the
  /// query.
  let isKnown: Bool
  private let hash: Int

  init(_ headers: HTTPFields) {
    let field = headers[.authorization] ?? ""
    isKnown = !field.isEmpty
    var hasher = Hasher()
    // The rest of these fields is new with each request.
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
