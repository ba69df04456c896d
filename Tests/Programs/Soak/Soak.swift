import Foundation

@main
struct Soak {
  static func main() async {
    // The other process may have ended.
    signal(SIGPIPE, SIG_IGN)
    if CommandLine.arguments.dropFirst() == [SandboxProcess.argument] { return await SandboxProcess.serve() }
    let arguments: SoakArguments
    do throws(SoakArguments.Misuse) { arguments = try SoakArguments(CommandLine.arguments.dropFirst()) } catch {
      say(error.text)
      exit(2)
    }
    say("Seed \(arguments.seed). To repeat: \(arguments.command)")
    do {
      guard let program = Bundle.main.executableURL else {
        throw SandboxFailure(description: "this program's own file is not known")
      }
      let problems = try await SoakRun(arguments.settings, try SandboxProcess(program), write: say).run()
      guard problems.isEmpty else {
        say("\nFAILED:\n" + problems.map { "  - \($0)" }.joined(separator: "\n"))
        say("To repeat: \(arguments.command)")
        exit(1)
      }
      say("\nPassed: every record is accounted for.")
    } catch {
      say("\nFAILED: the soak could not run: \(error)\nTo repeat: \(arguments.command)")
      exit(1)
    }
  }

  /// At once, also where the output is a file.
  @Sendable private static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}

/// How long a soak runs, and how much load it makes.
struct SoakSettings: Codable, Sendable {
  /// The seed of the plan of faults, the sizes and the texts. Concurrent work still differs from run to run.
  var seed: UInt64
  /// In seconds, without the end, during which the remaining data arrives.
  var seconds: Double
  /// How often the table is printed, in seconds.
  var secondsBetweenTables: Double = 30
  var writers = 2
  /// Between two posts of a writer, in seconds.
  var secondsBetweenPosts = 0.1
  /// In seconds. Short, so that tokens expire often.
  var accessTokenLifetime: Double = 8
  /// The part of requests that meet a fault.
  var faultProbability = 0.12
  var followers = 450
  var posts = 150
  /// In bytes.
  var largestVideo = 4 << 20
  /// Whether memory and descriptors are judged; this needs a run of a minute or more.
  var judgesProcess: Bool { seconds >= 60 }

  init(seed: UInt64, minutes: Double) {
    self.seed = seed
    seconds = minutes * 60
  }

  /// A few seconds, for a test.
  static func short(seed: UInt64) -> SoakSettings {
    var settings = SoakSettings(seed: seed, minutes: 0)
    settings.seconds = 4
    settings.secondsBetweenPosts = 0.05
    settings.accessTokenLifetime = 4
    settings.largestVideo = 1 << 20
    return settings
  }
}

/// The settings of a command line.
struct SoakArguments {
  struct Misuse: Error { var text: String }

  static let usage = "Usage: Scripts/soak [MINUTES] [--seed NUMBER]   (5 minutes and a seed by chance unless given)"

  var minutes = 5.0
  var seed = UInt64.random(in: 1...999_999)

  init(_ arguments: some Sequence<String>) throws(Misuse) {
    var rest = ArraySlice(Array(arguments))
    while let word = rest.popFirst() {
      if word == "--seed" {
        guard let text = rest.popFirst(), let number = UInt64(text) else {
          throw Misuse(text: "--seed needs a whole number.\n\(Self.usage)")
        }
        seed = number
      } else if let number = Double(word), number > 0, number.isFinite {
        minutes = number
      } else {
        throw Misuse(text: "`\(word)` is no number of minutes.\n\(Self.usage)")
      }
    }
  }

  var settings: SoakSettings { SoakSettings(seed: seed, minutes: minutes) }

  /// The command that repeats the run.
  var command: String { "Scripts/soak \(minutes.formatted()) --seed \(seed)" }
}

extension Double {
  /// Without meaningless zeros.
  fileprivate func formatted() -> String { self == rounded() && self < 1e9 ? String(Int(self)) : String(self) }
}
