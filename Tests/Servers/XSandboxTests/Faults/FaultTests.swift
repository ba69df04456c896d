import Foundation
import TestSupport
import Testing

@testable import XSandbox

@Suite("Faults on demand")
struct FaultTests {
  @Test("A status fault happens a number of times for one operation")
  func status() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      await sandbox.inject(.status(503, headers: ["Retry-After": "2"]), for: "GET /2/users/me", times: 2)
      for _ in 0..<2 {
        let failed = try await client.get("/2/users/me")
        #expect(failed.status == 503)
        #expect(failed.json["title"] == "Service Unavailable")
        #expect(failed.header("Retry-After") == "2")
        #expect(try await client.get("/2/users/\(sandbox.users.bob.id)").status == 200)
      }
      #expect(try await client.get("/2/users/me").status == 200)
    }
  }

  @Test("A status fault has its own body, and can be removed")
  func body() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      await sandbox.inject(.status(502, body: Data("<html>".utf8)), for: "*", times: 5)
      #expect(try await client.get("/2/users/me").body == Data("<html>".utf8))
      await sandbox.removeFaults()
      #expect(try await client.get("/2/users/me").status == 200)
    }
  }

  private func request(_ sandbox: Sandbox) -> String {
    "GET /2/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(sandbox.users.alice.oauth2AccessToken)\r\n\r\n"
  }

  @Test("A fault closes the connection before the response or in its body")
  func cuts() async throws {
    try await withSandbox { (sandbox) async throws in
      await sandbox.inject(.cutBeforeResponse, for: "GET /2/users/me")
      #expect(try await RawConnection.exchange(request(sandbox), with: sandbox) == "")
      await sandbox.inject(.cutInBody(after: 10), for: "GET /2/users/me")
      let response = try await RawConnection.exchange(request(sandbox), with: sandbox)
      #expect(response.hasPrefix("HTTP/1.1 200 OK"))
      let parts = response.components(separatedBy: "\r\n\r\n")
      #expect(parts.last?.utf8.count == 10)
      #expect(try await RawConnection.exchange(request(sandbox), with: sandbox).contains("alice"))
      #expect(await sandbox.requests().map(\.status) == [0, 200, 200])
    }
  }

  /// A delay that went on would keep the sandbox from stopping for the five minutes that its server gives a request.
  @Test("A delay ends when the sandbox stops", .timeLimit(.minutes(4)))
  func delay() async throws {
    let sandbox = try await Sandbox.start()
    await sandbox.inject(.delay(.milliseconds(5)), for: "*")
    #expect(try await TestClient.alice(sandbox).get("/2/users/me").status == 200)
    await sandbox.inject(.delay(.seconds(3600)), for: "*")
    let client = TestClient.alice(sandbox)
    let waiting = Task { try await client.get("/2/users/me") }
    try await eventually { await sandbox.faultCount == 2 }
    await sandbox.stop()
    _ = await waiting.result
  }

  private static let me = "GET /2/users/me"

  private func response(_ fault: Sandbox.Fault, target: String = "/2/users/me") async throws -> TestClient.Response {
    try await withSandbox { (sandbox) async throws in
      let operation = target.hasPrefix("/1.1/") ? "GET \(target)" : Self.me
      await sandbox.inject(fault, for: operation)
      let client = TestClient(sandbox, .oauth1(sandbox.users.alice))
      let response = try await client.get(target)
      #expect(await sandbox.faultCount == 1)
      #expect(try await client.get(target).status == 200)
      return response
    }
  }

  @Test("Faults change the body, its media type, its errors and the headers")
  func bodies() async throws {
    #expect(try await response(.truncatedBody(to: 5)).body.count == 5)
    #expect(try await response(.emptyBody).body.isEmpty)
    let page = try await response(.contentType("text/html"))
    #expect((page.header("Content-Type"), page.data?["username"]) == ("text/html", "alice"))
    let partial = try await response(.partialErrors)
    #expect(partial.status == 200 && partial.data?["username"] == "alice")
    #expect(partial.json["errors"] != nil)
    #expect(try await response(.headers(["X-Extra": "1"])).header("X-Extra") == "1")
  }

  @Test("Faults respond as a proxy, with a blank problem, or with a refused timestamp")
  func replacements() async throws {
    let proxy = try await response(.proxyPage(status: 504))
    #expect(proxy.status == 504 && proxy.text.hasPrefix("<!DOCTYPE html>"))
    let blank = try await response(.blankProblem(status: 400))
    #expect(blank.json == ["type": "about:blank", "title": "Bad Request", "detail": "Bad Request", "status": 400])
    let words = "Unprocessable Content"
    let other = try await response(.blankProblem(status: 422))
    #expect(other.json == ["type": "about:blank", "title": .string(words), "detail": .string(words), "status": 422])
    let clock = try await response(.timestampRefused, target: "/1.1/account/verify_credentials.json")
    #expect((clock.status, clock.code) == (401, 135))
  }

  @Test("A rate limit fault has all headers that it was given")
  func limits() async throws {
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    let limited = try await response(
      .rateLimited(
        .init(
          reset: date, retryAfter: .seconds(3), appDaily: .init(limit: 100, reset: date),
          userDaily: .init(limit: 50, remaining: 2, reset: date))))
    #expect(limited.status == 429)
    #expect(limited.header("Retry-After") == "3")
    #expect(limited.header("x-rate-limit-reset") == "1800000000")
    #expect(limited.header("x-app-limit-24hour-limit") == "100")
    #expect(limited.header("x-app-limit-24hour-remaining") == "0")
    #expect(limited.header("x-user-limit-24hour-remaining") == "2")
    #expect(limited.header("x-user-limit-24hour-reset") == "1800000000")
    let dated = try await response(.rateLimited(.init(retryAfter: .date(date))))
    #expect(dated.header("Retry-After") == "Fri, 15 Jan 2027 08:00:00 GMT")
    #expect(dated.header("x-rate-limit-limit") == nil)
  }

  @Test("Faults split a body into chunks and slow it down")
  func chunks() async throws {
    try await withSandbox { (sandbox) async throws in
      await sandbox.inject(.splitBody(into: 3), for: Self.me)
      let split = try await RawConnection.exchange(request(sandbox), with: sandbox)
      #expect(split.lowercased().contains("transfer-encoding: chunked"))
      #expect(split.contains("\r\n\r\n3\r\n{\"d\r\n3\r\nata\r\n"))
      #expect(split.hasSuffix("\r\n0\r\n\r\n"))
      let client = TestClient.alice(sandbox)
      await sandbox.inject(.slowBody(bytesPerSecond: 10_000), for: Self.me)
      #expect(try await client.get("/2/users/me").data?["username"] == "alice")
    }
  }

  @Test("A lost response leaves the operation done")
  func lost() async throws {
    try await withSandbox { (sandbox) async throws in
      await sandbox.inject(.loseResponse, for: "POST /2/tweets")
      let client = TestClient.alice(sandbox)
      await #expect(throws: (any Error).self) { try await client.post("/2/tweets", #"{"text":"hi"}"#) }
      let again = try await client.post("/2/tweets", #"{"text":"hi"}"#)
      #expect(again.status == 403, "The same text is there already.")
    }
  }

  @Test("Each refusal has its status, and a code in v1.1", arguments: Sandbox.Fault.Refusal.allCases)
  func refusals(refusal: Sandbox.Fault.Refusal) async throws {
    let refused = try await response(.refused(refusal))
    let statuses: [Sandbox.Fault.Refusal: Int] = [.usageCapped: 429, .creditsDepleted: 402]
    #expect(refused.status == statuses[refusal, default: 403])
    #expect(refused.json["detail"]?.string?.isEmpty == false)
    let old = try await response(.refused(refusal), target: "/1.1/account/verify_credentials.json")
    #expect(old.status == refused.status)
    // Of billing v1.1 has no codes.
    let hasCode = refusal != .creditsDepleted && refusal != .spendCapReached
    #expect(old.code != nil && (old.code != 0) == hasCode)
  }

  @Test("Refusals for credits and for the spend cap have one type and differ by title")
  func billing() async throws {
    let type = JSON.string(Problem.typePrefix + "credits")
    let credits = try await response(.refused(.creditsDepleted)).json
    #expect(credits["type"] == type && credits["title"] == "CreditsDepleted" && credits["reset_date"] == nil)
    let cap = try await response(.refused(.spendCapReached)).json
    #expect(cap["type"] == type && cap["title"] == "SpendCapReached" && cap["reset_date"] == "2030-01-01")
  }

  @Test("A fault of an OAuth endpoint waits for the requests before it")
  func authorization() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      await sandbox.inject(.status(503), for: "POST /oauth/request_token", times: 2, after: 1)
      var statuses: [Int] = []
      for _ in 0..<4 {
        let response = try await login.signed(
          "POST", "/oauth/request_token", extra: [("oauth_callback", "oob")])
        statuses.append(response.status)
        if response.status == 503 { #expect(response.code == 130) }
      }
      #expect(statuses == [200, 503, 503, 200])
    }
  }

  @Test("The same seed gives the same random faults")
  func chance() async throws {
    func statuses(seed: UInt64) async throws -> [Int] {
      try await withSandbox(generousConfiguration()) { (sandbox) async throws in
        await sandbox.inject(.init(probability: 0.3, seed: seed, faults: [.status(500), .status(503)]))
        var statuses: [Int] = []
        for _ in 0..<40 { statuses.append(try await TestClient.alice(sandbox).get("/2/users/me").status) }
        await sandbox.removeFaults()
        #expect(try await TestClient.alice(sandbox).get("/2/users/me").status == 200)
        return statuses
      }
    }
    let first = try await statuses(seed: 7)
    #expect(Set(first) == [200, 500, 503])
    #expect(try await statuses(seed: 7) == first)
    #expect(try await statuses(seed: 8) != first)
  }

  @Test("A clock offset shows in Date, and timestamps are refused")
  func clock() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient(sandbox, .oauth1(sandbox.users.alice))
      sandbox.setClockOffset(3600)
      let refused = try await alice.get("/1.1/account/verify_credentials.json")
      #expect((refused.status, refused.code) == (401, 135))
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
      let date = try #require(formatter.date(from: refused.header("Date") ?? ""))
      #expect(date.timeIntervalSinceNow > 3000)
      sandbox.setClockOffset(0)
      #expect(try await alice.get("/1.1/account/verify_credentials.json").status == 200)
    }
  }
}
