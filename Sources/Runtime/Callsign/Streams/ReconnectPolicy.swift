import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// Whether and when a stream connects again, depending on how the last connection ended.
///
/// ```swift
/// x.streamPosts().reconnecting(.never)
///
/// var patient = ReconnectPolicy.default
/// patient.afterNetworkError = .doubling(from: .seconds(1), to: .seconds(60))
/// x.streamPosts().reconnecting(patient)
/// ```
///
/// Whatever the policy is, the stream does not reconnect after an error that a retry cannot fix, but throws it:
/// - 401, 403, 406, 413 and all other 4xx except 408, 420, 425 and 429;
/// - 429 if a quota is used up, such as a monthly one;
/// - a redirect;
/// - a record longer than ``ClientConfiguration/recordLimit``;
/// - a call that cannot be sent;
/// - a certificate that is not trusted, unless a connection has succeeded before;
/// - ten responses in a row that are not HTTP, or have an encoding that cannot be read.
public struct ReconnectPolicy: Sendable {
  /// After the API has ended a connection properly, unless the call asked for a time span, which is then over. Default:
  /// at once; if it does so again within 10 seconds, 250 milliseconds more each time, up to 16 seconds.
  public var afterEnd: Delays
  /// After a failed or stalled connection. Default: 250 milliseconds, 250 more each time, up to 16 seconds.
  public var afterNetworkError: Delays
  /// After a response of 5xx, 408 or 425, and after the API has disconnected for a cause that takes time to pass, such as
  /// too many connections. Default: 5 seconds, doubled each time, up to 320 seconds.
  public var afterHTTPError: Delays
  /// After a response of 429 or 420 about a rate limit, unless the API names a later time. Default: 60 seconds, doubled each
  /// time, up to 960.
  public var afterRateLimit: Delays
  /// The most that is waited because the API says how long: by `Retry-After`, the reset of a limit that is used up, or
  /// an event stream's `retry`. Default: one hour.
  public var maximumResetWait: Duration
  /// The number of connections in a row that may fail without a record or keep-alive between them; `nil`, the default:
  /// any number.
  public var attemptLimit: Int?

  /// Describes a policy; see the properties for the defaults.
  public init(
    afterEnd: Delays = .linear(from: .zero, step: .milliseconds(250), to: .seconds(16)),
    afterNetworkError: Delays = .linear(from: .milliseconds(250), step: .milliseconds(250), to: .seconds(16)),
    afterHTTPError: Delays = .doubling(from: .seconds(5), to: .seconds(320)),
    afterRateLimit: Delays = .doubling(from: .seconds(60), to: .seconds(960)),
    maximumResetWait: Duration = .seconds(3600), attemptLimit: Int? = nil
  ) {
    self.afterEnd = afterEnd
    self.afterNetworkError = afterNetworkError
    self.afterHTTPError = afterHTTPError
    self.afterRateLimit = afterRateLimit
    self.maximumResetWait = maximumResetWait
    self.attemptLimit = attemptLimit
  }

  /// For ever: soon after a lost connection, since the network mostly recovers at once, and after growing waits where
  /// the server refuses.
  public static let `default` = ReconnectPolicy()

  /// One connection: the stream ends with it.
  public static let never = ReconnectPolicy(
    afterEnd: .never, afterNetworkError: .never, afterHTTPError: .never, afterRateLimit: .never)
}

extension ReconnectPolicy {
  /// The waits before the first, second, third connection after failures of one kind in a row.
  public struct Delays: Sendable {
    private let delay: @Sendable (Int) -> Duration?

    /// A custom rule.
    ///
    /// - Parameter delay: Is given the number of failures of this kind in a row, from 1, and responses how long to wait; `nil`
    ///   ends the stream. Less than nothing counts as nothing.
    public init(_ delay: @escaping @Sendable (_ failure: Int) -> Duration?) { self.delay = delay }

    /// No further connection.
    public static let never = Delays { _ in nil }

    /// The same step more each time.
    public static func linear(from first: Duration, step: Duration, to limit: Duration) -> Delays {
      Delays { failure in
        // Beyond this many steps the bound is reached, or the steps are too small to ever reach it.
        min(limit, first + step * min(failure - 1, 1_000_000))
      }
    }

    /// Twice as long each time.
    public static func doubling(from first: Duration, to limit: Duration) -> Delays {
      Delays { failure in
        var delay = first
        for _ in 1..<max(1, min(failure, 64)) where delay < limit { delay *= 2 }
        return min(limit, delay)
      }
    }

    /// The wait after a number of failures in a row; `nil` if there is to be no further connection.
    public func callAsFunction(after failure: Int) -> Duration? { delay(max(1, failure)).map { max(.zero, $0) } }
  }
}

/// Counts a stream's failures, and says how long to wait.
struct ReconnectState: Sendable {
  /// A connection that lives as long as this was a good one, however it ends.
  private static let goodAge: TimeInterval = 10

  let policy: ReconnectPolicy
  private var failures: [DisconnectReason: Int] = [:]
  /// Connections in a row that brought nothing.
  private(set) var attempts = 0
  private(set) var wasConnected = false
  private var connectedAt: Date?

  init(_ policy: ReconnectPolicy) { self.policy = policy }

  mutating func connecting() { attempts += 1 }

  mutating func connected(at now: Date) {
    wasConnected = true
    connectedAt = now
  }

  /// A record or keep-alive has arrived: all is well again.
  mutating func received() {
    guard attempts > 0 else { return }
    attempts = 0
    // Ends are counted on: a server that sends a record and ends would otherwise be called without a pause.
    failures = failures.filter { $0.key == .end }
  }

  /// The wait before the next connection; `nil`: there is none.
  mutating func delay(after drop: StreamDrop, at now: Date) -> Duration? {
    defer { connectedAt = nil }
    guard let cause = drop.cause(wasConnected: wasConnected, failures: attempts) else { return nil }
    if let limit = policy.attemptLimit, attempts >= limit { return nil }
    if let connectedAt, now.timeIntervalSince(connectedAt) >= Self.goodAge { failures[.end] = nil }
    let failure = failures[cause, default: 0] + 1
    failures[cause] = failure
    let delays =
      switch cause {
      case .end: policy.afterEnd
      case .network: policy.afterNetworkError
      case .httpError: policy.afterHTTPError
      case .rateLimit: policy.afterRateLimit
      }
    guard let delay = delays(after: failure) else { return nil }
    guard case .failed(let error) = drop, let reset = error.resetWait(at: now) else { return delay }
    return max(delay, min(reset, policy.maximumResetWait))
  }
}

extension StreamDrop {
  /// The kind of failure; `nil` if a further connection could not fix it.
  ///
  /// - Parameters:
  ///   - wasConnected: Whether an earlier connection of the stream has succeeded.
  ///   - failures: The number of connections in a row without data, including this one.
  func cause(wasConnected: Bool, failures: Int) -> DisconnectReason? {
    switch self {
    case .ended: .end
    case .disconnected(let message): message.cause
    case .stalled: .network
    case .failed(let error): error.disconnectReason(wasConnected: wasConnected, failures: failures)
    }
  }

  /// The error for the reader when no further connection is made; `nil`: the end.
  var error: CallError? {
    switch self {
    case .ended, .disconnected: nil
    case .stalled: .transport(TransportError(.timedOut, delivery: .delivered, detail: "the stream has stalled"))
    case .failed(let error): error
    }
  }
}
