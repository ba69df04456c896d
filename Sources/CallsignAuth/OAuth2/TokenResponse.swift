import Callsign
import CallsignHTTP
import CallsignJSON
import Foundation

/// What a token endpoint gave (RFC 6749 §5.1).
struct TokenResponse: Sendable {
  var accessToken: Secret
  var refreshToken: Secret?
  /// In seconds from when it was asked for.
  var lifetime: TimeInterval?
  /// `nil`: what was asked for.
  var scopes: Set<String>?

  /// What is believed of a lifetime; more than that is a mistake.
  private static let longestLifetime = 100.0 * 366 * 86400

  /// Reads a success.
  init(_ answer: RawResponse) throws(TokenEndpointError) {
    // The body is not passed on with an error: it may hold tokens.
    let shown = RawResponse(status: answer.status, headers: answer.headers)
    func invalid(_ what: String) -> TokenEndpointError { .unexpectedAnswer(what, shown) }

    guard let value = try? JSONValue(jsonData: answer.body), value.object != nil else {
      throw invalid("it is not a JSON object; check the token URL")
    }
    guard let access = value["access_token"]?.string, !access.isEmpty else { throw invalid("access_token is missing") }
    guard access.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw invalid("access_token has characters that no token has")
    }
    guard let type = value["token_type"]?.string else { throw invalid("token_type is missing") }
    guard type.lowercased() == "bearer" else {
      throw invalid("token_type is \(String(type.printable.prefix(40))), and only bearer tokens can be used")
    }
    accessToken = Secret(access)

    switch value["refresh_token"] {
    case nil, .null?, .string("")?: refreshToken = nil
    case .string(let text)?: refreshToken = Secret(text)
    default: throw invalid("refresh_token is no string")
    }
    switch value["expires_in"] {
    case nil, .null?: lifetime = nil
    case let number?:
      guard let seconds = number.double ?? number.string.flatMap(Double.init), seconds > 0,
        seconds <= Self.longestLifetime
      else { throw invalid("expires_in is no number of seconds to come") }
      lifetime = seconds
    }
    switch value["scope"] {
    case nil, .null?: scopes = nil
    case .string(let text)?: scopes = Set(text.split(separator: " ").map(String.init))
    default: throw invalid("scope is no string")
    }
  }

  /// The token to keep.
  ///
  /// - Parameters:
  ///   - clientID: Whom it was issued to.
  ///   - asked: When it was asked for; its lifetime counts from then, so that it never seems to live too long.
  ///   - requested: What it permits unless the answer says otherwise.
  func stored(kind: StoredToken.Kind, clientID: String, asked: Date, requested: Set<String>?) -> StoredToken {
    StoredToken(
      kind: kind, accessToken: accessToken, refreshToken: refreshToken, expires: lifetime.map { asked + $0 },
      scopes: scopes ?? requested, clientID: clientID)
  }
}
