import Callsign
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

/// A call's attempts, pauses, `Retry-After` and waits for limits, within the bound that its caller sets.
@Suite("Deadlines", .timeLimit(.minutes(10)))
struct DeadlineTests {
  private let time = TestTime(.moves)

  private func client(
    _ policy: RateLimitPolicy = .fail, deadline: Duration? = nil, auth: [any Authenticator] = [],
    _ respond: @escaping InMemoryTransport.Responder
  ) -> (Client, InMemoryTransport) {
    let transport = InMemoryTransport(respond: respond)
    let retry = RetryPolicy(attempts: 100, baseDelay: .seconds(4), maximumDelay: .seconds(4), jitter: { 1 })
    let configuration = ClientConfiguration(
      transport: transport, retry: retry, retryBudget: .unlimited, rateLimitPolicy: policy, deadline: deadline,
      time: time)
    return (Client(auth: auth, configuration: configuration, conventions: .x), transport)
  }

  private func call(_ client: Client, _ options: CallOptions = CallOptions(), auth: String = "none") async
    -> CallError?
  {
    do throws(CallError) {
      let _: Response<NoContent> = try await client.send(Call(endpoint(auth: auth), options))
      return nil
    } catch { return error }
  }

  @Test("Attempts and the pauses between them end with it, and no pause is begun that would last longer")
  func attempts() async {
    let (client, transport) = client { _ in .json("{}", status: .serviceUnavailable) }
    let start = time.now()
    guard case .api(let error) = await call(client, CallOptions(deadline: .seconds(30))) else {
      Issue.record("not .api")
      return
    }
    #expect(error.attempts == 8)
    #expect(transport.requests.count == 8)
    #expect(time.now().timeIntervalSince(start) == 28)
  }

  @Test("One that is beyond all time is none")
  func endless() async throws {
    let (client, transport) = client(auth: [Bearer("t", hosts: ["api.example"])]) { _ in .json("{}") }
    #expect(await call(client, CallOptions(deadline: .seconds(Int64.max)), auth: "bearer") == nil)
    #expect(transport.requests.count == 1)
  }

  @Test("A call without a deadline uses the client's")
  func configured() async {
    let (client, transport) = client(deadline: .seconds(10)) { _ in .json("{}", status: .serviceUnavailable) }
    _ = await call(client)
    #expect(transport.requests.count == 3)
  }

  @Test("A Retry-After beyond it ends the call at once")
  func retryAfter() async {
    let (client, transport) = client { _ in
      .json("{}", status: .serviceUnavailable, headerFields: [.retryAfter: "20"])
    }
    guard case .api = await call(client, CallOptions(deadline: .seconds(30))) else {
      Issue.record("not .api")
      return
    }
    #expect(transport.requests.count == 2)
    #expect(time.sleeps == [.seconds(20)])
  }

  @Test("Waits for limits count too, together with earlier waits", arguments: [true, false])
  func limits(asks: Bool) async {
    let policy = asks ? RateLimitPolicy.ask { _ in .wait } : .wait(upTo: .seconds(1000))
    let counter = Counter()
    let (client, transport) = client(policy) { _ in
      counter.next() == 0
        ? .json("{}", status: .serviceUnavailable, headerFields: [.retryAfter: "20"])
        : .json("{}", status: .tooManyRequests, headerFields: [.retryAfter: "15"])
    }
    let start = time.now()
    guard case .rateLimited(_, .some) = await call(client, CallOptions(deadline: .seconds(60))) else {
      Issue.record("not .rateLimited")
      return
    }
    // 20 seconds, and twice 15; a third time would end after the deadline.
    #expect(time.now().timeIntervalSince(start) == 50)
    #expect(transport.requests.count == 4)
  }

  @Test("Each transfer gets the remaining time")
  func transfers() async {
    let (client, transport) = client { _ in .json("{}", status: .serviceUnavailable) }
    let timeouts = Timeouts(total: .seconds(25))
    _ = await call(client, CallOptions(timeouts: timeouts, deadline: .seconds(30)))
    #expect(transport.requests.map(\.timeouts.total) == [25, 25, 22, 18, 14, 10, 6, 2].map { .seconds($0) })
  }

  @Test("An authenticator that takes too long ends the call, unsent")
  func authenticators() async {
    struct Slow: TokenSource {
      func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken {
        try? await Task.sleep(for: .seconds(600))
        return AccessToken("late")
      }
    }
    let slow = Bearer(Slow(), hosts: ["api.example"], identity: CredentialIdentity("bearer", account: "a"))
    let (client, transport) = client(auth: [slow]) { _ in .json("{}") }
    let error = await call(client, CallOptions(deadline: .milliseconds(50)), auth: "bearer")
    guard case .transport(let failure) = error, case .timedOut = failure.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.delivery == .notSent)
    #expect(transport.requests.isEmpty)
  }

  @Test("An authenticator that takes too long to choose by ends the call, unsent")
  func slowChoice() async {
    struct Slow: Authenticator {
      let hosts: AllowedHosts = ["api.example"]
      let identity = CredentialIdentity("bearer", account: "a")
      func prepare() async { try? await Task.sleep(for: .seconds(600)) }
      func satisfies(_ requirement: AuthRequirement) -> Bool { true }
      func authenticate(
        _ request: inout TransportRequest, context: AuthenticationContext
      ) async throws(CallError) {}
    }
    let (client, transport) = client(auth: [Slow()]) { _ in .json("{}") }
    let error = await call(client, CallOptions(deadline: .milliseconds(50)), auth: "bearer")
    guard case .transport(let failure) = error, case .timedOut = failure.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.delivery == .notSent)
    #expect(transport.requests.isEmpty)
  }

  @Test("A store of limits that takes too long does not keep the response, and gets to know of the call's end")
  func slowStore() async throws {
    let store = HangingStore()
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: InMemoryTransport { _ in .json("{}") }, rateLimitStore: store, deadline: .seconds(5),
        time: time))
    #expect(await call(client) == nil)
    #expect(store.settled == 0)
    store.release()
    try await eventually { store.settled == 1 }
  }

  @Test("It also ends a renewal that takes too long, and a closure that is asked about a wait")
  func slowOthers() async {
    struct Renewing: TokenSource {
      func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken { AccessToken("old") }
      func token(
        after refused: Secret, _ context: AuthenticationContext
      ) async throws(CallError) -> AccessToken? {
        try? await Task.sleep(for: .seconds(600))
        return nil
      }
    }
    let renewing = Bearer(Renewing(), hosts: ["api.example"], identity: CredentialIdentity("bearer", account: "a"))
    let (refusing, _) = client(auth: [renewing]) { _ in .json("{}", status: .unauthorized) }
    guard case .transport = await call(refusing, CallOptions(deadline: .milliseconds(50)), auth: "bearer") else {
      Issue.record("not .transport")
      return
    }
    let policy = RateLimitPolicy.ask { _ in
      try? await Task.sleep(for: .seconds(600))
      return .wait
    }
    let (limiting, _) = client(policy) { _ in
      .json("{}", status: .tooManyRequests, headerFields: [.retryAfter: "1"])
    }
    guard case .transport = await call(limiting, CallOptions(deadline: .seconds(2))) else {
      Issue.record("not .transport")
      return
    }
  }

  @Test("A place that is found after the deadline is given back")
  func latePlace() async throws {
    // Its clock does not move: only the call's deadline ends the wait.
    let time = TestTime(.lasts)
    let ledger = RateLimitLedger(time: time)
    let key = RateLimitKey(endpoint: "testCall", holder: .user(nil), span: .window)
    // Another call is using the last place of a window.
    let window = RateLimit.Window(limit: 9, remaining: 1, reset: time.now().addingTimeInterval(600))
    _ = try await ledger.admit([key], until: nil)
    await ledger.settle([key], .responded([key: window]))
    _ = try await ledger.admit([key], until: nil)
    let transport = InMemoryTransport { _ in .json("{}") }
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: transport, rateLimitPolicy: .wait(upTo: .seconds(1000)), rateLimitStore: ledger,
        deadline: .milliseconds(50), time: time))
    guard case .transport = await call(client) else {
      Issue.record("not .transport")
      return
    }
    await ledger.settle([key], .responded([key: window]))
    #expect(try await ledger.admit([key], until: time.now()) == .admitted)
  }

  @Test("Cancelling ends a call with a deadline as any other")
  func cancelling() async throws {
    let standing = TestTime(.lasts)
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: InMemoryTransport { _ in .json("{}", status: .serviceUnavailable) }, deadline: .seconds(600),
        time: standing))
    let task = Task { await call(client) }
    try await eventually { standing.sleeping == 1 }
    task.cancel()
    guard case .cancelled = await task.value else {
      Issue.record("not .cancelled")
      return
    }
  }
}

/// A store that does not record the end of a call until a test allows it.
private final class HangingStore: RateLimitStore {
  private let state = Locked((isReleased: false, settled: 0))

  /// The number of recorded ends of calls.
  var settled: Int { state.withLock { $0.settled } }

  func release() { state.withLock { $0.isReleased = true } }

  func admit(_ keys: [RateLimitKey], until deadline: Date?) async throws -> RateLimitAdmission { .admitted }

  func settle(_ keys: [RateLimitKey], _ report: RateLimitReport) async throws {
    while !state.withLock({ $0.isReleased }) { try await Task.sleep(for: .milliseconds(2)) }
    state.withLock { $0.settled += 1 }
  }
}
