import ArgumentParser
import CallsignCommandLine
import CallsignX
import Foundation
import XText

/// `xapi text`
struct TextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "text",
    abstract: "Counts a post's text, finds its entities, makes links of them.",
    discussion: """
      The text is an argument, or standard input, also by -:

        xapi text count "Hi http://test.co"
        xapi text link --base https://x.com/ < post.txt

      With --jsonl it responds to cases of twitter-text's conformance suite, to compare with other implementations. Each line \
      of standard input is an object with the case's file and section in `test`, its `text`, and its other inputs, such as \
      `hits`, `json`, `config` or `options`:

        {"test":"extract/mentions_with_indices","text":"@user yo"}

      and gets a line {"result":…} in the form of the case's `expected`, or {"error":"…"}. The exit status is \
      1 if a line got an error.
      """,
    subcommands: [Count.self, Entities.self, Link.self])

  @Flag(help: "Answer one case of the conformance suite per line.")
  var jsonl = false

  func run() throws {
    guard jsonl else { throw CleanExit.helpRequest(self) }
    var isFailed = false
    while let line = readLine() {
      if line.allSatisfy(\.isWhitespace) { continue }
      let outcome = TextComparison.outcome(of: line)
      if case .failure = outcome { isFailed = true }
      try TextOutput.write(outcome.line)
    }
    if isFailed { throw ExitCode.failure }
  }

  /// The text of a command.
  struct Text: ParsableArguments {
    @Argument(help: "The text; standard input for -, and unless it is given.")
    var text: String?

    func read() throws -> String {
      if let text, text != "-" { return text }
      let data: Data
      do throws(CommandLineError) { data = try StandardInput().read() } catch {
        StandardError.write("error: \(error)")
        throw error.status
      }
      guard let text = String(data: data, encoding: .utf8) else { throw ValidationError("The text is not UTF-8.") }
      // The final line break belongs to the file, not to the post.
      return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
  }

  /// `xapi text count`
  struct Count: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Counts a text as X does.",
      discussion: "Prints a JSON object. The exit status is 1 if X would refuse the text.")

    @OptionGroup var text: Text

    @Option(help: "The configuration that X published: 1, 2 or 3.")
    var configuration = 3

    @Option(help: "The length that the text may have, such as 25000 for long posts.")
    var maximum: Int?

    @Option(name: .shortAndLong, help: "json, lines, table, yaml or csv.")
    var output: OutputFormat = .lines

    func run() throws {
      guard var rules = TextComparison.configuration(configuration) else {
        throw ValidationError("Unknown configuration \(configuration); choose 1, 2 or 3.")
      }
      if let maximum {
        guard (1...1_000_000_000).contains(maximum) else {
          throw ValidationError("The maximum must be from 1 to 1000000000.")
        }
        rules = rules.limited(to: maximum)
      }
      let counted = PostText(try text.read(), configuration: rules)
      guard case .object(var members) = TextComparison.counted(counted) else { return }
      members["remaining"] = .integer(counted.remaining)
      members["problem"] = counted.problem.map { .string($0.description) }
      try ResultWriter(output, fields: [], terminal: Terminal()).write(.object(members), items: nil)
      if !counted.isValid { throw ExitCode.failure }
    }
  }

  /// `xapi text entities`
  struct Entities: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Finds URLs, mentions, lists, hashtags and cashtags.",
      discussion: "Prints a JSON object for each, a line each; `indices` count code points.")

    @OptionGroup var text: Text

    @Option(name: .shortAndLong, help: "json, lines, table, yaml or csv.")
    var output: OutputFormat = .lines

    func run() throws {
      let entities = PostEntities(try text.read()).all.map { TextComparison.described($0) }
      try ResultWriter(output, fields: [], terminal: Terminal()).write(.array(entities), items: entities)
    }
  }

  /// `xapi text link`
  struct Link: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Makes HTML of a text, with links.")

    @OptionGroup var text: Text

    @Option(help: "The beginning of the links' addresses.")
    var base = "https://x.com/"

    @Flag(help: "Take the text for HTML that is escaped already.")
    var escaped = false

    @Flag(help: "Make links of URLs without a scheme too.")
    var withoutScheme = false

    func run() throws {
      var autolink = Autolink()
      autolink.usernameBase = base
      autolink.listBase = base
      autolink.hashtagBase = base + "search?q=%23"
      autolink.cashtagBase = base + "search?q=%24"
      autolink.escapesText = !escaped
      autolink.linksURLsWithoutScheme = withoutScheme
      try TextOutput.write(autolink.html(try text.read()))
    }
  }
}

/// Prints results, one per line.
private enum TextOutput {
  private static let terminal = Terminal()

  static func write(_ value: JSONValue) throws { try write(String(decoding: value.jsonData(.compact), as: UTF8.self)) }

  static func write(_ line: String) throws {
    try terminal.write(line + "\n")
  }
}
