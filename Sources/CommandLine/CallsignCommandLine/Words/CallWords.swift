import ArgumentParser
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP
import CallsignJSON
import Foundation

/// The words after an operation's name: options of the program, and arguments of the call.
///
/// `--name value`, `--name=value` and `name=value` set a parameter as text; `name:=json` and `--name:=json` set it as JSON. A name
/// with dots refers to a member of an object: `reply.in_reply_to_tweet_id=20`. Options of the program take precedence over
/// parameters with the same name. Write such parameters without hyphens.
package struct CallWords: Sendable {
  /// The settings of the program.
  package struct Options: Sendable {
    package var isHelp = false
    package var isDryRun = false
    package var printsCurl = false
    package var isVerbose = false
    package var takesAllPages = false
    /// Whether not to wait for an operation that continues after the call.
    package var returnsAtOnce = false
    package var checksBounds = true
    package var maximumItems: Int?
    package var format: OutputFormat?
    package var fields: [String] = []
    package var baseURL: String?
    /// The file with the body; `-` for standard input.
    package var body: String?
    /// The body itself.
    package var data: String?
    package var credentials: String?
    package var account: String?
    package var profile: String?
    package var timeout: Int?
    /// The files with the client's certificate, its key, and the certificate authorities to trust.
    package var certificate: String?
    package var certificateKey: String?
    package var certificateAuthorities: String?
    /// The idempotency key.
    package var idempotencyKey: String?
    /// Selects from the response, from each element of pages, or from each record of a stream.
    package var filter: FilterExpression?
    /// Whether strings are written without quotation marks.
    package var writesRawText = false
  }

  /// A parameter as given.
  package struct Parameter: Sendable, Equatable {
    package var name: String
    package var text: String
    package var isJSON = false
  }

  package private(set) var options = Options()
  package private(set) var parameters: [Parameter] = []

  private static let flags: [String: WritableKeyPath<Options, Bool> & Sendable] = [
    "help": \.isHelp, "dry-run": \.isDryRun, "curl": \.printsCurl, "verbose": \.isVerbose, "all": \.takesAllPages,
    "no-wait": \.returnsAtOnce, "raw": \.writesRawText,
  ]
  private static let valued: Set<String> = [
    "output", "fields", "base-url", "body", "data", "credentials", "account", "idempotency-key", "max-items", "timeout",
    "profile", "filter", "cert", "cert-key", "cacert",
  ]

  /// Whether a name with hyphens is an option of the program, so that a parameter with that name is written without them.
  static func isOption(_ name: String) -> Bool {
    flags[name] != nil || valued.contains(name) || name == "no-check"
  }

  /// The words of a whole command line with the command first. Options of calls can come before it, as in `-o table whoami`; they
  /// are moved behind the command and the words that follow it. At the end, a parameter without a value would take them.
  ///
  /// - Parameter leading: Options with a value that a command takes before its other words.
  package static func commandFirst(_ words: [String], leading: Set<String> = []) -> [String] {
    var rest = words[...]
    var options: [String] = []
    while let word = rest.first, let count = optionWordCount(word), rest.count > count {
      options += rest.prefix(count)
      rest = rest.dropFirst(count)
    }
    // Without a command, the parser reports the problem.
    guard !options.isEmpty, let command = rest.first, !command.hasPrefix("-") else { return words }
    var place = 1
    let moved = Array(rest)
    while place < moved.count {
      let word = moved[place]
      if leading.contains(word) {
        place += 2
      } else if leading.contains(where: { word.hasPrefix($0 + "=") }) {
        place += 1
      } else {
        break
      }
    }
    place = min(place, moved.count)
    // Help stays with its command, and a hyphen alone is a document from standard input.
    while place < moved.count, !moved[place].hasPrefix("-") || ["-", "-h", "--help"].contains(moved[place]) {
      place += 1
    }
    return Array(moved[..<place]) + options + Array(moved[place...])
  }

  /// The number of words of an option of the program, including its own; `nil` if the word is not such an option. The help option
  /// is left out: before a command, it concerns the whole program.
  private static func optionWordCount(_ word: String) -> Int? {
    switch word {
    case "-h", "--help": return nil
    case "-v", "-r": return 1
    case "-o", "-d": return 2
    default:
      guard word.hasPrefix("--") else { return nil }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.first.map { String($0) } ?? ""
      if valued.contains(name) { return parts.count == 2 ? 1 : 2 }
      return parts.count == 1 && isOption(name) ? 1 : nil
    }
  }

  /// Parses words.
  ///
  /// - Parameter isFlag: Whether a parameter is a Boolean, so that it needs no value.
  package init(_ words: [String], isFlag: (String) -> Bool) throws(CommandLineError) {
    var rest = words[...]
    var lastFlag: String?
    while let word = rest.popFirst() {
      let flag = lastFlag
      lastFlag = nil
      // Compares code points: a punctuation mark followed by an accent, which a value may begin with, is one character.
      let scalars = word.unicodeScalars
      if word == "-h" {
        options.isHelp = true
      } else if word == "-v" {
        options.isVerbose = true
      } else if word == "-r" {
        options.writesRawText = true
      } else if word == "-o" {
        try set("output", try Self.value(of: "-o", &rest))
      } else if word == "-d" {
        try set("data", try Self.value(of: "-d", &rest))
      } else if word.hasPrefix("--") {
        if try readOption(word.dropFirst(2), &rest, isFlag) { lastFlag = word }
      } else if let assignment = scalars.firstRange(of: ":=".unicodeScalars),
        !scalars[..<assignment.lowerBound].contains("=")
      {
        parameters.append(
          Parameter(
            name: String(word[..<assignment.lowerBound]), text: String(word[assignment.upperBound...]), isJSON: true))
      } else if let equals = scalars.firstIndex(of: "="), equals > word.startIndex {
        parameters.append(
          Parameter(name: String(word[..<equals]), text: String(word[scalars.index(after: equals)...])))
      } else if let flag {
        throw CommandLineError(
          "\(flag.printable) is true or false, and not `\(word.printable)`: write it without a value, or as \(flag.printable)=false"
        )
      } else {
        throw CommandLineError("unexpected word `\(word.printable)`; give parameters as --name value or name=value")
      }
    }
  }

  /// - Returns: Whether it is a parameter that is true because it has no value.
  private mutating func readOption(
    _ word: Substring, _ rest: inout ArraySlice<String>, _ isFlag: (String) -> Bool
  ) throws(CommandLineError) -> Bool {
    let parts = word.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0) }
    let name = parts.first ?? ""
    let given = parts.count == 2 ? parts[1] : nil
    if let flag = Self.flags[name], given == nil {
      options[keyPath: flag] = true
    } else if name == "no-check", given == nil {
      options.checksBounds = false
    } else if Self.valued.contains(name) {
      if let given { try set(name, given) } else { try set(name, try Self.value(of: "--" + name, &rest)) }
    } else if let given {
      // `--name:=json`, as without hyphens.
      let isJSON = name.hasSuffix(":")
      parameters.append(Parameter(name: isJSON ? String(name.dropLast()) : name, text: given, isJSON: isJSON))
    } else if isFlag(name), !["true", "false"].contains(rest.first ?? "") {
      parameters.append(Parameter(name: name, text: "true"))
      return true
    } else {
      parameters.append(Parameter(name: name, text: try Self.value(of: "--" + name, &rest)))
    }
    return false
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(CommandLineError) -> String {
    if let value = rest.popFirst() { return value }
    throw CommandLineError("\(option.printable) needs a value" + advice(on: String(option.drop { $0 == "-" })))
  }

  /// A suggestion for an option that the program does not have; empty if nothing is close.
  private static func advice(on name: String) -> String {
    if OutputFormat(rawValue: name) != nil { return "; to get the result as \(name), write -o \(name)" }
    return closestOption(to: name).map { "; did you mean \($0)?" } ?? ""
  }

  /// The option that a name which the program does not have was probably meant to be.
  static func closestOption(to name: String) -> String? {
    guard !isOption(name) else { return nil }
    var suggestions = Suggestions()
    let options = Array(flags.keys) + Array(valued) + ["no-check"] + OutputFormat.allCases.map(\.rawValue)
    return suggestions.closest(to: name, among: options.sorted()).map {
      OutputFormat(rawValue: $0) == nil ? "--\($0)" : "-o \($0)"
    }
  }

  private mutating func set(_ name: String, _ value: String) throws(CommandLineError) {
    func number() throws(CommandLineError) -> Int {
      guard let number = Int(value), number > 0 else { throw CommandLineError("--\(name) needs a number from 1 on") }
      return number
    }
    switch name {
    case "output":
      guard let format = OutputFormat(rawValue: value) else {
        let known = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandLineError("--output is one of \(known)")
      }
      options.format = format
    case "fields": options.fields += value.split(separator: ",").map(String.init)
    case "base-url":
      guard let url = URL(string: value), url.scheme == "https" || url.scheme == "http", url.host != nil else {
        throw CommandLineError("--base-url needs a URL such as http://127.0.0.1:8080")
      }
      options.baseURL = value
    case "body", "data":
      guard options.body == nil, options.data == nil else { throw CommandLineError("the body is given twice") }
      // As in curl, `@` refers to a file.
      if name == "body" || value.hasPrefix("@") {
        options.body = name == "body" ? value : String(value.dropFirst())
      } else {
        options.data = value
      }
    case "credentials": options.credentials = value
    case "account": options.account = value
    case "profile": options.profile = value
    case "idempotency-key": options.idempotencyKey = value
    case "cert": options.certificate = value
    case "cert-key": options.certificateKey = value
    case "cacert": options.certificateAuthorities = value
    case "filter": options.filter = try Self.filter(value)
    case "max-items": options.maximumItems = try number()
    default: options.timeout = min(try number(), Int(Duration.longestWait.components.seconds))
    }
  }

  /// Checks the options that other commands share with calls, and reports mistakes in the form that their parser expects.
  /// - Throws: `ValidationError`.
  package static func validate(baseURL: String? = nil, filter: String? = nil) throws {
    do throws(CommandLineError) {
      if let baseURL { _ = try CallWords(["--base-url", baseURL]) { _ in false } }
      if let filter { _ = try self.filter(filter) }
    } catch { throw ValidationError("\(error)") }
  }

  /// Parses a JMESPath expression. A mistake is shown at its position.
  package static func filter(_ text: String) throws(CommandLineError) -> FilterExpression {
    do throws(FilterError) { return try FilterExpression(text) } catch {
      throw CommandLineError("--filter: \(error)\n\(error.excerpt(of: text))")
    }
  }
}
