import CallsignHTTP
import HTTPTypes

/// Several credentials that go along together, because an endpoint demands all of them.
struct CombinedAuthenticator: Authenticator {
  /// The credentials, each with the scheme that it was chosen for, in the order in which they are added to a request.
  private let parts: [(authenticator: any Authenticator, requirement: AuthRequirement)]
  let hosts = AllowedHosts.catalogue
  let identity: CredentialIdentity
  let appIdentity: CredentialIdentity?

  init(_ parts: [(authenticator: any Authenticator, requirement: AuthRequirement)]) {
    identity = CredentialIdentity(
      "joint", account: parts.map(\.authenticator.identity.description).joined(separator: "+"))
    appIdentity = parts.lazy.compactMap(\.authenticator.appIdentity).first
    // A key comes before a signature, which may cover it.
    self.parts = parts.filter { $0.authenticator is APIKey } + parts.filter { !($0.authenticator is APIKey) }
  }

  /// It was chosen for one endpoint already.
  func satisfies(_ requirement: AuthRequirement) -> Bool { true }

  func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    for part in parts {
      try await part.authenticator.authenticate(&request, context: context.about(part.requirement))
    }
  }

  func received(
    _ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext
  ) throws(CallError) {
    for part in parts {
      try part.authenticator.received(head, to: request, context: context.about(part.requirement))
    }
  }

  func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    var recovery = RejectionRecovery.giveUp
    for part in parts {
      if try await part.authenticator.rejected(rejection, context: context.about(part.requirement)) == .tryAgain {
        recovery = .tryAgain
      }
    }
    return recovery
  }
}

extension AuthenticationContext {
  /// The same call for one of several credentials.
  fileprivate func about(_ requirement: AuthRequirement) -> AuthenticationContext {
    AuthenticationContext(
      endpoint: endpoint, requirement: requirement, attempt: attempt, transport: transport, hosts: hosts, time: time,
      logger: logger, number: number)
  }
}
