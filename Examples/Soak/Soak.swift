import Foundation

@main
struct Soak {
  static func main() async {
    let arguments: SoakArguments
    do throws(SoakArguments.Misuse) { arguments = try SoakArguments(CommandLine.arguments.dropFirst()) } catch {
      say(error.text)
      exit(2)
    }
    say("Seed \(arguments.seed). To repeat: \(arguments.command)")
    do {
      let problems = try await SoakRun(arguments.settings, write: say).run()
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
