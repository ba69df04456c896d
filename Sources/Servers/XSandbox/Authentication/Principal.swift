/// The app and user that make a request, and the kind of their credentials.
struct Principal: Sendable, Equatable {
  enum Kind: Sendable, Equatable, Hashable {
    case oauth1
    case oauth2User
    case appOnly
    /// No credentials, for what everyone may read.
    case anonymous

    /// The name in X's documents.
    var displayName: String {
      switch self {
      case .oauth1: "OAuth 1.0a User Context"
      case .oauth2User: "OAuth 2.0 User Context"
      case .appOnly: "OAuth 2.0 Application-Only"
      case .anonymous: "No Authentication"
      }
    }
  }

  var kind: Kind
  var consumerKey: String
  /// The user whom the app acts for; `nil` for app-only credentials.
  var user: Identifier?
  var scopes: Set<String> = []
  var mayWrite = true

  /// A caller without credentials.
  static let anonymous = Principal(kind: .anonymous, consumerKey: "")
}

/// The credentials that an operation accepts.
struct Access: Sendable {
  var kinds: [Principal.Kind]
  /// The scopes that an OAuth 2 user token must have.
  var scopes: [String]
  var isWrite: Bool

  /// Accepts credentials of a user.
  static func user(_ scopes: String..., writes: Bool = false) -> Access {
    Access(kinds: [.oauth1, .oauth2User], scopes: scopes, isWrite: writes)
  }

  /// Accepts credentials of a user or of only the app.
  static func userOrApp(_ scopes: String...) -> Access {
    Access(kinds: [.oauth1, .oauth2User, .appOnly], scopes: scopes, isWrite: false)
  }

  /// Whether it needs no credentials.
  var isOpen: Bool { kinds.contains(.anonymous) }

  func check(_ principal: Principal) throws(Problem) {
    guard isOpen || kinds.contains(principal.kind) else {
      throw .unsupportedAuthentication(used: principal.kind.displayName, supported: kinds.map(\.displayName))
    }
    if isWrite, !principal.mayWrite {
      throw .readOnlyToken.explained("the access token may only read; give it write permission")
    }
    if principal.kind == .oauth2User {
      let lacking = scopes.filter { !principal.scopes.contains($0) }
      guard lacking.isEmpty else {
        throw .forbidden("You are not permitted to perform this action.").explained(
          "the access token lacks scopes that this endpoint needs",
          ["missing_scopes": .array(lacking.map(JSON.string))])
      }
    }
  }
}
