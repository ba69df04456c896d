#if canImport(SwiftUI)
  import CallsignX
  import SwiftUI

  // The blocks with views, word for word. `Scripts/internal/check-apple-glue` checks their types.

  @MainActor @Observable final class Timeline {
    private(set) var posts: [XAPI.Post] = []

    func load() async {}
  }

  struct LoginButton: View {
    let account: OAuth2
    @State private var problem: String?

    var body: some View {
      Button("Log in with X") { Task { await logIn() } }
      if let problem { Text(problem) }
    }

    private func logIn() async {
      do {
        try await account.logIn(scopes: [.tweetRead, .usersRead, .offlineAccess], redirectURI: "myapp://login")
      } catch {
        problem = error.description
      }
    }
  }

  struct TimelineView: View {
    let timeline: Timeline

    var body: some View {
      List(timeline.posts) { post in
        Text(post.text)
      }
      .task { await timeline.load() }
      .refreshable { await timeline.load() }
    }
  }

  struct AppLogin: View {
    let account: OAuth2
    @State private var login: OAuth2Authorization?
    @State private var problem: String?

    var body: some View {
      Button("Log in with X's app") { Task { await begin() } }
        .onOpenURL { redirect in Task { await complete(redirect) } }
      if let problem { Text(problem) }
    }

    private func begin() async {
      do {
        let login = try account.beginLogin(
          inAppFor: [.tweetRead, .usersRead, .offlineAccess], redirectURI: "myapp://login")
        self.login = login
        try await login.openInApp()
      } catch {
        problem = "\(error)"
      }
    }

    private func complete(_ redirect: URL) async {
      do { try await login?.complete(redirect: redirect) } catch { problem = error.description }
    }
  }
#endif
