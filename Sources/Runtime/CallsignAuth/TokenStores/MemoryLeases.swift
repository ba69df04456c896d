import CallsignHTTP
import CallsignSupport

/// The leases of a store that only this process uses.
final class MemoryLeases: Sendable {
  private let turns = KeyedAsyncLock<TokenKey>()
  private struct State {
    /// The lease that was granted last, until it is released.
    var holders: [TokenKey: String] = [:]
    /// The requests that were announced, until another token is saved.
    var requests: [TokenKey: Request] = [:]
  }

  private struct Request {
    let leaseID: String
    let version: TokenVersion
    let end: SuspendingClock.Instant

    var pending: PendingTokenRequest {
      PendingTokenRequest(
        leaseID: leaseID, holder: "a task of this process", version: version, timeLeft: max(.zero, end - .now))
    }
  }

  private let state = Locked(State())
  private static let count = Locked(UInt64(0))

  /// Waits for the lease of a key.
  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    do { try await turns.wait(for: key) } catch { throw .cancelledWait }
    let id = Self.count.withLock { count in
      count += 1
      return String(count)
    }
    let pending = state.withLock { state in
      state.holders[key] = id
      return state.requests[key]?.pending
    }
    let turn = LeaseTurn(lasting: duration) { [turns] in turns.finish(key) }
    return TokenLease(
      key, id: id, end: turn.end, pendingRequest: pending,
      renew: { [self] (duration) throws(TokenStoreError) in
        guard state.withLock({ $0.holders[key] == id }), let end = turn.renew(for: duration) else {
          throw .leaseLost(key)
        }
        return end
      },
      announce: { [self] (version, duration) throws(TokenStoreError) in
        try state.withLock { state throws(TokenStoreError) in
          guard state.holders[key] == id else { throw .leaseLost(key) }
          state.requests[key] = Request(leaseID: id, version: version, end: .now + duration)
        }
      },
      withdraw: { [self] in state.withLock { if $0.requests[key]?.leaseID == id { $0.requests[key] = nil } } },
      release: { [self] in end(id, key, turn) }, abandon: { [self] in end(id, key, turn) })
  }

  private func end(_ id: String, _ key: TokenKey, _ turn: LeaseTurn) {
    state.withLock { if $0.holders[key] == id { $0.holders[key] = nil } }
    turn.finish()
  }

  /// Changes the token unless somebody else has had the lease since; nobody gets it in between.
  func guarding<Value>(
    _ lease: TokenLease, _ work: () throws(TokenStoreError) -> Value
  ) throws(TokenStoreError) -> Value {
    try state.withLock { state throws(TokenStoreError) in
      guard state.holders[lease.key] == lease.id else { throw .leaseLost(lease.key) }
      let value = try work()
      state.requests[lease.key] = nil
      return value
    }
  }
}

/// The turn of one task among those of its process that want a lease. It passes on when the lease is released, and at the
/// lease's end at the latest.
package final class LeaseTurn: Sendable {
  private struct State {
    /// The end that is shown.
    var end: Date
    /// The end that counts, by a clock that nobody sets, and that stops while the machine sleeps, as the holder does.
    var deadline: SuspendingClock.Instant
    var isOver = false
    var timer: Task<Void, Never>?
  }

  private let state: Locked<State>
  private let passOn: @Sendable () -> Void

  /// Begins a turn that lasts so long from now.
  package init(lasting duration: Duration, passOn: @escaping @Sendable () -> Void) {
    self.passOn = passOn
    state = Locked(State(end: Date() + duration.seconds, deadline: SuspendingClock.now + duration))
    let timer = Task { [weak self] in
      while let left = self?.leftOrFinish() {
        // The sleep uses a clock that continues while the machine sleeps; the remaining time is then waited for.
        do { try await Task.sleep(for: min(left, .seconds(86_400))) } catch { return }
      }
    }
    state.withLock { $0.timer = timer }
  }

  /// When the turn passes on by itself.
  package var end: Date { state.withLock { $0.end } }

  /// Makes it last so long from now; `nil` when it is over.
  package func renew(for duration: Duration) -> Date? {
    state.withLock { state in
      guard !state.isOver else { return nil }
      (state.end, state.deadline) = (Date() + duration.seconds, SuspendingClock.now + duration)
      return state.end
    }
  }

  /// Passes the turn on, once.
  package func finish() {
    let timer = state.withLock { state -> Task<Void, Never>?? in
      guard !state.isOver else { return .none }
      state.isOver = true
      return .some(state.timer)
    }
    guard let timer else { return }
    timer?.cancel()
    passOn()
  }

  /// The time that it lasts yet; `nil` when it is over. Where its end has come, it passes on: in one step with the look
  /// at the end, which may be renewed at any moment.
  private func leftOrFinish() -> Duration? {
    let (left, isDue) = state.withLock { state -> (Duration?, Bool) in
      guard !state.isOver else { return (nil, false) }
      let left = state.deadline - SuspendingClock.now
      if left > .zero { return (left, false) }
      state.isOver = true
      return (nil, true)
    }
    if isDue { passOn() }
    return left
  }
}
