import LoopbackSockets

extension AuthorizationServer {
  /// The maximum number of accounts that a page lists.
  private static let choiceLimit = 20

  /// The accounts that you can choose without a password. They are yours, because the sandbox runs on your machine. The list is
  /// empty if the page was opened under another host name, so that no site can read the page through a name that resolves to this
  /// machine.
  func accountsToChoose(for request: IncomingRequest) -> [String] {
    guard LoopbackAuthority.isLoopback(request.header("Host") ?? "") else { return [] }
    return registry.accounts.values.sorted { $0.id < $1.id }.prefix(Self.choiceLimit).map(\.username)
  }

  /// The account that the user logged in to on a page; `nil` if the password is wrong.
  func account(of submission: LoginPage.Submission, on page: LoginPage) -> CredentialRegistry.Account? {
    guard let chosen = submission.account else {
      return account(username: submission.username, password: submission.password)
    }
    return page.accounts.contains(chosen) ? registry.accounts[chosen.lowercased()] : nil
  }
}

extension SandboxPermission {
  /// The rights of an app, as text for the user who decides.
  var rights: [LoginPage.Right] {
    let reading = ["See your posts and those of your timeline", "See whom you follow, and your lists"]
    let writing = ["Follow and unfollow for you", "Change your profile", "Post, like and send messages for you"]
    return (self == .readWrite ? reading + writing : reading).map { LoginPage.Right(text: $0) }
  }
}

extension Scopes {
  /// A scope as text for the user who decides.
  static func words(_ scope: String) -> String {
    switch scope {
    case "tweet.read": "See all posts that you can see"
    case "tweet.write": "Post and repost for you"
    case "tweet.moderate.write": "Hide and unhide replies to your posts"
    case "users.read": "See any account that you can see"
    case "users.email": "See your email address"
    case "follows.read": "See whom you follow, and who follows you"
    case "follows.write": "Follow and unfollow for you"
    case offline: "Stay connected to your account until you take that back"
    case "space.read": "See all Spaces that you can see"
    case "mute.read": "See whom you have muted"
    case "mute.write": "Mute and unmute accounts for you"
    case "like.read": "See what you have liked"
    case "like.write": "Like and unlike posts for you"
    case "list.read": "See your lists, and their members and followers, private ones included"
    case "list.write": "Make and change lists for you"
    case "block.read": "See whom you have blocked"
    case "block.write": "Block and unblock accounts for you"
    case "bookmark.read": "See your bookmarks"
    case "bookmark.write": "Bookmark posts, and remove bookmarks, for you"
    case "dm.read": "Read your direct messages"
    case "dm.write": "Send and manage direct messages for you"
    case "media.write": "Upload media for you"
    case "broadcast.read": "See your broadcasts"
    case "broadcast.write": "Make and change broadcasts for you"
    case "timeline.read": "See your timeline"
    default: "Use \(scope)"
    }
  }
}
