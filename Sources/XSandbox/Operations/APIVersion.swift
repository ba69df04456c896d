/// The versions of the API that the sandbox answers. Each has its own parameters, formats and errors; what they tell of is the same.
enum APIVersion: Sendable {
  case v1
  case v2

  /// The first segments of the versions' paths.
  static let segments: Set<String> = ["1.1", "2"]

  init(path: String) { self = path.hasPrefix("/1.1/") ? .v1 : .v2 }
}
