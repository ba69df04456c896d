import CallsignHTTP
import Foundation

/// A process of this program in another role, which ends when its standard input does.
///
/// `@unchecked Sendable`: nothing changes after `init`, and `Process` guards itself.
final class ChildProcess: @unchecked Sendable {
  private let process = Process()
  private let input = Pipe()
  private let lastLine = Locked<Data?>(nil)
  private let lines: AsyncStream<Data>

  init(_ role: String, _ settings: FleetSettings, password: String) throws {
    let output = Pipe()
    process.executableURL = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [role, String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)]
    process.environment = ProcessInfo.processInfo.environment.merging([FleetSettings.passwordVariable: password]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    let (lines, feed) = AsyncStream.makeStream(of: Data.self)
    self.lines = lines
    try process.run()
    let handle = output.fileHandleForReading
    // A thread of its own, because reading blocks.
    Thread.detachNewThread { [lastLine] in
      var rest = Data()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = read(handle.fileDescriptor, &buffer, buffer.count), count > 0 {
        rest += buffer.prefix(count)
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = Data(rest[..<newline])
          lastLine.withLock { $0 = line }
          feed.yield(line)
          rest = Data(rest[rest.index(after: newline)...])
        }
      }
      feed.finish()
    }
  }

  deinit { kill(SIGKILL) }

  func kill(_ signal: Int32) { if process.isRunning { Foundation.kill(process.processIdentifier, signal) } }

  /// The latest report of a worker.
  var report: WorkerReport {
    lastLine.withLock { $0 }.flatMap { try? JSONDecoder().decode(WorkerReport.self, from: $0) } ?? WorkerReport()
  }

  /// Sends a line, and waits for the one that answers it; without a line, for the first.
  func ask(_ line: String? = nil) async throws -> SandboxLine {
    if let line { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }
    for await answer in lines { return try JSONDecoder().decode(SandboxLine.self, from: answer) }
    throw FleetFailure(description: "the sandbox's process has ended")
  }

  /// Ends its input, and waits until it has ended.
  func end(within limit: Duration = .seconds(40)) async {
    try? input.fileHandleForWriting.close()
    let end = ContinuousClock.now + limit
    while process.isRunning, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(20)) }
    kill(SIGKILL)
  }
}

struct FleetFailure: Error, CustomStringConvertible {
  let description: String
}
