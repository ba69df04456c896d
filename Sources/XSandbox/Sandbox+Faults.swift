import Foundation

extension Sandbox {
  /// Lets something go wrong.
  /// - Parameters:
  ///   - fault: what goes wrong.
  ///   - operation: method and path as in X's document, such as `GET /2/users/{id}` or `POST /2/oauth2/token`; `*` means every operation.
  ///   - times: for how many requests.
  ///   - skipped: how many requests go by unharmed before.
  public func inject(_ fault: Fault, for operation: String, times: Int = 1, after skipped: Int = 0) async {
    await pipeline.faults.add(fault, for: operation, times: times, after: skipped)
  }

  /// Lets things go wrong by chance, until ``removeFaults()``.
  public func inject(_ faults: RandomFaults, for operation: String = "*") async {
    await pipeline.faults.add(faults, for: operation)
  }

  /// Forgets the faults that are still to come.
  public func removeFaults() async { await pipeline.faults.removeAll() }

  /// How many faults have happened.
  public var faultCount: Int { get async { await pipeline.faults.count } }

  /// Lets the sandbox's clock be wrong: `Date` headers, timestamps, expiry and rate windows all follow it.
  /// - Parameter seconds: by how much it is ahead; negative, behind.
  public func setClockOffset(_ seconds: TimeInterval) { pipeline.clock.setOffset(seconds) }

  /// Refuses connections for a while, as a server does that is being restarted.
  /// - Parameter duration: for how long. What is connected already is cut off.
  /// - Throws: ``SandboxError/couldNotListen(port:)`` if another process has taken the port meanwhile.
  public func refuseConnections(for duration: Duration) async throws {
    await pause()
    // Cancelled or not, the server comes back.
    try? await Task.sleep(for: duration)
    try await resume()
  }

  /// Refuses connections until ``resume()``. What is connected already is cut off.
  public func pause() async { await server.pause() }

  /// Accepts connections again, at the same address, with all that the sandbox knows.
  /// - Throws: ``SandboxError/couldNotListen(port:)`` if another process has taken the port meanwhile.
  public func resume() async throws { try await server.resume() }
}
