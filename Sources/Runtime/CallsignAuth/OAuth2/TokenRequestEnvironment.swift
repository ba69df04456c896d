import Callsign
import CallsignHTTP
import CallsignSupport
import Logging

/// The transport and the clock of requests for tokens.
struct TokenRequestEnvironment: Sendable {
  var transport: any Transport
  var hosts: BaseURLOverrides
  var userAgent: String
  var time: any TimeSource
  var logger: Logger

  /// Of a client, for logins.
  init(_ configuration: ClientConfiguration) {
    transport = configuration.transport
    hosts = configuration.hosts
    userAgent = configuration.userAgent
    time = configuration.time
    logger = configuration.logger
  }

  /// Of a call that needs a token.
  init(_ context: AuthenticationContext) {
    transport = context.transport
    hosts = context.hosts
    userAgent = ClientConfiguration.defaultUserAgent
    time = context.time
    logger = context.logger
  }
}
