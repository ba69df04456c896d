import CallsignCatalogue
import CallsignHTTP
import CallsignSupport
import XCatalogue

/// The limits of an operation: how many requests it accepts in each window.
struct OperationLimits: Sendable, Equatable {
  /// A number of requests in a window.
  struct Limit: Sendable, Equatable {
    var count: Int
    /// The length of the window in seconds.
    var length: Int
  }

  /// The limits for each user, longest window first.
  var user: [Limit]
  /// The limits for each app with app-only credentials, longest window first.
  var app: [Limit]
  /// The limit for each user in 24 hours.
  var userPerDay: Int?
  /// The limit for each app in 24 hours, for all its users together.
  var appPerDay: Int?

  static let day = 86_400

  private static let cache = Locked<[String: OperationLimits?]>([:])

  init(_ limit: SandboxRateLimit) {
    user = [Limit(count: limit.user, length: limit.window)]
    app = [Limit(count: limit.app, length: limit.window)]
    (userPerDay, appPerDay) = (limit.userPerDay, limit.appPerDay)
  }

  /// Reads the catalogue's limits; `nil` if it has none except for whole days.
  init?(_ limits: [RateLimit]) {
    let windows = limits.filter { $0.windowSeconds != Self.day }.sorted { $0.windowSeconds > $1.windowSeconds }
    guard !windows.isEmpty else { return nil }
    func own(_ subject: String) -> [Limit]? {
      let found = windows.filter { $0.subject == subject }
      return found.isEmpty ? nil : found.map { Limit(count: $0.requests, length: $0.windowSeconds) }
    }
    let all = windows.map { Limit(count: $0.requests, length: $0.windowSeconds) }
    user = own("user") ?? own("app") ?? all
    app = own("app") ?? user
    func perDay(_ subject: String) -> Int? {
      limits.first { $0.subject == subject && $0.windowSeconds == Self.day }?.requests
    }
    (userPerDay, appPerDay) = (perDay("user"), perDay("app"))
  }

  /// The catalogue's limits for an operation with a key such as `GET /2/users/me`; `nil` if it has none. The operation's excerpt of
  /// the catalogue is read once for all sandboxes of the process.
  static func catalogued(_ key: String, in version: APIVersion) -> OperationLimits? {
    if let known = cache.withLock({ $0[key] }) { return known }
    let names = Set(CataloguedOperation.all.filter { $0.key == key && $0.version == version }.map(\.name))
    let embedded: EmbeddedCatalogue = version == .v2 ? .x2 : .x1
    let endpoints = embedded.catalogue(of: names)?.groups.flatMap(\.endpoints) ?? []
    let limits = endpoints.first { names.contains($0.name) }.flatMap { OperationLimits($0.limits) }
    // Two tasks that read it at the same time get the same result.
    cache.withLock { _ = $0.updateValue(limits, forKey: key) }
    return limits
  }
}
