extension Sandbox {
  /// The requests that arrived, oldest first.
  public func requests() async -> [Request] { await pipeline.log.requests }

  /// Forgets the requests that arrived.
  public func forgetRequests() async { await pipeline.log.clear() }
}
