/// What a person needs to know of a sandbox to point a client at it.
enum SandboxGuide {
  /// The most accounts that are named.
  private static let accountLimit = 10

  static func lines(accounts: [String]) -> [(name: String, text: String)] {
    let named = accounts.prefix(accountLimit).map { "@\($0)" }.joined(separator: ", ")
    let rest = accounts.count > accountLimit ? " and \(accounts.count - accountLimit) more" : ""
    return [
      (
        "Addresses",
        "this one, in place of api.x.com, api.twitter.com, upload.twitter.com and the other hosts: /2/… and /1.1/…"
      ),
      (
        "Logins",
        "/oauth/request_token, /oauth/authorize, /oauth/access_token; /i/oauth2/authorize, /2/oauth2/token; /oauth2/token"
      ),
      ("Accounts", named + rest),
      (
        "Credentials",
        "one app with consumer key, client id and bearer token; for each account a password, and tokens of OAuth 1.0a and 2.0"
      ),
    ]
  }
}

extension Sandbox {
  /// How clients reach the sandbox, and which accounts and credentials there are, in a line each. Secrets are not among them.
  public func guide() async -> [String] {
    let accounts = await pipeline.authorization.perform { server in
      server.registry.accounts.values.sorted { $0.id < $1.id }.map(\.username)
    }
    return SandboxGuide.lines(accounts: accounts).map { "\($0.name): \($0.text)" }
  }
}
