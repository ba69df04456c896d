/// The versions of the API that the sandbox answers. Each has its own parameters, formats and errors; what they tell of is the same.
enum APIVersion: Sendable {
  case v1
  case v2

  /// The first segments of the versions' paths.
  static let segments: Set<String> = ["1.1", "2"]

  /// OAuth's addresses that are of no version answer as v1.1 does.
  init(path: String) { self = ["/1.1/", "/oauth/", "/oauth2/"].contains(where: path.hasPrefix) ? .v1 : .v2 }
}
