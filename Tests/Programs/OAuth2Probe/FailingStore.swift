import CallsignAuth

/// A store with a save that fails at a fixed interval, and perhaps with short leases.
struct FailingStore: TokenStore {
  private let store: FileTokenStore
  private let every: Int
  private let longestLease: Duration?
  private let saves = Counter()

  private actor Counter {
    private var value = 0

    func next() -> Int {
      value += 1
      return value
    }
  }

  init(_ store: FileTokenStore, every: Int, longestLease: Duration?) {
    self.store = store
    self.every = every
    self.longestLease = longestLease
  }

  var place: String { store.place }

  func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? { try await store.load(key) }

  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    try await store.lease(key, lasting: min(duration, longestLease ?? duration))
  }

  func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    if every > 0, await saves.next().isMultiple(of: every) {
      throw TokenStoreError(.system, advice: "the disk is full; make room")
    }
    return try await store.save(token, replacing: expected, under: lease)
  }

  func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
    try await store.delete(expected, under: lease)
  }
}
