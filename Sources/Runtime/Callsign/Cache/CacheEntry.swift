import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// A response that is kept.
struct CacheEntry: Sendable {
  private(set) var head: HTTPResponse
  var body = Data()
  private(set) var arrival: Date
  /// Its age when it arrived, in seconds.
  private var age: TimeInterval
  private(set) var expiry: Date
  /// The request's fields that the response depends on, according to `Vary`, and their values.
  let variation: [CacheVariation]
  /// The request's fields that may tell who asked.
  let requester: CacheRequester

  /// The fields that are about one request and its response, such as a server's proof that it knows the password (RFC
  /// 7616 §3.5). They do not apply to a later one, and are not kept (RFC 9111 §3.1).
  static let fieldsOfOneResponse: [HTTPField.Name] = [
    .authenticationInfo, .proxyAuthenticationInfo, .wwwAuthenticate, .proxyAuthenticate,
  ]

  /// `nil` if the response must not be kept, or could not be used again.
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
      // Its value is new with every signature, and the key already says whose response it is.
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

  /// How many seconds a response may seem to come from the future: the clock is not read in the order of arrival. If
  /// the response is further ahead, the clock was set back, and the response's age is unknown.
  private static let slack: TimeInterval = 5

  /// Whether it may be used without asking.
  func isFresh(at now: Date) -> Bool { now < expiry && arrival <= now.addingTimeInterval(Self.slack) }

  /// Whether its own fields let it be kept. A 304 may withdraw what the previous response said (RFC 9111 §5.2.2.5).
  var mayBeKept: Bool { !CacheControl(head.headerFields).has("no-store") }

  func addValidators(to request: inout TransportRequest) {
    if let tag = head.headerFields[.eTag] { request.headerFields[.ifNoneMatch] = tag }
    if let date = head.headerFields[.lastModified] { request.headerFields[.ifModifiedSince] = date }
  }

  /// The same response, updated by a 304 (RFC 9111 §3.2).
  func renewed(by headers: HTTPFields, now: Date) -> CacheEntry {
    var entry = self
    let left = Self.fieldsOfOneResponse + [.contentLength, .contentEncoding]
    for field in headers where !left.contains(field.name) {
      entry.head.headerFields[field.name] = headers[field.name]
    }
    if headers[.age] == nil { entry.head.headerFields[.age] = nil }
    entry.arrival = now
    // The old response has just been found to hold.
    entry.age = CacheControl.age(headers, at: now)
    entry.expiry = now.addingTimeInterval(
      CacheControl(entry.head.headerFields).lifetime(entry.head.headerFields, age: entry.age, now: now))
    return entry
  }

  /// The response, with its age in seconds.
  func response(at now: Date) -> TransportResponse {
    var head = head
    let age = age + min(max(0, now.timeIntervalSince(arrival)), CacheControl.longest)
    head.headerFields[.age] = String(Int64(min(age, CacheControl.longest)))
    return TransportResponse(head: head, body: ResponseBody(body))
  }
}

/// A request's field that a response depends on.
struct CacheVariation: Hashable, Sendable {
  let name: HTTPField.Name
  let value: String?

  init(_ name: HTTPField.Name, _ headers: HTTPFields) {
    self.name = name
    value = headers[name]
  }
}
