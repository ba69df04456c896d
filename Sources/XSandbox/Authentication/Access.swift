/// Which credentials an operation accepts.
struct Access: Sendable {
  var kinds: [Caller.Kind]
  /// What an OAuth 2 user token must have been granted.
  var scopes: [String]
  var isWrite: Bool

  /// Only in the name of a user.
  static func user(_ scopes: String..., writes: Bool = false) -> Access {
    Access(kinds: [.oauth1, .oauth2User], scopes: scopes, isWrite: writes)
  }

  /// In the name of a user, or of the app alone.
  static func userOrApp(_ scopes: String...) -> Access {
    Access(kinds: [.oauth1, .oauth2User, .appOnly], scopes: scopes, isWrite: false)
  }

  func check(_ caller: Caller) throws(Problem) {
    guard kinds.contains(caller.kind) else {
      throw .unsupportedAuthentication(used: caller.kind.displayName, supported: kinds.map(\.displayName))
    }
    if isWrite, !caller.mayWrite {
      throw .readOnlyToken.explained("the access token may only read; give it write permission")
    }
    if caller.kind == .oauth2User {
      let lacking = scopes.filter { !caller.scopes.contains($0) }
      guard lacking.isEmpty else {
        throw .forbidden("You are not permitted to perform this action.").explained(
          "the access token lacks scopes that this endpoint needs",
          ["missing_scopes": .array(lacking.map(JSON.string))])
      }
    }
  }
}
