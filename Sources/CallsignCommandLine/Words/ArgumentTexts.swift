import CallsignCatalogue
import CallsignDynamic
import CallsignJSON
import Foundation

/// Makes JSON arguments of the texts that a command line has, by the types of an operation's parameters.
///
/// A text that says no value of its type stays a text, so that the check of the arguments finds it.
struct ArgumentTexts {
  let operation: DynamicOperation
  private let models: ModelTable
  /// Reads standard input whole, for values and bodies that are `-`.
  let readStandardInput: () throws -> Data

  init(_ operation: DynamicOperation, _ models: ModelTable, readStandardInput: @escaping () throws -> Data) {
    self.operation = operation
    self.models = models
    self.readStandardInput = readStandardInput
  }

  /// Whether a parameter is true or false.
  func isFlag(_ name: String) -> Bool {
    parameter(named: name).map { models.resolved($0.type).kind == .scalar(.bool) } ?? false
  }

  /// The arguments.
  ///
  /// - Parameter body: The members of the body, or all of it, as the file or standard input had it.
  func arguments(_ parameters: [CallWords.Parameter], body: JSONValue?) throws(CommandLineError) -> [String: JSONValue]
  {
    var arguments: [String: JSONValue] = [:]
    if let body {
      if let whole = operation.endpoint.parameters.first(where: { $0.place == .body }) {
        arguments[whole.name] = body
      } else if let members = body.object {
        arguments = members
      } else {
        throw CommandLineError("the body must be a JSON object with the parameters of \(operation.name)")
      }
    }
    var given: Set<String> = []
    for word in parameters {
      guard let (parameter, path) = target(of: word.name) else {
        arguments[word.name] = .string(word.text)
        continue
      }
      let type = type(at: path[...], in: parameter.type)
      var value = word.isJSON ? try json(word) : self.value(word.text, type)
      if path.isEmpty {
        // A list may be given element by element.
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

  private func json(_ word: CallWords.Parameter) throws(CommandLineError) -> JSONValue {
    guard let value = try? JSONValue(jsonString: word.text) else {
      throw CommandLineError("what follows \(word.name):= is not JSON")
    }
    return value
  }

  // MARK: Names

  /// A parameter by its name on the wire, in any spelling of separators, or by the label of its Swift argument.
  private func parameter(named name: String) -> Parameter? {
    let parameters = operation.endpoint.parameters.filter { $0.constant == nil }
    func plain(_ text: String) -> String { text.lowercased().replacing(/[-.]/, with: "_") }
    return parameters.first { $0.name == name } ?? parameters.first { $0.label == name }
      ?? parameters.first { plain($0.name) == plain(name) }
  }

  /// The parameter that a name means, and the way within it.
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

  private func type(at path: ArraySlice<String>, in type: TypeReference) -> TypeReference {
    guard let step = path.first else { return type }
    switch models.resolved(type).kind {
    case .map(let element): return self.type(at: path.dropFirst(), in: element)
    case .named(let name):
      guard case .object(let fields, let extra)? = models[name]?.shape,
        let field = fields.first(where: { $0.name == step })?.type ?? extra
      else { break }
      return self.type(at: path.dropFirst(), in: field)
    case .scalar, .list: break
    }
    return TypeReference(.scalar(.json))
  }

  private static func setting(_ value: JSONValue, at path: ArraySlice<String>, in object: JSONValue) -> JSONValue {
    guard let step = path.first else { return value }
    var members = object.object ?? [:]
    members[step] = setting(value, at: path.dropFirst(), in: members[step] ?? .object([:]))
    return .object(members)
  }

  // MARK: Values

  /// A text as a value of its type.
  func value(_ text: String, _ type: TypeReference) -> JSONValue {
    let type = models.resolved(type)
    if type.isNullable, text == "null" { return .null }
    switch type.kind {
    case .scalar(let scalar): return self.value(text, scalar)
    case .list(let element):
      if text.hasPrefix("["), let list = try? JSONValue(jsonString: text), list.array != nil { return list }
      if text.isEmpty { return .array([]) }
      return .array(text.split(separator: ",", omittingEmptySubsequences: false).map { value(String($0), element) })
    case .map: return (try? JSONValue(jsonString: text)) ?? .string(text)
    case .named(let name):
      guard let model = models[name], case .enumeration = model.shape else {
        return (try? JSONValue(jsonString: text)) ?? .string(text)
      }
      return model.isInteger ? Int(text).map { .integer($0) } ?? .string(text) : .string(text)
    }
  }

  private func value(_ text: String, _ scalar: Scalar) -> JSONValue {
    switch scalar {
    case .string, .url, .uuid, .decimal, .date(.rfc3339), .date(.day), .date(.pattern), .duration(.iso8601),
      .duration(.protobuf):
      return .string(text)
    case .int, .int32: return Int(text).map { .integer($0) } ?? .string(text)
    case .number, .date, .duration: return Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .string(text)
    case .bool: return text == "true" ? true : text == "false" ? false : .string(text)
    case .json: return (try? JSONValue(jsonString: text)) ?? .string(text)
    case .bytes where text == "-", .file where text == "-":
      guard let data = try? readStandardInput() else { return .string(text) }
      let base64 = JSONValue.string(data.base64EncodedString())
      return scalar == .bytes ? base64 : ["base64": base64, "name": "stdin"]
    case .bytes, .file: return ["file": .string(text)]
    }
  }
}
