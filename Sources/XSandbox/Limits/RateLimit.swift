extension Sandbox {
  /// How many requests an endpoint takes in a window.
  public struct RateLimit: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// Requests a window for each user.
    public var user: Int
    /// Requests a window for each app, with app-only credentials.
    public var app: Int
    /// The length of a window in seconds.
    public var window: Int
    /// Requests in 24 hours for each user; answers tell of it in `x-user-limit-24hour-*`. No such limit unless it is given.
    public var userPerDay: Int?
    /// Requests in 24 hours for each app, all its users together; answers tell of it in `x-app-limit-24hour-*`. No such limit unless it is given.
    public var appPerDay: Int?

    /// Creates a limit.
    /// - Parameters:
    ///   - user: requests a window for each user.
    ///   - app: requests a window for each app; as many as for a user unless it is given.
    ///   - window: the length of a window in seconds; 15 minutes unless it is given.
    ///   - userPerDay: requests in 24 hours for each user.
    ///   - appPerDay: requests in 24 hours for each app, all its users together.
    public init(user: Int, app: Int? = nil, window: Int = 900, userPerDay: Int? = nil, appPerDay: Int? = nil) {
      self.user = user
      self.app = app ?? user
      self.window = window
      self.userPerDay = userPerDay
      self.appPerDay = appPerDay
    }

    /// The same number for users and for apps, in windows of 15 minutes.
    public init(integerLiteral value: Int) { self.init(user: value) }
  }
}
