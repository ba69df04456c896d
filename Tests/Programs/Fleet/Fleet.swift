import Foundation

/// `Fleet [SECONDS] [--processes N] [--accounts N] [--rate N] [--seed N] [--busy]`
@main
struct Fleet {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "--worker": try await FleetWorker(settings(arguments)).run()
      case "--sandbox": try await FleetSandbox(settings(arguments)).run()
      default:
        let run = try FleetRun(plan(arguments)) { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) }
        let isRight = try await run.run()
        exit(isRight ? 0 : 1)
      }
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(error is Misuse ? 64 : 1)
    }
  }

  struct Misuse: Error, CustomStringConvertible {
    let description =
      "usage: Scripts/fleet [SECONDS] [--processes N] [--accounts N] [--rate CALLS-A-SECOND] [--seed N] [--busy]"
  }

  private static func settings(_ arguments: [String]) throws -> FleetSettings {
    guard arguments.count == 2 else { throw Misuse() }
    return try JSONDecoder().decode(FleetSettings.self, from: Data(arguments[1].utf8))
  }

  /// Ten minutes of 32 processes and 2,000 accounts, unless it is told otherwise.
  static func plan(_ arguments: [String]) throws -> FleetRun.Plan {
    var plan = FleetRun.Plan(seconds: 600, processes: 32, accounts: 2000, rate: 200, seed: .random(in: 0...999_999))
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
      case "--busy": plan.isBusy = true
      default:
        guard let seconds = Double(argument) else { throw Misuse() }
        plan.seconds = seconds
      }
    }
    guard plan.seconds >= 20, (4...200).contains(plan.processes), (1...100_000).contains(plan.accounts), plan.rate > 0
    else { throw Misuse() }
    return plan
  }
}
