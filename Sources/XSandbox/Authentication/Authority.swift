import Foundation

/// Guards all credentials: one request at a time looks at them, uses them up or makes new ones.
actor Authority {
  /// Seconds by which a client's timestamp may differ from the server's clock.
  static let timestampWindow = 300

  private var server: AuthorizationServer

  init(configuration: Sandbox.Configuration) { server = AuthorizationServer(configuration: configuration) }

  func perform<Result: Sendable, Failure: Error>(
    _ body: @Sendable (inout AuthorizationServer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&server)
  }

  /// - Throws: a refusal in X's own form, with the reason in its `sandbox` member.
  func authenticate(_ request: IncomingRequest) throws(Problem) -> Caller { try server.authenticate(request) }
}
