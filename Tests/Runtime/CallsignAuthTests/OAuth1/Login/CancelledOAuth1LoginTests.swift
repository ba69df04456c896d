import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

@Suite("A login whose task is cancelled, or which several tasks complete") struct CancelledOAuth1LoginTests {
  /// Gives a request token, and an access token of alice for it.
  private static func provider() -> InMemoryTransport {
    InMemoryTransport { request in
      let isFirst = request.head.path?.contains("request_token") == true
      let response =
        isFirst
        ? "oauth_callback_confirmed=true&oauth_token=t&oauth_token_secret=s"
        : "oauth_token=t2&oauth_token_secret=s2&user_id=42&screen_name=alice"
      return TransportResponse(body: Data(response.utf8))
    }
  }

  @Test("Once it is used up, the PIN is sent and its token handed out later") func usedUp() async throws {
    let transport = Self.provider()
    let time = CancellingTime()
    var configuration = ClientConfiguration(transport: transport)
    configuration.time = time
    let app = OAuth1App(.x, key: "k", secret: "s", configuration: configuration)
    let login = try await app.pin()
    // The clock is looked at when the login is taken down as used, after the task was found not to be cancelled.
    time.arm()
    let first = Task { await failure { () throws(LoginError) in try await login.complete(pin: "1234567") } }
    #expect(await first.value.name == "cancelled")
    try await eventually { transport.requests.count == 2 }
    #expect(try await login.complete(pin: "1234567").screenName == "alice")
    #expect(transport.requests.count == 2)
  }

  @Test("Of many tasks with the same PIN one succeeds, even if some start just after the exchange has ended")
  func race() async throws {
    let transport = Self.provider()
    let app = OAuth1App(.x, key: "k", secret: "s", configuration: ClientConfiguration(transport: transport))
    for round in 1...40 {
      let login = try await app.pin()
      let successes = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<50 {
          group.addTask {
            for _ in 0..<number { await Task.yield() }
            return (try? await login.complete(pin: "1234567")) != nil
          }
        }
        var successes = 0
        for await isSuccess in group where isSuccess { successes += 1 }
        return successes
      }
      #expect(successes == 1)
      #expect(transport.requests.count == 2 * round)
    }
  }

  @Test("A task that joins an exchange just as it fails gets its failure or starts a new one, and loses no token")
  func failing() async throws {
    // Many times, as the moment cannot be chosen.
    for _ in 0..<300 {
      let gate = TaskGate()
      let exchanges = Locked(0)
      let transport = InMemoryTransport { (request) async throws(TransportError) in
        guard request.head.path?.contains("access_token") == true else {
          return TransportResponse(
            body: Data("oauth_callback_confirmed=true&oauth_token=t&oauth_token_secret=s".utf8))
        }
        let number = exchanges.withLock { count in
          count += 1
          return count
        }
        if number == 1 {
          await gate.pass()
          throw TransportError(.cannotConnect, delivery: .notSent)
        }
        return TransportResponse(
          body: Data("oauth_token=t2&oauth_token_secret=s2&user_id=42&screen_name=alice".utf8))
      }
      let app = OAuth1App(
        .x, key: "k", secret: "s", configuration: ClientConfiguration(transport: transport, retry: .never))
      let login = try await app.pin()
      let first = Task { await failure { () throws(LoginError) in try await login.complete(pin: "1234567") } }
      await gate.hasCome()
      first.cancel()
      #expect(await first.value.name == "cancelled")
      let second = Task { () -> LoginError? in
        do throws(LoginError) {
          _ = try await login.complete(pin: "1234567")
          return nil
        } catch { return error }
      }
      gate.open()
      if let error = await second.value {
        #expect(Optional(error).name == "call(transport)")
        #expect(try await login.complete(pin: "1234567").screenName == "alice")
      }
      #expect(exchanges.withLock { $0 } == 2)
    }
  }
}
