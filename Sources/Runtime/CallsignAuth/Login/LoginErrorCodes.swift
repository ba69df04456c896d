import Callsign

/// The error codes of a provider that logins and signatures must react to. They are part of a provider's description;
/// by default there are none, and only the codes of the standards count.
public struct LoginErrorCodes: Sendable, Hashable {
  /// The timestamp of a signature is too far from the provider's time.
  public var timestampRefused: Set<Int>
  /// The token has expired or was made invalid.
  public var unknownToken: Set<Int>
  /// Too many requests, whatever they were.
  public var rateLimited: Set<Int>
  /// The callback URL is not one that the app has registered.
  public var callbackRefused: Set<Int>
  /// The app's key or secret, or a signature made with them, is not accepted.
  public var consumerRefused: Set<Int>

  /// Names codes; none by default.
  public init(
    timestampRefused: Set<Int> = [], unknownToken: Set<Int> = [], rateLimited: Set<Int> = [],
    callbackRefused: Set<Int> = [], consumerRefused: Set<Int> = []
  ) {
    self.timestampRefused = timestampRefused
    self.unknownToken = unknownToken
    self.rateLimited = rateLimited
    self.callbackRefused = callbackRefused
    self.consumerRefused = consumerRefused
  }

  /// Whether an error's response has one of the codes.
  func means(_ error: APIError, _ codes: KeyPath<Self, Set<Int>>) -> Bool {
    self[keyPath: codes].contains(where: error.has(code:))
  }
}
