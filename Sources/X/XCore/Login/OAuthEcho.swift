import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// Lets a third party, such as an image host, verify who is calling it, without giving it the token (X's "OAuth Echo").
///
/// The third party sends ``authorization`` to ``serviceProvider``, which responds with the account. The signature is
/// valid only for that one request.
///
/// ```swift
/// let echo = try await credentials.echo()
/// try await client.call(
///   .post, "https://images.example/upload", body: .multipart(form), auth: .none,
///   options: CallOptions(headers: echo.headers))
/// ```
public struct OAuthEcho: Sendable {
  /// The URL that says who signed, `X-Auth-Service-Provider`.
  public let serviceProvider: String
  /// The `Authorization` field for it, `X-Verify-Credentials-Authorization`.
  public let authorization: Secret

  /// Both as header fields, for ``CallOptions/headers``.
  public var headers: [String: String] {
    ["X-Auth-Service-Provider": serviceProvider, "X-Verify-Credentials-Authorization": authorization.reveal()]
  }

  /// The URL where X says who signed.
  public static let verifyCredentialsOnX = "https://api.x.com/1.1/account/verify_credentials.json"
}

extension OAuth1 {
  /// Signs a `GET` request for a third party to send.
  ///
  /// - Parameters:
  ///   - url: The URL that says who signed. It must be https or on this machine, and the credentials must be for it.
  ///   - configuration: Provides the time.
  /// - Throws: ``CallError/authorization(_:)``.
  public func echo(
    verifying url: String = OAuthEcho.verifyCredentialsOnX, configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(CallError) -> OAuthEcho {
    try await OAuthEcho(url, signedBy: self, configuration)
  }
}

extension OAuth1Account {
  /// Signs a `GET` request for a third party to send, with the token that is in the store.
  ///
  /// - Parameters:
  ///   - url: The URL that says who signed. It must be https or on this machine, and the credentials must be for it.
  ///   - configuration: Provides the time.
  /// - Throws: ``CallError/authorization(_:)``, also if nobody is logged in.
  public func echo(
    verifying url: String = OAuthEcho.verifyCredentialsOnX, configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(CallError) -> OAuthEcho {
    try await OAuthEcho(url, signedBy: credentials(), configuration)
  }
}

extension OAuthEcho {
  fileprivate init(
    _ text: String, signedBy credentials: OAuth1, _ configuration: ClientConfiguration
  ) async throws(CallError) {
    guard let url = AbsoluteURL(text), url.scheme == "https" || url.isLoopback, !url.hasUserInformation else {
      throw .authorization(
        AuthorizationError(
          .insecure(host: AbsoluteURL(text)?.host ?? ""),
          advice: "the URL that verifies credentials must be https; use the API's URL"))
    }
    guard credentials.hosts.contains(url, isNamedByCatalogue: true) else {
      throw .authorization(
        AuthorizationError(
          .outOfScope(host: url.host), advice: "the credentials are not for \(url.authority); name it among their hosts"
        ))
    }
    var inHeader = credentials
    inHeader.placement = .header
    inHeader.includesBodyHash = false
    var request = TransportRequest(
      head: HTTPRequest(method: .get, scheme: url.scheme, authority: url.authority, path: url.target))
    let context = AuthenticationContext(
      endpoint: "echo", requirement: nil, attempt: 1, transport: configuration.transport, hosts: configuration.hosts,
      time: configuration.time, logger: configuration.logger)
    try await inHeader.authenticate(&request, context: context)
    serviceProvider = url.origin + url.target
    authorization = Secret(request.headerFields[.authorization] ?? "")
  }
}
