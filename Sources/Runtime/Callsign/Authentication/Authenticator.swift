import CallsignHTTP
import CallsignSupport
import HTTPTypes
import Logging

/// Adds credentials to requests.
///
/// A client has one or several authenticators. For each call it uses the first that satisfies what the endpoint
/// accepts, and calls it again for every attempt. Credentials that change, such as refreshed tokens, are kept in the
/// authenticator. Many tasks may call it at once, and it must let them wait for one refresh.
public protocol Authenticator: Sendable {
  /// The hosts that the credentials are for.
  var hosts: AllowedHosts { get }

  /// Tells these credentials from others, without giving them away.
  var identity: CredentialIdentity { get }

  /// Tells the app that the credentials were given to from others, without giving it away: an API may limit all accounts of
  /// an app together. Default: `nil`, not known.
  var appIdentity: CredentialIdentity? { get }

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

  /// Sees each response to a request that it put credentials on, or left without, before the client makes anything of
  /// it: of successes too, and of the rejection of the last attempt. The default is to learn nothing.
  ///
  /// - Throws: ``CallError`` for a response that must not be believed; the call ends with it.
  func received(
    _ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext
  ) throws(CallError)

  /// Sees a response with status 401 or 403, and decides whether a further attempt could succeed: after a refresh, or
  /// now that a challenge is known. Each try of a call is repeated once at most. The default is to give up.
  ///
  /// - Throws: ``CallError``, in place of the one that the response would become.
  func rejected(_ rejection: Rejection, context: AuthenticationContext) async throws(CallError) -> RejectionRecovery
}

extension Authenticator {
  /// Not known.
  public var appIdentity: CredentialIdentity? { nil }

  /// Does nothing.
  public func prepare() async {}

  /// Learns nothing.
  public func received(
    _ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext
  ) throws(CallError) {}

  /// Gives up.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery { .giveUp }
}
