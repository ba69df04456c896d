/// The partitions that a server leaves alone for a while, since reading them has failed: a token that was revoked is refused
/// a moment later as well.
struct PartitionPauses {
  /// The longest pause, unless a lease is longer: what a stream sends again after a few minutes must not be lost meanwhile.
  private static let longest = Duration.seconds(60)

  private struct Pause {
    var failures = 0
    var end: ContinuousClock.Instant
  }

  private let lease: Duration
  private var pauses: [Int: Pause] = [:]

  /// - Parameter lease: The first pause; it doubles with each failure in a row, up to a minute.
  init(lease: Duration) { self.lease = lease }

  /// Reading a partition has failed.
  ///
  /// - Parameter wasOfUse: Whether it brought records before that.
  mutating func failed(_ partition: Int, wasOfUse: Bool, at now: ContinuousClock.Instant) {
    let failures = wasOfUse ? 1 : (pauses[partition]?.failures ?? 0) + 1
    let pause = min(lease * (1 << min(failures - 1, 16)), max(lease, Self.longest))
    pauses[partition] = Pause(failures: failures, end: now + pause)
  }

  /// The partitions that are not to be taken at a moment.
  func partitions(at now: ContinuousClock.Instant) -> [Int] {
    pauses.filter { $0.value.end > now }.keys.sorted()
  }
}
