import CallsignX
import Foundation

// The blocks about calling methods and reading responses, word for word. Compiled, never run.

private func argumentsLeftOut(_ x: XAPI) async throws {
  try await x.updateLists(id: "84839422", description: "")  // clears the description, and leaves name and privacy alone
  try await x.updateLists(id: "84839422", private: false)  // makes it public, and leaves the rest alone
}

private func fields(_ x: XAPI) async throws {
  let post = try await x.getPostsById(
    id: "20", postFields: .standard, expansions: .standard, userFields: .standard, mediaFields: .standard)
  let includes = post.includes
  print(post.data.author(in: includes)?.username ?? "", post.data.text)
  for media in post.data.media(in: includes) { print(media.url ?? "") }
  if let quoted = post.data.quoted(in: includes) { print("quotes:", quoted.text) }
}

private func severalAtOnce(_ x: XAPI) async throws {
  let found = try await x.getPostsByIds(ids: ["20", "1"])
  print(found.data.count, found.errors.count, found.status, found.rateLimit?.remaining ?? 0)
}

private func searches(_ x: XAPI) async throws {
  let query: SearchQuery = (.hashtag("swift") || .phrase("result builders")) && !.isRepost && .language("en")
  for post in try await x.searchPostsRecent(query: query.text()).data { print(post.text) }
}

private func signedIn(_ x: XAPI) async throws {
  let me = try await x.me()
  for post in try await x.getUsersMentions(id: me.id, maxResults: 5).data { try await me.like(post) }
}

private func pictures(_ x: XAPI) async throws {
  let me = try await x.me()
  let pictures = ProfileImageCache(x, folder: FileManager.default.temporaryDirectory)  // one for the whole app
  let image = try await pictures.image(of: me.user, size: .bigger)
  let banner = try await pictures.banner(of: me.user)
  print(image?.count ?? 0, banner?.count ?? 0)
}

private func threads(_ x: XAPI) async throws {
  let thread = try await x.postThread(["First.", "Second.", "Third."])
  print(thread.map(\.id))
}

private func untyped(_ x: XAPI) async throws {
  let response = try await x.call(.get, "2/users/me", query: ["user.fields": "created_at"])
  print(response.value["data"]?["created_at"]?.string ?? "")
}

private func downloads(_ x: XAPI, to response: URL) async throws {
  let size = try await x.download("2/users/me", to: response).value
  print(size, "bytes in", response.lastPathComponent)
}

private func timeouts(_ x: XAPI) async throws {
  let posts = try await x.getPostsByIds(ids: ["20"], options: .timeout(.seconds(5)))
  print(posts.data.count)
}

private func ownAPI() {
  let configuration = ClientConfiguration(hosts: .all(to: "http://127.0.0.1:8080"))
  let client = Client(auth: .bearer("…"), configuration: configuration)
  print(client)
}
