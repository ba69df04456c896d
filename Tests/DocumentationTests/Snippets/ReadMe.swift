import CallsignX
import Foundation
import XSandbox

// The blocks of README.md, word for word. Compiled, never run.

private func quickStart() async throws {
  let x = XAPI(auth: .oauth2(OAuth2(clientID: "…", store: .file())))

  let post = try await x.getPostsById(id: "20", expansions: [.authorID], userFields: [.username])
  print(post.data.author(in: post.includes)?.username ?? "", post.data.text)

  let created = try await x.createPosts(text: "hello")
  try await x.createPosts(text: "thanks", reply: .init(inReplyToTweetID: created.data.id))

  let image = try await x.upload(file: URL(fileURLWithPath: "picture.png"), altText: "A cat on a keyboard")
  try await x.createPosts(text: "look", media: .init(mediaIDs: [image.id]))
}

private func search(_ x: XAPI) async throws {
  let query: SearchQuery = (.hashtag("swift") || .phrase("result builders")) && !.isRepost && .language("en")
  let text = try query.text()
  for try await post in x.searchPostsRecentPages(query: text).limit(50).items { print(post.text) }
}

private func pages(_ x: XAPI) async throws {
  let followers = x.getUsersFollowersPages(id: "2244994945", maxResults: 1000)
  for try await page in followers.limit(5000) {
    print(page.data.count, page.meta?.nextToken ?? "the last one")
  }
}

private func stream(_ x: XAPI) async throws {
  try await x.streamRules.add(["swift lang:en"])
  for try await post in x.streamPosts(tweetFields: [.createdAt]).values { print(post.data.text) }
}

private func errors(_ x: XAPI) async {
  do {
    try await x.likePost(id: "2244994945", tweetID: "20")
  } catch {
    print(error.advice ?? error.description, error.mayHaveBeenCarriedOut ? "(look before you call again)" : "")
  }
}

private func limits() -> XAPI {
  var configuration = ClientConfiguration()
  configuration.rateLimitPolicy = .wait(upTo: .seconds(900))
  let patient = XAPI(auth: .bearer("…"), configuration: configuration)

  return patient
}

private func localServer() async throws -> XAPI.User? {
  let sandbox = try await Sandbox.start()
  let local = XAPI(
    auth: .userToken(Secret(sandbox.users.alice.oauth2AccessToken)),
    configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))

  await sandbox.inject(.status(503), for: "GET /2/users/me", times: 3)
  let me = try? await local.getUsersMe()  // nil: it failed three times
  await sandbox.stop()
  return me?.data
}
