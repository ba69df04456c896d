import CallsignHTTP
import NIOConcurrencyHelpers

/// Limits a transfer by the silence and the total time that its request allows. AsyncHTTPClient's own limits end with the
/// response's head, or include the time that a slow reader keeps the server waiting.
final class TransferClock: Sendable {
  private struct State {
    /// `nil` while the transfer waits for this side.
    var lastByte: ContinuousClock.Instant? = .now
    var delivery = TransportError.Delivery.unknown
  }

  private let idle: Duration?
  private let end: ContinuousClock.Instant?
  private let state = NIOLockedValueBox(State())

  init(_ timeouts: Timeouts) {
    idle = timeouts.idle
    end = timeouts.total.map { .now + $0 }
  }

  /// How far the request got.
  var delivery: TransportError.Delivery { state.withLockedValue { $0.delivery } }

  func note(_ delivery: TransportError.Delivery) { state.withLockedValue { $0.delivery = delivery } }

  /// A byte was sent or received.
  func touch() { state.withLockedValue { $0.lastByte = .now } }

  /// From now on this side keeps the other waiting, until the next byte.
  func hold() { state.withLockedValue { $0.lastByte = nil } }

  /// Runs a part of the transfer, within the remaining time.
  ///
  /// - Parameters:
  ///   - connect: The time that the first byte may take beside the idle time.
  ///   - work: The part; it ends early when it is cancelled.
  func run<Value: Sendable>(
    atFirst connect: Duration = .zero, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard idle != nil || end != nil else { return try await work() }
    return try await withThrowingTaskGroup(of: Value.self) { group in
      defer { group.cancelAll() }
      group.addTask(operation: work)
      group.addTask { try await self.expire(connect) }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  private func expire(_ connect: Duration) async throws -> Never {
    let start = ContinuousClock.now
    while true {
      let now = ContinuousClock.now
      let silentEnd = idle.map { idle in
        guard let last = state.withLockedValue({ $0.lastByte }) else { return now + idle }
        return last + (last <= start ? idle + connect : idle)
      }
      let next = [silentEnd, end].compactMap { $0 }.min() ?? now
      guard next > now else {
        let detail = next == end ? "no complete response in time" : "the connection fell silent"
        throw TransportError(.timedOut, delivery: delivery, detail: detail)
      }
      try await Task.sleep(until: next, clock: .continuous)
    }
  }
}
