/// How an API signs its webhook deliveries: with an HMAC (RFC 2104) over the body, mostly together with the time.
///
/// The catalogue describes it, and the generated client has it. `WebhookVerifier` of `CallsignAuth` uses it to check
/// deliveries:
///
/// ```swift
/// let verifier = WebhookVerifier(Petstore.webhookSignature, secret: "…")
/// let adoption = try verifier.read(Petstore.Adoption.self, from: body, headers: headers)
/// ```
public struct WebhookSignature: Sendable, Hashable {
  /// A hash function.
  public enum Hash: String, Sendable, Hashable, CaseIterable {
    /// SHA-1.
    case sha1
    /// SHA-256.
    case sha256
    /// SHA-512.
    case sha512
  }

  /// How the secret encodes the key's bytes.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    /// The text of the secret itself.
    case text
    /// Base64 (RFC 4648 §4), after a prefix that ends with `_` if there is one: `whsec_…`.
    case base64
  }

  /// The header field that carries the signature.
  public var header: String
  /// The format of the field's value. `{hex}` or `{base64}` stands for the signature and `{timestamp}` for the time:
  /// `sha256={hex}`, `t={timestamp},v1={hex}`. Several signatures are separated by spaces or commas.
  public var format: String
  /// The signed text, made up of `{body}`, `{timestamp}`, `{id}` and other characters.
  public var message: String
  /// The header field with the time in seconds since 1970, if the signature's field does not have it.
  public var timestampHeader: String?
  /// The header field with the delivery's id, if the id is signed.
  public var idHeader: String?
  /// The hash function of the HMAC.
  public var hash: Hash
  /// How the secret encodes the key's bytes.
  public var key: Key

  /// Describes a scheme; see the properties.
  public init(
    header: String, format: String, message: String = "{body}", timestampHeader: String? = nil, idHeader: String? = nil,
    hash: Hash = .sha256, key: Key = .text
  ) {
    self.header = header
    self.format = format
    self.message = message
    self.timestampHeader = timestampHeader
    self.idHeader = idHeader
    self.hash = hash
    self.key = key
  }

  /// Standard Webhooks 1.0 (https://www.standardwebhooks.com).
  public static let standard = WebhookSignature(
    header: "webhook-signature", format: "v1,{base64}", message: "{id}.{timestamp}.{body}",
    timestampHeader: "webhook-timestamp", idHeader: "webhook-id", key: .base64)
}
