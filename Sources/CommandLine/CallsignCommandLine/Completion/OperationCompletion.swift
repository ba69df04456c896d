import CallsignCatalogue
import CallsignDynamic

/// Completes a call of an operation: its parameters, their values, and the options of the program.
package struct OperationCompletion {
  private let operation: DynamicOperation
  private let profiles: [String]

  /// A possible argument: a parameter, or a member of an object parameter with its dotted path.
  private struct Place {
    var name: String
    var type: TypeReference
    var summary: String
    var isRequired: Bool
  }

  /// How deep members of objects are offered.
  private static let depth = 3

  /// - Parameters:
  ///   - operation: The operation.
  ///   - profiles: The names of the logins.
  package init(_ operation: DynamicOperation, profiles: [String]) {
    self.operation = operation
    self.profiles = profiles
  }

  /// The completions after the operation's name.
  package func respond(_ words: [String], current: String) -> CompletionResponse {
    // The value of the option before the cursor.
    if let last = words.last, last.hasPrefix("-"), !last.contains("="), let response = values(of: last, current) {
      return response
    }
    if let equals = current.firstIndex(of: "="), equals > current.startIndex {
      let name = String(current[..<equals])
      let typed = String(current[current.index(after: equals)...])
      let isWord = !name.hasPrefix("-")
      guard !name.hasSuffix(":"),
        var response = isWord
          ? values(ofParameter: name, typed, isAssigned: true) : values(of: name, typed, isAssigned: true)
      else {
        return CompletionResponse()
      }
      response.candidates = response.candidates.map { .init("\(name)=\($0.word)", $0.summary) }
      return response
    }
    let given = Set(
      words.compactMap { word -> String? in
        let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" && $0 != ":" })
        return word.hasPrefix("-") && CallWords.isOption(name) ? nil : name
      })
    let places = places.filter { !given.contains($0.name) }
    let options = places.map {
      CompletionResponse.Candidate(
        CallWords.isOption($0.name) ? "\($0.name)=" : "--\($0.name)", ($0.isRequired ? "(required) " : "") + $0.summary)
    }
    guard current.hasPrefix("-") || current.isEmpty else {
      // Parameters without hyphens: `name=`.
      var response = CompletionResponse(places.map { .init("\($0.name)=", $0.summary) }).beginning(with: current)
      response.goesOn = !response.candidates.isEmpty
      return response
    }
    // Required parameters come first. The program's options come only on request.
    let program = current.hasPrefix("-") ? ProgramOption.all.filter(isMeant) : []
    let ofProgram = program.map { CompletionResponse.Candidate("--\($0.name)", $0.summary) }
    var response = CompletionResponse(options + ofProgram).beginning(with: current)
    response.goesOn = !response.candidates.isEmpty && response.candidates.allSatisfy { $0.word.hasSuffix("=") }
    return response
  }

  /// Whether an option of the program applies to the operation.
  private func isMeant(_ option: ProgramOption) -> Bool {
    option.name != "idempotency-key" || operation.facts.idempotencyField != nil
  }

  /// The values of an option or a parameter; `nil` if it takes none.
  private func values(of option: String, _ typed: String, isAssigned: Bool = false) -> CompletionResponse? {
    if option == "-o" { return formats(typed) }
    guard option.hasPrefix("--") else { return nil }
    let name = String(option.dropFirst(2))
    if let known = ProgramOption.all.first(where: { $0.name == name }) {
      guard known.takesValue else { return nil }
      switch name {
      case "output": return formats(typed)
      case "profile": return CompletionResponse(profiles.map { .init($0) }).beginning(with: typed)
      case "body", "credentials", "cert", "cert-key", "cacert": return .files
      default: return CompletionResponse()
      }
    }
    return values(ofParameter: name, typed, isAssigned: isAssigned)
  }

  /// The values of a parameter; `nil` if it takes none.
  private func values(ofParameter name: String, _ typed: String, isAssigned: Bool) -> CompletionResponse? {
    let labelled = operation.endpoint.parameters.first { $0.name == name || $0.label == name }?.type
    guard let found = labelled ?? places.first(where: { $0.name == name })?.type else { return CompletionResponse() }
    let type = operation.models.resolved(found)
    if case .list(let element) = type.kind { return elements(of: element, typed) }
    if case .scalar(.bool) = type.kind {
      // A flag needs no value.
      return isAssigned ? CompletionResponse([.init("true"), .init("false")]).beginning(with: typed) : nil
    }
    if case .scalar(.file) = type.kind { return .files }
    if case .scalar(.bytes) = type.kind { return .files }
    return CompletionResponse(cases(type)).beginning(with: typed)
  }

  private var places: [Place] {
    operation.endpoint.parameters.filter { $0.constant == nil }.flatMap { parameter in
      places(
        Place(
          name: parameter.name, type: parameter.type, summary: parameter.summary ?? "",
          isRequired: !parameter.type.isOptional), Self.depth)
    }
  }

  /// The members of an object; anything else is a single place.
  private func places(_ place: Place, _ depth: Int) -> [Place] {
    guard depth > 0, case .named(let name) = operation.models.resolved(place.type).kind,
      case .object(let fields, nil)? = operation.models[name]?.shape, !fields.isEmpty
    else { return [place] }
    return fields.filter { !$0.isReadOnly && $0.constant == nil }.flatMap { field in
      places(
        Place(
          name: "\(place.name).\(field.name)", type: field.type, summary: field.summary ?? "",
          isRequired: place.isRequired && !field.type.isOptional), depth - 1)
    }
  }

  private func formats(_ typed: String) -> CompletionResponse {
    CompletionResponse(OutputFormat.allCases.map { .init($0.rawValue) }).beginning(with: typed)
  }

  /// The values of an enum.
  private func cases(_ type: TypeReference) -> [CompletionResponse.Candidate] {
    guard case .named(let name) = type.kind, case .enumeration(let cases)? = operation.models[name]?.shape else {
      return []
    }
    return cases.map { .init($0.value, $0.summary ?? "") }
  }

  /// The values of a list, after what has been typed, without the values that it already contains.
  private func elements(of type: TypeReference, _ typed: String) -> CompletionResponse {
    let cases = cases(operation.models.resolved(type))
    let before = typed.lastIndex(of: ",").map { String(typed[...$0]) } ?? ""
    let given = Set(before.split(separator: ",").map(String.init))
    let left = cases.filter { !given.contains($0.word) }
    var response = CompletionResponse(left.map { .init(before + $0.word, $0.summary) }).beginning(with: typed)
    response.goesOn = !response.candidates.isEmpty
    return response
  }
}

/// An option that the program accepts for every call.
struct ProgramOption {
  let name: String
  let takesValue: Bool
  let summary: String

  /// All options, as listed in the help.
  static let all: [ProgramOption] = OperationHelp.options.split(separator: "\n").compactMap { line in
    guard line.hasPrefix("  --") else { return nil }
    let words = line.dropFirst(4).split(separator: " ", omittingEmptySubsequences: true)
    guard let name = words.first else { return nil }
    // A value's name is in capitals, directly after the option's name.
    let hasValue = words.count > 1 && words[1].contains { $0.isUppercase } && words[1] == words[1].uppercased()
    return ProgramOption(
      name: String(name), takesValue: hasValue, summary: words.dropFirst(hasValue ? 2 : 1).joined(separator: " "))
  }
}
