import Callsign
import CallsignAuth
import CallsignCLICredentials
import CallsignLoopback
import CallsignX
import Foundation

// The blocks about logins, word for word. Compiled, never run.

private func commandLine() async throws -> [XAPI] {
  let oauth2 = OAuth2(clientID: "…", store: .file())
  if try await !oauth2.isAuthorized {
    let scopes: [OAuth2Scope] = [.tweetRead, .tweetWrite, .usersRead, .mediaWrite, .offlineAccess]
    try await oauth2.logInOnCommandLine(scopes: scopes, port: 8765) {
      print("Open this page to log in:\n\($0.absoluteString)")
    }
  }
  let x = XAPI(auth: .oauth2(oauth2))  // the next run needs only this
  let bob = x.with(auth: .oauth2(oauth2.account("bob")))

  return [x, bob]
}

private func severalCredentials() -> XAPI {
  let both = XAPI(auth: [
    OAuth1(consumerKey: "…", consumerSecret: "…", token: "…", tokenSecret: "…"),
    Bearer("…"),
  ])
  return both
}

private func browser(redirect: URL) async throws -> XAPI {
  let account = OAuth2(clientID: "…", store: .default)
  let scopes: [OAuth2Scope] = [.tweetRead, .tweetWrite, .usersRead, .offlineAccess]
  let login = try account.beginLogin(scopes: scopes, redirectURI: "myapp://login")
  // Open login.url in a browser, and when the system hands the redirect to the app:
  try await login.complete(redirect: redirect)
  let x = XAPI(auth: .oauth2(account))

  return x
}

private func pin() async throws -> XAPI {
  let app = OAuth1App(.x, key: "…", secret: "…")
  let login = try await app.pin()
  print("Open \(login.url) and type in the PIN:")
  let token = try await login.complete(pin: readLine() ?? "")

  let account = app.account(store: .file())
  try await account.save(token)
  let x = XAPI(auth: account)

  return x
}

private func others(password: Secret, device: SigningAccount, app: OAuth1App, credentials: OAuth1) async throws -> [Any]
{
  let byPassword = try await app.xAuth(username: "ann", password: password)
  let byDevice = try await app.reverseAuth(with: device)
  let echo = try await credentials.echo()  // headers for a third party that wants to know who calls

  return [byPassword, byDevice, echo]
}

private func apps() -> [XAPI] {
  let app = XAPI(auth: .appOnly(AppOnly(consumerKey: "…", consumerSecret: "…")))  // fetches the bearer token, once
  let given = XAPI(auth: .bearer("…"))

  return [app, given]
}

private func givenTokens(vault: Vault) -> [XAPI] {
  let user = XAPI(auth: .userToken("…"))  // acts for a user; scopes: ["tweet.read"] where you know them
  let fetched = XAPI(auth: Bearer { try await vault.secret("x-bearer-token") })  // a vault's, asked for each attempt

  return [user, fetched]
}

private struct Vault: Sendable {
  func secret(_ name: String) async throws -> Secret { "" }
}

private func handedOn(oauth2: OAuth2, show: (String) -> Void) async throws -> [Any] {
  let token = try await oauth2.token()  // valid now, refreshed if need be
  let next = try await oauth2.refresh()  // another, however good this one is
  for await state in oauth2.states {
    if case .lost = state { show("Please log in again.") }
  }

  return [token, next]
}

private func pending(oauth2: OAuth2, scopes: [OAuth2Scope], cookie: String, redirect: URL) async throws -> String {
  let key = try SealingKey("a random secret that all processes of the server have")
  let login = try oauth2.beginLogin(scopes: scopes, redirectURI: "https://app.example/callback")
  let value = try login.pending.sealed(by: key)  // into a cookie: Secure, HttpOnly, SameSite=Lax

  let pending = try PendingLogin(unsealing: cookie, by: key)  // in any process that gets the redirect
  try await oauth2.resume(pending).complete(redirect: redirect)

  return value
}

private func pasted(oauth2: OAuth2, scopes: [OAuth2Scope]) async throws {
  try await oauth2.logInOnCommandLine(scopes: scopes, pasted: LoopbackRedirect.standardInput) {
    print("Open this page to log in, and paste the final address of the browser:\n\($0.absoluteString)")
  }
}

private func flickr() async throws -> OAuth1Authorization {
  let flickr = OAuth1Provider(
    requestTokenURL: "https://www.flickr.com/services/oauth/request_token",
    authorizeURL: "https://www.flickr.com/services/oauth/authorize",
    accessTokenURL: "https://www.flickr.com/services/oauth/access_token", hosts: ["*.flickr.com"])
  let login = try await OAuth1App(flickr, key: "…", secret: "…").pin(options: .init(parameters: ["perms": "read"]))

  return login
}

private func otherAPIs(file: URL) throws -> [Any] {
  let basic = HTTPBasic(username: "ann", password: "…", hosts: ["api.example.com"])
  let digest = HTTPDigest(username: "ann", password: "…", hosts: ["api.example.com"])
  let certificate = try ClientCertificate(pkcs12: file, password: "…", hosts: ["api.example.com"])
  let transport = DefaultTransport.make(configuration: TransportConfiguration(clientCertificates: [certificate]))

  let account = HTTPBasicAccount(service: "api.example.com", store: .file(), hosts: ["api.example.com"]) { prompt in
    print(prompt.wasRefused ? "Wrong password. Once more for" : "Log in to", prompt.server)
    return (readLine() ?? "", Secret(readLine() ?? ""))
  }

  return [basic, digest, transport, account]
}

private func machine() async throws -> XAPI {
  let accounts = try await CLIAccounts.read()  // ~/.xurl, ~/.twurlrc; never written
  let x = XAPI(auth: try accounts.preferred().authenticators())

  return x
}
