import CallsignLoopback

let account = OAuth2(clientID: "…", store: .file())
if try await !account.isAuthorized {
  let scopes: [OAuth2Scope] = [.tweetRead, .tweetWrite, .usersRead, .offlineAccess]
  try await account.logInOnCommandLine(scopes: scopes, port: 8765) {
    print("Open this page to log in:\n\($0.absoluteString)")
  }
}
