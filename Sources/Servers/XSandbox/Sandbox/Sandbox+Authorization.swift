import Foundation

extension Sandbox {
  /// The result of an approval. Descriptions leave its value out, because it allows a login.
  public enum Approval: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The browser is sent to this URL.
    case redirect(URL)
    /// The user is shown this PIN.
    case pin(String)

    /// The URL; `nil` for a PIN.
    public var url: URL? { if case .redirect(let url) = self { url } else { nil } }
    /// The PIN; `nil` for a URL.
    public var pin: String? { if case .pin(let pin) = self { pin } else { nil } }

    /// Only the kind.
    public var description: String {
      switch self {
      case .redirect: "Approval.redirect(\(Redaction.placeholder))"
      case .pin: "Approval.pin(\(Redaction.placeholder))"
      }
    }
    /// Leaves out the URL and the PIN.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// Logs a user in and approves an app's request, without the page and its form.
  /// - Parameters:
  ///   - authorizationURL: The URL that the app would open in a browser, for OAuth 1.0a or OAuth 2.0.
  ///   - user: The user who logs in.
  /// - Throws: ``SandboxError/cannotAuthorize(_:)`` if the page would be an error or send the browser back with one;
  ///   ``SandboxError/notFound(_:)`` if the user does not belong to this sandbox.
  public func approve(_ authorizationURL: URL, as user: User) async throws(SandboxError) -> Approval {
    let id = try await record(of: user).id
    return try await decide(authorizationURL) { (request, server) in
      switch request {
      case .oauth1(let token): server.approve(requestToken: token, user: id)
      case .oauth2(let token): server.approveAuthorization(token, user: id).map { .redirect($0) }
      }
    }
  }

  /// Refuses an app's request, without the page and its form.
  /// - Parameter authorizationURL: The URL that the app would open in a browser, for OAuth 1.0a or OAuth 2.0.
  /// - Returns: The URL that the browser is sent to; `nil` if the app requested a PIN.
  /// - Throws: ``SandboxError/cannotAuthorize(_:)`` if the page would be an error or send the browser back with one.
  @discardableResult
  public func deny(_ authorizationURL: URL) async throws(SandboxError) -> URL? {
    let decision = try await outcome(authorizationURL) { (request, server) in
      switch request {
      case .oauth1(let token): server.deny(requestToken: token)
      case .oauth2(let token): server.denyAuthorization(token).map { .redirect($0) }
      }
    }
    guard case .redirect(let address) = decision else { return nil }
    return URL(string: address)
  }

  /// How many tokens have been issued and refused since the start.
  public func authorizationCounts() async -> AuthorizationCounts {
    await pipeline.authorization.perform { $0.counts }
  }

  /// The number of refresh tokens exchanged for new ones.
  public var refreshCount: Int { get async { await authorizationCounts().refreshes } }

  /// The refreshes of a user's logins since the start, and the client that got the last one.
  public func refreshes(of user: User) async -> SandboxRefreshes {
    await pipeline.authorization.perform { server in
      Identifier(user.id).flatMap { server.refreshes[$0] } ?? SandboxRefreshes()
    }
  }

  private enum PendingRequest: Sendable {
    case oauth1(String)
    case oauth2(String)
  }

  private typealias Deciding =
    @Sendable (PendingRequest, inout AuthorizationServer) -> AuthorizationServer.Decision?

  private func decide(_ url: URL, _ decide: Deciding) async throws(SandboxError) -> Approval {
    switch try await outcome(url, decide) {
    case .pin(let pin): return .pin(pin)
    case .redirect(let address):
      guard let url = URL(string: address) else { throw .cannotAuthorize("the callback is not a URL") }
      return .redirect(url)
    case .refusedWithoutCallback: throw .cannotAuthorize("the user has refused")
    }
  }

  private func outcome(_ url: URL, _ decide: Deciding) async throws(SandboxError) -> AuthorizationServer.Decision {
    let components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    let request = IncomingRequest(
      method: "GET", path: components?.percentEncodedPath ?? "", query: components?.percentEncodedQuery ?? "",
      headers: [], body: Data())
    let form = RequestForm(request, includingQuery: true)
    return try await pipeline.authorization.perform { (server) throws(SandboxError) in
      let pending: PendingRequest
      switch request.path {
      case "/oauth/authorize", "/oauth/authenticate": pending = .oauth1(form["oauth_token"] ?? "")
      case "/i/oauth2/authorize", "/i/oauth2_start_flow":
        switch server.beginAuthorization(form) {
        case .refused(let reason): throw .cannotAuthorize(reason)
        case .returned(let address): throw .cannotAuthorize(Self.error(in: address))
        case .page(let token): pending = .oauth2(token)
        }
      default: throw .cannotAuthorize("\(request.path) is not an authorization page")
      }
      guard let decision = decide(pending, &server) else {
        throw .cannotAuthorize("the request token is unknown, used or expired")
      }
      return decision
    }
  }

  private static func error(in address: String) -> String {
    let items = URLComponents(string: address)?.queryItems ?? []
    return ["error", "error_description"].compactMap { name in items.first { $0.name == name }?.value }
      .joined(separator: ": ")
  }
}
