extension Sandbox {
  /// How many requests an endpoint takes in a window.
  public struct RateLimit: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// Requests a window for each user.
    public var user: Int
    /// Requests a window for each app, with app-only credentials.
    public var app: Int
    /// The length of a window in seconds.
    public var window: Int

    /// Creates a limit.
    /// - Parameters:
    ///   - user: requests a window for each user.
    ///   - app: requests a window for each app; as many as for a user unless it is given.
    ///   - window: the length of a window in seconds; 15 minutes unless it is given.
    public init(user: Int, app: Int? = nil, window: Int = 900) {
      self.user = user
      self.app = app ?? user
      self.window = window
    }

    /// The same number for users and for apps, in windows of 15 minutes.
    public init(integerLiteral value: Int) { self.init(user: value) }
  }
}
