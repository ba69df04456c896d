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

    var isEmpty: Bool { limit == nil && remaining == nil && reset == nil }
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

  /// Reads `x-rate-limit-limit`, `-remaining` and `-reset` (seconds since 1970), and the same after
  /// `x-app-limit-24hour` and `x-user-limit-24hour`; `nil` when none of them is there.
  ///
  /// Source: https://docs.x.com/x-api/fundamentals/rate-limits
  public init?(_ headers: HTTPFields) {
    var endpoint = Window()
    var app = Window()
    var user = Window()
    // One pass over all fields, since most answers of other APIs have none of them.
    for field in headers {
      let name = field.name.canonicalName
      guard name.hasPrefix("x-") else { continue }
      if name.hasPrefix("x-rate-limit-") {
        endpoint.read(field, name.utf8.dropFirst("x-rate-limit-".utf8.count))
      } else if name.hasPrefix("x-app-limit-24hour-") {
        app.read(field, name.utf8.dropFirst("x-app-limit-24hour-".utf8.count))
      } else if name.hasPrefix("x-user-limit-24hour-") {
        user.read(field, name.utf8.dropFirst("x-user-limit-24hour-".utf8.count))
      }
    }
    if endpoint.isEmpty, app.isEmpty, user.isEmpty { return nil }
    self.init(
      limit: endpoint.limit, remaining: endpoint.remaining, reset: endpoint.reset, appDay: app.isEmpty ? nil : app,
      userDay: user.isEmpty ? nil : user)
  }

  /// The endpoint's own window.
  public var window: Window { Window(limit: limit, remaining: remaining, reset: reset) }

  /// The window that ends last of those with no calls left; `nil` while there are some, as far as the API says.
  public var exhausted: Window? {
    [window, appDay, userDay].compactMap { $0 }.filter { $0.remaining.map { $0 <= 0 } ?? false && $0.reset != nil }
      .max { ($0.reset ?? .distantPast) < ($1.reset ?? .distantPast) }
  }
}

extension RateLimit.Window {
  fileprivate mutating func read(_ field: HTTPField, _ suffix: Substring.UTF8View) {
    guard let number = Int(field.value.filter { $0 != " " }) else { return }
    if suffix.elementsEqual("limit".utf8) {
      limit = number
    } else if suffix.elementsEqual("remaining".utf8) {
      remaining = number
    } else if suffix.elementsEqual("reset".utf8) {
      reset = Date(timeIntervalSince1970: TimeInterval(number))
    }
  }
}
