import CallsignHTTP
import Foundation
import HTTPTypes
import Logging

/// Puts credentials on requests.
///
/// A client holds one or several. For each call it takes the first that satisfies what the endpoint accepts, and asks
/// it anew for every attempt. Credentials that change, such as tokens that are refreshed, live in the authenticator,
/// which is asked by many tasks at once and has to let them wait for one refresh.
public protocol Authenticator: Sendable {
  /// The hosts that the credentials are for.
  var hosts: AllowedHosts { get }

  /// Tells these credentials from others, without giving them away.
  var identity: CredentialIdentity { get }

  /// Gets to know what ``satisfies(_:)`` goes by, such as the scopes of a stored token. It is called before each choice,
  /// so it must be quick when there is nothing new. The default does nothing.
  func prepare() async

  /// Whether the credentials are of this kind and, for OAuth 2.0, cover all its scopes.
  func satisfies(_ requirement: AuthRequirement) -> Bool

  /// Puts credentials on a request that is otherwise complete. It is called for every attempt, and only for hosts in
  /// ``hosts``. It may take its time, for instance to fetch a token first.
  ///
  /// - Throws: ``CallError``, mostly ``CallError/authorization(_:)``; the call ends with it.
  func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError)

  /// Is told of each answer to a request that it put credentials on, or left without, before the client makes anything of
  /// it: of successes too, and of the rejection of the last attempt. The default is to learn nothing.
  func received(_ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext)

  /// Is told of an answer with status 401 or 403, and says whether a further attempt could succeed: after a refresh, or
  /// now that a challenge is known. A call is repeated once at most. The default is to give up.
  ///
  /// - Throws: ``CallError``, in place of the one that the answer would become.
  func rejected(_ rejection: Rejection, context: AuthenticationContext) async throws(CallError) -> RejectionRecovery
}

extension Authenticator {
  /// Does nothing.
  public func prepare() async {}

  /// Learns nothing.
  public func received(_ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext) {}

  /// Gives up.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery { .giveUp }
}

/// What an authenticator makes of a rejection.
public enum RejectionRecovery: Sendable, Hashable {
  /// Nothing can be done; the answer becomes the call's error.
  case giveUp
  /// The request is to be sent once more, with credentials put on it anew.
  case tryAgain
}

/// A request that the API refused for its credentials.
public struct Rejection: Sendable {
  /// The request as it was sent, credentials included.
  public let request: TransportRequest
  /// The answer, with `WWW-Authenticate` among its header fields where the API challenges.
  public let answer: RawResponse
}

/// What an authenticator is told about the call, and given to work with.
public struct AuthenticationContext: Sendable {
  /// The endpoint's name in the catalogue, or the method and path of a free call.
  public let endpoint: String
  /// The alternative that the authenticator was chosen for; `nil` when the catalogue says nothing of what it accepts.
  public let requirement: AuthRequirement?
  /// 1 for the first attempt of a call.
  public let attempt: Int
  /// What carries requests of the authenticator's own, such as the one for a token.
  public let transport: any Transport
  /// Where such requests really go.
  public let hosts: BaseURLOverrides
  /// Tells the time.
  public let time: any TimeSource
  /// Takes messages that name no credentials.
  public let logger: Logger

  package init(
    endpoint: String, requirement: AuthRequirement?, attempt: Int, transport: any Transport, hosts: BaseURLOverrides,
    time: any TimeSource, logger: Logger
  ) {
    self.endpoint = endpoint
    self.requirement = requirement
    self.attempt = attempt
    self.transport = transport
    self.hosts = hosts
    self.time = time
    self.logger = logger
  }
}
