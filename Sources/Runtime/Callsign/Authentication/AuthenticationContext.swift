import CallsignHTTP
import CallsignSupport
import HTTPTypes
import Logging

/// The call as an authenticator sees it, and what it has to work with.
public struct AuthenticationContext: Sendable {
  /// The endpoint's name in the catalogue, or the method and path of an untyped call.
  public let endpoint: String
  /// The alternative that the authenticator was chosen for; `nil` if the catalogue does not say what it accepts.
  public let requirement: AuthRequirement?
  /// 1 for the first attempt of a call.
  public let attempt: Int
  /// The transport for requests of the authenticator's own, such as the one for a token.
  public let transport: any Transport
  /// The base URLs that such requests really go to.
  public let hosts: BaseURLOverrides
  /// Tells the time.
  public let time: any TimeSource
  /// Takes messages that name no credentials.
  public let logger: Logger
  /// The attempt's number in this process: its credentials were put on after those of all lower ones.
  package let number: UInt64
  /// The refusal after which the call is sent again with new credentials; `nil` for another attempt.
  package let refusal: RawResponse?

  package init(
    endpoint: String, requirement: AuthRequirement?, attempt: Int, transport: any Transport, hosts: BaseURLOverrides,
    time: any TimeSource, logger: Logger, number: UInt64? = nil, refusal: RawResponse? = nil
  ) {
    self.endpoint = endpoint
    self.requirement = requirement
    self.attempt = attempt
    self.transport = transport
    self.hosts = hosts
    self.time = time
    self.logger = logger
    self.number = number ?? Self.nextNumber()
    self.refusal = refusal
  }

  // Not a clock, which each call would have to read.
  private static let lastNumber = Locked<UInt64>(0)

  private static func nextNumber() -> UInt64 {
    lastNumber.withLock { last in
      last += 1
      return last
    }
  }

  /// The number of the attempt that has begun last.
  package static var latestNumber: UInt64 { lastNumber.withLock { $0 } }
}
