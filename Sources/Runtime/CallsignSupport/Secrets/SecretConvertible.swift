/// A text that can be kept as a ``Secret``: a `String` that a program has from elsewhere, or a ``Secret``.
public protocol SecretConvertible: Sendable {
  /// The text as a secret.
  func makeSecret() -> Secret
}

extension Secret: SecretConvertible {
  /// The secret itself.
  public func makeSecret() -> Secret { self }

  /// Keeps a text that may be a secret already.
  public init(_ text: any SecretConvertible) { self = text.makeSecret() }
}

extension String: SecretConvertible {
  /// The text as a secret. The text itself stays as it is: let go of it where you can.
  public func makeSecret() -> Secret { Secret(self) }
}
