import CallsignAuth
import CallsignX
import Foundation

// The blocks about coming from another library, word for word. Compiled, never run.

private struct Row {
  let token: Secret, tokenSecret: Secret, accessToken: Secret, refreshToken: Secret, expiry: Date
}

private func exchanged(_ row: Row) async throws {
  let old = OAuth1App(.x, key: "…", secret: "…").account("ann", store: .default)
  try await old.save(OAuth1Token(token: row.token, secret: row.tokenSecret))

  let account = OAuth2(clientID: "…", store: .default, account: "ann")
  if let token = try await old.token() {
    do {
      try await account.exchange(token)  // in the store, as after a login
    } catch {
      guard case .tokenRefused = error else { throw error }
      // Revoked: this person has to log in, with account.beginLogin(scopes:redirectURI:).
    }
  }
}

private func saved(_ row: Row) async throws -> XAPI {
  let account = OAuth2(clientID: "…", store: .default, account: "ann")
  try await account.save(
    StoredToken(
      kind: .oauth2, accessToken: row.accessToken, refreshToken: row.refreshToken, expires: row.expiry,
      scopes: ["tweet.read", "users.read", "offline.access"]))
  let x = XAPI(auth: .oauth2(account))

  return x
}
