import CallsignSupport

/// The refresh tokens that authenticators of this process are using up.
final class RequestsUnderWay: Sendable {
  private struct Request {
    let secret: Secret
    let key: TokenKey
    let place: String
  }

  private let requests = Locked<[ObjectIdentifier: Request]>([:])

  /// Notes the token that a source uses up, in place of the one before.
  func insert(_ secret: Secret, of key: TokenKey, in place: String, _ source: StoredTokenSource) {
    requests.withLock { $0[ObjectIdentifier(source)] = Request(secret: secret, key: key, place: place) }
  }

  /// Forgets the one that a source used up.
  func remove(_ source: StoredTokenSource) { requests.withLock { $0[ObjectIdentifier(source)] = nil } }

  /// Whether another source uses up a token of a store.
  func contains(_ secret: Secret, of key: TokenKey, in place: String, not source: StoredTokenSource) -> Bool {
    requests.withLock { requests in
      requests.contains { owner, request in
        owner != ObjectIdentifier(source) && request.key == key && request.place == place && request.secret == secret
      }
    }
  }
}
