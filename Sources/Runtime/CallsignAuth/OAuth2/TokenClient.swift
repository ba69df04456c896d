import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The client that asks for tokens: a public client, or a confidential one with a secret.
struct TokenClient: Sendable {
  let id: String
  let secret: Secret?
  let authentication: OAuth2Provider.ClientAuthentication
  /// The advice on an identifier or secret that was not copied cleanly; `nil` for clean ones.
  let copyingProblem: String?

  init(id: String, secret: Secret?, authentication: OAuth2Provider.ClientAuthentication = .basic) {
    self.id = id
    self.secret = secret
    self.authentication = authentication
    copyingProblem = CopiedText.problem(["client's identifier": id, "client's secret": secret?.reveal()])
  }

  /// The credentials of HTTP Basic, before base64: identifier and secret, each form-encoded first (RFC 6749 §2.3.1).
  func basicPair(_ secret: Secret) -> String {
    "\(PercentEncoding.encode(id)):\(PercentEncoding.encode(secret.reveal()))"
  }

  /// Says who asks.
  func identify(_ headers: inout HTTPFields, _ fields: inout [(name: String, value: String)]) {
    switch (secret, authentication) {
    case (let secret?, .basic): headers[.authorization] = "Basic \(Data(basicPair(secret).utf8).base64EncodedString())"
    case (let secret?, .body): fields += [("client_id", id), ("client_secret", secret.reveal())]
    case (nil, _): if !id.isEmpty { fields.append(("client_id", id)) }
    }
  }
}
