import ArgumentParser
import CallsignCatalogue
import CallsignCommandLine
import CallsignDynamic

/// Responds to the shells' completion scripts.
enum Completer {
  /// Prints how a line can continue. If there is no answer, it prints nothing, because the user is typing.
  static func respond(_ words: [String]) {
    guard let line = words.first else { return }
    try? Terminal().write(respond(CompletionRequest(line: line)).text)
  }

  static func respond(_ request: CompletionRequest) -> CompletionResponse {
    let commands = CallsignTool.configuration.subcommands
    guard let first = request.words.first else {
      let candidates = commands.map { CompletionResponse.Candidate($0._commandName, $0.configuration.abstract) }
      return CompletionResponse(candidates).beginning(with: request.current)
    }
    let rest = Array(request.words.dropFirst())
    guard let command = commands.first(where: { $0._commandName == first }) else { return CompletionResponse() }
    if command == Login.self, rest.last == "--scheme" {
      let catalogue = rest.lazy.filter { !$0.hasPrefix("-") }
        .compactMap { CatalogueInput.readable(at: $0, alsoIn: [])?.catalogue(of: []) }.first
      let schemes = (catalogue?.api.schemes ?? []).filter { $0.name != "none" }
      return CompletionResponse(schemes.map { CompletionResponse.Candidate($0.name, $0.summary ?? "") })
        .beginning(with: request.current)
    }
    guard command == Call.self else {
      return CommandCompletion(command, profiles: []).respond(rest, current: request.current)
    }
    let line = CallLine(rest)
    let words = Array(line.rest)
    if let option = line.incomplete { return option == "--auth" ? CompletionResponse() : .files }
    guard let path = words.first else {
      guard request.current.hasPrefix("-") else { return .files }
      return CompletionResponse([
        CompletionResponse.Candidate("--allow-references", "A folder whose files it may refer to."),
        CompletionResponse.Candidate("--auth", "The credentials to use if the document does not name any."),
      ]).beginning(with: request.current)
    }
    guard let excerpts = CatalogueInput.readable(at: path, alsoIn: line.folders) else { return CompletionResponse() }
    guard words.count > 1 else {
      let operations = excerpts.operations.map { CompletionResponse.Candidate($0.name, $0.summary) }
      return CompletionResponse(operations).beginning(with: request.current)
    }
    guard let catalogue = excerpts.catalogue(of: [words[1]]),
      let operation = try? DynamicAPI(catalogue).operation(words[1])
    else { return CompletionResponse() }
    return OperationCompletion(operation, profiles: APICredentials.profiles(catalogue.api).names)
      .respond(Array(words.dropFirst(2)), current: request.current)
  }
}
