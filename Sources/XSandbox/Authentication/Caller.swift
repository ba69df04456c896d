/// Who made a request, and by which kind of credentials.
struct Caller: Sendable, Equatable {
  enum Kind: Sendable, Equatable, Hashable {
    case oauth1
    case oauth2User
    case appOnly

    /// The name by which X's documents call it.
    var displayName: String {
      switch self {
      case .oauth1: "OAuth 1.0a User Context"
      case .oauth2User: "OAuth 2.0 User Context"
      case .appOnly: "OAuth 2.0 Application-Only"
      }
    }
  }

  var kind: Kind
  var consumerKey: String
  /// The user for whom the app acts; `nil` for app-only credentials.
  var user: Identifier?
  var scopes: Set<String> = []
  var mayWrite = true
}
