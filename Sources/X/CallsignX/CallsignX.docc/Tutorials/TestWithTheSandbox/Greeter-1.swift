struct Greeter {
  let x: XAPI

  /// Greets somebody in public.
  ///
  /// - Returns: The post's id.
  func greet(_ name: String) async throws -> String {
    try await x.createPosts(text: "Hello, \(name)!").data.id
  }
}
