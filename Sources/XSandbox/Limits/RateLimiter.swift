import Foundation

/// Counts requests in windows, one for each operation and user (or app, for app-only credentials).
actor RateLimiter {
  private struct Subject: Hashable {
    var operation: String
    var consumerKey: String
    var user: Identifier?
  }

  private struct Window {
    var used: Int
    /// Seconds since 1970.
    var reset: Int
  }

  /// What the `x-rate-limit-*` headers of an answer say.
  struct Reading: Sendable {
    var limit: Int
    var remaining: Int
    var reset: Int
    var isExceeded: Bool

    var headers: [(name: String, value: String)] {
      [
        ("x-rate-limit-limit", String(limit)), ("x-rate-limit-remaining", String(remaining)),
        ("x-rate-limit-reset", String(reset)),
      ]
    }
  }

  private let overrides: [String: Sandbox.RateLimit]
  private var windows: [Subject: Window] = [:]

  init(overrides: [String: Sandbox.RateLimit]) { self.overrides = overrides }

  /// Counts a request.
  func count(operation: String, caller: Caller, now: Date) -> Reading {
    let subject = Subject(operation: operation, consumerKey: caller.consumerKey, user: caller.user)
    var (window, limit) = current(subject, now: now)
    let isExceeded = window.used >= limit
    if !isExceeded { window.used += 1 }
    windows[subject] = window
    return Reading(
      limit: limit, remaining: max(0, limit - window.used), reset: window.reset, isExceeded: isExceeded)
  }

  /// What is left, without counting anything.
  func reading(operation: String, caller: Caller, now: Date) -> Reading {
    let (window, limit) = current(
      Subject(operation: operation, consumerKey: caller.consumerKey, user: caller.user), now: now)
    return Reading(
      limit: limit, remaining: max(0, limit - window.used), reset: window.reset, isExceeded: window.used >= limit)
  }

  private func current(_ subject: Subject, now: Date) -> (window: Window, limit: Int) {
    let limits =
      overrides[subject.operation] ?? PublishedLimits.byOperation[subject.operation] ?? PublishedLimits.fallback
    let second = Int(now.timeIntervalSince1970)
    var window = windows[subject] ?? Window(used: 0, reset: 0)
    if window.reset <= second { window = Window(used: 0, reset: second + limits.window) }
    return (window, subject.user == nil ? limits.app : limits.user)
  }
}
