import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The token in a response of a token endpoint (RFC 6749 §5.1).
struct TokenResponse: Sendable {
  var accessToken: Secret
  var refreshToken: Secret?
  /// In seconds from the request.
  var lifetime: TimeInterval?
  /// `nil`: the requested scopes.
  var scopes: Set<String>?

  /// Reads a success.
  ///
  /// - Parameter hidden: Secrets of the request, which must not appear in the error's text.
  init(_ response: RawResponse, hiding hidden: RedactedTexts) throws(TokenEndpointError) {
    // The body is not passed on with an error: it may hold tokens.
    let shown = RawResponse(status: response.status, headers: response.headers)
    var refreshToken: Secret?
    func invalid(_ what: String) -> TokenEndpointError { .unexpectedResponse(what, shown, refreshToken: refreshToken) }

    guard let value = Self.members(of: response.body) else {
      refreshToken = Self.refreshToken(within: response.body)
      throw invalid("it is not a JSON object; check the token URL")
    }
    // Read first: whatever else is wrong with the response, the refresh token before this one may be spent.
    if let text = value["refresh_token"]?.string, !text.isEmpty {
      guard Self.isRefreshToken(text) else { throw invalid("refresh_token has characters that no token has") }
      refreshToken = Secret(text)
    }
    guard let access = value["access_token"]?.string, !access.isEmpty else {
      // Some refuse with a status of success. Their words are left out, as they may quote the request.
      if refreshToken == nil, let code = value["error"]?.string, !code.isEmpty {
        throw TokenEndpointError(hidden.removed(from: code), description: nil, APIError(rawResponse: shown))
      }
      throw invalid("access_token is missing")
    }
    guard access.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw invalid("access_token has characters that no token has")
    }
    // Required by RFC 6749, and left out by some who give out nothing but bearer tokens.
    if let type = value["token_type"]?.string, type.lowercased() != "bearer" {
      // The issued tokens must not be shown either.
      let given = RedactedTexts([access, refreshToken?.reveal() ?? ""], mark: Secret.redacted)
      let shown = given.removed(from: hidden.removed(from: type)).printable.prefix(40)
      throw invalid("token_type is \(String(shown)), and only bearer tokens can be used")
    }
    accessToken = Secret(access)
    self.refreshToken = refreshToken

    // A token that expires, though nothing says when, is renewed when it is refused.
    lifetime = StoredToken.lifetime(
      value["expires_in"].flatMap { $0.double ?? $0.string.flatMap(Double.init(written:)) })
    switch value["scope"] {
    case .string(let text)?: scopes = Self.scopes([text])
    case .array(let elements)?: scopes = Self.scopes(elements.compactMap(\.string))
    default: scopes = nil
    }
    if scopes?.isEmpty == true { scopes = nil }
  }

  /// The scopes in texts. Some providers put commas between them, which a scope may have in itself, so both readings count.
  private static func scopes(_ texts: [String]) -> Set<String> {
    let words = texts.flatMap { $0.split(separator: " ") }
    return Set((words + words.flatMap { $0.split(separator: ",") }).map(String.init))
  }

  /// The members of a response: a JSON object as it should be, also behind a byte order mark, or the form that some
  /// providers respond with.
  private static func members(of body: Data) -> JSONValue? {
    let body = Data(body.withoutByteOrderMark)
    if let value = try? JSONValue(jsonData: body) { return value.object.map { _ in value } }
    let text = String(decoding: body, as: UTF8.self).trimmingWhitespace()
    let form = FormFields(text)
    guard form.value("access_token") != nil else { return nil }
    let names = ["access_token", "refresh_token", "token_type", "expires_in", "scope"]
    let members = names.compactMap { name in form.value(name).map { (name, JSONValue.string($0)) } }
    return .object(Dictionary(members) { first, _ in first })
  }

  /// The refresh token in a response that cannot be read as a whole, such as one with a remark behind its JSON: the one
  /// before it may be spent.
  private static func refreshToken(within body: Data) -> Secret? {
    guard let name = body.firstRange(of: Data(#""refresh_token""#.utf8)) else { return nil }
    let rest = body[name.upperBound...].drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard rest.first == UInt8(ascii: ":") else { return nil }
    let value = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard value.first == UInt8(ascii: "\""), let end = value.dropFirst().firstIndex(of: UInt8(ascii: "\"")),
      let text = (try? JSONValue(jsonData: Data(value[...end])))?.string, !text.isEmpty, isRefreshToken(text)
    else { return nil }
    return Secret(text)
  }

  /// Whether a text has only characters that a refresh token may have (RFC 6749 §A.17).
  private static func isRefreshToken(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

  /// The token to keep.
  ///
  /// - Parameters:
  ///   - clientID: The client that it was issued to.
  ///   - asked: The time of the request. The lifetime counts from then, so that it is never overestimated.
  ///   - requested: The scopes of the token, unless the response states others.
  func stored(kind: StoredToken.Kind, clientID: String, asked: Date, requested: Set<String>?) -> StoredToken {
    StoredToken(
      kind: kind, accessToken: accessToken, refreshToken: refreshToken, expires: lifetime.map { asked + $0 },
      lifetime: lifetime,
      scopes: scopes ?? requested, clientID: clientID)
  }
}
