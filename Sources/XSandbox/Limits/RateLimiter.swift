import Foundation

/// Counts requests in windows, one for each operation and user (or app, for app-only credentials).
actor RateLimiter {
  private struct Subject: Hashable {
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

  /// What is left of one limit.
  struct Remainder: Sendable {
    var limit: Int
    var remaining: Int
    var reset: Int
    var isExceeded: Bool
  }

  /// What the limit headers of an answer say.
  struct Reading: Sendable {
    var window: Remainder
    var userDay: Remainder?
    var appDay: Remainder?

    var limit: Int { window.limit }
    var remaining: Int { window.remaining }
    var reset: Int { window.reset }
    var isExceeded: Bool { [window, userDay, appDay].contains { $0?.isExceeded == true } }

    var headers: [(name: String, value: String)] {
      [("x-rate-limit", window), ("x-user-limit-24hour", userDay), ("x-app-limit-24hour", appDay)]
        .flatMap { name, remainder in
          remainder.map {
            [
              ("\(name)-limit", String($0.limit)), ("\(name)-remaining", String($0.remaining)),
              ("\(name)-reset", String($0.reset)),
            ]
          } ?? []
        }
    }
  }

  private static let day = 86_400

  private let overrides: [String: Sandbox.RateLimit]
  private var windows: [Subject: Window] = [:]

  init(overrides: [String: Sandbox.RateLimit]) { self.overrides = overrides }

  /// Counts a request. One that exceeds a limit counts for none.
  func count(operation: String, caller: Caller, now: Date) -> Reading {
    let before = reading(operation: operation, caller: caller, now: now)
    if before.isExceeded { return before }
    let second = Int(now.timeIntervalSince1970)
    for (subject, limit) in subjects(operation, caller) {
      var window = current(subject, length: limit.length, at: second)
      window.used += 1
      windows[subject] = window
    }
    var after = reading(operation: operation, caller: caller, now: now)
    after.window.isExceeded = false
    after.userDay?.isExceeded = false
    after.appDay?.isExceeded = false
    return after
  }

  /// What is left, without counting anything.
  func reading(operation: String, caller: Caller, now: Date) -> Reading {
    var remainders: [Span: Remainder] = [:]
    for (subject, limit) in subjects(operation, caller) {
      let window = current(subject, length: limit.length, at: Int(now.timeIntervalSince1970))
      // A refused request finds the same window when it comes again.
      windows[subject] = window
      remainders[subject.span] = Remainder(
        limit: limit.count, remaining: max(0, limit.count - window.used), reset: window.reset,
        isExceeded: window.used >= limit.count)
    }
    let none = Remainder(limit: 0, remaining: 0, reset: 0, isExceeded: true)
    return Reading(
      window: remainders[.window] ?? none, userDay: remainders[.userDay], appDay: remainders[.appDay])
  }

  private func subjects(
    _ operation: String, _ caller: Caller
  ) -> [(subject: Subject, limit: (count: Int, length: Int))] {
    let limits = overrides[operation] ?? PublishedLimits.byOperation[operation] ?? PublishedLimits.fallback
    func subject(_ span: Span, _ user: Identifier?) -> Subject {
      Subject(operation: operation, consumerKey: caller.consumerKey, user: user, span: span)
    }
    var subjects = [
      (subject(.window, caller.user), (caller.user == nil ? limits.app : limits.user, limits.window))
    ]
    if let user = caller.user, let limit = limits.userPerDay {
      subjects.append((subject(.userDay, user), (limit, Self.day)))
    }
    if let limit = limits.appPerDay { subjects.append((subject(.appDay, nil), (limit, Self.day))) }
    return subjects
  }

  private func current(_ subject: Subject, length: Int, at second: Int) -> Window {
    guard let window = windows[subject], window.reset > second else {
      return Window(used: 0, reset: second + length)
    }
    return window
  }
}
