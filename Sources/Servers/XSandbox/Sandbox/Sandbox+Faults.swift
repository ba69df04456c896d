import Foundation

extension Sandbox {
  /// Adds a fault.
  /// - Parameters:
  ///   - fault: The fault.
  ///   - operation: The method and path as in X's document, such as `GET /2/users/{id}` or `POST /2/oauth2/token`; `*` means every
  ///     operation.
  ///   - times: The number of requests with the fault. Default: one.
  ///   - skipped: The number of requests without the fault before. Default: 0.
  public func inject(_ fault: Fault, for operation: String, times: Int = 1, after skipped: Int = 0) async {
    await pipeline.faults.add(fault, for: operation, times: times, after: skipped)
  }

  /// Adds random faults, until ``removeFaults()``.
  /// - Parameters:
  ///   - faults: The faults and their probability.
  ///   - operation: The method and path as in X's document. Default: `*`, every operation.
  public func inject(_ faults: RandomFaults, for operation: String = "*") async {
    await pipeline.faults.add(faults, for: operation)
  }

  /// Removes the planned faults.
  public func removeFaults() async { await pipeline.faults.removeAll() }

  /// The number of faults that have happened.
  public var faultCount: Int { get async { await pipeline.faults.count } }

  /// Sets the sandbox's clock wrong. `Date` headers, timestamps, expiry and rate windows all use it.
  /// - Parameter seconds: How many seconds the clock is ahead, or behind if negative.
  public func setClockOffset(_ seconds: TimeInterval) { pipeline.clock.setOffset(seconds) }

  /// Refuses connections for a while, like a server during a restart. Open connections are closed.
  /// - Parameter duration: The time without connections.
  /// - Throws: ``SandboxError/couldNotListen(port:)`` if another process has taken the port in the meantime.
  public func refuseConnections(for duration: Duration) async throws {
    await pause()
    // The server returns even if the task is cancelled.
    try? await Task.sleep(for: duration)
    try await resume()
  }

  /// Refuses connections until ``resume()``. Open connections are closed.
  public func pause() async { await server.pause() }

  /// Accepts connections again, at the same URL and with the same data.
  /// - Throws: ``SandboxError/couldNotListen(port:)`` if another process has taken the port in the meantime.
  public func resume() async throws { try await server.resume() }
}

// MARK: Faults from text

extension Sandbox {
  /// Adds a fault described by a line of text.
  public func inject(_ specification: FaultSpecification) async {
    switch specification.content {
    case .fault(let fault, let times, let after):
      await inject(fault, for: specification.operation, times: times, after: after)
    case .random(let faults): await inject(faults, for: specification.operation)
    }
  }
}

// MARK: Streams

extension Sandbox {
  /// Adds faults to future streams.
  /// - Parameters:
  ///   - faults: The faults. You can combine several.
  ///   - operation: The method and path, such as `GET /2/tweets/search/stream`. Default: `*`, every stream.
  ///   - connections: The number of connections with the faults. Default: one.
  public func injectStream(_ faults: SandboxStreamFault..., for operation: String = "*", connections: Int = 1) {
    pipeline.streams.plan(faults, for: operation, connections: connections)
  }

  /// Removes the faults of future streams.
  public func removeStreamFaults() { pipeline.streams.removePlans() }

  /// Applies a fault to the open streams. Records are counted from now on. Faults that concern bytes,
  /// ``SandboxStreamFault/split(every:)``, ``SandboxStreamFault/slow(_:)`` and ``SandboxStreamFault/cut(afterBytes:)``, apply only
  /// to future streams and have no effect here.
  public func interruptStreams(_ fault: SandboxStreamFault) {
    for channel in pipeline.streams.channels { channel.interrupt(fault) }
  }

  /// The number of open streams, as far as the sandbox knows.
  public var openStreams: Int { pipeline.streams.channels.count }
}
