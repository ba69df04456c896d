/// The nonces that were used lately (RFC 5849 §3.3). Those whose timestamps are no longer accepted are forgotten.
struct NonceMemory: Sendable {
  private struct Use: Hashable {
    var consumerKey: String
    var token: String
    var timestamp: Int
    var nonce: String
  }

  private var uses: Set<Use> = []
  private var sweptAt = 0

  /// - Returns: whether this combination is new.
  mutating func remember(
    consumerKey: String, token: String, timestamp: Int, nonce: String, now: Int, window: Int
  ) -> Bool {
    if abs(now - sweptAt) > window {
      uses = uses.filter { abs(now - $0.timestamp) <= window }
      sweptAt = now
    }
    return uses.insert(Use(consumerKey: consumerKey, token: token, timestamp: timestamp, nonce: nonce)).inserted
  }
}
