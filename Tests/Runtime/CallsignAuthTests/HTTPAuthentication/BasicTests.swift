import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("HTTP Basic") struct BasicFieldTests {
  private func field(_ auth: HTTPBasic, _ url: String = "https://api.example/a") async throws -> String? {
    let transport = InMemoryTransport { _ in .json("{}") }
    let client = Client(auth: auth, configuration: ClientConfiguration(transport: transport))
    _ = try await client.call(.get, url)
    return transport.requests.first?.head.headerFields[.authorization]
  }

  private func refusal(_ auth: HTTPBasic, _ url: String = "https://api.example/a") async throws -> AuthorizationError {
    let error = try await #require(throws: CallError.self) { try await field(auth, url) }
    return try #require(error.authorization)
  }

  @Test("The examples of RFC 7617 §2 and §2.1")
  func vectors() async throws {
    let scope: AllowedHosts = ["api.example"]
    #expect(
      try await field(HTTPBasic(username: "Aladdin", password: "open sesame", hosts: scope))
        == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    #expect(try await field(HTTPBasic(username: "test", password: "123£", hosts: scope)) == "Basic dGVzdDoxMjPCow==")
    // The same letters in two forms are the same name.
    let composed = try await field(HTTPBasic(username: "\u{E9}", password: "\u{E9}", hosts: scope))
    #expect(try await field(HTTPBasic(username: "e\u{301}", password: "e\u{301}", hosts: scope)) == composed)
  }

  @Test("Credentials that are not sent") func whatIsNotSent() async throws {
    let scope: AllowedHosts = ["api.example"]
    for name in ["a:b", "a:\u{301}b"] {
      let colon = try await refusal(HTTPBasic(username: name, password: "p", hosts: scope))
      #expect(colon.reason == .unavailable)
      #expect(colon.advice.contains("colon"))
    }
    #expect(
      try await refusal(HTTPBasic(username: "a", password: "p\n", hosts: scope)).reason == .unavailable)
    #expect(
      try await refusal(HTTPBasic(username: "a", password: "p", hosts: scope), "http://api.example/a").reason
        == .insecure(host: "api.example"))
    #expect(
      try await refusal(HTTPBasic(username: "a", password: "p", hosts: scope), "https://api.example:8443/a").reason
        == .outOfScope(host: "api.example"))
    #expect(try await refusal(.basic(username: "a", password: "p")).reason == .outOfScope(host: "api.example"))
  }

  @Test("A server that accepted them before may refuse them once; two refusals count, but not for ever")
  func spuriousRefusal() async throws {
    let time = TestTime(.skips, at: Date())
    let responses = Responses([200, 401, 200, 401, 401, 200, 200])
    let transport = InMemoryTransport { _ in .json("{}", status: .init(code: responses.next())) }
    let client = Client(
      auth: HTTPBasic(username: "a", password: "p", hosts: ["api.example"]),
      configuration: ClientConfiguration(transport: transport, time: time))
    func status() async -> Int {
      do throws(CallError) { return try await client.call(.get, "https://api.example/").status.code } catch {
        return error.rawResponse?.status.code ?? error.authorization?.response?.status.code ?? 0
      }
    }
    for expected in [200, 401, 200, 401, 401] { #expect(await status() == expected) }
    // Refused twice in a row: not sent for a minute.
    #expect(await status() == 0)
    #expect(transport.requests.count == 5)
    time.advance(by: 61)
    for _ in 0..<2 { #expect(await status() == 200) }
    #expect(transport.requests.count == 7)
  }

  @Test("When the clock was set back, refused ones are not held back for as long as it had been ahead")
  func clockSetBack() async throws {
    let time = TestTime(.skips, at: Date())
    let responses = Responses([401, 200])
    let transport = InMemoryTransport { _ in .json("{}", status: .init(code: responses.next())) }
    let client = Client(
      auth: HTTPBasic(username: "a", password: "p", hosts: ["api.example"]),
      configuration: ClientConfiguration(transport: transport, time: time))
    for _ in 0..<2 { await #expect(throws: CallError.self) { try await client.call(.get, "https://api.example/") } }
    #expect(transport.requests.count == 1)
    time.advance(by: -3600)
    #expect(try await client.call(.get, "https://api.example/").status == .ok)
  }

  /// Statuses, one after another.
  private final class Responses: @unchecked Sendable {
    // Reason for `@unchecked`: every access to `rest` holds the lock.
    private let lock = NSLock()
    private var rest: [Int]
    init(_ statuses: [Int]) { rest = statuses }
    func next() -> Int { lock.withLock { rest.isEmpty ? 500 : rest.removeFirst() } }
  }

  @Test("It is chosen by its scheme") func itIsChosenByItsScheme() async throws {
    let basic = HTTPBasic(username: "a", password: "p", hosts: ["api.example"])
    #expect(basic.satisfies(AuthRequirement(scheme: "basic")))
    #expect(!basic.satisfies(AuthRequirement(scheme: "digest")))
    let digest = HTTPDigest(username: "a", password: "p", hosts: ["api.example"])
    #expect(digest.satisfies(AuthRequirement(scheme: "digest")))
    #expect(!digest.satisfies(AuthRequirement(scheme: "basic")))
  }

  @Test("Identities distinguish credentials") func identitiesTellCredentialsApart() {
    let basic = HTTPBasic(username: "a", password: "p")
    let identity = basic.identity
    #expect(identity == HTTPBasic(username: "a", password: "p").identity)
    #expect(identity != HTTPBasic(username: "a", password: "q").identity)
    #expect(identity != HTTPDigest(username: "a", password: "p").identity)
    basic.replace(username: "b", password: "p")
    #expect(identity != basic.identity)
    #expect(!"\(identity)".contains("a:p"))
  }
}

@Suite("HTTP Basic against nginx", .needs(.nginx, .openssl))
struct BasicServerTests {
  @Test("Credentials go out with the first request") func preemptively() async throws {
    let server = try await Nginx.startBasic()
    let session = Session(HTTPBasic(username: "Aladdin", password: "open sesame", hosts: server.scope))
    #expect(try await session.get(server.url + "/one/thing") == (200, 1))
    #expect(try await session.get(server.url + "/two/thing") == (200, 1))
    let other = Session(HTTPBasic(username: "tëst", password: "123£", hosts: server.scope))
    #expect(try await other.get(server.url + "/one/thing") == (200, 1))
  }

  @Test("Credentials are sent after the server asks for them") func onChallenge() async throws {
    let server = try await Nginx.startBasic()
    let session = Session(
      HTTPBasic(username: "Aladdin", password: "open sesame", sending: .onChallenge, hosts: server.scope))
    #expect(try await session.get(server.url + "/open/thing") == (200, 1))
    #expect(session.recorder.sent == [nil])
    #expect(try await session.get(server.url + "/one/thing") == (200, 2))
    #expect(try await session.get(server.url + "/one/thing?again") == (200, 1))
    // Another folder has to ask for itself.
    #expect(try await session.get(server.url + "/open/thing") == (200, 1))
    #expect(session.recorder.sent.last == .some(nil))
  }

  @Test("Credentials are for one realm only") func oneRealmAlone() async throws {
    let server = try await Nginx.startBasic()
    let session = Session(
      HTTPBasic(username: "Aladdin", password: "open sesame", realm: "one", sending: .preemptively, hosts: server.scope)
    )
    #expect(try await session.get(server.url + "/one/thing") == (200, 2))
    let (error, requests) = await session.failure(server.url + "/two/thing")
    #expect(error?.authorization?.advice.contains("another realm than one") == true)
    #expect(requests == 1)
    #expect(session.recorder.sent.last == .some(nil))
    #expect(try await session.get(server.url + "/one/thing") == (200, 1))
  }

  @Test("The same refused password is not sent twice", arguments: [HTTPBasic.Sending.preemptively, .onChallenge])
  func theSameRefusedPasswordIsNotSentTwice(sending: HTTPBasic.Sending) async throws {
    let server = try await Nginx.startBasic()
    let basic = HTTPBasic(username: "Aladdin", password: "wrong-password-1", sending: sending, hosts: server.scope)
    let session = Session(basic)
    let (first, _) = await session.failure(server.url + "/one/thing")
    #expect(first?.authorization?.reason == .refused)
    #expect(first?.authorization?.response?.status == .unauthorized)
    let sent = session.recorder.sent.compactMap { $0 }.count
    #expect(sent == 1)
    for path in ["/one/thing", "/two/thing"] {
      let (second, requests) = await session.failure(server.url + path)
      #expect(requests == 0)
      #expect(second?.authorization?.reason == .refused)
      #expect(second?.authorization?.advice.contains("replace(username:password:)") == true)
      #expect(second.map { "\($0)".contains("wrong-password-1") } == false)
    }
    basic.replace(username: "Aladdin", password: "open sesame")
    #expect(try await session.get(server.url + "/one/thing").status == 200)
  }

  @Test("Many calls at once") func manyCallsAtOnce() async throws {
    let server = try await Nginx.startBasic()
    let session = Session(
      HTTPBasic(username: "Aladdin", password: "open sesame", sending: .onChallenge, hosts: server.scope))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await session.get(server.url + "/one/thing").status } }
      for try await status in group { #expect(status == 200) }
    }
  }

  @Test("A server that wants another scheme") func aServerThatWantsAnotherScheme() async throws {
    let server = try await Nginx.startBasic()
    let session = Session(HTTPDigest(username: "Aladdin", password: "open sesame", hosts: server.scope))
    let (error, requests) = await session.failure(server.url + "/one/thing")
    #expect(requests == 1)
    #expect(error?.authorization?.advice.contains("asks for basic") == true)
  }
}
