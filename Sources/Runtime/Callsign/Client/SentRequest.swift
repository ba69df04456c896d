import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// A request that was sent, kept with its response, as errors about this must not show the credentials of that.
final class SentRequest: OriginalRequest {
  let url: AbsoluteURL
  let followsDoubt: Bool
  private let endpoint: CompiledEndpoint
  private let headerFields: HTTPFields
  private let query: String?
  private let pathValues: [TransportRequest.PathValue]
  /// The same without the parts that an authenticator has added.
  private let ownHeaderFields: HTTPFields
  private let ownQuery: String?
  private let redaction: Redaction

  /// - Parameters:
  ///   - sent: The request.
  ///   - own: The same without the authenticator's additions.
  ///   - url: The original URL, without credentials.
  ///   - endpoint: The call's endpoint.
  ///   - redaction: The parts that must not be shown.
  ///   - followsDoubt: Whether an earlier request may have carried the call out.
  init(
    _ sent: TransportRequest, own: TransportRequest, at url: AbsoluteURL, of endpoint: CompiledEndpoint,
    redaction: Redaction, followsDoubt: Bool
  ) {
    self.url = url
    self.endpoint = endpoint
    self.followsDoubt = followsDoubt
    headerFields = sent.headerFields
    query = sent.url.query
    pathValues = sent.pathValues
    ownHeaderFields = own.headerFields
    ownQuery = own.url.query
    self.redaction = redaction
  }

  var acceptedCredentials: String? { endpoint.credentials?.map(\.description).joined(separator: " | ") }

  /// The credentials as a response may repeat them: of header fields and query parameters that the authenticator has added, or
  /// that ``Redaction`` names, as it may those of the path.
  var secrets: RedactedTexts {
    var texts = redaction.secrets(in: pathValues).flatMap { [$0, PercentEncoding.decode($0) ?? ""] }
    for field in headerFields {
      let isCredential = [.authorization, .proxyAuthorization, .cookie].contains(field.name)
      guard isCredential || (redaction.hides(field) && !ownHeaderFields[values: field.name].contains(field.value))
      else { continue }
      texts += Self.secrets(in: field.value, isCookie: field.name == .cookie)
    }
    let own = Set((ownQuery ?? "").split(separator: "&"))
    for pair in (query ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let name = PercentEncoding.decode(parts[0]), !Self.harmless.contains(name),
        redaction.hides(parameter: name) || !own.contains(pair)
      else { continue }
      texts += [parts[1], PercentEncoding.decode(parts[1]) ?? ""]
    }
    return RedactedTexts(texts, mark: Redaction.mark)
  }

  /// Parameters of credentials that are not secret, and that an error may have to name.
  private static let harmless: Set<String> = [
    "algorithm", "oauth_callback", "oauth_signature_method", "oauth_timestamp", "oauth_version", "realm", "uri",
    "username",
  ]

  /// A field's value, the text after its scheme, its parameters' values, and the password of HTTP Basic.
  private static func secrets(in value: String, isCookie: Bool) -> [String] {
    var texts = [value]
    var rest = value[...]
    if !isCookie, let space = value.firstIndex(of: " ") {
      rest = value[value.index(after: space)...]
      texts.append(String(rest))
      if value.lowercased().hasPrefix("basic "), let account = Data(base64Encoded: String(rest)),
        let colon = account.firstIndex(of: UInt8(ascii: ":"))
      {
        // Some schemes encode name and password as a form does before (RFC 6749 §2.3.1).
        let password = String(decoding: account[(colon + 1)...], as: UTF8.self)
        texts += [password, PercentEncoding.decode(password) ?? ""]
      }
    }
    for pair in rest.split(whereSeparator: { ",; ".contains($0) }) {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, !harmless.contains(String(parts[0])) else { continue }
      let written = String(parts[1].drop { $0 == "\"" }.prefix { $0 != "\"" })
      texts += [written, PercentEncoding.decode(written) ?? ""]
    }
    return texts
  }
}
