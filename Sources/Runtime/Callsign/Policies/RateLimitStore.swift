import CallsignHTTP
import CallsignSupport

/// Keeps the state of rate limits, and decides which calls may be sent: the ledger of one process, or a database that
/// the processes of a fleet share.
///
/// A client calls ``admit(_:until:)`` before each request, whatever its ``RateLimitPolicy``, and ``settle(_:_:)`` after
/// each request that was admitted. By default, a client has its own ``RateLimitLedger``; set another store in
/// ``ClientConfiguration/rateLimitStore``.
///
/// If a store throws, the call goes through anyway. The server enforces its limits, so the client logs a warning and
/// sends.
public protocol RateLimitStore: Sendable {
  /// Reserves a place under every key, or under none.
  ///
  /// A store that can wait for a place does so here, in the order of the calls. A store that cannot wait returns
  /// ``RateLimitAdmission/exhausted(_:_:until:)`` with the time to ask again.
  ///
  /// A place must expire some time after its call must have ended, because the process that holds it may crash.
  ///
  /// - Parameters:
  ///   - keys: The limits that the call counts against, the endpoint's own first.
  ///   - deadline: The latest time to wait until. The store does not wait for a window that ends later. It waits for
  ///     places that other calls hold only until then, and for a second in any case. With `nil`, it does not wait. It
  ///     then refuses a call only if the API has stated that a limit is used up, not because other calls have taken the
  ///     last places.
  /// - Throws: `CancellationError` if the task is cancelled first, or an error of the store. Then no place is reserved.
  func admit(_ keys: [RateLimitKey], until deadline: Date?) async throws -> RateLimitAdmission

  /// Returns the places of an admitted call, and records what its response states. Also called in a task that was
  /// cancelled.
  ///
  /// - Parameters:
  ///   - keys: The same as when the call was admitted.
  ///   - report: The call's end.
  /// - Throws: An error of the store. The client logs it, and the call continues.
  func settle(_ keys: [RateLimitKey], _ report: RateLimitReport) async throws
}

/// One limit: of an endpoint or of all, for a user or an app, in the API's window or over a day.
public struct RateLimitKey: Sendable, Hashable, CustomStringConvertible {
  /// A holder of a limit.
  public enum Holder: Sendable, Hashable {
    /// The account that the credentials act for; `nil` for calls without any.
    case user(CredentialIdentity?)
    /// The app, for all its users together; `nil` for calls without credentials.
    case app(CredentialIdentity?)
  }

  /// The time over which calls are counted.
  public enum Span: String, Sendable, Hashable {
    /// The API's own, such as 15 minutes.
    case window
    /// 24 hours.
    case day

    /// Compared as a raw value, its text would be.
    fileprivate var isDay: Bool { if case .day = self { true } else { false } }

    /// Whether both are the same.
    public static func == (left: Self, right: Self) -> Bool { left.isDay == right.isDay }
  }

  /// The endpoint's name in the catalogue, or the shape of an untyped call's path, such as `GET 2/users/:id`. `nil` for a
  /// limit that all endpoints share.
  public var endpoint: String?
  /// The holder of the limit.
  public var holder: Holder
  /// The time over which calls are counted.
  public var span: Span

  /// Names a limit.
  public init(endpoint: String?, holder: Holder, span: Span) {
    self.endpoint = endpoint
    self.holder = holder
    self.span = span
  }

  // By hand, because several limits are looked up for each call: the endpoint and the credentials tell most apart.

  /// Hashes the parts that differ in most limits.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(endpoint)
    let isApp: Bool
    switch holder {
    case .user(let identity):
      isApp = false
      if let identity { hasher.combine(identity) }
    case .app(let identity):
      isApp = true
      if let identity { hasher.combine(identity) }
    }
    hasher.combine((isApp ? 2 : 0) + (span.isDay ? 1 : 0) as UInt8)
  }

  /// A text that is unique to this limit, for logs and as a key in a database. It is not secret.
  public var description: String {
    let holder =
      switch holder {
      case .user(let identity): "user \(identity?.description ?? "-")"
      case .app(let identity): "app \(identity?.description ?? "-")"
      }
    return "\(endpoint ?? "*") \(span.rawValue) \(holder)"
  }

  /// The limits that a call counts against, the endpoint's own first.
  ///
  /// An API counts each endpoint separately. The limits are the window of the account, or of the app if the credentials
  /// do not act for an account, and the days of both.
  ///
  /// - Parameters:
  ///   - user: The credentials; `nil` for a call without any.
  ///   - app: The app that they were issued to, if it is known.
  ///   - isAppOnly: Whether they act for the app and not for an account.
  static func all(
    endpoint: String, user: CredentialIdentity?, app: CredentialIdentity?, isAppOnly: Bool
  ) -> [RateLimitKey] {
    if isAppOnly {
      let app = app ?? user
      return [
        RateLimitKey(endpoint: endpoint, holder: .app(app), span: .window),
        RateLimitKey(endpoint: endpoint, holder: .app(app), span: .day),
      ]
    }
    return [
      RateLimitKey(endpoint: endpoint, holder: .user(user), span: .window),
      RateLimitKey(endpoint: endpoint, holder: .user(user), span: .day),
      RateLimitKey(endpoint: endpoint, holder: .app(app ?? user), span: .day),
    ]
  }

  /// The part of a response's fields that is about this limit.
  func window(in limit: RateLimit?) -> RateLimit.Window? {
    switch (span, holder) {
    case (.window, _): limit?.window
    case (.day, .user): limit?.userDay
    case (.day, .app): limit?.appDay
    }
  }

  /// A response's fields that state only this limit.
  func limit(_ window: RateLimit.Window) -> RateLimit {
    switch (span, holder) {
    case (.window, _): RateLimit(limit: window.limit, remaining: window.remaining, reset: window.reset)
    case (.day, .user): RateLimit(userDay: window)
    case (.day, .app): RateLimit(appDay: window)
    }
  }
}

/// A store's reply to a call that wants to be sent.
public enum RateLimitAdmission: Sendable, Hashable {
  /// It may be sent.
  case admitted
  /// It may not be sent: this limit is used up until then, by this machine's clock.
  case exhausted(RateLimitKey, RateLimit.Window, until: Date)
}

/// The end of a call, as far as limits are concerned. All times are by this machine's clock, whatever the server's
/// clock says.
public enum RateLimitReport: Sendable, Hashable {
  /// It got no response.
  case noResponse
  /// It got a response, and the response states these limits; often none.
  case responded([RateLimitKey: RateLimit.Window])
  /// It was refused because a limit is used up: one of those stated, or the first of the call's keys. `retryAfter` is
  /// the wait that the API asks for, if any.
  case refused([RateLimitKey: RateLimit.Window], retryAfter: Duration?)
}
