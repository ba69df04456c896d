import CallsignHTTP
import CallsignSupport

/// Notices that the time was set: then it has moved otherwise than time has passed.
struct ClockWatch: Sendable {
  /// The system constantly corrects clocks by less than this number of seconds.
  private static let tolerance: TimeInterval = 1

  /// `nil` for a clock that does not measure elapsed time. Clock changes then go unnoticed.
  private let steady: (any SteadyTimeSource)?
  /// The time when both were compared, and what had passed by then.
  private var last: (date: Date, uptime: Duration)?

  init(_ time: any TimeSource) { steady = time as? any SteadyTimeSource }

  /// By how many seconds the clock was set since the last check; negative if it was set back.
  mutating func jump(at now: Date) -> TimeInterval {
    guard let steady else { return 0 }
    // Looked at again so soon, it was not set: many records a second cost one comparison a second.
    if let last, (0..<Self.tolerance).contains(now.timeIntervalSince(last.date)) { return 0 }
    let (before, date, uptime) = (steady.uptime(), steady.now(), steady.uptime())
    // The thread may stop between two readings, which then do not belong together.
    guard (uptime - before).seconds < Self.tolerance / 2 else { return 0 }
    defer { last = (date, uptime) }
    guard let last else { return 0 }
    let jump = date.timeIntervalSince(last.date) - (uptime - last.uptime).seconds
    return abs(jump) > Self.tolerance ? jump : 0
  }
}
