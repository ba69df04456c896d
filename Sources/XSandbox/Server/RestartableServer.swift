/// A server that can go away and come back on the same port.
actor RestartableServer {
  private let start: @Sendable (UInt16) async throws -> LoopbackServer
  nonisolated let port: UInt16
  private var running: LoopbackServer?
  private var isStopped = false

  init(port: UInt16, start: @escaping @Sendable (UInt16) async throws -> LoopbackServer) async throws {
    let server = try await start(port)
    self.start = start
    self.port = server.port
    running = server
  }

  func pause() async {
    let server = running
    running = nil
    await server?.stop()
  }

  func resume() async throws {
    guard running == nil, !isStopped else { return }
    let server = try await start(port)
    if isStopped || running != nil { await server.stop() } else { running = server }
  }

  func stop() async {
    isStopped = true
    await pause()
  }
}
