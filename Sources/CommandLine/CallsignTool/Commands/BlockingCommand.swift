import ArgumentParser
import Foundation

/// A command that blocks its thread while it waits for other work. It has a thread apart from those of Swift concurrency, of
/// which a machine may have only one.
protocol BlockingCommand: AsyncParsableCommand, Sendable {
  /// The command's work.
  func work() throws
}

extension BlockingCommand {
  func run() async throws {
    let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: Result { try work() }) }
      thread.stackSize = 8 << 20
      thread.start()
    }
    try result.get()
  }
}
