import Foundation

/// A failure that the sandbox causes on purpose.
public struct SandboxFault: Sendable {
  enum Kind: Sendable {
    /// Replaces the operation, which the request does not reach.
    case instead(Replacement)
    /// Waits before the operation, for at most five minutes: after that, the server gives up and responds with 500.
    case delay(Duration)
    /// Changes the operation's response.
    case mutate(ResponseMutation)
  }

  /// A response that replaces the operation's.
  enum Replacement: Sendable {
    case status(Int, headers: [String: String], body: Data?)
    case proxyPage(Int)
    case blankProblem(Int)
    case timestampRefused
    case cut
    case refusal(Refusal)
  }

  /// A change to the operation's response.
  enum ResponseMutation: Sendable {
    case cut(after: Int)
    case truncate(to: Int)
    case empty
    case chunks(of: Int, pause: Duration)
    case mediaType(String)
    case partialErrors
    case headers([String: String])
    case lost
  }

  let kind: Kind

  /// Responds with a status instead of running the operation.
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - headers: The response headers, such as `Retry-After`.
  ///   - body: The body, sent as HTML unless `headers` say otherwise. Default: X's problem document for the status, or v1.1's list
  ///     of errors.
  public static func status(_ status: Int, headers: [String: String] = [:], body: Data? = nil) -> SandboxFault {
    SandboxFault(kind: .instead(.status(status, headers: headers, body: body)))
  }

  /// Responds with 429 instead of running the operation, with headers that say when to retry.
  public static func rateLimited(_ limits: Limits = Limits()) -> SandboxFault {
    SandboxFault(kind: .instead(.status(429, headers: limits.headers, body: nil)))
  }

  /// Responds like a proxy in front of X, with a status and an HTML page.
  public static func proxyPage(status: Int = 502) -> SandboxFault { SandboxFault(kind: .instead(.proxyPage(status))) }

  /// Responds with a problem document that contains only the status: the type is `about:blank`, and title and detail are the same.
  public static func blankProblem(status: Int = 400) -> SandboxFault {
    SandboxFault(kind: .instead(.blankProblem(status)))
  }

  /// Refuses the request as if its timestamp were wrong: 401; in v1.1 with code 135.
  public static let timestampRefused = SandboxFault(kind: .instead(.timestampRefused))

  /// Refuses the request as X does.
  public static func refused(_ refusal: Refusal) -> SandboxFault { SandboxFault(kind: .instead(.refusal(refusal))) }

  /// Waits before the operation, for at most five minutes: after that, the server gives up and responds with 500.
  public static func delay(_ duration: Duration) -> SandboxFault { SandboxFault(kind: .delay(duration)) }

  /// Closes the connection before the first byte of a response. The operation does not run.
  public static let cutBeforeResponse = SandboxFault(kind: .instead(.cut))

  /// Runs the operation, but closes the connection before the first byte of the response. The client cannot know that it ran.
  public static let loseResponse = SandboxFault(kind: .mutate(.lost))

  /// Runs the operation, but closes the connection after a number of bytes of the body.
  public static func cutInBody(after bytes: Int) -> SandboxFault {
    SandboxFault(kind: .mutate(.cut(after: max(0, bytes))))
  }

  /// Runs the operation, but sends only the beginning of the body, with a `Content-Length` to match.
  /// - Parameter bytes: The number of bytes to send.
  public static func truncatedBody(to bytes: Int) -> SandboxFault {
    SandboxFault(kind: .mutate(.truncate(to: max(0, bytes))))
  }

  /// Runs the operation, but sends no body.
  public static let emptyBody = SandboxFault(kind: .mutate(.empty))

  /// Runs the operation, and sends the body in chunks (`Transfer-Encoding: chunked`).
  /// - Parameters:
  ///   - size: The number of bytes per chunk; 1 or more.
  ///   - pause: The time between two chunks.
  public static func splitBody(into size: Int, pause: Duration = .zero) -> SandboxFault {
    SandboxFault(kind: .mutate(.chunks(of: max(1, size), pause: pause)))
  }

  /// Runs the operation, and sends the body slowly.
  /// - Parameter bytesPerSecond: The rate; 1 or more.
  public static func slowBody(bytesPerSecond: Int) -> SandboxFault {
    let rate = max(1, bytesPerSecond)
    // Sends twenty pieces per second, or one byte at a time if the rate is lower.
    let size = max(1, rate / 20)
    return SandboxFault(kind: .mutate(.chunks(of: size, pause: .seconds(1) * (Double(size) / Double(rate)))))
  }

  /// Runs the operation, but changes the media type of the body.
  /// - Parameter type: The value of `Content-Type`.
  public static func contentType(_ type: String) -> SandboxFault { SandboxFault(kind: .mutate(.mediaType(type))) }

  /// Runs the operation, and reports next to `data` that a part of it was not found.
  public static let partialErrors = SandboxFault(kind: .mutate(.partialErrors))

  /// Runs the operation, and sets headers of the response.
  public static func headers(_ headers: [String: String]) -> SandboxFault {
    SandboxFault(kind: .mutate(.headers(headers)))
  }
}

extension SandboxFault {
  /// X's refusals for reasons that have nothing to do with the request.
  public enum Refusal: String, Sendable, Hashable, CaseIterable {
    /// The app does not belong to a project: 403, type `client-forbidden`, reason `client-not-enrolled`.
    case clientNotEnrolled = "client-not-enrolled"
    /// The endpoint does not accept this kind of credentials: 403, type `unsupported-authentication`; in v1.1 code 220.
    case unsupportedAuthentication = "unsupported-authentication"
    /// The access token lacks a scope: 403.
    case missingScope = "missing-scope"
    /// The app's permissions are insufficient: 403, type `oauth1-permissions`; in v1.1 code 261.
    case wrongPermissions = "wrong-permissions"
    /// The account is suspended: 403; in v1.1 code 64.
    case suspendedAccount = "suspended-account"
    /// The account is locked until its owner logs in: 403; in v1.1 code 326.
    case lockedAccount = "locked-account"
    /// The monthly cap is used up: 429, type `usage-capped`; code 88 in v1.1, which has no separate code.
    case usageCapped = "usage-capped"
    /// The account has no credits left: 402, type `credits`, title `CreditsDepleted`.
    case creditsDepleted = "credits-depleted"
    /// The account has reached its spend cap for the billing cycle: 403, type `credits`, title `SpendCapReached`.
    case spendCapReached = "spend-cap-reached"
    /// A post with the same text already exists: 403; in v1.1 code 187.
    case duplicatePost = "duplicate-post"

    private static let nextCycle = "2030-01-01"

    func problem(in version: APIVersion) -> Problem {
      switch (self, version) {
      case (.clientNotEnrolled, _):
        Problem(
          status: 403, title: "Client Forbidden",
          detail: "When authenticating requests to the Twitter API v2 endpoints, you must use keys and tokens from a "
            + "Twitter developer App that is attached to a Project.",
          type: Problem.typePrefix + "client-forbidden",
          members: [
            "reason": "client-not-enrolled", "required_enrollment": "Appropriate Level of API Access",
            "registration_url": "https://developer.x.com/en/docs/projects/overview",
          ], code: version == .v1 ? 453 : nil)
      case (.unsupportedAuthentication, _):
        Problem.unsupportedAuthentication(
          used: Principal.Kind.appOnly.displayName,
          supported: [Principal.Kind.oauth1.displayName, Principal.Kind.oauth2User.displayName])
      case (.missingScope, .v2): .forbidden("You are not permitted to perform this action.")
      case (.missingScope, .v1): .v1(403, 220, "Your credentials do not allow access to this resource.")
      case (.wrongPermissions, _): .readOnlyToken
      case (.suspendedAccount, .v2): .forbidden("User is suspended and not permitted to perform this action.")
      case (.suspendedAccount, .v1):
        .v1(403, 64, "Your account is suspended and is not permitted to access this feature.")
      case (.lockedAccount, .v2):
        .forbidden("Your account is temporarily locked. Please log in to https://x.com to unlock your account.")
      case (.lockedAccount, .v1):
        .v1(403, 326, "To protect our users from spam, this account is temporarily locked. Please log in to unlock.")
      case (.usageCapped, _):
        Problem(
          status: 429, title: "UsageCapExceeded", detail: "Usage cap exceeded: Monthly product cap",
          type: Problem.typePrefix + "usage-capped",
          members: ["account_id": "1", "period": "Monthly", "scope": "Product", "product_name": "sandbox"])
      case (.creditsDepleted, _):
        Problem(
          status: 402, title: "CreditsDepleted",
          detail: "Your enrolled account [1] does not have any credits to fulfill this request.",
          type: Problem.typePrefix + "credits", members: ["account_id": 1])
      case (.spendCapReached, _):
        Problem(
          status: 403, title: "SpendCapReached",
          detail: "Your enrolled account [1] has reached its billing cycle spend cap. "
            + "API requests will be blocked until the next cycle begins on \(Self.nextCycle).",
          type: Problem.typePrefix + "credits", members: ["account_id": 1, "reset_date": .string(Self.nextCycle)])
      case (.duplicatePost, .v2): .forbidden("You are not allowed to create a Tweet with duplicate content.")
      case (.duplicatePost, .v1): .v1(403, 187, "Status is a duplicate.")
      }
    }
  }
}

extension SandboxFault {
  /// The headers of a 429.
  public struct Limits: Sendable, Hashable {
    /// The value of `Retry-After`.
    public enum RetryAfter: Sendable, Hashable {
      /// A number of seconds.
      case seconds(Int)
      /// A date.
      case date(Date)
    }

    /// A limit of 24 hours.
    public struct Daily: Sendable, Hashable {
      /// The number of requests per day.
      public var limit: Int
      /// The number of remaining requests.
      public var remaining: Int
      /// The end of the day.
      public var reset: Date

      /// Creates a limit.
      public init(limit: Int, remaining: Int = 0, reset: Date) {
        (self.limit, self.remaining, self.reset) = (limit, remaining, reset)
      }
    }

    /// `x-rate-limit-reset`, with a limit of 15 and none remaining. Default: no such header.
    public var reset: Date?
    /// `Retry-After`. Default: no such header.
    public var retryAfter: RetryAfter?
    /// `x-app-limit-24hour-*`. Default: no such headers.
    public var appDaily: Daily?
    /// `x-user-limit-24hour-*`. Default: no such headers.
    public var userDaily: Daily?

    /// Creates headers. Values that you leave out are not sent.
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

    /// The time in whole seconds, limited to values that programs can read.
    private static func seconds(_ date: Date) -> String {
      String(Int(min(max(date.timeIntervalSince1970, 0), 1e15)))
    }
  }
}
