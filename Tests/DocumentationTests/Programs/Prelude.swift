// Beside each of the documents' programs in the package that `Scripts/internal/check-documents` makes: leads what they send to the
// sandbox instead of X. The programs themselves stay as they are printed. A program's own module comes first where two
// declarations are alike, so these stand in for the library's.

import Callsign
import CallsignAuth
import CallsignLoopback
import CallsignX
import Foundation

extension ClientConfiguration {
  /// The same, with every host led to the sandbox, unless the program leads them itself.
  fileprivate var inSandbox: ClientConfiguration {
    guard hosts == .identity else { return self }
    var copy = self
    copy.hosts = .all(to: ProcessInfo.processInfo.environment["DOCUMENTS_URL"] ?? "http://127.0.0.1:1")
    return copy
  }
}

extension XAPI {
  init(auth: some Authenticator, configuration: ClientConfiguration = ClientConfiguration()) {
    self.init(client: Client(auth: auth, configuration: configuration.inSandbox))
  }

  init(auth: [any Authenticator], configuration: ClientConfiguration = ClientConfiguration()) {
    self.init(client: Client(auth: auth, configuration: configuration.inSandbox))
  }
}

extension OAuth2 {
  func beginLogin(scopes: [OAuth2Scope], redirectURI: String) throws(LoginError) -> OAuth2Authorization {
    try beginLogin(scopes: scopes, redirectURI: redirectURI, configuration: ClientConfiguration().inSandbox)
  }

  @discardableResult
  func logInOnCommandLine(
    scopes: [OAuth2Scope], port: UInt16, pasted: (@Sendable () async -> String?)? = nil,
    open: @escaping @Sendable (URL) async -> Void
  ) async throws(LoginError) -> StoredToken {
    try await logInOnCommandLine(
      scopes: scopes, port: port, configuration: ClientConfiguration().inSandbox, pasted: pasted, open: open)
  }

  func token() async throws(CallError) -> AccessToken {
    try await token(configuration: ClientConfiguration().inSandbox)
  }

  func refresh() async throws(CallError) -> AccessToken {
    try await refresh(configuration: ClientConfiguration().inSandbox)
  }

  @discardableResult
  func exchange(_ token: OAuth1Token) async throws(LoginError) -> StoredToken {
    try await exchange(token, configuration: ClientConfiguration().inSandbox)
  }

  func resume(_ pending: PendingLogin) throws(LoginError) -> OAuth2Authorization {
    try resume(pending, configuration: ClientConfiguration().inSandbox)
  }
}

extension OAuth1App {
  init(_ provider: OAuth1Provider, key: String, secret: any SecretConvertible) {
    self.init(provider, key: key, secret: secret, configuration: ClientConfiguration().inSandbox)
  }
}

extension OAuth1 {
  func echo() async throws(CallError) -> OAuthEcho { try await echo(configuration: ClientConfiguration().inSandbox) }
}
