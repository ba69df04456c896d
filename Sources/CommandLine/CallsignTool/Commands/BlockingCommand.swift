import ArgumentParser
import Foundation

/// A command that blocks its thread while it waits for other work. It runs on a thread outside Swift concurrency, which may have
/// only one on a machine.
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
