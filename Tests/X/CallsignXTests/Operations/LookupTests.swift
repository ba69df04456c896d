import Callsign
import CallsignX
import TestSupport
import Testing

@Suite("Looking up many users, and acting as the signed-in user") struct LookupTests {
  @Test("Users are looked up a hundred at a time, in the order of the request") func users() async throws {
    try await withSession { (session) async throws in
      let gone = (0..<120).map { "9\(100_000 + $0)" }
      let ids = [session.bob.id] + gone + [session.alice.id, session.bob.id]
      let users = try await session.x.users(ids: ids, fields: [.createdAt])
      #expect(users.found.map(\.id) == [session.bob.id, session.alice.id, session.bob.id])
      #expect(users.found.allSatisfy { $0.createdAt != nil })
      #expect(users.missing == gone)
      #expect(users.problems.count == gone.count)
      #expect(await session.requests() == ["GET /2/users", "GET /2/users"])

      let named = try await session.x.users(usernames: [session.carol.username.uppercased(), "nobody_at_all"])
      #expect(named.found.map(\.id) == [session.carol.id])
      #expect(named.missing == ["nobody_at_all"])
      #expect(try await session.x.users(ids: []).found.isEmpty)
      #expect(await session.requests().count == 3)
    }
  }

  @Test("The things that posts refer to are gathered from all responses, each once") func posts() async throws {
    try await withSession { (session) async throws in
      var ids: [String] = []
      for number in 0..<150 {
        ids.append(
          try await session.sandbox.addPost(
            "post \(number)", by: number.isMultiple(of: 2) ? session.alice : session.bob))
      }
      let posts = try await session.x.posts(ids: ids.reversed(), expansions: [.authorID])
      #expect(posts.found.map(\.id) == ids.reversed())
      #expect(posts.includes.users.map(\.id).sorted() == [session.alice.id, session.bob.id].sorted())
      #expect(posts.found[0].author(in: posts.includes)?.id == session.bob.id)
      #expect(posts.missing.isEmpty && posts.problems.isEmpty)
    }
  }

  @Test("Fields are requested for everything that posts refer to") func fields() async throws {
    let transport = InMemoryTransport { _ in .json(#"{"data":[{"id":"1","text":"t"}]}"#) }
    let x = XAPI(auth: .bearer("token"), configuration: ClientConfiguration(transport: transport))
    _ = try await x.posts(
      ids: ["1"], fields: [.text], expansions: [.attachmentsPollIDs], userFields: [.name], mediaFields: [.url],
      pollFields: [.options], placeFields: [.country])
    let query = transport.requests.first?.url.query ?? ""
    for part in ["post.fields=text", "user.fields=name", "media.fields=url", "poll.fields=options"] {
      #expect(query.contains(part), "\(query)")
    }
    #expect(query.contains("place.fields=country"), "\(query)")
  }

  @Test("If no user of a call is known, they are missing, and the others are found") func nobody() async throws {
    try await withSession { (session) async throws in
      let gone = (0..<100).map { "9\(100_000 + $0)" }
      let users = try await session.x.users(ids: gone + [session.bob.id])
      #expect(users.found.map(\.id) == [session.bob.id])
      #expect(users.missing == gone)
      #expect(users.problems.count == gone.count)
      #expect(try await session.x.users(usernames: ["nobody_at_all"]).missing == ["nobody_at_all"])
    }
  }

  @Test("A call that fails ends the lookup") func failing() async throws {
    try await withSession { (session) async throws in
      let anonymous = XAPI(auth: .bearer("wrong"), configuration: session.x.client.configuration)
      let error = await failure { () throws(CallError) in try await anonymous.users(ids: ["1"]) }
      #expect(error != nil)
    }
  }

  @Test("The signed-in user is requested once, and likes, reposts and follows without naming their id")
  func me() async throws {
    try await withSession { (session) async throws in
      let me = try await session.x.me(fields: [.createdAt])
      #expect(me.id == session.alice.id && me.user.createdAt != nil)
      let post = try await session.x.getPostsById(id: try await session.sandbox.addPost("hello", by: session.bob)).data
      let bob = try await session.x.getUsersById(id: session.bob.id).data
      #expect(try await me.like(post).data.liked == true)
      #expect(try await me.unlike(post).data.liked == false)
      try await me.repost(post)
      try await me.unrepost(post)
      try await me.follow(bob)
      #expect(try await me.unfollow(bob).data.following == false)
      let asked = await session.requests().filter { $0 == "GET /2/users/me" }
      #expect(asked.count == 1)
    }
  }

  @Test("The signed-in user bookmarks and mutes, and follows and pins lists, without naming their id")
  func meWithPostsUsersAndLists() async throws {
    try await withSession { (session) async throws in
      // Bookmarks take no OAuth 1.0a.
      let x = session.api(.userToken(Secret(session.alice.oauth2AccessToken)))
      let me = try await x.me()
      let post = try await x.getPostsById(id: try await session.sandbox.addPost("hello", by: session.bob)).data
      let bob = try await x.getUsersById(id: session.bob.id).data
      let list = try await x.getListsById(id: try await session.sandbox.addList("birds", owner: session.bob)).data
      let folder = try await x.createUsersBookmarkFolder(id: me.id, name: "later").data.id
      let before = await session.sandbox.requests().count

      #expect(try await me.bookmark(post).data.bookmarked == true)
      #expect(try await me.bookmark(post, folderID: folder).data.bookmarked == true)
      #expect(try await me.removeBookmark(of: post).data.bookmarked == false)
      #expect(try await me.mute(bob).data.muting == true)
      #expect(try await me.unmute(bob).data.muting == false)
      #expect(try await me.follow(list).data.following == true)
      #expect(try await me.unfollow(list).data.following == false)
      #expect(try await me.pin(list).data.pinned == true)
      #expect(try await me.unpin(list).data.pinned == false)

      let user = "/2/users/\(session.alice.id)"
      let requests = await session.sandbox.requests().dropFirst(before)
      let lines: [String] = [
        "POST \(user)/bookmarks", "POST \(user)/bookmarks", "DELETE \(user)/bookmarks/\(post.id)",
        "POST \(user)/muting", "DELETE \(user)/muting/\(bob.id)", "POST \(user)/followed_lists",
        "DELETE \(user)/followed_lists/\(list.id)", "POST \(user)/pinned_lists",
        "DELETE \(user)/pinned_lists/\(list.id)",
      ]
      #expect(requests.map { "\($0.method) \($0.path)" } == lines)
      let bodies: [JSONValue] = [
        ["tweet_id": .string(post.id)], ["tweet_id": .string(post.id), "folder_id": .string(folder)],
        ["target_user_id": .string(bob.id)], ["list_id": .string(list.id)], ["list_id": .string(list.id)],
      ]
      let sent = try requests.filter { $0.method == "POST" }.map { try JSONValue(jsonData: $0.body) }
      #expect(sent == bodies)
      #expect(requests.filter { $0.method == "DELETE" }.allSatisfy { $0.body.isEmpty })
    }
  }

  @Test("The signed-in user is cached per client, and requested again if more is needed or credentials change")
  func meIsKnown() async throws {
    try await withSession { (session) async throws in
      func asked() async -> Int { await session.requests().count { $0 == "GET /2/users/me" } }
      let x = session.x
      #expect(try await x.me().id == session.alice.id)
      #expect(try await XAPI(client: x.client).me().user.username == session.alice.username)
      #expect(await asked() == 1)
      #expect(try await x.me(fields: [.createdAt, .description]).user.createdAt != nil)
      #expect(try await x.me(fields: [.createdAt]).user.createdAt != nil)
      #expect(try await x.me().id == session.alice.id)
      #expect(await asked() == 2)
      _ = try await x.me(refreshes: true)
      #expect(await asked() == 3)
      let bob = session.bob
      let other = x.with(
        auth: .oauth1(
          OAuth1(
            consumerKey: session.sandbox.app.consumerKey, consumerSecret: Secret(session.sandbox.app.consumerSecret),
            token: bob.accessToken, tokenSecret: Secret(bob.accessTokenSecret))))
      #expect(try await other.me().id == bob.id)
      #expect(try await x.me().id == session.alice.id)
      #expect(await asked() == 4)
    }
  }

  @Test("After another account has logged in under the same credentials, that one is meant")
  func meAfterAnotherLogin() async throws {
    try await withSession { (session) async throws in
      let store = MemoryTokenStore()
      let app = OAuth1App(
        .x, key: session.sandbox.app.consumerKey, secret: Secret(session.sandbox.app.consumerSecret))
      let account = app.account(store: store)
      let x = session.api(account)
      for user in [session.alice, session.bob] {
        // In another part of the program.
        try await app.account(store: store).save(
          OAuth1Token(token: Secret(user.accessToken), secret: Secret(user.accessTokenSecret)))
        for _ in 0..<2 { #expect(try await x.me().id == user.id) }
      }
      #expect(await session.requests() == ["GET /2/users/me", "GET /2/users/me"])
    }
  }

  @Test("A search that was built finds the posts that it describes") func search() async throws {
    try await withSession { (session) async throws in
      let wanted = try await session.sandbox.addPost("a swift bird", by: session.bob)
      try await session.sandbox.addPost("a swift fox", by: session.alice)
      let query: SearchQuery = "swift" && .from(session.bob.username) && !.isReply
      let posts = try await session.x.searchPostsRecent(query: query.text()).data
      #expect(posts.map(\.id) == [wanted])
      #expect(
        try StreamRule(query, tag: "birds") == StreamRule("swift from:\(session.bob.username) -is:reply", tag: "birds"))
      #expect(throws: SearchQueryError.self) { try StreamRule(SearchQuery.words("…")) }
    }
  }
}
