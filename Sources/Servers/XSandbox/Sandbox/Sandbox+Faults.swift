import Foundation

extension Sandbox {
  /// Adds a fault.
  /// - Parameters:
  ///   - fault: the fault.
  ///   - operation: method and path as in X's document, such as `GET /2/users/{id}` or `POST /2/oauth2/token`; `*`
  ///     means every operation.
  ///   - times: the number of requests that meet it; one unless it is given.
  ///   - skipped: the number of requests without the fault before; 0 unless it is given.
  public func inject(_ fault: Fault, for operation: String, times: Int = 1, after skipped: Int = 0) async {
    await pipeline.faults.add(fault, for: operation, times: times, after: skipped)
  }

  /// Adds faults by chance, until ``removeFaults()``.
  /// - Parameters:
  ///   - faults: the faults, and their chances.
  ///   - operation: method and path as in X's document; `*`, every operation, unless it is given.
  public func inject(_ faults: RandomFaults, for operation: String = "*") async {
    await pipeline.faults.add(faults, for: operation)
  }

  /// Removes the faults for requests to come.
  public func removeFaults() async { await pipeline.faults.removeAll() }

  /// The number of faults that have happened.
  public var faultCount: Int { get async { await pipeline.faults.count } }

  /// Sets the sandbox's clock wrong. `Date` headers, timestamps, expiry and rate windows all follow it.
  /// - Parameter seconds: the seconds by which it is ahead, or behind if they are negative.
  public func setClockOffset(_ seconds: TimeInterval) { pipeline.clock.setOffset(seconds) }

  /// Refuses connections for a while, as a server does during a restart. Open connections are closed.
  /// - Parameter duration: the time without connections.
  /// - Throws: ``SandboxError/couldNotListen(port:)`` if another process has taken the port meanwhile.
  public func refuseConnections(for duration: Duration) async throws {
    await pause()
    // Cancelled or not, the server comes back.
    try? await Task.sleep(for: duration)
    try await resume()
  }

  /// Refuses connections until ``resume()``. Open connections are closed.
  public func pause() async { await server.pause() }

  /// Accepts connections again, at the same address and with the same data.
  /// - Throws: ``SandboxError/couldNotListen(port:)`` if another process has taken the port meanwhile.
  public func resume() async throws { try await server.resume() }
}

// MARK: Faults from text

extension Sandbox {
  /// Adds a fault that a line of text describes.
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
  /// Adds faults of streams to come.
  /// - Parameters:
  ///   - faults: the faults; several can be combined.
  ///   - operation: method and path, such as `GET /2/tweets/search/stream`; `*`, every stream, unless it is given.
  ///   - connections: the number of connections that meet them; one unless it is given.
  public func injectStream(_ faults: SandboxStreamFault..., for operation: String = "*", connections: Int = 1) {
    pipeline.streams.plan(faults, for: operation, connections: connections)
  }

  /// Removes the faults of streams to come.
  public func removeStreamFaults() { pipeline.streams.removePlans() }

  /// Applies a fault to the open streams. Records are counted from now. Faults of bytes,
  /// ``SandboxStreamFault/split(every:)``, ``SandboxStreamFault/slow(_:)`` and ``SandboxStreamFault/cut(afterBytes:)``,
  /// are for streams to come and do nothing here.
  public func interruptStreams(_ fault: SandboxStreamFault) {
    for channel in pipeline.streams.channels { channel.interrupt(fault) }
  }

  /// The number of open streams, as far as the sandbox has noticed.
  public var openStreams: Int { pipeline.streams.channels.count }
}
