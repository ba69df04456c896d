import CallsignHTTP
import CallsignSupport

/// The error of a request that cannot be signed.
public enum OAuth1SigningError: Error, Sendable, Hashable {
  /// The URL is not absolute, or its port is not valid.
  case url
  /// The realm has a control character.
  case realm
  /// The key or the hash function cannot be used.
  case cryptography(CryptographyError)
}

extension OAuth1SigningError: CallsignError {
  /// The problem and the advice, in one line.
  public var description: String {
    switch self {
    case .url: "the URL cannot be signed; \(advice)"
    case .realm: "the realm has a control character; \(advice)"
    case .cryptography(let error): error.description
    }
  }

  /// Advice on how to continue, in one sentence.
  public var advice: String {
    switch self {
    case .url: "give an absolute one, such as https://api.example/path"
    case .realm: "remove it"
    case .cryptography(let error): error.advice
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }
}
