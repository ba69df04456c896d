import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// SIGINT and SIGTERM, which then no longer end the process by themselves.
package final class Interrupts {
  private let arrivals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  /// - Parameter action: Runs at each of them.
  package init(_ action: @escaping @Sendable () -> Void = {}) {
    let (arrivals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.arrivals = arrivals
    // Until a source is registered, its signal is lost: it is ignored already.
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
    // A reader who has gone away is an error of writing, not a signal.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit { end() }

  /// Waits for one, or returns at once where one has come.
  package func wait() async {
    for await _ in arrivals { return }
  }

  package func end() { for source in sources { source.cancel() } }
}
