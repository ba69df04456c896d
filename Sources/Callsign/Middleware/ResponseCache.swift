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
      if request.method != .get, request.method != .head, response.head.status.kind == .successful {
        storage.remove(key)
      }
      return response
    }
    let entry = storage.entry(key).flatMap { $0.matches(request) ? $0 : nil }
    let wish = CacheControl(request.headerFields)
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

/// By what an answer is found again. The method is always `GET`.
struct CacheKey: Hashable, Sendable {
  var credential: CredentialIdentity?
  var url: String
}

/// An answer that is kept.
struct CacheEntry: Sendable {
  private(set) var head: HTTPResponse
  var body = Data()
  private(set) var arrival: Date
  private(set) var expiry: Date
  /// The request's fields on which the answer depends, by `Vary`.
  private let variation: [HTTPField.Name: String?]

  /// `nil` where the answer must not be kept, or could not be used again.
  init?(_ head: HTTPResponse, of request: TransportRequest, now: Date) {
    let headers = head.headerFields
    let control = CacheControl(headers)
    let lifetime = control.lifetime(headers, now: now)
    guard !control.has("no-store"), lifetime > 0 || headers[.eTag] != nil || headers[.lastModified] != nil else {
      return nil
    }
    var variation: [HTTPField.Name: String?] = [:]
    for name in (headers[.vary] ?? "").split(separator: ",") {
      let name = name.trimmingCharacters(in: .whitespaces)
      guard name != "*", let field = HTTPField.Name(name) else { return nil }
      // Its value is new with every signature; whose it is stands in the key.
      if field != .authorization { variation[field] = .some(request.headerFields[field]) }
    }
    self.head = head
    self.variation = variation
    arrival = now
    expiry = now.addingTimeInterval(lifetime)
  }

  func matches(_ request: TransportRequest) -> Bool {
    variation.allSatisfy { request.headerFields[$0.key] == $0.value }
  }

  func addValidators(to request: inout TransportRequest) {
    if let tag = head.headerFields[.eTag] { request.headerFields[.ifNoneMatch] = tag }
    if let date = head.headerFields[.lastModified] { request.headerFields[.ifModifiedSince] = date }
  }

  /// The same answer with what a 304 says anew (RFC 9111 §3.2).
  func renewed(by headers: HTTPFields, now: Date) -> CacheEntry {
    var entry = self
    for field in headers where field.name != .contentLength && field.name != .contentEncoding {
      entry.head.headerFields[field.name] = headers[field.name]
    }
    if headers[.age] == nil { entry.head.headerFields[.age] = nil }
    entry.arrival = now
    entry.expiry = now.addingTimeInterval(
      CacheControl(entry.head.headerFields).lifetime(entry.head.headerFields, now: now))
    return entry
  }

  /// The answer, with its age in seconds.
  func response(at now: Date) -> TransportResponse {
    var head = head
    let past = head.headerFields[.age].flatMap { Int($0) } ?? 0
    head.headerFields[.age] = String(past + Int(min(max(0, now.timeIntervalSince(arrival)), 1e9)))
    return TransportResponse(head: head, body: ResponseBody(body))
  }
}

/// Answers within a bound of bytes.
final class CacheStorage: Sendable {
  private struct State {
    var entries: [CacheKey: (entry: CacheEntry, used: UInt64)] = [:]
    var bytes = 0
    var clock: UInt64 = 0
  }

  /// The bytes that an entry takes up besides its body, roughly.
  private static let overhead = 1024

  private let capacity: Int
  private let state = Locked(State())

  init(capacity: Int) { self.capacity = capacity }

  func entry(_ key: CacheKey) -> CacheEntry? {
    state.withLock { state in
      state.clock += 1
      state.entries[key]?.used = state.clock
      return state.entries[key]?.entry
    }
  }

  func set(_ entry: CacheEntry, for key: CacheKey) {
    state.withLock { state in
      Self.remove(key, &state)
      guard entry.body.count + Self.overhead <= capacity else { return }
      state.clock += 1
      state.entries[key] = (entry, state.clock)
      state.bytes += entry.body.count + Self.overhead
      while state.bytes > capacity, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
        Self.remove(oldest.key, &state)
      }
    }
  }

  func remove(_ key: CacheKey) { state.withLock { Self.remove(key, &$0) } }

  func removeAll() { state.withLock { $0 = State() } }

  var size: (entries: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

  private static func remove(_ key: CacheKey, _ state: inout State) {
    guard let old = state.entries.removeValue(forKey: key) else { return }
    state.bytes -= old.entry.body.count + overhead
  }
}

/// The caching rules in an answer's header fields (RFC 9111).
struct CacheControl {
  private let directives: [String: String]

  init(_ headers: HTTPFields) {
    var directives: [String: String] = [:]
    for part in (headers[.cacheControl] ?? "").split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard let name = pair.first else { continue }
      directives[name.lowercased()] = pair.count > 1 ? pair[1].trimmingCharacters(in: ["\""]) : ""
    }
    self.directives = directives
  }

  func has(_ name: String) -> Bool { directives[name] != nil }

  /// How long the answer is fresh from its arrival on, in seconds; there is no guessing.
  func lifetime(_ headers: HTTPFields, now: Date) -> TimeInterval {
    if has("no-cache") { return 0 }
    let age = headers[.age].flatMap { TimeInterval($0) } ?? 0
    if let text = directives["max-age"] {
      // A lifetime that cannot be read is none (RFC 9111 §4.2.1).
      return max(0, (Int(text).map { TimeInterval($0) } ?? 0) - age)
    }
    guard let text = headers[.expires], let expires = HTTPDate.date(text, now: now) else { return 0 }
    let sent = headers[.date].flatMap { HTTPDate.date($0, now: now) } ?? now
    return max(0, expires.timeIntervalSince(sent) - age)
  }
}
