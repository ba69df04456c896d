import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

/// Responds with one after the other; the last is repeated for ever.
private final class Script: Sendable {
  enum Step: Sendable {
    case status(HTTPResponse.Status, HTTPFields = [:])
    case lost(TransportError)
    /// A successful response whose body breaks off.
    case cut
    case success
    /// A successful response with the given body.
    case body(String)
  }

  let transport: InMemoryTransport

  init(_ steps: Step...) {
    let counter = Counter()
    transport = InMemoryTransport { _ throws(TransportError) in
      switch steps[min(counter.next(), steps.count - 1)] {
      case .status(let status, let headers): return .json("{}", status: status, headerFields: headers)
      case .lost(let error): throw error
      case .cut: return TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(CutBody()))
      case .success: return .json("{}")
      case .body(let text): return .json(text)
      }
    }
  }
}

private final class CutBody: ResponseBodySource {
  private let counter = Counter()

  func next() async throws(TransportError) -> Data? {
    if counter.next() == 0 { return Data("{".utf8) }
    throw TransportError(.connectionLost, delivery: .delivered)
  }
}

@Suite("Calls that are sent again", .timeLimit(.minutes(10)))
struct RetryTests {
  private static let lost = TransportError(.connectionLost, delivery: .unknown)
  private static let notSent = TransportError(.cannotConnect, delivery: .notSent)

  private let time = TestTime(.moves)

  /// The error of a call, if any, with the number of requests sent and the waits between them.
  private func run(
    _ script: Script, _ call: Call = Call(endpoint()), auth: [any Authenticator] = [],
    retry: RetryPolicy = RetryPolicy(jitter: { 1 }), budget: RetryBudget = RetryBudget()
  ) async -> (error: CallError?, requests: [TransportRequest], waits: [Duration]) {
    let client = Client(
      auth: auth,
      configuration: ClientConfiguration(
        transport: script.transport, retry: retry, retryBudget: budget, time: time))
    return await run(script, call, client)
  }

  private func run(
    _ script: Script, _ call: Call, _ client: Client
  ) async -> (error: CallError?, requests: [TransportRequest], waits: [Duration]) {
    do throws(CallError) {
      let _: Response<NoContent> = try await client.send(call)
      return (nil, script.transport.requests, time.sleeps)
    } catch { return (error, script.transport.requests, time.sleeps) }
  }

  @Test(
    "Temporary failures are retried after growing waits",
    arguments: [
      Script.Step.lost(lost), .lost(notSent), .lost(TransportError(.cannotResolveHost, delivery: .notSent)),
      .lost(TransportError(.timedOut, delivery: .unknown)), .cut, .status(.requestTimeout),
      .status(.internalServerError), .status(.badGateway), .status(.serviceUnavailable), .status(.gatewayTimeout),
    ])
  fileprivate func passing(_ step: Script.Step) async {
    let (error, requests, waits) = await run(Script(step, step, .success))
    #expect(error == nil)
    #expect(requests.count == 3)
    #expect(waits == [.milliseconds(500), .seconds(1)])
  }

  @Test("After three attempts, the error says how many there were")
  func threeAttempts() async {
    let (error, requests, _) = await run(Script(.status(.badGateway)))
    #expect(requests.count == 3)
    #expect(error?.attempts == 3)
    #expect("\(error as Any)".contains("after 3 requests"))
    let lost = await run(Script(.lost(Self.lost)))
    #expect(lost.error?.attempts == 3)
    #expect("\(lost.error as Any)".contains("after 3 requests"))
  }

  @Test(
    "A response that cannot be decoded says how many requests led to it",
    arguments: [
      Script.Step.body(#"{"data": 1}"#), .body("<html></html>"), .body("{"), .body(""),
    ])
  fileprivate func attemptsOfWhatCannotBeDecoded(_ step: Script.Step) async {
    let script = Script(.status(.badGateway), .lost(Self.lost), step)
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: script.transport, retry: RetryPolicy(jitter: { 1 }), time: time))
    do throws(CallError) {
      let _: Response<[String]> = try await client.send(Call(endpoint()))
      Issue.record("it was decoded")
    } catch {
      #expect(error.attempts == 3)
    }
    #expect(script.transport.requests.count == 3)
  }

  @Test("Refused credentials, and redirects that are not followed, say how many requests led to them")
  func attemptsOfOtherErrors() async {
    let refused = await run(Script(.status(.badGateway), .status(.unauthorized)))
    #expect(refused.error?.attempts == 2)
    let redirected = await run(Script(.status(.badGateway), .status(.found, [.location: "https://other.example/"])))
    #expect(redirected.error?.attempts == 2)
    let unsigned = await run(
      Script(.success), Call(endpoint(auth: "bearer")), auth: [Bearer("a b", hosts: ["api.example"])])
    #expect(unsigned.error?.attempts == 0)
    #expect(unsigned.requests.isEmpty)
  }

  @Test(
    "A failure that another attempt would not change is thrown at once",
    arguments: [
      Script.Step.status(.badRequest), .status(.notFound), .status(.unauthorized), .status(.tooManyRequests),
      .status(.notImplemented), .lost(TransportError(.tls, delivery: .notSent)),
      .lost(TransportError(.protocolViolation, delivery: .delivered)),
      .lost(TransportError(.bodySource, delivery: .unknown)),
      .lost(TransportError(.invalidRequest("no"), delivery: .notSent)),
    ])
  fileprivate func lasting(_ step: Script.Step) async {
    let (error, requests, waits) = await run(Script(step, .success))
    #expect(error != nil)
    #expect(requests.count == 1)
    #expect(waits.isEmpty)
    #expect(!"\(error as Any)".contains("requests"))
  }

  @Test("A write is sent again only if it is certain that it did not arrive")
  func writes() async {
    let write = Call(endpoint("POST", repeatable: false))
    let again = await run(Script(.lost(Self.notSent), .success), write)
    #expect(again.error == nil)
    #expect(again.requests.count == 2)
    for step in [Script.Step.lost(Self.lost), .cut] {
      let (error, requests, _) = await run(Script(step, .success), write)
      guard case .mayHaveSucceeded = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(requests.count == 1)
    }
    for status in [HTTPResponse.Status.internalServerError, .serviceUnavailable] {
      let (error, requests, _) = await run(Script(.status(status, [.retryAfter: "1"]), .success), write)
      guard case .api = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(requests.count == 1)
    }
    // Once the outcome is in doubt it stays so, whatever came before.
    let (error, requests, _) = await run(Script(.lost(Self.notSent), .lost(Self.lost), .success), write)
    guard case .mayHaveSucceeded = error else {
      Issue.record("not .mayHaveSucceeded")
      return
    }
    #expect(requests.count == 2)
  }

  @Test("A DELETE that gets a response 404 when it is sent again may have been carried out the first time")
  func deletedTwice() async {
    let delete = Call(endpoint("DELETE", repeatable: true))
    for (step, isInDoubt) in [
      (Script.Step.lost(Self.lost), true), (.status(.badGateway), true), (.lost(Self.notSent), false),
    ] {
      let (error, requests, _) = await run(Script(step, .status(.notFound)), delete)
      guard case .api = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(requests.count == 2)
      #expect(error?.attempts == 2)
      #expect(error?.mayHaveBeenCarriedOut == isInDoubt)
    }
  }

  @Test("The outcome of a DELETE is reported even if a limit prevents another attempt")
  func limitAfterDoubt() async {
    let headers = HTTPFields([
      HTTPField(name: HTTPField.Name("x-rate-limit-limit")!, value: "15"),
      HTTPField(name: HTTPField.Name("x-rate-limit-remaining")!, value: "0"),
      HTTPField(
        name: HTTPField.Name("x-rate-limit-reset")!, value: "\(Int(time.now().timeIntervalSince1970) + 900)"),
    ])
    let script = Script(.status(.badGateway, headers), .success)
    let client = Client(
      auth: [], configuration: ClientConfiguration(transport: script.transport, time: time), conventions: .x)
    let (error, requests, _) = await run(script, Call(endpoint("DELETE", repeatable: true)), client)
    guard case .api(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.status == .badGateway)
    #expect(requests.count == 1)
    #expect(error?.mayHaveBeenCarriedOut == true)
  }

  @Test("A PUT cancelled while it waits to be sent again may have been carried out", arguments: [true, false])
  func cancelledBetweenAttempts(wasSent: Bool) async throws {
    let time = TestTime(.lasts)
    let script = Script(.lost(wasSent ? Self.lost : Self.notSent))
    let client = Client(auth: [], configuration: ClientConfiguration(transport: script.transport, time: time))
    let task = Task { () -> CallError? in
      do throws(CallError) {
        let _: Response<NoContent> = try await client.send(Call(endpoint("PUT", repeatable: true)))
        return nil
      } catch { return error }
    }
    try await eventually { time.sleeping == 1 }
    task.cancel()
    let error = await task.value
    #expect(error?.isCancellation == true)
    #expect(error?.mayHaveBeenCarriedOut == wasSent)
    #expect(script.transport.requests.count == 1)
  }

  /// `Retry-After`, `Date`, and the seconds waited. The clock of these tests shows 14 November 2023, 22:13:20.
  private static let retryAfters: [(String, String?, Double)] = [
    ("7", nil, 7), (" 7 ", nil, 7), ("0", nil, 0.5), ("soon", nil, 0.5), ("-3", nil, 0.5), ("", nil, 0.5),
    ("Tue, 14 Nov 2023 22:13:30 GMT", nil, 10), ("Tuesday, 14-Nov-23 22:13:30 GMT", nil, 10),
    ("Tue Nov 14 22:13:30 2023", nil, 10), ("Tue, 14 Nov 2023 22:00:00 GMT", nil, 0.5),
    // By the server's own clock, which is an hour ahead.
    ("Tue, 14 Nov 2023 23:13:30 GMT", "Tue, 14 Nov 2023 23:13:20 GMT", 10),
  ]

  @Test("Retry-After in seconds and as a date", arguments: retryAfters)
  func retryAfter(text: String, date: String?, seconds: Double) async {
    var fields: HTTPFields = [.retryAfter: text]
    fields[.date] = date
    let (error, _, waits) = await run(Script(.status(.serviceUnavailable, fields), .success))
    #expect(error == nil)
    #expect(waits == [.milliseconds(Int(seconds * 1000))])
  }

  @Test(
    "A Retry-After beyond the bound ends the call",
    arguments: ["61", "99999999999999999999", "Thu, 01 Jan 2099 00:00:00 GMT"])
  func longRetryAfter(text: String) async {
    let (error, requests, waits) = await run(Script(.status(.serviceUnavailable, [.retryAfter: text]), .success))
    guard case .api(let refusal) = error else {
      Issue.record("not .api")
      return
    }
    #expect(refusal.headers[.retryAfter] == text)
    #expect(requests.count == 1)
    #expect(waits.isEmpty)
  }

  @Test("A policy's own bound on Retry-After is the longest that is waited")
  func boundOfRetryAfter() async {
    let policy = RetryPolicy(maximumRetryAfter: .seconds(5), jitter: { 1 })
    func run(_ seconds: String) async -> (error: CallError?, requests: [TransportRequest], waits: [Duration]) {
      await self.run(Script(.status(.serviceUnavailable, [.retryAfter: seconds]), .success), retry: policy)
    }
    let within = await run("5")
    #expect(within.error == nil)
    #expect(within.requests.count == 2)
    #expect(within.waits == [.seconds(5)])
    let beyond = await run("6")
    guard case .api(let refusal) = beyond.error else {
      Issue.record("not .api")
      return
    }
    #expect(refusal.status == .serviceUnavailable)
    #expect(beyond.requests.count == 1)
    // No further wait: the clock has only that of the first call.
    #expect(beyond.waits == within.waits)
  }

  @Test("Waits double up to their bound and are multiplied by the jitter")
  func waits() async {
    let policy = RetryPolicy(
      attempts: 6, baseDelay: .seconds(1), maximumDelay: .seconds(6), jitter: { 0.5 })
    let (_, requests, waits) = await run(Script(.status(.badGateway)), retry: policy)
    #expect(requests.count == 6)
    #expect(waits == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(3)])
  }

  @Test("A policy without bounds or sense does no harm", arguments: [-1.0, 7, .nan, .infinity])
  func hostilePolicy(jitter: Double) async {
    let policy = RetryPolicy(
      attempts: 80, baseDelay: .seconds(Int64.max / 4), maximumDelay: .seconds(Int64.max / 2),
      jitter: { jitter })
    let (_, requests, _) = await run(Script(.status(.badGateway)), retry: policy, budget: .unlimited)
    #expect(requests.count == 80)
    for attempts in [0, -5] {
      let (_, requests, _) = await run(Script(.status(.badGateway)), retry: RetryPolicy(attempts: attempts))
      #expect(requests.count == 1)
    }
  }

  @Test("A call's own policy replaces the client's")
  func perCall() async {
    let never = await run(Script(.status(.badGateway)), Call(endpoint(), CallOptions(retry: .never)))
    #expect(never.requests.count == 1)
    let more = RetryPolicy(attempts: 4, statuses: [400])
    let script = await run(Script(.status(.badRequest)), Call(endpoint(), CallOptions(retry: more)), retry: .never)
    #expect(script.requests.count == 4)
  }

  @Test("A call with its own time limit for a transfer gets no other limit")
  func totalTimeout() async {
    let call = Call(endpoint(), .timeout(.seconds(1)))
    let (error, requests, _) = await run(Script(.lost(TransportError(.timedOut, delivery: .unknown))), call)
    guard case .transport = error else {
      Issue.record("not .transport")
      return
    }
    #expect(requests.count == 1)
  }

  @Test("Each attempt is signed again")
  func signedAnew() async throws {
    let oauth1 = OAuth1(consumerKey: "k", consumerSecret: "s", token: "t", tokenSecret: "ts")
    let (error, requests, _) = await run(
      Script(.status(.badGateway), .lost(Self.lost), .success), Call(endpoint(auth: "oauth1")), auth: [oauth1])
    #expect(error == nil)
    #expect(Set(requests.compactMap(\.authorization)).count == 3)
  }

  @Test("A body that is read while it is sent is opened again")
  func bodies() async throws {
    let opened = Counter()
    let transport = InMemoryTransport { request throws(TransportError) in
      #expect((try? await request.body.collect()) == Data("abc".utf8))
      if opened.value < 3 { throw Self.lost }
      return .json("{}")
    }
    let client = Client(auth: [], configuration: ClientConfiguration(transport: transport, time: time))
    _ = try await client.call(
      .put, "https://api.example/x",
      body: .stream(
        .stream(length: 3) {
          _ = opened.next()
          return UploadedPieces([Data("a".utf8), Data("bc".utf8)])
        }, contentType: "text/plain"))
    #expect(opened.value == 3)
  }

  @Test("A failing server is not flooded: all calls share one retry budget")
  func budget() async {
    let script = Script(.status(.badGateway))
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: script.transport, retryBudget: RetryBudget(capacity: 5, perSuccess: 1, perSecond: 0), time: time))
    for _ in 0..<10 { _ = await run(script, Call(endpoint()), client) }
    #expect(script.transport.requests.count == 15)
  }

  @Test("Successes and time fill the budget again")
  func budgetFills() async {
    let flag = Counter()
    let transport = InMemoryTransport { _ in .json("{}", status: flag.value == 0 ? .badGateway : .ok) }
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: transport, retry: RetryPolicy(baseDelay: .zero),
        retryBudget: RetryBudget(capacity: 2, perSuccess: 0.5, perSecond: 0.1), time: time))
    func call() async -> Int {
      let before = transport.requests.count
      let _: Response<NoContent>? = try? await client.send(Call(endpoint()))
      return transport.requests.count - before
    }
    #expect(await call() == 3)
    #expect(await call() == 1)
    time.advance(by: 11)
    #expect(await call() == 2)
    _ = flag.next()
    for _ in 0..<4 { #expect(await call() == 1) }
    flag.reset()
    #expect(await call() == 3)
  }

  @Test("Cancellation ends a wait at once")
  func cancellation() async throws {
    let time = TestTime(.lasts)
    let script = Script(.status(.badGateway))
    let client = Client(auth: [], configuration: ClientConfiguration(transport: script.transport, time: time))
    let task = Task { () -> CallError? in
      do throws(CallError) {
        let _: Response<NoContent> = try await client.send(Call(endpoint()))
        return nil
      } catch { return error }
    }
    try await eventually { time.sleeping == 1 }
    task.cancel()
    guard case .cancelled = await task.value else {
      Issue.record("not .cancelled")
      return
    }
    #expect(script.transport.requests.count == 1)
    #expect(time.sleeping == 0)
  }
}
