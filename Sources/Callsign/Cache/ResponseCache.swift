import CallsignFoundation
import CallsignHTTP
import HTTPTypes

/// Keeps answers in memory for as long as the API says that they may be kept (RFC 9111), and asks whether they still hold
/// when that time is over.
///
/// An answer is found again by credential, server, full URL and the header fields that its `Vary` names, so that no account
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
  ///   - time: By which answers grow old.
  public init(capacity: Int = 16 << 20, maximumBodySize: Int = 1 << 20, time: any TimeSource = SystemTime()) {
    storage = CacheStorage(capacity: capacity)
    self.maximumBodySize = maximumBodySize
    self.time = time
  }

  /// Forgets everything.
  public func removeAll() { storage.removeAll() }

  /// Answers from memory where it may.
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
        storage.set(renewed, for: key, answering: question)
      } else {
        storage.remove(key, for: request.headerFields, answering: question)
      }
      var answer = renewed.response(at: time.now())
      for name in CacheEntry.fieldsOfOneResponse {
        if let value = response.head.headerFields[name] { answer.head.headerFields[name] = value }
      }
      return answer
    }
    return keeping(response, of: request, key, answering: question)
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

  private func keeping(
    _ response: TransportResponse, of request: TransportRequest, _ key: CacheKey, answering question: Int
  ) -> TransportResponse {
    let head = response.head
    let now = time.now()
    guard head.status == .ok, let entry = CacheEntry(head, of: request, now: now) else {
      if head.status == .ok || head.status == .notFound || head.status == .gone {
        storage.remove(key, for: request.headerFields, answering: question)
      }
      return response
    }
    var response = response
    response.body = ResponseBody(
      ObservedBody(response.body, limit: maximumBodySize) { [storage] body, isWhole in
        guard isWhole, let body else { return storage.remove(key, for: request.headerFields, answering: question) }
        var whole = entry
        whole.body = body
        storage.set(whole, for: key, answering: question)
      })
    return response
  }
}

extension ResponseCache: RedactedStringConvertible {
  /// The number of answers and bytes that are kept, and nothing of them.
  public var description: String {
    let (entries, bytes) = storage.size
    return "ResponseCache(\(entries) answers, \(bytes) bytes)"
  }
}

/// The key by which answers are found again. The method is always `GET`.
struct CacheKey: Hashable, Sendable {
  var credential: CredentialIdentity?
  /// The login: an identity may stay while the person changes.
  var login: Login
  /// The server that the request really went to: the same URL may lead each tenant to a server of its own.
  var server: String
  var url: String

  /// The place that a write changes for everybody.
  var target: CacheTarget { CacheTarget(server: server, url: url) }
}

/// A URL at a server, whoever asks for it.
struct CacheTarget: Hashable, Sendable {
  var server: String
  var url: String
}

/// The header fields of a request that may tell who asks, besides its credentials: all but those that are known to tell
/// nothing of it.
struct CacheRequester: Hashable, Sendable {
  private let fields: [CacheVariation]

  /// The fields that make no difference: the owner of an answer stands in the key, the form that is wanted in `Vary`,
  /// and the others are new with each request.
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

/// A hash of what an `Authorization` field tells of its account. A token that was renewed counts as another login, which
/// costs a few answers and mixes up none.
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

/// An answer that is kept.
struct CacheEntry: Sendable {
  private(set) var head: HTTPResponse
  var body = Data()
  private(set) var arrival: Date
  /// Its age when it arrived, in seconds.
  private var age: TimeInterval
  private(set) var expiry: Date
  /// The request's fields on which the answer depends, by `Vary`, and their values.
  let variation: [CacheVariation]
  /// The request's fields that may tell who asked.
  let requester: CacheRequester

  /// The fields that are about one request and its answer, such as the proof of a server that it knows the password
  /// (RFC 7616 §3.5). They say nothing of a later one, and are not kept (RFC 9111 §3.1).
  static let fieldsOfOneResponse: [HTTPField.Name] = [
    .authenticationInfo, .proxyAuthenticationInfo, .wwwAuthenticate, .proxyAuthenticate,
  ]

  /// `nil` where the answer must not be kept, or could not be used again.
  init?(_ head: HTTPResponse, of request: TransportRequest, now: Date) {
    let headers = head.headerFields
    let control = CacheControl(headers)
    let age = CacheControl.age(headers, at: now)
    let lifetime = control.lifetime(headers, age: age, now: now)
    guard !control.has("no-store"), lifetime > 0 || headers[.eTag] != nil || headers[.lastModified] != nil else {
      return nil
    }
    var variation: [CacheVariation] = []
    for name in (headers[.vary] ?? "").split(separator: ",") {
      let name = name.trimmingWhitespace()
      guard name != "*", let field = HTTPField.Name(name) else { return nil }
      // Its value is new with every signature; whose it is stands in the key.
      if field != .authorization { variation.append(CacheVariation(field, request.headerFields)) }
    }
    self.head = head
    for name in Self.fieldsOfOneResponse { self.head.headerFields[name] = nil }
    self.variation = variation
    requester = CacheRequester(request.headerFields)
    arrival = now
    self.age = age
    expiry = now.addingTimeInterval(lifetime)
  }

  /// By how many seconds an answer may seem to come from the future: the clock is not read in the order of arrival. Where
  /// it is further ahead, the clock was set back, and nobody knows how old the answer is.
  private static let slack: TimeInterval = 5

  /// Whether it may be used without asking.
  func isFresh(at now: Date) -> Bool { now < expiry && arrival <= now.addingTimeInterval(Self.slack) }

  /// Whether its own fields let it be kept. A 304 may take back what the answer before it had said (RFC 9111 §5.2.2.5).
  var mayBeKept: Bool { !CacheControl(head.headerFields).has("no-store") }

  func addValidators(to request: inout TransportRequest) {
    if let tag = head.headerFields[.eTag] { request.headerFields[.ifNoneMatch] = tag }
    if let date = head.headerFields[.lastModified] { request.headerFields[.ifModifiedSince] = date }
  }

  /// The same answer with what a 304 says anew (RFC 9111 §3.2).
  func renewed(by headers: HTTPFields, now: Date) -> CacheEntry {
    var entry = self
    let left = Self.fieldsOfOneResponse + [.contentLength, .contentEncoding]
    for field in headers where !left.contains(field.name) {
      entry.head.headerFields[field.name] = headers[field.name]
    }
    if headers[.age] == nil { entry.head.headerFields[.age] = nil }
    entry.arrival = now
    // The old answer has just been found to hold.
    entry.age = CacheControl.age(headers, at: now)
    entry.expiry = now.addingTimeInterval(
      CacheControl(entry.head.headerFields).lifetime(entry.head.headerFields, age: entry.age, now: now))
    return entry
  }

  /// The answer, with its age in seconds.
  func response(at now: Date) -> TransportResponse {
    var head = head
    let age = age + min(max(0, now.timeIntervalSince(arrival)), CacheControl.longest)
    head.headerFields[.age] = String(Int64(min(age, CacheControl.longest)))
    return TransportResponse(head: head, body: ResponseBody(body))
  }
}

/// A field of a request on which an answer depends.
struct CacheVariation: Hashable, Sendable {
  let name: HTTPField.Name
  let value: String?

  init(_ name: HTTPField.Name, _ headers: HTTPFields) {
    self.name = name
    value = headers[name]
  }
}

/// The caching rules in an answer's header fields (RFC 9111).
struct CacheControl {
  private let directives: [String: String]

  init(_ headers: HTTPFields) {
    var directives: [String: String] = [:]
    for part in (headers[.cacheControl] ?? "").split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingWhitespace() }
      guard let name = pair.first?.lowercased() else { continue }
      let value = pair.count > 1 ? pair[1].filter { $0 != "\"" } : ""
      // Of several the strictest counts (RFC 9111 §4.2.1): what cannot be read is no time at all.
      if let earlier = directives[name], Self.seconds(earlier) ?? 0 <= Self.seconds(value) ?? 0 { continue }
      directives[name] = value
    }
    self.directives = directives
  }

  func has(_ name: String) -> Bool { directives[name] != nil }

  /// The longest time that counts, in seconds (RFC 9111 §1.2.2).
  static let longest: TimeInterval = 2_147_483_648

  /// A difference that clocks may have, in seconds.
  private static let clockDifference: TimeInterval = 300

  /// The answer's age when it arrived, in seconds. What is no number is none.
  ///
  /// Without the field, an answer is as old as its date says (RFC 9111 §4.2.3), unless a clock that is a little wrong may
  /// be all that there is to it.
  static func age(_ headers: HTTPFields, at arrival: Date) -> TimeInterval {
    // The field may have been sent twice.
    if let text = headers[.age] { return seconds(text.prefix { $0 != "," }) ?? 0 }
    guard let sent = headers[.date].flatMap({ HTTPDate.date($0, now: arrival) }) else { return 0 }
    let apparent = arrival.timeIntervalSince(sent)
    return apparent > clockDifference ? min(apparent, longest) : 0
  }

  /// A number of seconds: digits alone, and never more than counts.
  private static func seconds(_ text: some StringProtocol) -> TimeInterval? {
    let digits = text.trimmingWhitespace().utf8
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { min($0 * 10 + TimeInterval($1 - UInt8(ascii: "0")), longest) }
  }

  /// The time that the answer is fresh from its arrival on, in seconds; there is no guessing.
  ///
  /// - Parameter age: How old it was when it arrived.
  func lifetime(_ headers: HTTPFields, age: TimeInterval, now: Date) -> TimeInterval {
    if has("no-cache") { return 0 }
    if let text = directives["max-age"] {
      // A lifetime that cannot be read is none (RFC 9111 §4.2.1).
      return max(0, (Self.seconds(text) ?? 0) - age)
    }
    guard let text = headers[.expires], let expires = HTTPDate.date(text, now: now) else { return 0 }
    let sent = headers[.date].flatMap { HTTPDate.date($0, now: now) } ?? now
    return max(0, expires.timeIntervalSince(sent) - age)
  }
}
