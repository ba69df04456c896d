/// The facts that you need to connect a client to a sandbox.
enum SandboxGuide {
  /// The maximum number of accounts to list.
  private static let accountLimit = 10

  static func lines(accounts: [String]) -> [(name: String, text: String)] {
    let named = accounts.prefix(accountLimit).map { "@\($0)" }.joined(separator: ", ")
    let rest = accounts.count > accountLimit ? " and \(accounts.count - accountLimit) more" : ""
    return [
      (
        "Addresses",
        "use this one instead of api.x.com, api.twitter.com, upload.twitter.com and X's other hosts, with the paths /2/… and /1.1/…"
      ),
      (
        "Logins",
        "OAuth 1.0a: /oauth/request_token, /oauth/authorize, /oauth/access_token. OAuth 2.0: /i/oauth2/authorize, /2/oauth2/token. "
          + "The app: /oauth2/token"
      ),
      ("Accounts", named + rest),
      (
        "Credentials",
        "an app with a consumer key, a client ID and a bearer token; each account has a password and tokens for OAuth 1.0a and 2.0"
      ),
    ]
  }
}

extension Sandbox {
  /// How clients reach the sandbox, and which accounts and credentials exist, one per line, without secrets.
  public func guide() async -> [String] {
    let accounts = await pipeline.authorization.perform { server in
      server.registry.accounts.values.sorted { $0.id < $1.id }.map(\.username)
    }
    return SandboxGuide.lines(accounts: accounts).map { "\($0.name): \($0.text)" }
  }
}
