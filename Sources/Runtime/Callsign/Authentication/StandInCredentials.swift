import CallsignHTTP
import CallsignSupport

/// Stands in for credentials of every kind in tests that reach no API: it satisfies each scheme, and sends nothing.
///
/// ```swift
/// let transport = InMemoryTransport { _ in .json(#"{"id": "7"}"#) }
/// let petstore = Petstore(auth: .standIn, configuration: ClientConfiguration(transport: transport))
/// ```
public struct StandInCredentials: Authenticator {
  /// There is nothing to protect.
  public let hosts = AllowedHosts.catalogue
  /// The same for everyone.
  public let identity = CredentialIdentity("stand-in", account: "")

  /// Makes it.
  public init() {}

  /// Every requirement.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { true }

  /// Leaves the request as it is.
  public func authenticate(
    _ request: inout TransportRequest, context: AuthenticationContext
  ) async throws(CallError) {}
}

extension Authenticator where Self == StandInCredentials {
  /// Satisfies every scheme and sends nothing, for tests.
  public static var standIn: StandInCredentials { StandInCredentials() }
}
