import CallsignHTTP
import Foundation

/// A signed request's parts.
public struct OAuth1Signature: Sendable, Hashable {
  /// What was signed (RFC 5849 §3.4.1). It holds the request's parameters, but no secret.
  public let baseString: String
  /// `oauth_signature`, not encoded.
  public let signature: String
  /// The value of the `Authorization` field.
  public let authorization: String
}

extension OAuth1Signature: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone: whoever has the signature can send the request.
  public var description: String { "OAuth1Signature(\(Secret.redacted))" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Why a request cannot be signed.
public enum OAuth1SigningError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The URL is not absolute, or has a port that is none.
  case url
  /// The realm has a control character.
  case realm
  /// The key or the hash function cannot be used.
  case cryptography(CryptographyError)

  /// What to do about it, in one sentence.
  public var description: String {
    switch self {
    case .url: "the URL cannot be signed; give an absolute one, such as https://api.example/path"
    case .realm: "the realm has a control character; remove it"
    case .cryptography(let error): error.description
    }
  }
}

/// What signing a request comes to, before it is put anywhere.
struct OAuth1SignedRequest: Sendable {
  let baseString: [UInt8]
  let signature: String
  /// The protocol parameters, the signature last.
  let parameters: [(name: String, value: String)]

  /// The protocol parameters as a query or a form body holds them.
  var urlEncoded: String { FormFields.encode(parameters) }
}
