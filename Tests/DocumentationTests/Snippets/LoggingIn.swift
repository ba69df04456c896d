import Callsign
import CallsignAuth
import CallsignCLICredentials
import CallsignLoopback
import CallsignX
import Foundation

// The blocks about logins, word for word. Compiled, never run.

private func commandLine() async throws -> [XAPI] {
  let oauth2 = OAuth2(clientID: "…", store: .default)
  if try await !oauth2.isAuthorized {
    let scopes: [OAuth2Scope] = [.tweetRead, .tweetWrite, .usersRead, .listWrite, .offlineAccess]
    try await oauth2.logInOnCommandLine(scopes: scopes, port: 8765) {
      print("Open this page to log in:\n\($0.absoluteString)")
    }
  }
  let x = XAPI(auth: .oauth2(oauth2))  // the next run needs only this
  let bob = x.with(auth: .oauth2(oauth2.account("bob")))

  return [x, bob]
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

  let account = app.account(store: .default)
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

private func otherAPIs(file: URL) throws -> [Any] {
  let basic = HTTPBasic(username: "ann", password: "…", hosts: ["api.example.com"])
  let digest = HTTPDigest(username: "ann", password: "…", hosts: ["api.example.com"])
  let certificate = try ClientCertificate(pkcs12: file, password: "…", hosts: ["api.example.com"])
  let transport = DefaultTransport.make(configuration: TransportConfiguration(clientCertificates: [certificate]))

  return [basic, digest, transport]
}

private func machine() async throws -> XAPI {
  let accounts = try await CLIAccounts.read()  // ~/.xurl, ~/.twurlrc; never written
  let x = XAPI(auth: try accounts.preferred().authenticators())

  return x
}
