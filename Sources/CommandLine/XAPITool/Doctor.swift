import ArgumentParser
import Callsign
import CallsignAuth
import CallsignCommandLine
import CallsignX
import Foundation

/// `xapi doctor`
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds out why calls do not work, and says what to do.",
    discussion: """
      Looks at files and their permissions, the environment, proxies, the network, the clock, the credentials that a call \
      would have, their scopes and end, and the rate limit. It calls GET /2/users/me, and shows no secret. The exit status is \
      0 if nothing keeps calls from working, even with warnings, and 1 otherwise.
      """)

  @OptionGroup var access: AccessOptions

  @Option(name: .shortAndLong, help: "json, lines, table, yaml or csv, instead of lines to read.")
  var output: OutputFormat?

  @Flag(help: "The same as -o json.")
  var json = false

  func run() async throws {
    let status = await CommandRun().run {
      let terminal = Terminal()
      let findings = await Diagnosis(try XCredentials(access)).findings()
      if let format = output ?? (json ? .json : nil) {
        let columns = format == .table || format == .csv ? ["subject", "verdict", "text", "advice"] : []
        let writer = ResultWriter(format, fields: columns, terminal: terminal)
        try writer.write(.array(findings.map(\.value)), items: nil)
      } else {
        for finding in findings {
          try terminal.write(finding.text(hasColors: terminal.hasColors, width: terminal.resultWidth))
        }
      }
      if findings.contains(where: { $0.verdict == .problem }) { throw ExitStatus.refused }
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }
}

/// The result of one check.
struct Finding: Sendable {
  enum Verdict: String, Sendable {
    case good = "ok"
    case warning
    case problem
  }

  let subject: String
  let verdict: Verdict
  let text: String
  /// What to do about it.
  var advice: String?

  init(_ subject: String, _ verdict: Verdict, _ text: String, advice: String? = nil) {
    self.subject = subject
    self.verdict = verdict
    self.text = text
    self.advice = advice
  }

  /// `ok       clock        right to the second`, with advice on the next line.
  ///
  /// - Parameter width: The width of the terminal for breaking lines between words; `nil` for one line each.
  func text(hasColors: Bool, width: Int?) -> String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    let color = verdict == .good ? 32 : verdict == .warning ? 33 : 31
    let word = padded(verdict.rawValue, 7)
    let shown = hasColors ? "\u{1B}[\(color)m\(word)\u{1B}[0m" : word
    var lines = text.printable.wrapped(to: width, indent: 22, first: "\(shown)  \(padded(subject, 11))  ")
    if let advice {
      lines += advice.printable.wrapped(to: width, indent: 24, first: String(repeating: " ", count: 22) + "→ ")
    }
    return lines
  }

  var value: JSONValue {
    var members: [String: JSONValue] = [
      "subject": .string(subject), "verdict": .string(verdict.rawValue), "text": .string(text),
    ]
    members["advice"] = advice.map(JSONValue.string)
    return .object(members)
  }
}
