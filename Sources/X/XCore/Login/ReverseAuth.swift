import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport

extension OAuth1App {
  /// Gets the app its own token for an account whose token belongs to somebody else: another app of the provider, such
  /// as the account store of iOS 5 to 10 (X's "Reverse Auth").
  ///
  /// The app asks the provider for signed parameters. The holder of the account sends them in a request that is signed
  /// with the account's token, and the provider responds with a token for the app. This method does both, one after the
  /// other.
  ///
  /// Current Apple systems keep no X accounts, so a device account comes from an app or from a server of its maker.
  /// ``SigningAccount`` is one.
  ///
  /// - Parameter account: Holds the account's token.
  /// - Throws: ``LoginError``, as ``reverseAuthRequest()`` and ``reverseAuth(_:with:)`` do.
  public func reverseAuth(with account: some DeviceAccount) async throws(LoginError) -> OAuth1Token {
    try await reverseAuth(reverseAuthRequest(), with: account)
  }

  /// The first phase: asks the provider for signed parameters (`x_auth_mode=reverse_auth`).
  ///
  /// - Returns: The request that the device account has to send. It is valid for a few minutes.
  /// - Throws: ``LoginError``: ``LoginError/notEntitled(_:)`` if the app may not log in this way;
  ///   ``LoginError/unexpectedResponse(_:_:)``; or why the request failed.
  public func reverseAuthRequest() async throws(LoginError) -> DeviceAccountRequest {
    let response: RawResponse
    do throws(LoginError) {
      response = try await request(
        "oauth/request_token", at: provider.requestTokenURL, fields: [("x_auth_mode", "reverse_auth")])
    } catch { throw Self.explainedReverseAuth(error) }
    let text = String(decoding: response.body, as: UTF8.self).trimmingWhitespace()
    try Self.checkParameters(text, consumerKey: key, response)
    return DeviceAccountRequest(
      url: provider.accessTokenURL, form: [("x_reverse_auth_parameters", text), ("x_reverse_auth_target", key)])
  }

  /// The second phase: lets the device account send the request, and reads the token from the response.
  ///
  /// - Parameters:
  ///   - request: The request from ``reverseAuthRequest()``.
  ///   - account: Holds the account's token.
  /// - Throws: ``LoginError``: the error that the account throws; ``LoginError/notEntitled(_:)``, also if the account's
  ///   app may not do this; ``LoginError/unexpectedResponse(_:_:)``.
  public func reverseAuth(
    _ request: DeviceAccountRequest, with account: some DeviceAccount
  ) async throws(LoginError) -> OAuth1Token {
    if Task.isCancelled { throw .cancelled }
    let response: RawResponse
    do throws(LoginError) { response = try await account.response(to: request) } catch {
      throw Self.explainedReverseAuth(error)
    }
    guard response.status.kind == .successful else {
      let error = APIError(rawResponse: response)
      let advice = "the provider refused the device account; log in there again"
      throw Self.explainedReverseAuth(
        .call(.authorization(AuthorizationError(.refused, advice: advice, response: error))))
    }
    return try token(of: response)
  }

  /// The text is the value of an `Authorization` field that was made for this app.
  private static func checkParameters(_ text: String, consumerKey: String, _ response: RawResponse) throws(LoginError) {
    guard text.hasPrefix("OAuth ") else { throw .unexpectedResponse("it has no signed parameters", response) }
    for name in ["oauth_nonce", "oauth_signature", "oauth_timestamp"] where !text.contains("\(name)=\"") {
      throw .unexpectedResponse("the signed parameters have no \(name)", response)
    }
    guard text.contains("oauth_consumer_key=\"\(PercentEncoding.encode(consumerKey))\"") else {
      throw .unexpectedResponse("the signed parameters are for another app", response)
    }
  }

  private static func explainedReverseAuth(_ error: LoginError) -> LoginError {
    guard let refusal = error.refusal, [401, 403].contains(refusal.status.code) else { return error }
    let text = String(decoding: refusal.body.prefix(4096), as: UTF8.self).lowercased()
    return refusal.has(code: 87) || refusal.has(code: 220) || text.contains("not permitted")
      ? .notEntitled(refusal) : error
  }
}

/// An account that sends signed requests for the app without showing the app its token: what `SLRequest` with an
/// `ACAccount` was.
public protocol DeviceAccount: Sendable {
  /// Sends a POST request with a form body, signed by OAuth 1.0a with the account's token and the consumer key that the
  /// token was issued to.
  ///
  /// - Returns: The response, whatever its status.
  /// - Throws: ``LoginError``, such as ``LoginError/denied`` if the user does not let the app use the account.
  func response(to request: DeviceAccountRequest) async throws(LoginError) -> RawResponse
}

/// The request that a ``DeviceAccount`` sends in the second phase of reverse auth. Anyone who has this request and the
/// account's token can get a token for the app, so it prints as `‹redacted›`.
///
/// You can encode it to send it from the app's process to the one that has the account. The encoding hides nothing, so
/// send it only where nobody else can read it.
public struct DeviceAccountRequest: Sendable, Codable {
  /// The URL that it goes to.
  public let url: String
  /// The fields of the form body, not encoded.
  public let form: [(name: String, value: String)]

  /// Describes a request that another process got from the provider.
  ///
  /// - Parameters:
  ///   - url: The URL that it goes to: the provider's ``OAuth1Provider/accessTokenURL``.
  ///   - form: The fields of the form body, not encoded: `x_reverse_auth_parameters` and `x_reverse_auth_target`.
  public init(url: String, form: [(name: String, value: String)]) {
    self.url = url
    self.form = form
  }

  private enum CodingKeys: CodingKey { case url, form }
  private struct Field: Codable { var name, value: String }

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    url = try container.decode(String.self, forKey: .url)
    form = try container.decode([Field].self, forKey: .form).map { ($0.name, $0.value) }
  }

  /// Writes the URL and the fields in their order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(url, forKey: .url)
    try container.encode(form.map { Field(name: $0.name, value: $0.value) }, forKey: .form)
  }
}

extension DeviceAccountRequest: RedactedStringConvertible {}

/// A device account that signs with a token and the consumer it was issued to.
public struct SigningAccount: DeviceAccount {
  private let app: Reference<OAuth1App>
  private let token: OAuth1Token

  /// Keeps the account's credentials.
  ///
  /// - Parameters:
  ///   - app: The app that the token was issued to.
  ///   - token: The account's token.
  public init(_ app: OAuth1App, token: OAuth1Token) {
    self.app = Reference(app)
    self.token = token
  }

  /// Signs and sends the request.
  ///
  /// It signs only the second phase of reverse auth, because the request may come from another process.
  ///
  /// - Throws: ``LoginError``, also if the provider refuses the request; ``LoginError/invalidSetup(_:)``, before
  ///   anything is sent, if it is another request or goes elsewhere than to the provider's
  ///   ``OAuth1Provider/accessTokenURL``.
  public func response(to request: DeviceAccountRequest) async throws(LoginError) -> RawResponse {
    guard request.url == app.value.provider.accessTokenURL,
      request.form.map(\.name).sorted() == ["x_reverse_auth_parameters", "x_reverse_auth_target"]
    else {
      throw .invalidSetup(
        "the account only signs requests from `reverseAuthRequest()` of the same provider; pass them on unchanged")
    }
    return try await app.value.request("oauth/access_token", at: request.url, token: token, fields: request.form)
  }
}

extension SigningAccount: RedactedStringConvertible {}
