import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Digest against an independent server", .needs(.python))
struct DigestServerTests {
  private func digest(
    _ server: ServerProcess, user: String = "Mufasa", password: Secret = "Circle of Life", realm: String? = nil,
    coversBody: Bool = false
  ) -> HTTPDigest {
    HTTPDigest(username: user, password: password, realm: realm, coversBody: coversBody, hosts: server.scope)
  }

  @Test(
    "One challenge, then responds unasked",
    arguments: ["plain", "sha", "sess", "shasess", "int", "both", "old", "userhash", "utf8", "several", "lines"])
  func aRunOfCalls(kind: String) async throws {
    let server = try await DigestServer.start()
    let session = Session(digest(server))
    #expect(try await session.get("\(server.url)/\(kind)/a?b=c%20d&e=%C3%A9") == (200, 2))
    for _ in 0..<3 { #expect(try await session.get("\(server.url)/\(kind)/f") == (200, 1)) }
    if kind == "several" || kind == "lines" {
      #expect(session.recorder.sent.last??.contains("algorithm=SHA-256") == true)
    }
    if kind != "old" { #expect(session.recorder.sent.last??.contains("nc=00000004") == true) }
  }

  @Test("A server's proof that it knows the password must be right")
  func proof() async throws {
    let server = try await DigestServer.start()
    let session = Session(digest(server))
    #expect(try await session.get("\(server.url)/proof/a") == (200, 2))
    #expect(try await session.get("\(server.url)/proof/b?c=d") == (200, 1))
    let other = Session(digest(server))
    let (error, _) = await other.failure("\(server.url)/forged/a")
    #expect(error?.authorization?.reason == .refused)
    #expect(error?.authorization?.advice.contains("rspauth") == true)
    // Any server that responded may have carried it out.
    do throws(CallError) {
      _ = try await other.client.call(.post, "\(server.url)/forged/b")
      Issue.record("no error")
    } catch {
      guard case .mayHaveSucceeded(let cause) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(cause.delivery == .delivered)
      #expect("\(error)".contains("rspauth"))
    }
  }

  @Test(
    "Concurrent calls succeed if each nonce is good for one request, whether the server says stale or not",
    arguments: ["single", "silent", "once", "short"])
  func oneTimeNonces(kind: String) async throws {
    let server = try await DigestServer.start()
    let session = Session(digest(server))
    for _ in 0..<3 {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<12 { group.addTask { try await session.get("\(server.url)/\(kind)/\(number)").status } }
        for try await status in group { #expect(status == 200) }
      }
    }
    #expect(try await arrivals(server).allSatisfy { $0 != "nc was used before" })
  }

  @Test("A cached response proves nothing: a proof is for one response only", arguments: ["proof", "once"])
  func cached(kind: String) async throws {
    let server = try await DigestServer.start()
    let recorder = Recorder()
    let client = Client(
      auth: [digest(server)], configuration: ClientConfiguration(middleware: [ResponseCache(), recorder]))
    for _ in 0..<3 { #expect(try await client.call(.get, "\(server.url)/\(kind)/fresh").status == .ok) }
    #expect(recorder.sent.count == 2)
    for _ in 0..<3 { #expect(try await client.call(.get, "\(server.url)/\(kind)/tagged").status == .ok) }
    #expect(recorder.sent.count == 5)
    // A cached response has not brought back an old nonce.
    let failures = try await arrivals(server).filter { $0 != "" }
    #expect(failures == ["nothing"])
  }

  @Test("Names beyond ASCII and with quotes", arguments: ["plain", "userhash", "utf8", "shasess"])
  func names(kind: String) async throws {
    let server = try await DigestServer.start()
    for (user, password) in [("Jäsøn Doe", "Secret, or not?"), (#"quo"te\d"#, "p:w")] {
      let session = Session(digest(server, user: user, password: Secret(password)))
      #expect(try await session.get("\(server.url)/\(kind)/a") == (200, 2))
      if kind == "userhash" { #expect(session.recorder.sent.last??.contains("Doe") == false) }
    }
  }

  @Test("Bodies are covered if the server asks for it, or on request", arguments: ["int", "both", "plain"])
  func bodies(kind: String) async throws {
    let server = try await DigestServer.start()
    let session = Session(digest(server, coversBody: true))
    for text in ["", "é", String(repeating: "x", count: 100_000)] {
      let body = CallBody.data(Data(text.utf8), contentType: "text/plain")
      #expect(try await session.client.call(.post, "\(server.url)/\(kind)/a", body: body).status == .ok)
    }
    #expect(session.recorder.sent.last??.contains("qop=auth-int") == (kind != "plain"))
  }

  @Test("Streamed bodies are sent with a digest") func streams() async throws {
    let server = try await DigestServer.start()
    let body = CallBody.stream(.stream(length: nil) { Pieces() }, contentType: "text/plain")
    // If there is a choice, everything that can be covered is covered.
    let session = Session(digest(server, coversBody: true))
    #expect(try await session.client.call(.post, "\(server.url)/both/a", body: body).status == .ok)
    #expect(session.recorder.sent.last??.contains("qop=auth,") == true)
    let error = await #expect(throws: CallError.self) {
      try await session.client.call(.post, "\(server.url)/int/a", body: body)
    }
    guard case .invalidCall(let invalid)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(invalid)".contains("give it as data"))
  }

  @Test("A nonce that is too old is replaced, whether the server says so or not", arguments: ["short", "forgetful"])
  func staleNonces(kind: String) async throws {
    let server = try await DigestServer.start()
    let session = Session(digest(server))
    #expect(try await session.get("\(server.url)/\(kind)/1") == (200, 2))
    #expect(try await session.get("\(server.url)/\(kind)/2") == (200, 1))
    for _ in 0..<3 {
      #expect(try await session.get("\(server.url)/\(kind)/3") == (200, 2))
      #expect(try await session.get("\(server.url)/\(kind)/4") == (200, 1))
    }
  }

  @Test("The nonce that a response announces is the next one")
  func nextNonce() async throws {
    let server = try await DigestServer.start()
    let session = Session(digest(server))
    #expect(try await session.get("\(server.url)/once/1") == (200, 2))
    for _ in 0..<5 { #expect(try await session.get("\(server.url)/once/2") == (200, 1)) }
    #expect(session.recorder.sent.last??.contains("nc=00000001") == true)
  }

  @Test("A count is used once, however many calls run at once", arguments: ["plain", "shasess"])
  func manyAtOnce(kind: String) async throws {
    let server = try await DigestServer.start()
    let session = Session(digest(server))
    try await session.get("\(server.url)/\(kind)/first")
    try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for _ in 0..<60 {
        group.addTask {
          let response = try await session.client.call(.get, "\(server.url)/\(kind)/a")
          return (response.status.code, 1)
        }
      }
      for try await (status, _) in group { #expect(status == 200) }
    }
    let failures = try await arrivals(server).filter { $0 != "" }
    #expect(failures == ["nothing"])
  }

  @Test("The same refused password is not used twice", arguments: ["plain", "sha", "old", "several"])
  func aWrongPassword(kind: String) async throws {
    let server = try await DigestServer.start()
    let wrong = digest(server, password: "wrong-password-1")
    let session = Session(wrong)
    let (first, requests) = await session.failure("\(server.url)/\(kind)/a")
    #expect(first?.authorization?.reason == .refused)
    #expect(requests == 2)
    let (second, none) = await session.failure("\(server.url)/\(kind)/b")
    #expect(second?.authorization?.reason == .refused)
    #expect(none == 0)
    #expect(try await arrivals(server) == ["nothing", "response"])
    wrong.replace(username: "Mufasa", password: "Circle of Life")
    #expect(try await session.get("\(server.url)/\(kind)/b") == (200, 2))
  }

  @Test("Only the paths that the challenge names get responses unasked")
  func domain() async throws {
    let server = try await DigestServer.start()
    let session = Session(digest(server))
    #expect(try await session.get("\(server.url)/domain/a/1") == (200, 2))
    #expect(try await session.get("\(server.url)/domain/a/2") == (200, 1))
    #expect(try await session.get("\(server.url)/domain/b/3") == (200, 1))
    #expect(try await session.get("\(server.url)/domain/c/4") == (200, 2))
  }

  @Test("Another realm gets no credentials") func anotherRealm() async throws {
    let server = try await DigestServer.start()
    let session = Session(digest(server, realm: "mine"))
    let (error, requests) = await session.failure("\(server.url)/plain/a")
    #expect(requests == 1)
    #expect(error?.authorization?.advice.contains("another realm than mine") == true)
    let right = Session(digest(server, realm: #"the "realm" of \ tests"#))
    #expect(try await right.get("\(server.url)/plain/a") == (200, 2))
  }

  @Test("Challenges that cannot be answered") func whatGetsNoResponse() async throws {
    let server = try await DigestServer.start()
    let session = Session(digest(server))
    let (unknown, one) = await session.failure("\(server.url)/sha512/a")
    #expect(unknown?.authorization?.advice.contains("SHA-512-256") == true)
    let (basic, two) = await session.failure("\(server.url)/basic/a")
    #expect(basic?.authorization?.advice.contains("asks for basic, not for digest") == true)
    #expect(one == 1 && two == 1)
  }

  @Test("It stays with its host and port") func scope() async throws {
    let server = try await DigestServer.start()
    let other = try await DigestServer.start()
    let session = Session(digest(server))
    try await session.get("\(server.url)/plain/a")
    let (error, requests) = await session.failure("\(other.url)/plain/a")
    #expect(error?.authorization?.reason == .outOfScope(host: "127.0.0.1"))
    #expect(requests == 0)
  }

  @Test(
    "curl and this server agree", .needs(.curl),
    arguments: ["plain", "sha", "sess", "shasess", "old", "userhash"])
  func curl(kind: String) async throws {
    let server = try await DigestServer.start()
    func status(_ password: String) async throws -> String {
      try await ServerProcess.run(
        "curl",
        [
          "--silent", "--noproxy", "*", "--digest", "--user", "Mufasa:\(password)", "--output", "/dev/null",
          "--write-out", "%{http_code}", "\(server.url)/\(kind)/a?b=c",
        ])
    }
    #expect(try await status("Circle of Life") == "200")
    #expect(try await status("Circle of Death") == "401")
  }

  /// The mistakes that the server found in each request; empty for none.
  private func arrivals(_ server: ServerProcess) async throws -> [String] {
    let client = Client(auth: [])
    let log = try await client.call(.get, "\(server.url)/log", auth: .none).value
    return log.array?.compactMap { $0.object?["failure"]?.string } ?? []
  }
}

/// A body of two pieces.
private final class Pieces: BodySource {
  private let left = Counter()

  func next(limit: Int) async throws -> Data? { await left.take() ? Data("piece".utf8) : nil }

  private actor Counter {
    private var left = 2

    func take() -> Bool {
      left -= 1
      return left >= 0
    }
  }
}

@Suite("Digest against lighttpd", .needs(.lighttpd, .python))
struct LighttpdTests {
  @Test("A run of calls", arguments: ["md5", "sha", "both"])
  func aRunOfCalls(place: String) async throws {
    let server = try await Lighttpd.start()
    for (user, password) in [("Mufasa", "Circle of Life"), ("Jäsøn Doe", "Secret, or not?")] {
      let session = Session(HTTPDigest(username: user, password: Secret(password), hosts: server.scope))
      let first = try await session.get("\(server.url)/\(place)/thing?a=b%20c")
      #expect(first == (200, 2), "\(first)")
      let second = try await session.get("\(server.url)/\(place)/thing")
      #expect(second == (200, 1), "\(second)")
      #expect(session.recorder.sent.last??.contains("algorithm=SHA-256") == (place != "md5"))
    }
  }

  @Test("A wrong password is refused") func aWrongPassword() async throws {
    let server = try await Lighttpd.start()
    let session = Session(HTTPDigest(username: "Mufasa", password: "wrong", hosts: server.scope))
    let (first, requests) = await session.failure("\(server.url)/sha/thing")
    #expect(first?.authorization?.reason == .refused)
    #expect(requests == 2)
    #expect(await session.failure("\(server.url)/md5/thing").requests == 0)
  }
}
