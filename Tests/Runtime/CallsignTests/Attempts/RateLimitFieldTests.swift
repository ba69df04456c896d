import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Rate limits: fields of responses", .timeLimit(.minutes(10)))
struct RateLimitFieldTests: RateLimitSuite {
  let time = TestTime(.lasts)

  @Test("A 429 that is about a window is one by each of X's other responses")
  func windows() async {
    for body in [
      "{}", #"{"errors":[{"code":88,"message":"Rate limit exceeded"}]}"#,
      #"{"title":"Too Many Requests","type":"about:blank","status":429}"#,
      #"{"title":"Rate limit exceeded","type":"https://api.x.com/2/problems/rate-limit-exceeded"}"#,
      #"{"title":"ConnectionException","type":"https://api.x.com/2/problems/streaming-connection"}"#,
    ] {
      let (client, _) = client(.fail) { _ in .json(body, status: .tooManyRequests) }
      guard case .rateLimited? = await call(client) else {
        Issue.record("\(body)")
        return
      }
    }
  }

  @Test("A used-up quota is not a window: the call is refused at once, and the next one is sent")
  func quota() async {
    for policy in [RateLimitPolicy.fail, .wait(upTo: .seconds(3600)), .ask({ _ in .wait })] {
      let time = TestTime(.moves)
      var headers = limitHeaders(900, 899, time.now().addingTimeInterval(900))
      headers[.retryAfter] = "900"
      let transport = InMemoryTransport { [headers] _ in
        .json(
          #"{"title":"UsageCapExceeded","period":"Monthly","type":"https://api.x.com/2/problems/usage-capped"}"#,
          status: .tooManyRequests, headerFields: headers)
      }
      var configuration = ClientConfiguration(transport: transport, rateLimitPolicy: policy, time: time)
      configuration.retry.maximumRetryAfter = .seconds(3600)
      configuration.retry.statuses.insert(429)
      let client = Client(auth: [], configuration: configuration, conventions: .x)
      for count in 1...2 {
        let error = await call(client)
        guard case .api(let refusal)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(refusal.status == .tooManyRequests && refusal.advice?.contains("next period") == true)
        #expect(transport.requests.count == count)
      }
      #expect(time.sleeps.isEmpty)
    }
  }

  @Test("A refusal says until when the default sends nothing, or the server is asked again")
  func failAfterRefusal() async {
    for (headers, requests) in [([.retryAfter: "40"], 1), ([:], 2)] as [(HTTPFields, Int)] {
      let (client, transport) = client(.fail) { _ in .json("{}", status: .tooManyRequests, headerFields: headers) }
      for _ in 0..<2 {
        guard case .rateLimited(let limit, _) = await call(client) else {
          Issue.record("not .rateLimited")
          return
        }
        #expect(limit?.reset == (requests == 1 ? time.now().addingTimeInterval(40) : nil))
      }
      #expect(transport.requests.count == requests)
      let stated = client.rateLimits["testCall"]
      #expect(stated?.remaining == 0)
      #expect(stated?.reset == (requests == 1 ? time.now().addingTimeInterval(40) : nil))
    }
  }

  @Test("A Retry-After that ends after the window is the limit's reset, in the error and in the client's limits")
  func laterRetryAfter() async {
    for (remaining, seconds) in [(0, 40.0), (7, 10)] {
      let (client, _) = client(.fail) { [time] _ in
        var headers = limitHeaders(15, remaining, time.now().addingTimeInterval(10))
        headers[.retryAfter] = "40"
        return .json("{}", status: .tooManyRequests, headerFields: headers)
      }
      guard case .rateLimited(let limit?, _) = await call(client) else {
        Issue.record("not .rateLimited")
        return
      }
      #expect(limit.reset == time.now().addingTimeInterval(seconds))
      #expect(limit.remaining == remaining)
      #expect(client.rateLimits["testCall"] == limit)
    }
  }

  @Test("A refusal with calls left says nothing about the window's end")
  func refusalWithCallsLeft() async {
    let reset = time.now().addingTimeInterval(900)
    let (client, transport) = client(.fail) { _ in
      .json("{}", status: .tooManyRequests, headerFields: limitHeaders(15, 7, reset))
    }
    for _ in 0..<2 { _ = await call(client) }
    #expect(transport.requests.count == 2)
    #expect(client.rateLimits["testCall"]?.remaining == 7)
  }

  @Test("Limits that responses reported, by endpoint and credential")
  func ledger() async throws {
    let reset = time.now().addingTimeInterval(900)
    let (client, _) = client(.fail) { _ in
      var headers = limitHeaders(15, 7, reset)
      for field in limitHeaders(1000, 0, reset, prefix: "x-app-limit-24hour") { headers.append(field) }
      for field in limitHeaders(50, 49, reset, prefix: "x-user-limit-24hour") { headers.append(field) }
      return .json("{}", headerFields: headers)
    }
    #expect(client.rateLimits.isEmpty)
    let response: Response<NoContent> = try await client.send(Call(endpoint()))
    #expect(response.rateLimit?.remaining == 7)
    #expect(response.rateLimit?.appDay == .init(limit: 1000, remaining: 0, reset: reset))
    #expect(response.rateLimit?.userDay == .init(limit: 50, remaining: 49, reset: reset))
    #expect(response.rateLimit?.exhausted?.limit == 1000)
    #expect(client.rateLimits["testCall"] == response.rateLimit)
    #expect(client.rateLimits["testCall", nil] == response.rateLimit)
    #expect(client.rateLimits["testCall", CredentialIdentity("bearer", account: "x")] == nil)
    #expect(client.rateLimits["other"] == nil)
    #expect(client.rateLimits.map(\.endpoint) == ["testCall"])
  }

  @Test(
    "Header fields that are not numbers, or absurd ones", arguments: ["", "x", "1e3", "99999999999999999999", "-5"])
  func hostileHeaders(value: String) async {
    let (client, _) = client(.wait(upTo: .seconds(1))) { _ in
      var headers = HTTPFields()
      for name in ["limit", "remaining", "reset"] {
        if let name = HTTPField.Name("x-rate-limit-\(name)") { headers[name] = value }
      }
      return .json("{}", headerFields: headers)
    }
    for _ in 0..<3 { #expect(await call(client) == nil) }
  }

  @Test("A count below zero is none left, also while other calls are under way")
  func belowZero() async {
    struct PlainConventions: APIConventions {
      func rateLimit(in headers: HTTPFields) -> RateLimit? {
        RateLimit(remaining: headers[.age].flatMap { Int($0) }, reset: Date(timeIntervalSinceNow: 1e6))
      }
    }
    let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
    let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
    let counter = Counter()
    let transport = InMemoryTransport { _ in
      if counter.next() == 0 {
        isAsked.yield()
        for await _ in goOn { break }
      }
      return .json("{}", headerFields: [.age: String(Int.min)])
    }
    let client = Client(
      auth: [], configuration: ClientConfiguration(transport: transport, rateLimitPolicy: .fail),
      conventions: PlainConventions())
    async let first = call(client)
    for await _ in asked { break }
    #expect(await call(client) == nil)
    let third = await call(client)
    letGoOn.finish()
    if case .rateLimited = third {} else { Issue.record("a call was sent into a limit that is used up") }
    #expect(await first == nil)
  }

  @Test("RateLimit fields on several lines are one list; the entry with the fewest calls left counts")
  func severalLines() throws {
    let sent = time.now()
    let entries = [#""burst";r=50;t=30"#, #""day";r=3;t=600"#]
    let limits = try #require(HTTPField.Name("RateLimit"))
    let policies = try #require(HTTPField.Name("RateLimit-Policy"))
    for order in [[0, 1], [1, 0]] {
      var headers: HTTPFields = [.date: httpDate(sent)]
      for index in order { headers.append(HTTPField(name: limits, value: entries[index])) }
      for policy in [#""day";q=1000;w=86400"#, #""burst";q=100;w=60"#] {
        headers.append(HTTPField(name: policies, value: policy))
      }
      #expect(
        RateLimit(standardFields: headers)
          == RateLimit(limit: 1000, remaining: 3, reset: sent.addingTimeInterval(600)))
    }
  }

  @Test("A reset is in seconds since 1970, or in milliseconds if seconds would mean the far future")
  func resetUnits() throws {
    let name = try #require(HTTPField.Name("x-ratelimit-reset"))
    for value in ["1741305600", "1741305600000"] {
      let limit = RateLimit(standardFields: [name: value])
      #expect(limit?.reset == Date(timeIntervalSince1970: 1_741_305_600))
    }
    let sent = time.now()
    #expect(
      RateLimit(standardFields: [name: "60", .date: httpDate(sent)])?.reset == sent.addingTimeInterval(60))
  }
}
