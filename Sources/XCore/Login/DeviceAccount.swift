import Callsign
import CallsignAuth
import CallsignHTTP

/// An account whose token the app does not see, but that sends signed requests for it: what `SLRequest` with an
/// `ACAccount` was.
public protocol DeviceAccount: Sendable {
  /// Sends a POST request with a form body, signed by OAuth 1.0a with the account's token and the consumer key that the
  /// token belongs to.
  ///
  /// - Returns: The answer, whatever its status.
  /// - Throws: ``LoginError``, such as ``LoginError/denied`` when the person does not let the app use the account.
  func answer(to request: DeviceAccountRequest) async throws(LoginError) -> RawResponse
}

/// The request that a ``DeviceAccount`` sends in the second phase of ``ReverseAuth``. Whoever has it and the account's
/// token gets a token for the app, so it prints as `‹redacted›`.
public struct DeviceAccountRequest: Sendable {
  /// Where it goes.
  public let url: String
  /// The fields of the form body, not encoded.
  public let form: [(name: String, value: String)]
}

extension DeviceAccountRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone.
  public var description: String { "DeviceAccountRequest(\(Secret.redacted))" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// A device account that signs with a token and the consumer it was issued to.
public struct SigningAccount: DeviceAccount {
  private let client: OAuth1TokenClient
  private let token: OAuth1Token

  /// Keeps the account's credentials.
  ///
  /// - Parameters:
  ///   - provider: Whose account.
  ///   - consumerKey: The identifier of the app that the token was issued to.
  ///   - consumerSecret: That app's secret.
  ///   - token: The account's token.
  ///   - configuration: Transport, timeouts, hosts, logging.
  public init(
    _ provider: OAuth1Provider, consumerKey: String, consumerSecret: Secret, token: OAuth1Token,
    configuration: ClientConfiguration = ClientConfiguration()
  ) {
    client = OAuth1TokenClient(
      provider: provider, consumerKey: consumerKey, consumerSecret: consumerSecret, configuration: configuration)
    self.token = token
  }

  /// Signs and sends the request.
  ///
  /// - Throws: ``LoginError``, also when the provider refuses it.
  public func answer(to request: DeviceAccountRequest) async throws(LoginError) -> RawResponse {
    try await client.post("oauth/access_token", to: request.url, token: token, form: request.form)
  }
}

extension SigningAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone.
  public var description: String { "SigningAccount(\(Secret.redacted))" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
