import ArgumentParser
import CallsignCatalogue
import CallsignCommandLine
import Foundation

/// `callsign call CATALOGUE OPERATION …`
struct Call: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Calls an operation of a catalogue.",
    usage: """
      callsign call [--allow-references FOLDER …] [--auth SCHEME …] CATALOGUE OPERATION [--parameter value …] [options]
      """,
    discussion: """
      CATALOGUE is a folder of catalogue files, or an OpenAPI document (a file, an `https` URL, or - for standard input), \
      which is imported first. A file is imported with the overlay next to it, and may refer to files in its own folder \
      and in those that --allow-references names. If the document does not name credentials, choose them with --auth bearer \
      (basic, digest, oauth1, a scheme of the document); with --auth none, calls carry no credentials. Without an \
      operation, the catalogue's operations are listed. Credentials come from a login (`callsign login`), or from the environment, as \
      CALLSIGN_BEARER_TOKEN, CALLSIGN_OAUTH2_ACCESS_TOKEN, CALLSIGN_USERNAME and CALLSIGN_PASSWORD, or \
      CALLSIGN_KEY_SCHEME for an API key, or from the file that --credentials names.

        callsign call Catalogue getPet --id 7
        callsign call openapi.json createPet --help
      """)

  @Argument(parsing: .captureForPassthrough, help: "The catalogue, the operation, and what it takes.")
  var words: [String] = []

  func run() async throws {
    let line = CallLine(words)
    if let option = line.incomplete {
      throw ValidationError("\(option) needs \(CallLine.options[option] ?? "a value").")
    }
    guard let path = line.rest.first, path != "--help", path != "-h" else {
      return print(Self.helpMessage() + "\n" + OperationHelp.options)
    }
    guard !path.hasPrefix("-") || path == "-" else {
      throw ValidationError("Unknown option `\(path)`; write the catalogue first.")
    }
    let operation = line.rest.dropFirst().first ?? "--help"
    if operation.hasPrefix("-") {
      let words = line.rest.count == 1 ? (isListing: true, format: nil) : CallLine.listing(Array(line.rest.dropFirst()))
      guard words.isListing else {
        throw ValidationError("`\(operation)` is in the operation's place; write options after the operation's name.")
      }
      let terminal = Terminal()
      let operations = try await CatalogueInput.reading { [folders = line.folders] in
        try CatalogueInput.operations(at: path, alsoIn: folders).matching([])
      }
      if let format = words.format { return try OperationList.write(operations, as: format, to: terminal) }
      return try terminal.write(OperationList.table(operations, width: terminal.resultWidth))
    }
    let auth = try AuthOptions.requirements(line.auth)
    let catalogue = try await CatalogueInput.reading { [folders = line.folders] in
      try CatalogueInput.catalogue(at: path, alsoIn: folders, auth: auth, of: operation)
    }
    let api = catalogue.api
    let options = line.given.map { "\($0.option) \($0.value.shellQuoted) " }.joined()
    let accepted = catalogue.groups.lazy.flatMap(\.endpoints).first { $0.name == operation }?.auth ?? []
    let canLogIn = accepted.contains { $0.all.allSatisfy { Login.keeps($0.scheme, of: api) } }
    let target = CallCommand.Target(
      catalogue: catalogue, operation: operation, command: "callsign call \(options)\(path.shownPath) \(operation)",
      login: canLogIn ? "callsign login \(options)\(path.shownPath.shellQuoted)" : nil, prefix: "CALLSIGN",
      credentials: {
        if CatalogueInput.isWithoutCredentials(auth) { return [] }
        let credentials = try Self.credentials(api, $0).authenticators()
        if let note = APICredentials.noteOnUnused(credentials, api) { StandardError.write(note) }
        return credentials
      },
      place: { CatalogueInput.isWithoutCredentials(auth) ? $0.baseURL : try Self.credentials(api, $0).place() })
    let status = await CallCommand(target).run(Array(line.rest.dropFirst(2)))
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private static func credentials(_ api: API, _ options: CallWords.Options) throws(CommandLineError) -> APICredentials {
    try APICredentials(
      api, file: options.credentials, account: options.account, profile: options.profile, baseURL: options.baseURL)
  }
}

/// The words of a call. Options about the document come before the operation, because after it they would be its parameters.
struct CallLine {
  /// The options, and the kind of value that each needs.
  static let options = ["--allow-references": "a folder", "--auth": "a scheme"]

  /// The given options, in order.
  private(set) var given: [(option: String, value: String)] = []
  /// The catalogue, the operation, and its arguments.
  private(set) var rest: ArraySlice<String>
  /// The option at which the words end.
  private(set) var incomplete: String?

  init(_ words: [String]) {
    rest = words[...]
    while let word = rest.first,
      let option = Self.options.keys.first(where: { word == $0 || word.hasPrefix($0 + "=") })
    {
      rest.removeFirst()
      if word != option {
        given.append((option, String(word.dropFirst(option.count + 1))))
      } else if let value = rest.popFirst() {
        given.append((option, value))
      } else {
        incomplete = option
      }
    }
  }

  /// Whether the words behind a catalogue ask for the list of its operations, and the list's format if they name one.
  static func listing(_ words: [String]) -> (isListing: Bool, format: OutputFormat?) {
    guard let words = try? CallWords(words, isFlag: { _ in false }), words.parameters.isEmpty else {
      return (false, nil)
    }
    return (words.options.isHelp || words.options.format != nil, words.options.format)
  }

  /// The folders beside the document's own whose files it may refer to.
  var folders: [String] { values(of: "--allow-references") }

  /// The credentials to use if the document states none.
  var auth: [String] { values(of: "--auth") }

  private func values(of option: String) -> [String] { given.filter { $0.option == option }.map(\.value) }
}
