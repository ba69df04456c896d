import CallsignHTTP
import CallsignSupport
import ChildProcesses
import Foundation

/// A process of this program in another role, which ends when its standard input does.
///
/// `@unchecked Sendable`: nothing changes after `init`, and `Process` guards itself.
final class ChildProcess: @unchecked Sendable {
  private let process = Process()
  private let input = Pipe.forChildProcess()
  private let lastLine = Locked<Data?>(nil)
  private let tokens = Locked(TokenAccount())
  private let lines: AsyncStream<Data>

  convenience init(
    _ role: String, _ settings: FleetSettings, password: String, namespace: String? = nil
  ) throws {
    try self.init(
      [role, String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)], password: password,
      namespace: namespace)
  }

  /// - Parameter namespace: The network namespace of the process; `nil` for this process's.
  init(_ arguments: [String], password: String, namespace: String? = nil) throws {
    let output = Pipe.forChildProcess()
    let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    if let namespace {
      // Each of these programs replaces itself with the next, which therefore has the ID of this process.
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["ip", "netns", "exec", namespace, program.path] + arguments
    } else {
      process.executableURL = program
      process.arguments = arguments
    }
    process.environment = FleetNetwork.environment.merging([FleetSettings.passwordVariable: password]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    let (lines, feed) = AsyncStream.makeStream(of: Data.self)
    self.lines = lines
    try process.start()
    let handle = output.fileHandleForReading
    // A separate thread, because reading blocks.
    Thread.detachNewThread { [lastLine, tokens] in
      var rest = Data()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = read(handle.fileDescriptor, &buffer, buffer.count), count > 0 {
        rest += buffer.prefix(count)
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = Data(rest[..<newline])
          if let event = TokenEvent(line) {
            tokens.withLock { $0.note(event) }
          } else {
            lastLine.withLock { $0 = line }
            feed.yield(line)
          }
          rest = Data(rest[rest.index(after: newline)...])
        }
      }
      tokens.withLock { $0.isComplete = true }
      feed.finish()
    }
  }

  /// The sandbox's name for this process.
  var agent: String { FleetSettings.agent(process.processIdentifier) }

  /// The tokens of a process that has ended, with everything that it has said.
  func finalTokens() async -> TokenAccount {
    let end = ContinuousClock.now + .seconds(20)
    while !tokens.withLock({ $0.isComplete }), ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(10))
    }
    return tokens.withLock { $0 }
  }

  /// The tokens of a process so far.
  var tokensSoFar: TokenAccount { tokens.withLock { $0 } }

  deinit { kill(SIGKILL) }

  func kill(_ signal: Int32) { if process.isRunning { Foundation.kill(process.processIdentifier, signal) } }

  /// The latest report of a worker.
  var report: WorkerReport {
    lastLine.withLock { $0 }.flatMap { try? JSONDecoder().decode(WorkerReport.self, from: $0) } ?? WorkerReport()
  }

  /// Sends a line, and waits for the one that responds to it; without a line, for the first.
  func ask(_ line: String? = nil) async throws -> SandboxLine {
    if let line { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }
    for await response in lines { return try JSONDecoder().decode(SandboxLine.self, from: response) }
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
