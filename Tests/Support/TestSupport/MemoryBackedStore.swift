import CallsignAuth

/// A token store of a test: one in memory, but for what the test's own does otherwise.
package protocol MemoryBackedStore: TokenStore {
  var memory: MemoryTokenStore { get }
}

extension MemoryBackedStore {
  package var place: String { memory.place }

  package func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? { try await memory.load(key) }

  package func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    try await memory.lease(key, lasting: duration)
  }

  package func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    try await memory.save(token, replacing: expected, under: lease)
  }

  package func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
    try await memory.delete(expected, under: lease)
  }
}
