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
    await sandbox.stop()
  }
}
