import Foundation

/// A counter of requests in windows, one for each operation and user (or app, for app-only credentials).
actor RateLimiter {
  private struct Key: Hashable {
    var operation: String
    var consumerKey: String
    var user: Identifier?
    var span: Span
  }

  private enum Span: Hashable {
    case window
    case userDay
    case appDay
  }

  private struct Window {
    var used: Int
    /// Seconds since 1970.
    var reset: Int
  }

  /// The rest of one limit.
  struct Allowance: Sendable {
    var limit: Int
    var remaining: Int
    var reset: Int
    var isExceeded: Bool
  }

  /// The state of an operation's limits, as the headers of a response show it.
  struct Status: Sendable {
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

  private static let day = 86_400

  private let overrides: [String: SandboxRateLimit]
  private var windows: [Key: Window] = [:]

  init(overrides: [String: SandboxRateLimit]) { self.overrides = overrides }

  /// Counts a request. A request that exceeds a limit does not count.
  /// - Parameter catalogued: The catalogue's limits, for operations that X's page does not name.
  func consume(
    operation: String, principal: Principal, now: Date, catalogued: SandboxRateLimit? = nil
  ) -> Status {
    let before = status(operation: operation, principal: principal, now: now, catalogued: catalogued)
    if before.isExceeded { return before }
    let second = Int(now.timeIntervalSince1970)
    for (key, limit) in keys(operation, principal, catalogued) {
      var window = current(key, length: limit.length, at: second)
      window.used += 1
      windows[key] = window
    }
    var after = status(operation: operation, principal: principal, now: now, catalogued: catalogued)
    after.window.isExceeded = false
    after.userDay?.isExceeded = false
    after.appDay?.isExceeded = false
    return after
  }

  /// Begins all windows anew.
  func reset() { windows = [:] }

  /// Returns the state of the limits without counting a request.
  func status(
    operation: String, principal: Principal, now: Date, catalogued: SandboxRateLimit? = nil
  ) -> Status {
    var allowances: [Span: Allowance] = [:]
    for (key, limit) in keys(operation, principal, catalogued) {
      let window = current(key, length: limit.length, at: Int(now.timeIntervalSince1970))
      // A refused request finds the same window when it comes again.
      windows[key] = window
      allowances[key.span] = Allowance(
        limit: limit.count, remaining: max(0, limit.count - window.used), reset: window.reset,
        isExceeded: window.used >= limit.count)
    }
    let none = Allowance(limit: 0, remaining: 0, reset: 0, isExceeded: true)
    return Status(
      window: allowances[.window] ?? none, userDay: allowances[.userDay], appDay: allowances[.appDay])
  }

  /// A window that has been used and is not over.
  struct OpenWindow: Sendable {
    var operation: String
    var consumerKey: String
    var user: Identifier?
    var isOfADay: Bool
    var limit: Int
    var used: Int
    var reset: Int
  }

  /// The windows that have been used and are not over, by operation.
  func openWindows(now: Date) -> [OpenWindow] {
    let second = Int(now.timeIntervalSince1970)
    return windows.compactMap { key, window -> OpenWindow? in
      guard window.reset > second, window.used > 0 else { return nil }
      let limits = overrides[key.operation] ?? PublishedLimits.byOperation[key.operation] ?? PublishedLimits.fallback
      let limit =
        switch key.span {
        case .window: key.user == nil ? limits.app : limits.user
        case .userDay: limits.userPerDay ?? 0
        case .appDay: limits.appPerDay ?? 0
        }
      return OpenWindow(
        operation: key.operation, consumerKey: key.consumerKey, user: key.user, isOfADay: key.span != .window,
        limit: limit, used: window.used, reset: window.reset)
    }.sorted { ($0.operation, $0.user ?? 0, $0.reset) < ($1.operation, $1.user ?? 0, $1.reset) }
  }

  private func keys(
    _ operation: String, _ principal: Principal, _ catalogued: SandboxRateLimit?
  ) -> [(key: Key, limit: (count: Int, length: Int))] {
    let limits =
      overrides[operation] ?? PublishedLimits.byOperation[operation] ?? catalogued ?? PublishedLimits.fallback
    func key(_ span: Span, _ user: Identifier?) -> Key {
      Key(operation: operation, consumerKey: principal.consumerKey, user: user, span: span)
    }
    var keys = [
      (key(.window, principal.user), (principal.user == nil ? limits.app : limits.user, limits.window))
    ]
    if let user = principal.user, let limit = limits.userPerDay {
      keys.append((key(.userDay, user), (limit, Self.day)))
    }
    if let limit = limits.appPerDay { keys.append((key(.appDay, nil), (limit, Self.day))) }
    return keys
  }

  private func current(_ key: Key, length: Int, at second: Int) -> Window {
    guard let window = windows[key], window.reset > second else {
      return Window(used: 0, reset: second + length)
    }
    return window
  }
}
