import CallsignHTTP
import Foundation

/// One connection of a stream.
struct StreamConnection: Sendable {
  let exchange: Exchange
  let head: RawResponse
  let body: ResponseBody
  /// Which of the stream's connections it is, from 1.
  let number: Int
  var framing: RecordFraming
  /// What the API has said of its end.
  var disconnect: StreamDisconnect?
  /// How many keep-alives have been told of.
  var keepAlives = 0
}

/// What a stream's reader needs to know of it.
struct StreamDescription: Sendable {
  let client: Client
  let call: Call
  let policy: ReconnectPolicy
  let stallBound: StallBound

  var configuration: ClientConfiguration { client.configuration }
  var backfill: StreamBackfill? { call.endpoint.backfill }

  /// A stream has no end to be bounded, unless the call itself asks for one; silence is bounded in any case.
  private var timeouts: Timeouts {
    let own = call.options.timeouts
    return Timeouts(
      connect: (own ?? configuration.timeouts).connect, idle: stallBound.idle(own), total: own?.total)
  }

  /// The silence after which a connection has stalled; `nil` where another bound could have passed as well.
  var stallTimeout: Duration? { timeouts.total == nil ? timeouts.idle : nil }

  /// Connects once.
  ///
  /// - Parameter minutes: How many minutes the API is to send again; `nil`: as the caller's arguments have it.
  func connect(_ number: Int, backfill minutes: Int?) async throws(CallError) -> StreamConnection {
    var call = call
    call.options.timeouts = timeouts
    if let minutes, let backfill { call.replaceQuery(backfill.parameter, String(minutes)) }
    let exchange = Exchange(client: client, call: try client.prepare(call))
    let response = try await exchange.open()
    return StreamConnection(
      exchange: exchange, head: RawResponse(status: response.head.status, headers: response.head.headerFields),
      body: response.body, number: number,
      framing: RecordFraming(
        call.arguments.framing ?? call.endpoint.stream ?? .lines, limit: configuration.recordLimit))
  }
}
