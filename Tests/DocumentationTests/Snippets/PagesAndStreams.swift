import CallsignX
import Foundation

// The blocks about pages, polling and streams, word for word. Compiled, never run.

private func lists(_ x: XAPI) async throws {
  let followers = x.getUsersFollowersPages(id: "2244994945", maxResults: 1000)
  for try await follower in followers.limit(5).items {
    print(follower.username)
  }
}

private func polling(_ x: XAPI) async throws {
  var newest: String?  // kept from an earlier run, perhaps
  for try await post in x.getUsersMentionsPages(id: "2244994945").polling(every: .seconds(60), since: newest) {
    print(post.text)
    newest = post.id
  }
}

private func elements(_ x: XAPI) async throws {
  for try await event in x.streamPosts(tweetFields: [.createdAt]) {  // reconnects by itself
    switch event {
    case .value(let post): print(post.data.text)
    case .undecodable(let record): print(record.error, record.problems)
    }
  }
}

private func streams(_ x: XAPI) async throws {
  let posts = x.streamPosts(tweetFields: [.createdAt]).stallTimeout(.seconds(30))
  let watcher = Task {
    for await event in posts.events {
      if case .gap(let from, let to) = event { print("lost what came from \(from) to \(to)") }
    }
  }
  for try await post in posts.values { print(post.data.text) }
  watcher.cancel()
}
