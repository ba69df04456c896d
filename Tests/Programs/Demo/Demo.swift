import Dispatch
import Foundation
import XSandbox

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@main
struct Demo {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.allSatisfy({ $0 == "--keep" }) else {
      print("usage: Scripts/demo [--keep]\n  --keep  leave the sandbox running until Control-C")
      exit(64)
    }
    let isTerminal = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    let sandbox = try await Demonstration.startSandbox()
    let report = Report(write: { print($0) }, isColoured: isTerminal)
    report.write("Callsign against a sandbox on \(sandbox.url.absoluteString): no account, no network.")
    do {
      try await Demonstration(sandbox: sandbox, report: report).run()
    } catch {
      await sandbox.stop()
      throw error
    }
    if !arguments.isEmpty {
      report.write(
        "\nThe sandbox goes on until Control-C. Its console, with all these requests: \(sandbox.url.absoluteString)")
      await interruption()
    }
    await sandbox.stop()
  }

  /// Waits for Control-C, or for the end that a supervisor asks for.
  private static func interruption() async {
    let (signals, continuation) = AsyncStream<Void>.makeStream()
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.finish() }
      source.resume()
      return source
    }
    for await _ in signals {}
    for source in sources { source.cancel() }
  }
}

/// The output of the demonstration: one aligned line for each step, in colour on a terminal.
struct Report: Sendable {
  /// Takes each finished line.
  let write: @Sendable (String) -> Void
  let isColoured: Bool

  /// The column at which the result of a step starts.
  private static let columnWidth = 36

  private enum Colour: String {
    case heading = "1"
    case good = "32"
    case bad = "31"
    case faint = "2"
  }

  func heading(_ text: String) {
    write("")
    write(paint(text, .heading))
  }

  /// A successful step: what was done, and its result.
  func step(_ call: String, _ outcome: String) {
    write("  \(paint("✓", .good)) \(call.padded(to: Self.columnWidth))\(outcome)")
  }

  /// A step that was meant to fail and did: the error as its caller sees it.
  func expectedFailure(_ call: String, _ error: String) { step(call, "error: \(error)") }

  /// A step that did not do what was expected.
  func surprise(_ call: String, _ outcome: String) {
    write("  \(paint("✗", .bad)) \(call.padded(to: Self.columnWidth))\(outcome)")
  }

  /// An observation about the step above it.
  func detail(_ label: String, _ text: String) {
    write("    " + paint("\(label.padded(to: Self.columnWidth))\(text)", .faint))
  }

  private func paint(_ text: String, _ colour: Colour) -> String {
    isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
