import XAPI

/// Compiled, never run.
private func firstCalls() async throws {
  let x = XAPI(
    auth: .oauth1(
      OAuth1(
        consumerKey: "…", consumerSecret: "…",
        token: "…", tokenSecret: "…")))

  let reply = try await x.createPosts(replySettings: .following, text: "hello")
  print(reply.data.id, reply.rateLimit?.remaining ?? 0)

  _ = try await x.updateLists(id: "84839422", private: false)  // false is sent; leaving it out sends nothing

  for try await user in x.getUsersFollowersPages(id: "2244994945", maxResults: 1000).items {
    print(user.username)
  }
}
