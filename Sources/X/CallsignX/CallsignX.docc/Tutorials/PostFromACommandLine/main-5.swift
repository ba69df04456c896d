import CallsignLoopback

let account = OAuth2(clientID: "…", store: .file())
if try await !account.isAuthorized {
  let scopes: [OAuth2Scope] = [.tweetRead, .tweetWrite, .usersRead, .offlineAccess]
  try await account.logInOnCommandLine(scopes: scopes, port: 8765) {
    print("Open this page to log in:\n\($0.absoluteString)")
  }
}

let x = XAPI(auth: .oauth2(account))
let me = try await x.getUsersMe()
print("Logged in as @\(me.data.username); \(me.rateLimit?.remaining ?? 0) such calls are left.")

do {
  let reply = try await x.createPosts(text: "Hello from the command line")
  print("https://x.com/\(me.data.username)/status/\(reply.data.id)")
} catch {
  print(error)
  if let advice = error.advice { print("What to do: \(advice)") }
}
