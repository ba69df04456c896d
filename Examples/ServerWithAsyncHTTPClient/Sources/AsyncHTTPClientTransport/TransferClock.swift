import CallsignHTTP
import NIOConcurrencyHelpers

/// Bounds a transfer by the silence and by the whole time that its request allows. AsyncHTTPClient's own bounds end with the
/// response's head, or count the time in which a slow reader keeps the server waiting.
final class TransferClock: Sendable {
  private struct State {
    /// `nil` while this side is what the transfer waits for.
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

  /// A byte has come or gone.
  func touch() { state.withLockedValue { $0.lastByte = .now } }

  /// From now on this side keeps the other waiting, until the next byte.
  func hold() { state.withLockedValue { $0.lastByte = nil } }

  /// Does a part of the transfer, within what time is left.
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
