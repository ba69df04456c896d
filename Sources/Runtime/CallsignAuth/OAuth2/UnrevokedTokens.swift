/// Tokens that were deleted, but could not be revoked at the provider yet.
///
/// They belong to a process and not to an ``OAuth2``, because a second logout mostly uses another value for the same
/// account. In a store, they would be a login again.
struct UnrevokedTokens: Sendable {
  /// The owner of tokens. With the endpoint in it, none goes to another provider than its own.
  struct Owner: Hashable, Sendable {
    let place: String
    let key: TokenKey
    let revokeURL: String
  }

  /// As many are remembered; then the oldest is let go.
  static let capacity = 1_000

  private var tokens: [(owner: Owner, token: StoredToken)] = []

  /// The number of tokens.
  var count: Int { tokens.count }

  mutating func add(_ token: StoredToken, of owner: Owner) {
    if tokens.count >= Self.capacity { tokens.removeFirst(tokens.count - Self.capacity + 1) }
    tokens.append((owner, token))
  }

  /// Takes out those of an owner, the oldest first.
  mutating func take(of owner: Owner) -> [StoredToken] {
    if tokens.isEmpty { return [] }
    let taken = tokens.filter { $0.owner == owner }.map(\.token)
    if !taken.isEmpty { tokens.removeAll { $0.owner == owner } }
    return taken
  }
}
