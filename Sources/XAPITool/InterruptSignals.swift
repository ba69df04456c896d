import Dispatch
import Foundation

/// Waits for SIGINT or SIGTERM, which then no longer end the process by themselves.
final class InterruptSignals {
  private let arrivals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init() {
    let (arrivals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.arrivals = arrivals
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }

  func wait() async {
    for await _ in arrivals { return }
  }
}
