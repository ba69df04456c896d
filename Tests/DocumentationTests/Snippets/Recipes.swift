import CallsignX
import Foundation

// The blocks of Recipes.md, word for word. Compiled, never run.

private func replies(_ x: XAPI) async throws {
  let post = try await x.getPostsById(id: "20").data
  let reply = try await x.createPosts(text: "welcome", reply: .init(inReplyToTweetID: post.id))
  let quote = try await x.createPosts(text: "Look at this.", quoteTweetID: post.id)
  print(reply.data.id, quote.data.id)
}

private func search(_ x: XAPI) async throws {
  let query: SearchQuery = (.hashtag("swift") || .phrase("result builders")) && !.isRepost && .language("en")
  let text = try query.text()
  for try await page in x.searchPostsRecentPages(query: text, maxResults: 100, expansions: [.authorID]).limit(300) {
    for post in page.data { print(post.author(in: page.includes)?.username ?? "", post.text) }
  }
}

private func allLikes(_ x: XAPI) async throws {
  let me = try await x.me()
  var liked: [XAPI.Post] = []
  for try await post in x.getUsersLikedPostsPages(id: me.id, maxResults: 100).items { liked.append(post) }

  var options = CallOptions()
  options.rateLimitPolicy = .wait(upTo: .seconds(86_400))
  for post in liked { try await me.unlike(post, options: options) }
}

private func oneMoreRule(_ x: XAPI) async throws {
  let rule = StreamRule("#swift lang:en -is:retweet", tag: "swift")
  let change = try await x.streamRules.add([rule])
  for problem in change.problems { print(problem.title ?? "", problem.detail ?? "") }
  for rule in try await x.streamRules.all() { print(rule.id ?? "", rule.value ?? "", rule.tag ?? "") }
}

private func images(_ x: XAPI, picture: URL) async throws {
  let first = try await x.upload(file: picture, altText: "A cat on a keyboard")
  let second = try await x.upload(file: picture, altText: "The same cat, asleep")
  try await x.createPosts(text: "cats", media: .init(mediaIDs: [first.id, second.id]))
}

private func otherAccounts(_ x: XAPI) async throws {
  let me = try await x.me()
  let bob = try await x.getUsersByUsername(username: "bob").data
  try await me.follow(bob)
  try await me.mute(bob)
}

private func newEndpoint(_ x: XAPI) async throws {
  let response = try await x.call(.get, "2/users/me", query: ["user.fields": "created_at"])
  print(response.value["data"]?["created_at"]?.string ?? "", response.rateLimit?.remaining ?? 0)

  let created = try await x.call(.post, "2/tweets", body: .json(["text": "Posted by path"]))
  print(created.value["data"]?["id"]?.string ?? "")
}

private func largeVideo(_ x: XAPI, video: URL) async throws {
  let place = URL(fileURLWithPath: "upload.json")
  let earlier = try? JSONDecoder().decode(UploadResumption.self, from: Data(contentsOf: place))
  let options = UploadOptions(
    processingTimeout: .seconds(3600),
    checkpoint: { point in
      let data = try? JSONEncoder().encode(point)
      try? data?.write(to: place)
    })

  let media = try await x.upload(file: video, altText: "Our launch", resuming: earlier, options: options)
  try await x.createPosts(text: "launch", media: .init(mediaIDs: [media.id]))
  try? FileManager.default.removeItem(at: place)
}
