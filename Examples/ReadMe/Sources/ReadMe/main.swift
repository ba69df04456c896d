// First calls of X's API as a program. It calls a sandbox in its own process, so it needs neither an account nor a network.
// Comments show what your program does differently to call X.

import CallsignX
import XSandbox

let sandbox = try await Sandbox.start()
let alice = sandbox.users.alice
let first = try await sandbox.addPost("just setting up", by: alice)
try await sandbox.addFollowers(3, to: alice)
let friends = try await sandbox.addList("friends", owner: alice, isPrivate: true)
let local = ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString))  // yours: none

// A bearer token reads what is public.
let app = XAPI(auth: .bearer(sandbox.app.bearerToken), configuration: local)  // yours: from the developer portal

let post = try await app.getPostsById(id: first, expansions: [.authorID])
print(post.data.text, post.rateLimit?.remaining ?? 0)  // the model, with the response at hand

for try await user in app.getUsersFollowersPages(id: alice.id, maxResults: 1000).items {
  print(user.username)
}

// To act for a user, log them in once. Yours: `store: .file()`, and a browser in place of `approve`.
let account = OAuth2(
  clientID: sandbox.app.clientID, clientSecret: sandbox.app.clientSecret.map { Secret($0) }, store: MemoryTokenStore())
let scopes: [OAuth2Scope] = [.tweetRead, .tweetWrite, .usersRead, .listRead, .listWrite, .offlineAccess]
let login = try account.beginLogin(scopes: scopes, redirectURI: "sandbox://", configuration: local)
if let redirect = try await sandbox.approve(login.url, as: alice).url {
  try await login.complete(redirect: redirect)
}
let x = XAPI(auth: .oauth2(account), configuration: local)

let reply = try await x.createPosts(text: "hello", replySettings: .following)
print(reply.data.id)

try await x.updateLists(id: friends, private: false)  // false is sent; leaving it out sends nothing
print(try await x.getListsById(id: friends, listFields: [.private]).data.private ?? true)

await sandbox.stop()
