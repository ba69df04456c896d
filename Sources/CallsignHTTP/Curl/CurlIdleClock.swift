#if os(Linux)
  /// Watches one transfer for silence. libcurl's own watch counts whole seconds and averages.
  ///
  /// The callbacks report each byte that comes in; what goes out is only counted by libcurl, so the clock compares
  /// totals each time that it is looked at, which is four times within the limit. Times are monotonic nanoseconds.
  struct CurlIdleClock {
    private let limit: UInt64?
    private var lastActivity: UInt64?
    private var bytesSent = 0

    init(limit: Duration?) { self.limit = limit.map { $0.wholeNanoseconds } }

    /// Something was received, or the request is about to be sent; before that the connection's own timeout counts.
    mutating func touch(at now: UInt64) { lastActivity = now }

    /// - Parameters:
    ///   - bytesSent: All bytes sent so far.
    ///   - isHeldBack: This side is what the transfer waits for, so that silence is no fault.
    /// - Returns: Whether it has been silent for too long.
    mutating func isExpired(at now: UInt64, bytesSent: Int, isHeldBack: Bool) -> Bool {
      guard let limit, let last = lastActivity else { return false }
      if isHeldBack || bytesSent != self.bytesSent {
        self.bytesSent = bytesSent
        lastActivity = now
        return false
      }
      return now >= last && now - last >= limit
    }

    /// When to look again, or `nil` for never.
    func nextLook(after now: UInt64) -> UInt64? {
      guard let limit else { return nil }
      let quarter = now + max(limit / 4, 1_000_000)
      guard let last = lastActivity, last + limit > now else { return quarter }
      return min(quarter, last + limit)
    }
  }

  extension Duration {
    /// Never less than a millisecond, and never more than a hundred years.
    var wholeNanoseconds: UInt64 {
      let (seconds, attoseconds) = components
      let bounded = min(max(seconds, 0), 3_155_760_000)
      return max(UInt64(bounded) * 1_000_000_000 + UInt64(max(attoseconds, 0) / 1_000_000_000), 1_000_000)
    }

    /// For libcurl, which takes 0 for "its own default" and counts in what may be 32 bits.
    var wholeMilliseconds: Int { Int(min(wholeNanoseconds / 1_000_000, UInt64(Int32.max))) }
  }
#endif
