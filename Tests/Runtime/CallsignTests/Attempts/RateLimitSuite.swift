import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import XCore

/// A server that counts calls in windows of 900 seconds, by the test's clock, as X does.
final class LimitingServer: @unchecked Sendable {
  private let lock = NSLock()
  private let time: TestTime
  /// How many seconds the server's clock is ahead.
  private let ahead: TimeInterval
  private let saysWhatTimeItIs: Bool
  private var used = 0
  private var reset = Date.distantPast
  private(set) var refusals = 0
  private(set) var responded = 0
  var perWindow: Int

  init(_ time: TestTime, perWindow: Int, ahead: TimeInterval = 0, saysWhatTimeItIs: Bool = true) {
    self.time = time
    self.perWindow = perWindow
    self.ahead = ahead
    self.saysWhatTimeItIs = saysWhatTimeItIs
  }

  func response() -> TransportResponse {
    lock.withLock {
      let now = time.now().addingTimeInterval(ahead)
      if now >= reset { (used, reset) = (0, now.addingTimeInterval(900)) }
      let isRefused = used >= perWindow
      if isRefused { refusals += 1 } else { used += 1 }
      responded += 1
      var headers = limitHeaders(perWindow, perWindow - used, reset)
      if saysWhatTimeItIs { headers[.date] = httpDate(now) }
      return .json("{}", status: isRefused ? .tooManyRequests : .ok, headerFields: headers)
    }
  }
}

/// The header fields of a limit, as X has them.
func limitHeaders(_ limit: Int, _ remaining: Int, _ reset: Date, prefix: String = "x-rate-limit") -> HTTPFields {
  var headers = HTTPFields()
  for (name, value) in [("limit", limit), ("remaining", remaining), ("reset", Int(reset.timeIntervalSince1970))] {
    if let name = HTTPField.Name("\(prefix)-\(name)") { headers[name] = String(value) }
  }
  return headers
}

/// A suite about rate limits, whose calls use the test's clock.
protocol RateLimitSuite: Sendable {
  var time: TestTime { get }
}

extension RateLimitSuite {
  /// A client without credentials, and its transport.
  func client(
    _ policy: RateLimitPolicy, _ respond: @escaping InMemoryTransport.Responder
  ) -> (Client, InMemoryTransport) {
    let transport = InMemoryTransport(respond: respond)
    let client = Client(
      auth: [], configuration: ClientConfiguration(transport: transport, rateLimitPolicy: policy, time: time),
      conventions: .x)
    return (client, transport)
  }

  /// The error of a call; `nil` if it succeeds.
  func call(_ client: Client, _ call: Call = Call(endpoint())) async -> CallError? {
    do throws(CallError) {
      let _: Response<NoContent> = try await client.send(call)
      return nil
    } catch { return error }
  }
}

/// Decides whether to wait, and records the questions.
actor Asked {
  private(set) var waits: [RateLimitWait] = []
  private var decision = RateLimitDecision.fail

  func resolve(_ decision: RateLimitDecision) { self.decision = decision }

  func decide(_ wait: RateLimitWait) -> RateLimitDecision {
    waits.append(wait)
    return decision
  }
}
