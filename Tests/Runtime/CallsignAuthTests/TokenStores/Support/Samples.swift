import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation

/// A token with everything in it.
func sampleToken(_ name: String = "one") -> StoredToken {
  StoredToken(
    kind: .oauth2, accessToken: Secret("access-s3cr3t-\(name)"), tokenSecret: "token-s3cr3t",
    refreshToken: "refresh-s3cr3t", expires: Date(timeIntervalSinceReferenceDate: 817_000_000.123_456_7),
    scopes: ["tweet.read", "users.read"], clientID: "client", userID: "42", username: name)
}

extension TokenKey {
  static let sample = TokenKey(service: "api.example", account: "ann")
  /// The one that `TokenStoreProbe` uses.
  static let probe = TokenKey(service: "api.example", account: "probe")
}

/// The error that the work ends with, if it ends with one.
func storeError(_ work: () async throws -> Void) async -> TokenStoreError? {
  do { try await work() } catch { return error as? TokenStoreError }
  return nil
}
