import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Handles SIGINT and SIGTERM, which then no longer end the process by themselves.
package final class Interrupts {
  private let arrivals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  /// - Parameter action: Called for each signal.
  package init(_ action: @escaping @Sendable () -> Void = {}) {
    let (arrivals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.arrivals = arrivals
    // A signal is lost until its source is registered, because it is already ignored.
    let registrations = DispatchGroup()
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        action()
        continuation.yield()
      }
      registrations.enter()
      source.setRegistrationHandler { registrations.leave() }
      source.resume()
      return source
    }
    registrations.wait()
    // If the reader has gone, a write fails with an error instead of a signal.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit { end() }

  /// Waits for a signal, or returns immediately if one has arrived.
  package func wait() async {
    for await _ in arrivals { return }
  }

  package func end() { for source in sources { source.cancel() } }
}
