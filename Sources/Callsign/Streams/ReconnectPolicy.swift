/// Whether and when the connection of a stream is made anew, by what has happened to the last one.
///
/// ```swift
/// x.streamPosts().reconnecting(.never)
///
/// var patient = ReconnectPolicy.default
/// patient.afterNetworkError = .doubling(from: .seconds(1), to: .seconds(60))
/// x.streamPosts().reconnecting(patient)
/// ```
///
/// Whatever the policy, no connection is made after an answer that repeating does not mend: 401, 403, 406, 413 and all
/// other 4xx but 408, 420, 425 and 429; a redirect; a record longer than ``ClientConfiguration/recordLimit``; a call that
/// cannot be sent; and a certificate that is not trusted, unless a connection has succeeded before. Each is thrown.
public struct ReconnectPolicy: Sendable {
  /// After the API has ended a connection in good order. Default: at once; if it does so again within 10 seconds,
  /// 250 milliseconds more each time, up to 16 seconds.
  public var afterEnd: Delays
  /// After a failed or stalled connection. Default: 250 milliseconds, 250 more each time, up to 16 seconds.
  public var afterNetworkError: Delays
  /// After an answer of 5xx, 408 or 425, and after the API has disconnected for a cause that takes time to pass, such as
  /// too many connections. Default: 5 seconds, doubled each time, up to 320 seconds.
  public var afterHTTPError: Delays
  /// After an answer of 429 or 420, unless the API names a later time. Default: 60 seconds, doubled each time, up to 960.
  public var afterRateLimit: Delays
  /// The most that is waited because the API says how long, by `Retry-After` or the reset of a limit that is used up.
  /// Default: one hour.
  public var longestResetWait: Duration
  /// How many connections in a row may fail without a record or keep-alive between them; `nil`, the default: any number.
  public var attemptLimit: Int?

  /// Describes a policy; see the properties for the defaults.
  public init(
    afterEnd: Delays = .linear(from: .zero, step: .milliseconds(250), to: .seconds(16)),
    afterNetworkError: Delays = .linear(from: .milliseconds(250), step: .milliseconds(250), to: .seconds(16)),
    afterHTTPError: Delays = .doubling(from: .seconds(5), to: .seconds(320)),
    afterRateLimit: Delays = .doubling(from: .seconds(60), to: .seconds(960)),
    longestResetWait: Duration = .seconds(3600), attemptLimit: Int? = nil
  ) {
    self.afterEnd = afterEnd
    self.afterNetworkError = afterNetworkError
    self.afterHTTPError = afterHTTPError
    self.afterRateLimit = afterRateLimit
    self.longestResetWait = longestResetWait
    self.attemptLimit = attemptLimit
  }

  /// For ever, with the waits that X asks for
  /// (<https://docs.x.com/x-api/fundamentals/consuming-streaming-data>).
  public static let `default` = ReconnectPolicy()

  /// One connection: the stream ends with it.
  public static let never = ReconnectPolicy(
    afterEnd: .never, afterNetworkError: .never, afterHTTPError: .never, afterRateLimit: .never)
}

extension ReconnectPolicy {
  /// How long to wait before the first, second, third connection after failures of one kind in a row.
  public struct Delays: Sendable {
    private let delay: @Sendable (Int) -> Duration?

    /// By a rule of one's own.
    ///
    /// - Parameter delay: Is given the number of failures of this kind in a row, from 1, and answers how long to wait; `nil`
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

    /// How long to wait after so many failures in a row; `nil`: make no further connection.
    public func callAsFunction(after failure: Int) -> Duration? { delay(max(1, failure)).map { max(.zero, $0) } }
  }
}
