import ChildProcesses
import Foundation

/// A running `TokenStoreProbe`.
///
/// `@unchecked Sendable`: nothing changes after `init`, and `Process` guards itself.
package final class ProbeProcess: @unchecked Sendable {
  /// The lines that it prints.
  package let lines: AsyncStream<String>
  private let process = Process()
  private let input = Pipe.forChildProcess()
  private let end: AsyncStream<Int32>

  /// - Parameters:
  ///   - place: The store's folder, or its database.
  ///   - command: The probe's command, and its argument.
  ///   - environment: Variables in addition to this process's.
  package init(_ place: String, _ command: String, _ number: Int, environment: [String: String] = [:]) throws {
    process.executableURL = Program.products.appendingPathComponent("TokenStoreProbe")
    process.arguments = [place, command, String(number)]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    let output = Pipe.forChildProcess()
    process.standardOutput = output
    let (lines, lineFeed) = AsyncStream.makeStream(of: String.self)
    let (end, endFeed) = AsyncStream.makeStream(of: Int32.self)
    (self.lines, self.end) = (lines, end)
    process.terminationHandler = { process in
      endFeed.yield(process.terminationStatus)
      endFeed.finish()
    }
    try process.start()
    let handle = output.fileHandleForReading
    // A separate thread, because reading blocks.
    Thread.detachNewThread {
      var rest: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      // `FileHandle` would wait until the buffer is full.
      while case let count = read(handle.fileDescriptor, &buffer, buffer.count), count > 0 {
        rest += buffer.prefix(count)
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
          lineFeed.yield(String(decoding: rest[..<newline], as: UTF8.self))
          rest.removeFirst(newline + 1)
        }
      }
      lineFeed.finish()
    }
  }

  deinit { kill() }

  /// Sends it a line. Unlike a signal, a line waits for a process that is stopped or not yet ready to read.
  package func say(_ line: String) {
    if process.isRunning { try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }
  }

  /// Sends it a signal.
  package func signal(_ signal: Int32) { if process.isRunning { Foundation.kill(process.processIdentifier, signal) } }

  /// Ends it at once.
  package func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  /// Waits for its end, and returns its exit status or the signal that ended it.
  package func status() async -> Int32? {
    for await status in end { return status }
    return nil
  }
}
