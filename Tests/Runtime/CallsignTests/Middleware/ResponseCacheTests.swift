import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@testable import Callsign

@Suite("The cache of responses")
struct ResponseCacheTests {
  private let time = TestTime(.lasts)

  private func client(
    _ auth: [any Authenticator] = [], _ cache: ResponseCache? = nil, _ respond: @escaping InMemoryTransport.Responder
  ) -> (Client, InMemoryTransport) {
    let transport = InMemoryTransport(respond: respond)
    let client = Client(
      auth: auth,
      configuration: ClientConfiguration(
        transport: transport, retry: .never, middleware: [cache ?? ResponseCache(time: time)], time: time))
    return (client, transport)
  }

  private func get(_ client: Client, _ options: CallOptions = CallOptions(), id: Int = 1) async throws -> String? {
    var call = Call(endpoint(), options)
    call.add("id", id, in: .query)
    let response: Response<String> = try await client.send(call)
    return response.value
  }

  /// Responds with a new text each time, and these fields.
  private func counting(_ headers: HTTPFields) -> InMemoryTransport.Responder {
    let counter = Counter()
    return { _ in .json("\"\(counter.next())\"", headerFields: headers) }
  }

  @Test("Fresh responses come from memory, stale ones do not")
  func freshness() async throws {
    let (client, transport) = client([], nil, counting([.cacheControl: "private, max-age=60"]))
    #expect(try await get(client) == "0")
    time.advance(by: 59)
    #expect(try await get(client) == "0")
    #expect(try await get(client, id: 2) == "1", "another URL")
    time.advance(by: 1)
    #expect(try await get(client) == "2")
    #expect(transport.requests.count == 3)
  }

  @Test("A response of a time that is yet to come, as the clock was set back, is fresh no more")
  func clockSetBack() async throws {
    let (client, transport) = client([], nil, counting([.cacheControl: "private, max-age=60"]))
    #expect(try await get(client) == "0")
    // The clocks of two processors may differ by this little.
    time.advance(by: -2)
    #expect(try await get(client) == "0")
    time.advance(by: -3600)
    #expect(try await get(client) == "1")
    #expect(try await get(client) == "1")
    #expect(transport.requests.count == 2)
  }

  @Test("By Expires, held against the server's Date and the Age")
  func expires() async throws {
    let headers: HTTPFields = [
      .date: "Tue, 14 Nov 2023 10:00:00 GMT", .expires: "Tue, 14 Nov 2023 10:01:00 GMT", .age: "20",
    ]
    let (client, _) = client([], nil, counting(headers))
    #expect(try await get(client) == "0")
    time.advance(by: 39)
    #expect(try await get(client) == "0")
    time.advance(by: 2)
    #expect(try await get(client) == "1")
  }

  @Test("Fields that belong to a single response are not kept, and a 304 brings its own")
  func fieldsOfOneResponse() async throws {
    let names = try ["Authentication-Info", "Proxy-Authentication-Info", "WWW-Authenticate", "Proxy-Authenticate"].map {
      try #require(HTTPField.Name($0))
    }
    let counter = Counter()
    let (client, transport) = client([], nil) { request in
      let number = counter.next()
      var headers: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"v\"", .server: "s\(number)"]
      for name in names { headers[name] = "x\(number)" }
      return .json(number == 0 ? "\"0\"" : "", status: number == 0 ? .ok : .notModified, headerFields: headers)
    }
    func fields() async throws -> [String?] {
      var call = Call(endpoint())
      call.add("id", 1, in: .query)
      let response: Response<String> = try await client.send(call)
      return ([.server] + names).map { response.headers[$0] }
    }
    #expect(try await fields() == ["s0", "x0", "x0", "x0", "x0"])
    #expect(try await fields() == ["s0", nil, nil, nil, nil])
    time.advance(by: 61)
    #expect(try await fields() == ["s1", "x1", "x1", "x1", "x1"])
    #expect(try await fields() == ["s1", nil, nil, nil, nil])
    #expect(transport.requests.count == 2)
  }

  @Test(
    "Responses that must not be kept, or cannot be used again",
    arguments: [
      "no-store", "no-store, max-age=60", "max-age=0", "max-age=x", "", "no-cache", "max-age=-1", "private",
    ])
  func notKept(control: String) async throws {
    let (client, transport) = client([], nil, counting([.cacheControl: control]))
    for _ in 0..<2 { _ = try await get(client) }
    #expect(transport.requests.count == 2)
  }

  @Test("Errors, and responses that vary by anything, are not kept")
  func errors() async throws {
    let (failing, transport) = client { _ in
      .json("{}", status: .notFound, headerFields: [.cacheControl: "max-age=60"])
    }
    for _ in 0..<2 { await #expect(throws: CallError.self) { _ = try await get(failing) } }
    #expect(transport.requests.count == 2)
    let (varying, other) = client([], nil, counting([.cacheControl: "max-age=60", .vary: "*"]))
    for _ in 0..<2 { _ = try await get(varying) }
    #expect(other.requests.count == 2)
  }

  @Test("A field that the response varies by")
  func vary() async throws {
    let (client, transport) = client(
      [], nil, counting([.cacheControl: "max-age=60", .vary: "Accept-Language, Authorization"]))
    #expect(try await get(client, CallOptions(headers: ["Accept-Language": "de"])) == "0")
    #expect(try await get(client, CallOptions(headers: ["Accept-Language": "de"])) == "0")
    #expect(try await get(client, CallOptions(headers: ["Accept-Language": "en"])) == "1")
    #expect(transport.requests.count == 2)
  }

  @Test("A stale response that is still valid is checked by its tag and renewed")
  func revalidation() async throws {
    let (client, transport) = client { request in
      request.head.headerFields[.ifNoneMatch] == "\"v1\""
        ? TransportResponse(status: .notModified, headerFields: [.cacheControl: "max-age=60"])
        : .json("\"body\"", headerFields: [.eTag: "\"v1\"", .cacheControl: "no-cache"])
    }
    for _ in 0..<3 { #expect(try await get(client) == "body") }
    #expect(transport.requests.count == 2, "the 304 said for how long it holds")
    #expect(transport.requests.last?.head.headerFields[.ifNoneMatch] == "\"v1\"")
  }

  @Test("By Last-Modified, and replaced when it has changed")
  func lastModified() async throws {
    let date = "Tue, 14 Nov 2023 10:00:00 GMT"
    let (client, transport) = client([], nil, counting([.lastModified: date]))
    #expect(try await get(client) == "0")
    #expect(try await get(client) == "1")
    #expect(transport.requests.last?.head.headerFields[.ifModifiedSince] == date)
  }

  @Test("No account gets another's response, not even through one cache")
  func credentials() async throws {
    let cache = ResponseCache(time: time)
    let transport = InMemoryTransport { request in
      .json("\"\(request.authorization ?? "nobody")\"", headerFields: [.cacheControl: "max-age=60"])
    }
    let configuration = ClientConfiguration(transport: transport, middleware: [cache], time: time)
    let call = Call(endpoint(auth: "bearer | none"))
    for _ in 0..<2 {
      for (auth, expected): ([any Authenticator], String) in [
        ([Bearer("one")], "Bearer one"), ([Bearer("two")], "Bearer two"), ([], "nobody"),
      ] {
        let response: Response<String> = try await Client(auth: auth, configuration: configuration).send(call)
        #expect(response.value == expected)
      }
    }
    #expect(transport.requests.count == 3)
    // The caller's own header does not belong to an authenticator, so it is passed on.
    for token in ["x", "y"] {
      let options = CallOptions(headers: ["Authorization": "Bearer \(token)"])
      let response: Response<String> = try await Client(auth: [], configuration: configuration).send(
        Call(endpoint(), options))
      #expect(response.value == "Bearer \(token)")
    }
  }

  @Test("Tenants that a header field or the server distinguishes share no response, even in one cache")
  func tenants() async throws {
    let cache = ResponseCache(time: time)
    let transport = InMemoryTransport { request in
      let fields = ["X-Tenant", "X-API-Key"].compactMap { HTTPField.Name($0).flatMap { request.headerFields[$0] } }
      return .json(
        "\"\(request.url.host) \(fields.joined(separator: " "))\"", headerFields: [.cacheControl: "max-age=60"])
    }
    func asked(
      _ headers: [String: String], _ hosts: BaseURLOverrides = .identity, own: [String: String] = [:]
    ) async throws -> String? {
      let configuration = ClientConfiguration(
        transport: transport, hosts: hosts, headers: headers, middleware: [cache], time: time)
      return try await get(Client(auth: [], configuration: configuration), CallOptions(headers: own))
    }
    for _ in 0..<2 {
      for (headers, tenant) in [
        ([:], ""), (["X-Tenant": "a"], "a"), (["X-Tenant": "b"], "b"), (["X-API-Key": "k1"], "k1"),
        (["X-API-Key": "k2", "X-Tenant": "a"], "a k2"),
      ] {
        #expect(try await asked(headers) == "api.example \(tenant)")
        #expect(try await asked([:], own: headers) == "api.example \(tenant)")
      }
      #expect(try await asked([:], .all(to: "https://one.example")) == "one.example ")
      #expect(try await asked([:], .all(to: "https://two.example")) == "two.example ")
    }
    #expect(transport.requests.count == 7, "each is asked once")
    // A field that is new in each request, and says nothing about the user, does not prevent a cached response.
    for trace in ["1", "2"] { #expect(try await asked([:], own: ["traceparent": trace]) == "api.example ") }
    #expect(transport.requests.count == 7)
  }

  @Test("A write forgets the cached responses of its URL")
  func writes() async throws {
    let (client, transport) = client([], nil, counting([.cacheControl: "max-age=60"]))
    let url = "https://api.example/2/things?id=1"
    #expect(try await get(client) == "0")
    _ = try await client.call(.post, url)
    #expect(try await get(client) == "2")
    #expect(transport.requests.count == 3)
  }

  @Test("A write forgets the cached responses of its URL for everybody, and none of other URLs")
  func writesForOthers() async throws {
    let cache = ResponseCache(time: time)
    let transport = InMemoryTransport(respond: counting([.cacheControl: "max-age=60"]))
    let configuration = ClientConfiguration(transport: transport, middleware: [cache], time: time)
    func get(_ account: Bearer, id: Int) async throws -> String {
      var call = Call(endpoint(auth: "bearer"))
      call.add("id", id, in: .query)
      let response: Response<String> = try await Client(auth: account, configuration: configuration).send(call)
      return response.value
    }
    let (one, two) = (Bearer("one"), Bearer("two"))
    for _ in 0..<2 {
      #expect(try await get(one, id: 1) == "0")
      #expect(try await get(two, id: 1) == "1")
      #expect(try await get(one, id: 2) == "2")
    }
    _ = try await Client(auth: [], configuration: configuration).call(.put, "https://api.example/2/things?id=1")
    for _ in 0..<2 {
      #expect(try await get(one, id: 1) == "4")
      #expect(try await get(two, id: 1) == "5")
      #expect(try await get(one, id: 2) == "2")
    }
  }

  @Test(
    "A redirected write also forgets cached responses, and one that fails does not",
    arguments: [(200, true), (303, true), (307, true), (400, false), (503, false)])
  func writesByStatus(status: Int, forgets: Bool) async throws {
    let counter = Counter()
    let (client, _) = client { request in
      request.method == .get
        ? .json("\"\(counter.next())\"", headerFields: [.cacheControl: "max-age=60"])
        : .json("{}", status: HTTPResponse.Status(code: status), headerFields: [.location: "/2/things/1"])
    }
    #expect(try await get(client) == "0")
    _ = try? await client.call(.post, "https://api.example/2/things?id=1")
    #expect(try await get(client) == (forgets ? "1" : "0"))
  }

  @Test(
    "Of several lifetimes the shortest counts",
    arguments: ["max-age=600, max-age=60", "max-age=60, max-age=600", "max-age=60, private, max-age=\"600\""])
  func repeatedLifetimes(control: String) async throws {
    let (client, _) = client([], nil, counting([.cacheControl: control]))
    #expect(try await get(client) == "0")
    time.advance(by: 59)
    #expect(try await get(client) == "0")
    time.advance(by: 2)
    #expect(try await get(client) == "1")
  }

  @Test("A 304 that forbids to keep the response is the last to bring it back")
  func forbiddenAfterwards() async throws {
    let (client, transport) = client { request in
      request.head.headerFields[.ifNoneMatch] == "\"v1\""
        ? TransportResponse(status: .notModified, headerFields: [.cacheControl: "no-store, max-age=60"])
        : .json("\"body\"", headerFields: [.eTag: "\"v1\"", .cacheControl: "no-cache"])
    }
    for _ in 0..<3 { #expect(try await get(client) == "body") }
    #expect(transport.requests.map { $0.headerFields[.ifNoneMatch] } == [nil, "\"v1\"", nil])
  }

  @Test(
    "A response without Age is as old as its Date says, unless clock differences could explain it",
    arguments: [(-3600, 60, false), (-3600, 7200, true), (-290, 60, true), (3600, 60, true)])
  func apparentAge(offset: Int, lifetime: Int, isFresh: Bool) async throws {
    let date = httpDate(time.now().addingTimeInterval(TimeInterval(offset)))
    let (client, _) = client([], nil, counting([.date: date, .cacheControl: "max-age=\(lifetime)"]))
    #expect(try await get(client) == "0")
    #expect(try await get(client) == (isFresh ? "0" : "1"))
    // The rest of a lifetime that started an hour before.
    guard lifetime > 3600 else { return }
    time.advance(by: 3590)
    #expect(try await get(client) == "0")
    time.advance(by: 11)
    #expect(try await get(client) == "1")
  }

  @Test("A response that was on its way before a write is not kept after it", arguments: [false, true])
  func overtaken(isForgotten: Bool) async throws {
    let cache = ResponseCache(time: time)
    let (client, transport) = client([], cache, counting([.cacheControl: "max-age=60"]))
    let url = "https://api.example/2/things?id=1"
    let body = try await client.open(.get, url).value
    if isForgotten { cache.removeAll() } else { _ = try await client.call(.put, url) }
    #expect(try await body.collect() == Data("\"0\"".utf8))
    for _ in 0..<2 { #expect(try await get(client) == (isForgotten ? "1" : "2")) }
    #expect(transport.requests.filter { $0.method == .get }.count == 2)
  }

  @Test(
    "Of two concurrent responses, the one to the later request counts, even if the other ends after it",
    arguments: [("max-age=60", nil, "1"), ("max-age=60", "Accept-Language", "1"), ("no-store", nil, "2")]
      as [(String, String?, String)])
  func lateResponse(control: String, vary: String?, expected: String) async throws {
    let counter = Counter()
    let (client, _) = client { _ in
      let number = counter.next()
      var headers: HTTPFields = [.cacheControl: number == 1 ? control : "max-age=60"]
      if number == 1 { headers[.vary] = vary }
      return .json("\"\(number)\"", headerFields: headers)
    }
    let url = "https://api.example/2/things?id=1"
    let early = try await client.open(.get, url).value
    let late = try await client.open(.get, url).value
    for body in [late, early] { _ = try await body.collect() }
    #expect(try await client.open(.get, url).value.collect() == Data("\"\(expected)\"".utf8))
  }

  @Test(
    "A 304 that comes after the response to a later question changes nothing", arguments: ["max-age=60", "no-store"])
  func lateRenewal(control: String) async throws {
    let (counter, gate, isAsked) = (Counter(), CancellableWait<Bool>(), Locked(false))
    let (client, transport) = client { _ in
      switch counter.next() {
      case 0: return .json("\"0\"", headerFields: [.eTag: "\"v0\"", .cacheControl: "no-cache"])
      case 1:
        isAsked.withLock { $0 = true }
        _ = try? await gate.value()
        return TransportResponse(status: .notModified, headerFields: [.cacheControl: control])
      case let number: return .json("\"\(number)\"", headerFields: [.cacheControl: "max-age=60"])
      }
    }
    #expect(try await get(client) == "0")
    let early = Task { try await get(client) }
    try await eventually { isAsked.withLock { $0 } }
    #expect(try await get(client) == "2")
    gate.end(with: true)
    #expect(try await early.value == "0")
    #expect(try await get(client) == "2")
    #expect(transport.requests.count == 3)
  }

  @Test("Logins without cached responses are forgotten, and the others are not")
  func logins() throws {
    let address = try #require(AbsoluteURL("https://api.example/"))
    let storage = CacheStorage(capacity: 1 << 20)
    func key(_ account: String) -> CacheKey {
      CacheKey(
        credential: CredentialIdentity("bearer", account: account), login: Login([.authorization: "Bearer \(account)"]),
        server: "https://api.example", url: "https://api.example/")
    }
    func keep(_ account: String) {
      let request = TransportRequest(method: .get, url: address)
      let head = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"])
      guard let entry = CacheEntry(head, of: request, now: time.now()) else { return }
      let (_, question) = storage.entry(key(account), for: [:])
      storage.set(entry, for: key(account), respondingTo: question)
    }
    keep("first")
    for account in 0..<20_000 { _ = storage.entry(key("\(account)"), for: [:]) }
    #expect(storage.loginCount <= CacheStorage.loginCapacity)
    #expect(storage.entry(key("first"), for: [:]).0 != nil)
    keep("last")
    #expect(storage.entry(key("last"), for: [:]).0 != nil)
  }

  @Test("Memory is bounded: the least recently used response is removed first")
  func capacity() async throws {
    let cache = ResponseCache(capacity: 3 * 1100, maximumBodySize: 500, time: time)
    let (client, transport) = client([], cache) { request in
      let size = request.head.path?.hasSuffix("=9") == true ? 600 : 10
      return .json("\"\(String(repeating: "a", count: size))\"", headerFields: [.cacheControl: "max-age=60"])
    }
    for id in [1, 2, 3, 1, 4] { _ = try await get(client, id: id) }
    #expect(transport.requests.count == 4)
    _ = try await get(client, id: 1)
    #expect(transport.requests.count == 4)
    _ = try await get(client, id: 2)
    #expect(transport.requests.count == 5)
    for _ in 0..<2 { _ = try await get(client, id: 9) }
    #expect(transport.requests.count == 7, "too large to be kept")
    cache.removeAll()
    _ = try await get(client, id: 1)
    #expect(transport.requests.count == 8)
  }

  @Test("After a redirect the response is kept for the URL that gave it")
  func redirect() async throws {
    let (client, transport) = client { request in
      request.head.path == "/first"
        ? .json("{}", status: .found, headerFields: [.location: "/second"])
        : .json("2", headerFields: [.cacheControl: "max-age=60"])
    }
    for _ in 0..<2 { #expect(try await client.call(.get, "https://api.example/first").value.int == 2) }
    #expect(try await client.call(.get, "https://api.example/second").value.int == 2)
    #expect(transport.requests.map(\.head.path) == ["/first", "/second", "/first"])
  }

  @Test("A redirect target outside of the base URL's path is not confused with the API's same path")
  func redirectOutside() async throws {
    let cache = ResponseCache(time: time)
    let transport = InMemoryTransport { request in
      request.head.path == "/below/first"
        ? .json("{}", status: .found, headerFields: [.location: "/below-it"])
        : .json("\"\(request.head.path ?? "")\"", headerFields: [.cacheControl: "max-age=60"])
    }
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: transport, hosts: .all(to: "http://127.0.0.1:1/below"), middleware: [cache], time: time))
    #expect(try await client.call(.get, "https://api.example/first").value.string == "/below-it")
    #expect(try await client.call(.get, "https://api.example/below-it").value.string == "/below/below-it")
  }

  @Test(
    "A hostile Age does no harm, and a negative one makes nothing younger",
    arguments: [
      ("9223372036854775807", false), ("99999999999999999999999", false), ("nan", true), ("-1000", true), ("1e9", true),
      ("-nan", true), ("0x10", true), ("61", false), ("59, 4", true), ("", true),
    ])
  func hostileAge(age: String, isFresh: Bool) async throws {
    let (client, transport) = client([], nil, counting([.cacheControl: "max-age=60", .eTag: "e", .age: age]))
    #expect(try await get(client) == "0")
    #expect(try await get(client) == (isFresh ? "0" : "1"))
    time.advance(by: 61)
    _ = try await get(client)
    #expect(transport.requests.count == (isFresh ? 2 : 3))
  }

  @Test("An Age that no number can hold does not stop the program")
  func overflowingAge() async throws {
    let headers: HTTPFields = [.cacheControl: "max-age=9223372036854775807", .age: "9223372036854775000"]
    let (client, _) = client([], nil, counting(headers))
    #expect(try await get(client) == "0")
    time.advance(by: 900)
    #expect(try await get(client) == "1")
  }

  @Test("Variants of a response are kept next to each other, as Vary says, and a write forgets all of them")
  func variants() async throws {
    let (client, transport) = client { request in
      let language = request.headerFields[.acceptLanguage] ?? "-"
      return .json("\"\(language)\"", headerFields: [.cacheControl: "max-age=60", .vary: "Accept-Language"])
    }
    let url = "https://api.example/x"
    func get(_ language: String) async throws -> String? {
      let options = CallOptions(headers: ["Accept-Language": language])
      return try await client.call(.get, url, options: options).value.string
    }
    for _ in 0..<2 { for language in ["en", "de", "fr"] { #expect(try await get(language) == language) } }
    #expect(transport.requests.count == 3)
    _ = try await client.call(.delete, url)
    for language in ["en", "de", "fr"] { #expect(try await get(language) == language) }
    #expect(transport.requests.count == 7)
  }

  @Test("Another user who logs in under the same name gets nothing of the previous user, and leaves nothing of it")
  func anotherUser() async throws {
    let cache = ResponseCache(time: time)
    let identity = CredentialIdentity("bearer", account: "default")
    let transport = InMemoryTransport(respond: counting([.cacheControl: "max-age=60"]))
    func client(_ token: Secret) -> Client {
      Client(
        auth: Bearer(FixedToken(token: token), hosts: ["api.example"], identity: identity),
        configuration: ClientConfiguration(transport: transport, middleware: [cache], time: time))
    }
    func get(_ token: Secret) async throws -> String? {
      try await client(token).call(.get, "https://api.example/me").value.string
    }
    #expect(try await get("alice") == "0")
    #expect(try await get("alice") == "0")
    #expect(try await get("bob") == "1")
    #expect("\(cache)".contains("1 responses"), "\(cache)")
    #expect(try await get("alice") == "2")
  }

  @Test("The least recently used response is removed first")
  func eviction() async throws {
    // 1,000 of 3,000 responses fit: every further one removes another.
    let cache = ResponseCache(capacity: 1_000 * 1030, time: time)
    let (client, transport) = client([], cache, counting([.cacheControl: "max-age=60"]))
    _ = try await get(client, id: -1)
    for id in 0..<3_000 {
      _ = try await get(client, id: id)
      if id % 500 == 0 { _ = try await get(client, id: -1) }
    }
    #expect(transport.requests.count == 3_001, "what is used often stays")
  }
}

private struct FixedToken: TokenSource {
  let token: Secret

  func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken { AccessToken(token) }
}
