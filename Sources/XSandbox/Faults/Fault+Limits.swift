import Foundation

extension Sandbox.Fault {
  /// What the headers of a 429 say.
  public struct Limits: Sendable, Hashable {
    /// When to come again.
    public enum RetryAfter: Sendable, Hashable {
      /// In so many seconds.
      case seconds(Int)
      /// At a time.
      case date(Date)
    }

    /// A limit of 24 hours.
    public struct Daily: Sendable, Hashable {
      /// Requests a day.
      public var limit: Int
      /// How many are left.
      public var remaining: Int
      /// When the day ends.
      public var reset: Date

      /// Creates a limit.
      public init(limit: Int, remaining: Int = 0, reset: Date) {
        (self.limit, self.remaining, self.reset) = (limit, remaining, reset)
      }
    }

    /// `x-rate-limit-reset`, with a limit of 15 and none left; left out unless it is given.
    public var reset: Date?
    /// `Retry-After`; left out unless it is given.
    public var retryAfter: RetryAfter?
    /// `x-app-limit-24hour-*`; left out unless it is given.
    public var appDaily: Daily?
    /// `x-user-limit-24hour-*`; left out unless it is given.
    public var userDaily: Daily?

    /// Creates headers; those that aren't given are left out.
    public init(
      reset: Date? = nil, retryAfter: RetryAfter? = nil, appDaily: Daily? = nil, userDaily: Daily? = nil
    ) {
      self.reset = reset
      self.retryAfter = retryAfter
      self.appDaily = appDaily
      self.userDaily = userDaily
    }

    var headers: [String: String] {
      var headers: [String: String] = [:]
      if let reset {
        headers["x-rate-limit-limit"] = "15"
        headers["x-rate-limit-remaining"] = "0"
        headers["x-rate-limit-reset"] = Self.seconds(reset)
      }
      switch retryAfter {
      case nil: break
      case .seconds(let seconds): headers["Retry-After"] = String(seconds)
      case .date(let date): headers["Retry-After"] = Timestamp.httpDate(date)
      }
      for (name, daily) in [("app", appDaily), ("user", userDaily)] {
        guard let daily else { continue }
        headers["x-\(name)-limit-24hour-limit"] = String(daily.limit)
        headers["x-\(name)-limit-24hour-remaining"] = String(daily.remaining)
        headers["x-\(name)-limit-24hour-reset"] = Self.seconds(daily.reset)
      }
      return headers
    }

    private static func seconds(_ date: Date) -> String { String(Int(date.timeIntervalSince1970)) }
  }
}
