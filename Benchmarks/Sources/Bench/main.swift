import Foundation
import Workload

// Started by `Benchmarks/bench` and its helpers, which describe the arguments.

let words = Array(CommandLine.arguments.dropFirst())

/// The work with a name.
///
/// - Parameter ports: The ports of this program's server and of another one.
func work(_ name: String, ports: ArraySlice<String>) throws -> Work {
  let ports = ports.compactMap { Int($0) }
  let calls = CallBench(port: ports.first ?? 0, otherPort: ports.last ?? 0)
  let found =
    try SigningBench.work(name) ?? ModelBench.work(name) ?? calls.work(name)
    ?? StreamBench.work(name, port: ports.first ?? 0)
  guard let found else { throw Unexpected() }
  return found
}

WorkProgram.run {
  let further = Array(words.dropFirst())
  switch words.first {
  case "measure":
    try await WorkProgram.measure(signature: SigningBench.sign().signature) { try work($0, ports: further[...]) }
  case "count":
    guard further.count == 3, let repetitions = Int(further[1]) else { throw Unexpected() }
    try await WorkProgram.count(
      work(further[0], ports: further[2...]), isFirst: further[0].hasPrefix("first-"), repetitions: repetitions)
  case "socket": try await StreamBench.run(further)
  case "kept": try ModelBench.keep(further)
  case "streams": try await StreamBench.runBeside(further)
  case "serve": try LoopbackServer.serveForever()
  case "page": FileHandle.standardOutput.write(try ModelBench.page.get())
  default:
    FileHandle.standardError.write(Data("usage: Bench measure|count|socket|kept|streams|serve|page\n".utf8))
    exit(64)
  }
}
