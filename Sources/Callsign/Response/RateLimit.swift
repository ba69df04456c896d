import Foundation
import HTTPTypes

/// The state of an endpoint's rate limits, as the header fields of an answer tell it.
public struct RateLimit: Sendable, Hashable {
  /// One limit: so many calls until a moment.
  public struct Window: Sendable, Hashable {
    /// How many calls the window allows.
    public var limit: Int?
    /// How many are left in it.
    public var remaining: Int?
    /// When the next window begins, by the server's clock.
    public var reset: Date?

    /// States a limit.
    public init(limit: Int? = nil, remaining: Int? = nil, reset: Date? = nil) {
      self.limit = limit
      self.remaining = remaining
      self.reset = reset
    }

    package var isEmpty: Bool { limit == nil && remaining == nil && reset == nil }
  }

  /// How many calls the endpoint's window allows.
  public var limit: Int?
  /// How many are left in it.
  public var remaining: Int?
  /// When the next window begins, by the server's clock.
  public var reset: Date?
  /// What the app may do in 24 hours, where the API says so.
  public var appDay: Window?
  /// What the user may do in 24 hours, where the API says so.
  public var userDay: Window?

  /// States a limit.
  public init(
    limit: Int? = nil, remaining: Int? = nil, reset: Date? = nil, appDay: Window? = nil, userDay: Window? = nil
  ) {
    self.limit = limit
    self.remaining = remaining
    self.reset = reset
    self.appDay = appDay
    self.userDay = userDay
  }

  /// The endpoint's own window.
  public var window: Window { Window(limit: limit, remaining: remaining, reset: reset) }

  /// The window that ends last of those with no calls left; `nil` while there are some, as far as the API says.
  public var exhausted: Window? {
    [window, appDay, userDay].compactMap { $0 }.filter { $0.remaining.map { $0 <= 0 } ?? false && $0.reset != nil }
      .max { ($0.reset ?? .distantPast) < ($1.reset ?? .distantPast) }
  }
}
