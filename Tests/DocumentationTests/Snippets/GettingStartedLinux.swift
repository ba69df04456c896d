#if canImport(FoundationEssentials)
  import CallsignX
  import FoundationEssentials

  // The block that reads, word for word, with what it may use of Foundation. Compiled, never run.

  private func reading() async throws {
    let token = ProcessInfo.processInfo.environment["X_BEARER_TOKEN"] ?? ""
    let x = XAPI(auth: .bearer(token))
    let post = try await x.getPostsById(id: "20", expansions: [.authorID])
    print(post.includes?.users.first?.username ?? "", post.data.text)
  }
#endif
