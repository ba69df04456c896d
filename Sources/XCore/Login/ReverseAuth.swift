import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation

/// Gets an app a token of its own for an account whose token somebody else has: another app of the provider, such as the
/// account store that iOS 5 to 10 had ("Reverse Auth" of X).
///
/// The app asks the provider for signed parameters; whoever holds the account passes them on in a request that is signed
/// with the account's token; the provider answers with a token for the app.
///
/// Today's Apple systems keep no X accounts, so a device account is what an app, or a server of its maker, provides.
/// ``SigningAccount`` is one.
public struct ReverseAuth: Sendable {
  private let client: OAuth1TokenClient

  /// Prepares logins.
  ///
  /// - Parameters:
  ///   - provider: Whose accounts.
  ///   - consumerKey: The identifier of the app that gets the token.
  ///   - consumerSecret: The app's secret.
  ///   - configuration: Transport, timeouts, hosts, logging.
  public init(
    _ provider: OAuth1Provider, consumerKey: String, consumerSecret: Secret,
    configuration: ClientConfiguration = ClientConfiguration()
  ) {
    client = OAuth1TokenClient(
      provider: provider, consumerKey: consumerKey, consumerSecret: consumerSecret, configuration: configuration)
  }

  /// Both phases, one after the other.
  ///
  /// - Parameter account: Holds the account's token.
  /// - Throws: ``LoginError``, as ``begin()`` and ``complete(_:with:)`` do.
  public func logIn(with account: some DeviceAccount) async throws(LoginError) -> OAuth1Token {
    try await complete(begin(), with: account)
  }

  /// The first phase: asks the provider for signed parameters (`x_auth_mode=reverse_auth`).
  ///
  /// - Returns: The request that the device account has to send. It is good for a few minutes.
  /// - Throws: ``LoginError``: ``LoginError/notEntitled(_:)`` when the app may not log in this way;
  ///   ``LoginError/unexpectedAnswer(_:_:)``; or why the request failed.
  public func begin() async throws(LoginError) -> DeviceAccountRequest {
    let answer: RawResponse
    do throws(LoginError) {
      answer = try await client.post(
        "oauth/request_token", to: client.provider.requestTokenURL, form: [("x_auth_mode", "reverse_auth")])
    } catch { throw Self.explained(error) }
    let text = String(decoding: answer.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    try Self.check(text, consumerKey: client.consumerKey, answer)
    return DeviceAccountRequest(
      url: client.provider.accessTokenURL,
      form: [("x_reverse_auth_parameters", text), ("x_reverse_auth_target", client.consumerKey)])
  }

  /// The second phase: lets the device account send the request, and reads the token from the answer.
  ///
  /// - Parameters:
  ///   - request: What ``begin()`` returned.
  ///   - account: Holds the account's token.
  /// - Throws: ``LoginError``: what the account throws; ``LoginError/notEntitled(_:)``, also when the account's app may
  ///   not do this; ``LoginError/unexpectedAnswer(_:_:)``.
  public func complete(
    _ request: DeviceAccountRequest, with account: some DeviceAccount
  ) async throws(LoginError) -> OAuth1Token {
    if Task.isCancelled { throw .cancelled }
    let answer: RawResponse
    do throws(LoginError) { answer = try await account.answer(to: request) } catch { throw Self.explained(error) }
    guard answer.status.kind == .successful else {
      let error = APIError(answer: answer)
      let advice =
        "the provider refused the device account; log in there again (the provider answered \(error.summary))"
      throw Self.explained(
        .call(.authorization(AuthorizationError(.refused, advice: advice, response: error))))
    }
    return try OAuth1TokenClient.token(of: answer)
  }

  /// The text is the value of an `Authorization` field, made for this app.
  private static func check(_ text: String, consumerKey: String, _ answer: RawResponse) throws(LoginError) {
    guard text.hasPrefix("OAuth ") else { throw .unexpectedAnswer("it has no signed parameters", answer) }
    for name in ["oauth_nonce", "oauth_signature", "oauth_timestamp"] where !text.contains("\(name)=\"") {
      throw .unexpectedAnswer("the signed parameters have no \(name)", answer)
    }
    guard text.contains("oauth_consumer_key=\"\(PercentEncoding.encode(consumerKey))\"") else {
      throw .unexpectedAnswer("the signed parameters are for another app", answer)
    }
  }

  private static func explained(_ error: LoginError) -> LoginError {
    guard let refusal = error.refusal, [401, 403].contains(refusal.status.code) else { return error }
    let text = String(decoding: refusal.body.prefix(4096), as: UTF8.self).lowercased()
    return refusal.has(code: 87) || refusal.has(code: 220) || text.contains("not permitted")
      ? .notEntitled(refusal) : error
  }
}

extension ReverseAuth: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone.
  public var description: String { "ReverseAuth(\(Secret.redacted))" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
