import CallsignHTTP
import Foundation
import HTTPTypes

/// Keeps answers in memory for as long as the API says that they may be kept (RFC 9111), and asks whether they still hold
/// when that time is over.
///
/// An answer is found again by credential, method and full URL, so that no account ever gets another's. Only `GET` with
/// status 200 is kept, never what is marked `no-store`, and nothing at all without a lifetime, `ETag` or `Last-Modified`.
/// A successful write forgets what is kept of its URL.
///
/// ```swift
/// let configuration = ClientConfiguration(middleware: [ResponseCache()])
/// ```
public final class ResponseCache: Middleware {
  private let storage: CacheStorage
  private let largestBody: Int
  private let time: any TimeSource

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - capacity: The most bytes of bodies that are kept; what was not used for longest goes first. Default: 16 MiB.
  ///   - largestBody: The most bytes that one body may have. Default: 1 MiB.
  ///   - time: By which answers grow old.
  public init(capacity: Int = 16 << 20, largestBody: Int = 1 << 20, time: any TimeSource = SystemTime()) {
    storage = CacheStorage(capacity: capacity)
    self.largestBody = largestBody
    self.time = time
  }

  /// Forgets everything.
  public func removeAll() { storage.removeAll() }

  /// Answers from memory where it may.
  public func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    let key = CacheKey(credential: context.credential, url: context.url)
    guard isCacheable(request, context) else {
      let response = try await next(request)
      if request.head.method != .get, request.head.method != .head, response.head.status.kind == .successful {
        storage.remove(key)
      }
      return response
    }
    let entry = storage.entry(key).flatMap { $0.matches(request) ? $0 : nil }
    let wish = CacheControl(request.head.headerFields)
    if let entry, time.now() < entry.expiry, !wish.has("no-cache") { return entry.response(at: time.now()) }

    var request = request
    if let entry { entry.addValidators(to: &request) }
    let response = try await next(request)
    if let entry, response.head.status == .notModified {
      let renewed = entry.renewed(by: response.head.headerFields, now: time.now())
      storage.set(renewed, for: key)
      return renewed.response(at: time.now())
    }
    return keeping(response, of: request, key)
  }

  /// Whether an answer to this may be kept, or taken from what is kept. Conditions and ranges of the caller's own, and
  /// credentials that are not an authenticator's, are let through as they are.
  private func isCacheable(_ request: TransportRequest, _ context: AttemptContext) -> Bool {
    let headers = request.head.headerFields
    guard request.head.method == .get, request.body.length == 0, !CacheControl(headers).has("no-store") else {
      return false
    }
    let own: [HTTPField.Name] = [
      .range, .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange, .cookie,
    ]
    if own.contains(where: { headers[$0] != nil }) { return false }
    return context.credential != nil || headers[.authorization] == nil
  }

  private func keeping(_ response: TransportResponse, of request: TransportRequest, _ key: CacheKey)
    -> TransportResponse
  {
    let head = response.head
    let now = time.now()
    guard head.status == .ok, let entry = CacheEntry(head, of: request, now: now) else {
      if head.status == .ok || head.status == .notFound || head.status == .gone { storage.remove(key) }
      return response
    }
    var response = response
    response.body = ResponseBody(
      ObservedBody(response.body, limit: largestBody) { [storage] body, isWhole in
        guard isWhole, let body else { return storage.remove(key) }
        var whole = entry
        whole.body = body
        storage.set(whole, for: key)
      })
    return response
  }
}

extension ResponseCache: RedactedStringConvertible {
  /// How much is kept, and nothing of it.
  public var description: String {
    let (entries, bytes) = storage.size
    return "ResponseCache(\(entries) answers, \(bytes) bytes)"
  }
}
