import ArgumentParser
import CallsignCommandLine

/// `callsign completions SHELL`
struct Completions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Prints a script that lets a shell complete commands, and a catalogue's operations, parameters and values.",
    discussion: "  callsign completions bash > ~/.local/share/bash-completion/completions/callsign")

  @Argument(help: "bash, zsh or fish.")
  var shell: CompletionScript

  func run() throws { try Terminal().write(shell.text(program: "callsign")) }
}

extension CompletionScript: ExpressibleByArgument {}
