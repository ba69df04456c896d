struct Greeter {
  let x: XAPI

  /// Greets someone in public.
  ///
  /// - Returns: The post's ID.
  func greet(_ name: String) async throws -> String {
    try await x.createPosts(text: "Hello, \(name)!").data.id
  }
}
