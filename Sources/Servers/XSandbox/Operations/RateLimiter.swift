import Foundation

/// Counts requests in windows, separately for each operation and user (or app, for app-only credentials).
actor RateLimiter {
  private struct Key: Hashable {
    var operation: String
    var consumerKey: String
    var user: Identifier?
    var span: Span
  }

  private enum Span: Hashable {
    /// A window of a number of seconds.
    case window(Int)
    case userDay
    case appDay
  }

  private struct Window {
    var used: Int
    /// Seconds since 1970.
    var reset: Int
    var limit: Int
  }

  /// The remainder of one limit.
  struct Allowance: Sendable {
    var limit: Int
    var remaining: Int
    var reset: Int
    var isExceeded: Bool
  }

  /// The state of an operation's limits, as shown in the headers of a response.
  struct Status: Sendable {
    /// The window that is used up; if there is none, the longest.
    var window: Allowance
    var userDay: Allowance?
    var appDay: Allowance?

    var limit: Int { window.limit }
    var remaining: Int { window.remaining }
    var reset: Int { window.reset }
    var isExceeded: Bool { [window, userDay, appDay].contains { $0?.isExceeded == true } }

    var headers: [(name: String, value: String)] {
      [("x-rate-limit", window), ("x-user-limit-24hour", userDay), ("x-app-limit-24hour", appDay)]
        .flatMap { name, allowance in
          allowance.map {
            [
              ("\(name)-limit", String($0.limit)), ("\(name)-remaining", String($0.remaining)),
              ("\(name)-reset", String($0.reset)),
            ]
          } ?? []
        }
    }
  }

  private let overrides: [String: SandboxRateLimit]
  private var windows: [Key: Window] = [:]

  init(overrides: [String: SandboxRateLimit]) { self.overrides = overrides }

  /// Counts a request. A request that exceeds a limit does not count.
  /// - Parameter catalogued: The catalogue's limits, for operations without other limits.
  func consume(
    operation: String, principal: Principal, now: Date, catalogued: OperationLimits? = nil
  ) -> Status {
    let before = status(operation: operation, principal: principal, now: now, catalogued: catalogued)
    if before.isExceeded { return before }
    let second = Int(now.timeIntervalSince1970)
    for (key, limit) in keys(operation, principal, catalogued) {
      var window = current(key, limit, at: second)
      window.used += 1
      windows[key] = window
    }
    var after = status(operation: operation, principal: principal, now: now, catalogued: catalogued)
    after.window.isExceeded = false
    after.userDay?.isExceeded = false
    after.appDay?.isExceeded = false
    return after
  }

  /// Resets all windows.
  func reset() { windows = [:] }

  /// Returns the state of the limits without counting a request.
  func status(
    operation: String, principal: Principal, now: Date, catalogued: OperationLimits? = nil
  ) -> Status {
    var spans: [Allowance] = []
    var (userDay, appDay): (Allowance?, Allowance?) = (nil, nil)
    for (key, limit) in keys(operation, principal, catalogued) {
      let window = current(key, limit, at: Int(now.timeIntervalSince1970))
      // A refused request sees the same window on its next try.
      windows[key] = window
      let allowance = Allowance(
        limit: limit.count, remaining: max(0, limit.count - window.used), reset: window.reset,
        isExceeded: window.used >= limit.count)
      switch key.span {
      case .window: spans.append(allowance)
      case .userDay: userDay = allowance
      case .appDay: appDay = allowance
      }
    }
    let none = Allowance(limit: 0, remaining: 0, reset: 0, isExceeded: true)
    return Status(
      window: spans.first(where: \.isExceeded) ?? spans.first ?? none, userDay: userDay, appDay: appDay)
  }

  /// A window that has been used and has not ended.
  struct OpenWindow: Sendable {
    var operation: String
    var consumerKey: String
    var user: Identifier?
    var isOfADay: Bool
    var limit: Int
    var used: Int
    var reset: Int
  }

  /// The windows that have been used and have not ended, by operation.
  func openWindows(now: Date) -> [OpenWindow] {
    let second = Int(now.timeIntervalSince1970)
    return windows.compactMap { key, window -> OpenWindow? in
      guard window.reset > second, window.used > 0 else { return nil }
      return OpenWindow(
        operation: key.operation, consumerKey: key.consumerKey, user: key.user,
        isOfADay: key.span == .userDay || key.span == .appDay, limit: window.limit, used: window.used,
        reset: window.reset)
    }.sorted { ($0.operation, $0.user ?? 0, $0.reset) < ($1.operation, $1.user ?? 0, $1.reset) }
  }

  private func keys(
    _ operation: String, _ principal: Principal, _ catalogued: OperationLimits?
  ) -> [(key: Key, limit: OperationLimits.Limit)] {
    let given = (overrides[operation] ?? PublishedLimits.byOperation[operation]).map { OperationLimits($0) }
    let limits = given ?? catalogued ?? OperationLimits(PublishedLimits.fallback)
    func key(_ span: Span, _ user: Identifier?) -> Key {
      Key(operation: operation, consumerKey: principal.consumerKey, user: user, span: span)
    }
    var keys = (principal.user == nil ? limits.app : limits.user).map { limit in
      (key: key(.window(limit.length), principal.user), limit: limit)
    }
    let day = OperationLimits.day
    if let user = principal.user, let limit = limits.userPerDay {
      keys.append((key: key(.userDay, user), limit: OperationLimits.Limit(count: limit, length: day)))
    }
    if let limit = limits.appPerDay {
      keys.append((key: key(.appDay, nil), limit: OperationLimits.Limit(count: limit, length: day)))
    }
    return keys
  }

  private func current(_ key: Key, _ limit: OperationLimits.Limit, at second: Int) -> Window {
    guard let window = windows[key], window.reset > second else {
      return Window(used: 0, reset: second + limit.length, limit: limit.count)
    }
    return window
  }
}
