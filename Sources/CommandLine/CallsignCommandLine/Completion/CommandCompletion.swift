import ArgumentParser
import CallsignJSON
import Foundation

/// Completes a command of the program: its options and their values. The argument parser itself provides them.
package struct CommandCompletion {
  private struct Argument {
    var names: [String] = []
    var takesValue = false
    var values: [String] = []
    var wantsFiles = false
    var summary = ""
    var isPositional = false
  }

  private let arguments: [Argument]
  private let profiles: [String]

  /// - Parameters:
  ///   - command: The command.
  ///   - profiles: The names of the logins.
  package init(_ command: any ParsableCommand.Type, profiles: [String]) {
    self.profiles = profiles
    let document = try? JSONValue(jsonString: command._dumpHelp())
    arguments = (document?["command"]?["arguments"]?.array ?? []).map { value in
      var argument = Argument()
      argument.isPositional = value["kind"]?.string == "positional"
      argument.takesValue = value["kind"]?.string == "option"
      for name in value["names"]?.array ?? [] {
        guard let text = name["name"]?.string else { continue }
        argument.names.append((name["kind"]?.string == "long" ? "--" : "-") + text)
      }
      argument.summary = value["abstract"]?.string ?? ""
      argument.values = value["allValues"]?.array?.compactMap(\.string) ?? []
      // An argument with such a name is a file.
      argument.wantsFiles = ["file", "catalogue", "document", "path", "old", "new", "into"].contains(
        value["valueName"]?.string ?? "")
      return argument
    }
  }

  /// The completions after the command's name.
  package func respond(_ words: [String], current: String) -> CompletionResponse {
    if let last = words.last, let argument = arguments.first(where: { $0.names.contains(last) }), argument.takesValue {
      return values(of: argument, current)
    }
    if current.hasPrefix("-") {
      let given = Set(words)
      let options = arguments.filter { !$0.isPositional && given.isDisjoint(with: $0.names) }.flatMap { argument in
        argument.names.filter { $0.hasPrefix("--") }.map { CompletionResponse.Candidate($0, argument.summary) }
      }
      return CompletionResponse(options).beginning(with: current)
    }
    guard let positional = arguments.first(where: \.isPositional) else { return CompletionResponse() }
    return values(of: positional, current)
  }

  private func values(of argument: Argument, _ typed: String) -> CompletionResponse {
    if argument.names.contains("--profile") {
      return CompletionResponse(profiles.map { .init($0) }).beginning(with: typed)
    }
    if argument.names.contains("--output") {
      return CompletionResponse(OutputFormat.allCases.map { .init($0.rawValue) }).beginning(with: typed)
    }
    if argument.wantsFiles { return .files }
    return CompletionResponse(argument.values.map { .init($0) }).beginning(with: typed)
  }
}
