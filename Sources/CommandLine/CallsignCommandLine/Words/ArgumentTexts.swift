import CallsignCatalogue
import CallsignDynamic
import CallsignJSON
import Foundation

/// Converts command-line texts to JSON arguments, according to the types of an operation's parameters.
///
/// A text that is not a value of its type stays a string, so that the check of the arguments reports it.
struct ArgumentTexts {
  let operation: DynamicOperation
  private let models: ModelTable
  private let standardInput: StandardInput

  init(_ operation: DynamicOperation, standardInput: StandardInput) {
    self.operation = operation
    models = operation.models
    self.standardInput = standardInput
  }

  /// Whether a parameter is a Boolean.
  func isFlag(_ name: String) -> Bool {
    parameter(named: name).map { models.resolved($0.type).kind == .scalar(.bool) } ?? false
  }

  /// The arguments.
  ///
  /// - Parameter body: The members of the body, or the whole body, from the file or standard input.
  func arguments(_ parameters: [CallWords.Parameter], body: Data?) throws(CommandLineError) -> [String: JSONValue] {
    var arguments = try body.map { (body) throws(CommandLineError) in try self.arguments(ofBody: body) } ?? [:]
    var given: Set<String> = []
    for word in parameters {
      guard let (parameter, path) = target(of: word.name) else {
        arguments[word.name] = .string(word.text)
        continue
      }
      let type = type(at: path[...], in: parameter.type)
      var value = word.isJSON ? try json(word) : try self.value(word.text, type, of: word.name)
      if path.isEmpty {
        // A list can be given element by element.
        if given.contains(parameter.name), let before = arguments[parameter.name]?.array {
          value = .array(before + (value.array ?? [value]))
        } else if given.contains(parameter.name) {
          throw CommandLineError("\(parameter.name) is given twice")
        }
        arguments[parameter.name] = value
      } else {
        let before = arguments[parameter.name] ?? .object([:])
        if given.contains(word.name) {
          guard let list = path.reduce(Optional(before), { $0?[$1] })?.array else {
            throw CommandLineError("\(word.name) is given twice")
          }
          value = .array(list + (value.array ?? [value]))
        }
        arguments[parameter.name] = Self.setting(value, at: path[...], in: before)
      }
      given.insert(word.name)
      given.insert(parameter.name)
    }
    return arguments
  }

  /// The arguments from a body: the parameter for the whole body, or the parameters for its members.
  private func arguments(ofBody body: Data) throws(CommandLineError) -> [String: JSONValue] {
    let endpoint = operation.endpoint
    let whole = endpoint.parameters.first { $0.place == .body }
    if let whole, models.resolved(whole.type).kind == .scalar(.bytes) {
      return [whole.name: ["base64": .string(body.base64EncodedString())]]
    }
    if let whole, endpoint.hasRawBody {
      guard let text = String(data: body, encoding: .utf8) else {
        throw CommandLineError("the body is not UTF-8", .invalidInput)
      }
      return [whole.name: .string(text)]
    }
    guard whole != nil || operation.facts.body != nil else {
      throw CommandLineError("\(operation.name) has no body; leave --body and --data out")
    }
    let value = try StandardInput.json(ofBody: body)
    if let whole { return [whole.name: value] }
    guard let members = value.object else {
      throw CommandLineError("the body must be a JSON object with the parameters of \(operation.name)")
    }
    let fields = endpoint.parameters.filter { $0.place == .field }
    // An object whose members are directly in the body takes all members that no other parameter takes.
    let rest = fields.first { $0.objectStyle == .members }
    var arguments: [String: JSONValue] = [:]
    var others: [String: JSONValue] = [:]
    for (name, member) in members {
      if let field = fields.first(where: { $0.wire == name && $0.objectStyle != .members }) {
        arguments[field.name] = member
      } else {
        others[name] = member
      }
    }
    guard !others.isEmpty else { return arguments }
    guard let rest else {
      var suggestions = Suggestions()
      let names = others.keys.sorted().map { name in
        name.printable
          + (suggestions.closest(to: name, among: fields.map(\.wire)).map { " (did you mean \($0)?)" } ?? "")
      }
      throw CommandLineError(
        "the body of \(operation.name) has no members of these names: \(names.joined(separator: ", "))")
    }
    arguments[rest.name] = .object(others)
    return arguments
  }

  private func json(_ word: CallWords.Parameter) throws(CommandLineError) -> JSONValue {
    guard let value = try? JSONValue(jsonString: word.text) else {
      throw CommandLineError("what follows \(word.name):= is not JSON")
    }
    return value
  }

  // MARK: Names

  /// A parameter by its name on the wire, with any separators, or by its Swift label.
  private func parameter(named name: String) -> Parameter? {
    let parameters = operation.endpoint.parameters.filter { $0.constant == nil }
    func plain(_ text: String) -> String { text.lowercased().replacing(/[-.]/, with: "_") }
    return parameters.first { $0.name == name } ?? parameters.first { $0.label == name }
      ?? parameters.first { plain($0.name) == plain(name) }
  }

  /// The parameter for a name, and the path inside it.
  private func target(of name: String) -> (parameter: Parameter, path: [String])? {
    if let parameter = parameter(named: name) { return (parameter, []) }
    let steps = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for count in stride(from: steps.count - 1, to: 0, by: -1) {
      let beginning = steps[..<count].joined(separator: ".")
      if let parameter = operation.endpoint.parameters.first(where: { $0.name == beginning }) {
        return (parameter, Array(steps[count...]))
      }
    }
    return nil
  }

  /// The type at the end of a path within a type; any JSON if there is no such path, or the variants of a union disagree.
  private func type(at path: ArraySlice<String>, in type: TypeReference) -> TypeReference {
    known(at: path, in: type, depth: 0) ?? TypeReference(.scalar(.json))
  }

  private func known(at path: ArraySlice<String>, in type: TypeReference, depth: Int) -> TypeReference? {
    guard let step = path.first else { return type }
    switch models.resolved(type).kind {
    case .map(let element): return known(at: path.dropFirst(), in: element, depth: 0)
    case .named(let name):
      switch models[name]?.shape {
      case .object(let fields, let extra)?:
        guard let field = fields.first(where: { $0.name == step })?.type ?? extra else { return nil }
        return known(at: path.dropFirst(), in: field, depth: 0)
      // A union may contain unions as variants, and among theirs itself.
      case .union(let union)? where depth < 8:
        let found = union.variants.compactMap { known(at: path, in: $0.type, depth: depth + 1) }
        guard let first = found.first, Set(found.map { models.resolved($0).kind }).count == 1 else { return nil }
        return first
      default: return nil
      }
    case .scalar, .list: return nil
    }
  }

  private static func setting(_ value: JSONValue, at path: ArraySlice<String>, in object: JSONValue) -> JSONValue {
    guard let step = path.first else { return value }
    var members = object.object ?? [:]
    members[step] = setting(value, at: path.dropFirst(), in: members[step] ?? .object([:]))
    return .object(members)
  }

  // MARK: Values

  /// Converts a text to a value of its type.
  ///
  /// - Parameter name: The argument's name, for messages.
  private func value(_ text: String, _ type: TypeReference, of name: String) throws(CommandLineError) -> JSONValue {
    let type = models.resolved(type)
    if type.isNullable, text == "null" { return .null }
    switch type.kind {
    case .scalar(let scalar): return try value(text, scalar, of: name)
    case .list(let element):
      if text.hasPrefix("["), let list = try? JSONValue(jsonString: text), list.array != nil { return list }
      if text.isEmpty { return .array([]) }
      var elements: [JSONValue] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        elements.append(try value(String(part), element, of: name))
      }
      return .array(elements)
    case .map: return (try? JSONValue(jsonString: text)) ?? .string(text)
    case .named(let model):
      guard let model = models[model], case .enumeration = model.shape else {
        return (try? JSONValue(jsonString: text)) ?? .string(text)
      }
      return model.isInteger ? Int(text).map { .integer($0) } ?? .string(text) : .string(text)
    }
  }

  /// A number with all of its digits. A `Double` would keep fewer.
  private static func number(_ text: String) -> JSONValue? {
    (try? JSONValue(jsonString: text)).flatMap { $0.kind == .number ? $0 : nil }
  }

  private func value(_ text: String, _ scalar: Scalar, of name: String) throws(CommandLineError) -> JSONValue {
    switch scalar {
    case .string, .url, .uuid, .decimal, .date(.rfc3339), .date(.day), .date(.pattern), .duration(.iso8601),
      .duration(.protobuf):
      return .string(text)
    case .int, .int32, .uint64: return Int(text).map { .integer($0) } ?? Self.number(text) ?? .string(text)
    case .number, .date, .duration:
      return Self.number(text) ?? JSONValue(written: text) ?? .string(text)
    case .bool: return text == "true" ? true : text == "false" ? false : .string(text)
    case .json: return (try? JSONValue(jsonString: text)) ?? .string(text)
    case .bytes, .base64URL, .file:
      if text == "-" {
        let base64 = JSONValue.string(try standardInput.read().base64EncodedString())
        return scalar != .file ? ["base64": base64] : ["base64": base64, "name": "stdin"]
      }
      let file: JSONValue = ["file": .string(text)]
      let path = ArgumentPolicy(readsFiles: true).file(file)?.path ?? text
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
        FileManager.default.isReadableFile(atPath: path)
      {
        return file
      }
      if scalar == .base64URL, !ArgumentPolicy.isPath(text) { return .string(text) }
      if scalar == .bytes, !ArgumentPolicy.isPath(text), Data(base64Encoded: text) != nil { return .string(text) }
      throw CommandLineError("\(name.printable): the file \(text.printable) cannot be read", .noInput)
    }
  }
}
