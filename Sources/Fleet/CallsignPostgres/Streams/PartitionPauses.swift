/// The partitions that a server leaves alone for a while after reading them failed. A revoked token, for example, would be refused
/// again a moment later.
struct PartitionPauses {
  /// The longest pause, unless a lease is longer. Records that a stream can resend for only a few minutes must not be lost in the
  /// meantime.
  private static let longest = Duration.seconds(60)

  private struct Pause {
    var failures = 0
    var end: ContinuousClock.Instant
  }

  private let lease: Duration
  private var pauses: [Int: Pause] = [:]

  /// - Parameter lease: The first pause. It doubles with each consecutive failure, up to a minute.
  init(lease: Duration) { self.lease = lease }

  /// Records that reading a partition failed.
  ///
  /// - Parameter wasOfUse: Whether it returned records before the failure.
  mutating func failed(_ partition: Int, wasOfUse: Bool, at now: ContinuousClock.Instant) {
    let failures = wasOfUse ? 1 : (pauses[partition]?.failures ?? 0) + 1
    let pause = min(lease * (1 << min(failures - 1, 16)), max(lease, Self.longest))
    pauses[partition] = Pause(failures: failures, end: now + pause)
  }

  /// The partitions not to take at a given time.
  func partitions(at now: ContinuousClock.Instant) -> [Int] {
    pauses.filter { $0.value.end > now }.keys.sorted()
  }
}
