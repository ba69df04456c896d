import CallsignX
import XSandbox

// The blocks of README.md, word for word. Compiled, never run.

private func firstCalls() async throws {
  let x = XAPI(auth: .bearer("…"))  // the app's token, from the developer portal

  let post = try await x.getPostsById(id: "20", expansions: [.authorID])
  print(post.data.text, post.rateLimit?.remaining ?? 0)  // the model, with the response at hand

  for try await user in x.getUsersFollowersPages(id: "2244994945", maxResults: 1000).items {
    print(user.username)
  }
}

private func callsForAUser() async throws {
  let x = XAPI(auth: .oauth2(OAuth2(clientID: "…", store: .file())))

  let reply = try await x.createPosts(text: "hello", replySettings: .following)
  print(reply.data.id)

  try await x.updateLists(id: "84839422", private: false)  // false is sent; leaving it out sends nothing
}

private func fieldsAndExpansions(_ x: XAPI) async throws {
  let post = try await x.getPostsById(
    id: "20", postFields: [.createdAt, .publicMetrics], expansions: [.authorID], userFields: [.username])
  print(post.data.text, post.includes?.users.first?.username ?? "")
  print(post.status, post.headers[.date] ?? "", post.body.count)
}

private func freeCalls(_ x: XAPI) async throws {
  let response = try await x.call(.get, "2/users/me", query: ["user.fields": "created_at"])
  print(response.value["data"]?["username"]?.string ?? "")
}

private func errors(_ x: XAPI) async {
  do {
    try await x.likePost(id: "2244994945", tweetID: "20")
  } catch {
    switch error {
    case .rateLimited(let limit, _): print("again at", limit?.reset ?? .distantFuture)
    case .authorization(let error): print(error.advice)
    case .api(let error): print(error.status, error.problems.map { $0.detail ?? "" })
    case .mayHaveSucceeded: print("the response was lost: look before you repeat it")
    case .unreadableResult: print("done, though the response cannot be read")
    default: print(error)  // one line, fit for a log: no secrets, no bodies
    }
  }
}

private func pagesAndStreams(_ x: XAPI) async throws {
  let followers = x.getUsersFollowersPages(id: "2244994945", maxResults: 1000)
  for try await page in followers.limit(3) {
    print(page.data.count, page.meta?.nextToken ?? "the last one")
  }

  for try await event in x.streamPosts(tweetFields: [.createdAt]) {  // reconnects by itself
    switch event {
    case .value(let post): print(post.data.text)
    case .undecodable(let record): print(record.error, record.problems)
    }
  }
}

private func severalCredentials() -> XAPI {
  let both = XAPI(auth: [
    OAuth1(consumerKey: "…", consumerSecret: "…", token: "…", tokenSecret: "…"),
    Bearer("…"),
  ])
  return both
}

private func localServer() async throws -> XAPI.User? {
  let sandbox = try await Sandbox.start()
  let alice = sandbox.users.alice
  let local = XAPI(
    auth: .oauth1(
      OAuth1(
        consumerKey: sandbox.app.consumerKey, consumerSecret: Secret(sandbox.app.consumerSecret),
        token: alice.accessToken, tokenSecret: Secret(alice.accessTokenSecret))),
    configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))

  await sandbox.inject(.status(503), for: "GET /2/users/me", times: 3)
  let me = try? await local.getUsersMe()  // nil: it failed three times
  await sandbox.stop()
  return me?.data
}
