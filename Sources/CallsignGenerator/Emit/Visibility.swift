/// The modifiers that declarations begin with.
struct Visibility {
  /// `public `, or nothing.
  let access: String
  /// Of functions that only those who call them carry. A module of hundreds of types and methods would otherwise be as
  /// large in each app as all of them together.
  let inlined: String
  /// Of what such functions use and nobody else should.
  let usable: String

  init(_ level: AccessLevel) {
    access = level == .internal ? "" : level.rawValue + " "
    inlined = (level == .public ? "@_alwaysEmitIntoClient " : "") + access
    usable = level == .public ? "@usableFromInline " : ""
  }
}

extension TypeTable {
  /// The protocols of a model of the given kind. The two of the standard library are named each time, because types that
  /// get them through a protocol of ours take more space.
  func conformances(_ kind: RuntimeType) -> String {
    "\(name(kind)), \(name(.codable)), \(name(.hashable))"
  }
}
