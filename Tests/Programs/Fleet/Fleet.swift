import Foundation

/// `Fleet [SECONDS] [--processes N] [--accounts N] [--rate N] [--seed N] [--seeds N] [--busy] [--strain] [--namespaces]`;
/// `Fleet --measure [ACCOUNTS]`
@main
struct Fleet {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "--worker": try await FleetWorker(settings(arguments)).run()
      case "--sandbox": try await FleetSandbox(settings(arguments)).run()
      case "--spin": spin()
      case "--relay": try Relay(Array(arguments.dropFirst())).run()
      case "--measure":
        guard let accounts = arguments.count == 1 ? 100_000 : Int(arguments[1]), accounts > 1000 else { throw Misuse() }
        try await FleetMeasurement(accounts: accounts).run()
      default:
        let first = try plan(arguments)
        if first.isDistributed, first.network == nil { exit(try runInNamespaces(arguments)) }
        var failed: [UInt64] = []
        for number in 0..<first.runs {
          var plan = first
          plan.seed += number
          let run = try FleetRun(plan) { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) }
          if try await !run.run() { failed.append(plan.seed) }
        }
        if first.runs > 1 { print("\(first.runs) runs, failed with the seeds: \(failed)") }
        exit(failed.isEmpty ? 0 : 1)
      }
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(error is Misuse ? 64 : 1)
    }
  }

  struct Misuse: Error, CustomStringConvertible {
    let description = """
      usage: Scripts/fleet [SECONDS] [--processes N] [--accounts N] [--rate CALLS-A-SECOND] [--seed N] [--seeds NUMBER]
                           [--busy] [--strain] [--namespaces]
             Scripts/fleet --measure [ACCOUNTS]
      """
  }

  /// Runs this program again on the host of the database, next to the other hosts.
  private static func runInNamespaces(_ arguments: [String]) throws -> Int32 {
    if let obstacle = FleetNetwork.obstacle() {
      print("skipped: \(obstacle)")
      return 0
    }
    let network = FleetNetwork(name: "fleet\(ProcessInfo.processInfo.processIdentifier)")
    defer { network.remove() }
    let isShaped = try network.make()
    let words =
      isShaped
      ? "between the servers and the rest: 200 ms, and 5 % of the packets lost"
      : "between the servers and the rest: 200 ms by the relays; no packets are lost, since the system has no netem"
    FileHandle.standardOutput.write(Data("\(words)\n".utf8))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["ip", "netns", "exec", network.namespace(.database), CommandLine.arguments[0]] + arguments
    process.environment = FleetNetwork.environment.merging([
      FleetNetwork.variable: "\(network.name) \(isShaped)"
    ]) { $1 }
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Keeps a core busy until standard input ends.
  private static func spin() {
    Thread.detachNewThread {
      while readLine() != nil {}
      exit(0)
    }
    var generator = FleetGenerator(state: 1)
    while generator.next() != 0 {}
  }

  private static func settings(_ arguments: [String]) throws -> FleetSettings {
    guard arguments.count == 2 else { throw Misuse() }
    return try JSONDecoder().decode(FleetSettings.self, from: Data(arguments[1].utf8))
  }

  /// Ten minutes of 32 processes and 2,000 accounts, unless the arguments say otherwise.
  static func plan(_ arguments: [String]) throws -> FleetRun.Plan {
    var plan = FleetRun.Plan(seconds: 600, processes: 32, accounts: 2000, rate: 200, seed: .random(in: 0...999_999))
    if let words = ProcessInfo.processInfo.environment[FleetNetwork.variable]?.split(separator: " "), words.count == 2 {
      plan.network = FleetNetwork(name: String(words[0]))
      plan.isShaped = words[1] == "true"
    }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      func value<Number: LosslessStringConvertible>(_ type: Number.Type) throws -> Number {
        guard let text = rest.popFirst(), let number = Number(text) else { throw Misuse() }
        return number
      }
      switch argument {
      case "--processes": plan.processes = try value(Int.self)
      case "--accounts": plan.accounts = try value(Int.self)
      case "--rate": plan.rate = try value(Double.self)
      case "--seed": plan.seed = try value(UInt64.self)
      case "--seeds": plan.runs = try value(UInt64.self)
      case "--busy": plan.isBusy = true
      case "--namespaces": (plan.isBusy, plan.isDistributed) = (true, true)
      case "--strain": (plan.isBusy, plan.isStrained) = (true, true)
      default:
        guard let seconds = Double(argument) else { throw Misuse() }
        plan.seconds = seconds
      }
    }
    guard plan.seconds >= 20, (4...200).contains(plan.processes), (1...100_000).contains(plan.accounts), plan.rate > 0,
      (1...1000).contains(plan.runs), plan.seed <= .max - 1000
    else { throw Misuse() }
    return plan
  }
}
