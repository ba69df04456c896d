import CallsignX
import Foundation
import Observation

// The blocks of the articles for beginners, word for word. Compiled, never run.

private func writing() async throws {
  let x = XAPI(auth: .oauth2(OAuth2(clientID: "…", store: .default)))
  let created = try await x.createPosts(text: "Hello from Linux")
  print("https://x.com/i/status/\(created.data.id)")
}

private enum App {
  @available(macOS 14, iOS 17, tvOS 17, *)
  @MainActor @Observable final class Timeline {
    private(set) var posts: [XAPI.Post] = []
    private(set) var problem: String?
    let account = OAuth2(clientID: "…", store: .default)
    let x: XAPI

    init() { x = XAPI(auth: .oauth2(account)) }

    func load() async {
      do {
        let me = try await x.getUsersMe()
        posts = try await x.getUsersTimeline(id: me.data.id, maxResults: 50, postFields: .standard).data
        problem = nil
      } catch {
        problem = error.advice ?? error.description
      }
    }
  }
}

private func postingFromAnApp(_ x: XAPI) async throws {
  let created = try await x.createPosts(text: "Hello from my app", replySettings: .following)
  print(created.data.id)
}

private func comingFromAnotherClient(_ x: XAPI) async throws {
  let me = try await x.getUsersMe()
  let mine = try await x.getUsersPosts(id: me.data.id, maxResults: 20, postFields: .standard)
  for post in mine.data { print(post.text) }
}
