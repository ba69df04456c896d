import Callsign
import Foundation

/// An access token of OAuth 2.0 that another tool keeps. Its scopes are not known, so it is tried wherever a user's
/// token is accepted.
struct UserAccessToken: Authenticator {
  private let bearer: Bearer
  private let expires: Date?
  private let renewal: String

  var hosts: AllowedHosts { bearer.hosts }
  var identity: CredentialIdentity { bearer.identity }

  init(_ token: MachineAccount.OAuth2Part, hosts: AllowedHosts, renewal: String) {
    bearer = Bearer(token.accessToken, scopes: [], hosts: hosts)
    expires = token.expires
    self.renewal = renewal
  }

  func satisfies(_ requirement: AuthRequirement) -> Bool { requirement.scheme == "oauth2" }

  func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    if let expires, expires <= context.time.now() {
      throw .authorization(AuthorizationError(.unavailable, advice: "the access token has expired; \(renewal)"))
    }
    try await bearer.authenticate(&request, context: context)
  }
}
