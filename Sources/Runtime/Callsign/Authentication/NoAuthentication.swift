import CallsignHTTP
import CallsignSupport

/// No credentials: for APIs, or parts of them, that everyone may call.
public struct NoAuthentication: Authenticator {
  /// There is nothing to protect.
  public let hosts = AllowedHosts.catalogue
  /// The same for everyone.
  public let identity = CredentialIdentity("none", account: "")

  /// Makes it.
  public init() {}

  /// Only `none`.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { requirement.scheme == "none" }

  /// Leaves the request as it is.
  public func authenticate(
    _ request: inout TransportRequest, context: AuthenticationContext
  ) async throws(CallError) {}
}

extension Authenticator where Self == NoAuthentication {
  /// No credentials.
  public static var none: NoAuthentication { NoAuthentication() }
}
