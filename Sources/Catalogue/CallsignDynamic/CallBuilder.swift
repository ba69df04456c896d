import Callsign
import CallsignCatalogue

/// Checks an operation's arguments and creates its call, exactly as the generated method would.
struct CallBuilder {
  let operation: DynamicOperation
  /// The parameter that selects a page is sent only if the caller gave it.
  private var endpoint: CallsignCatalogue.Endpoint { operation.endpoint }
  private var models: ModelTable { operation.models }

  init(_ operation: DynamicOperation) { self.operation = operation }

  /// The call.
  ///
  /// - Throws: ``ArgumentError`` with all problems at once.
  func call(
    _ arguments: [String: JSONValue], _ policy: ArgumentPolicy, _ options: CallOptions
  ) throws(ArgumentError) -> Call {
    var reader = ValueReader(models, policy)
    let given = Set(arguments.keys)
    var values: [String: WireValue] = [:]
    let covered = Set(choices.flatMap(\.parameters))
    for parameter in endpoint.parameters {
      let type = models.resolved(parameter.type)
      if let constant = parameter.constant {
        let value = models.constant(constant, of: parameter.type)
        if given.contains(parameter.name), arguments[parameter.name] != value {
          reader.fail(parameter.name, .value(suggestion: nil), "\(constant), which is sent anyway")
        }
        // Constants from the catalogue are sent unchecked.
        var constants = ValueReader(models, ArgumentPolicy(checksBounds: false))
        values[parameter.name] = constants.read(value, as: parameter.type, at: parameter.name) ?? .json(value)
        continue
      }
      guard let value = arguments[parameter.name], !(value.isNull && type.isOptional && !type.isNullable) else {
        if !type.isOptional, !covered.contains(parameter.name) {
          reader.fail(parameter.name, .missing, TypePhrase(type, models).text)
        }
        continue
      }
      values[parameter.name] = reader.read(value, as: parameter.type, at: parameter.name)
      if parameter.place == .path { checkSegment(values[parameter.name], parameter, &reader) }
    }
    let sent = given.filter { arguments[$0]?.isNull == false || values[$0] != nil }
    for rule in endpoint.rules { check(rule, sent, &reader) }
    let names = endpoint.parameters.map(\.name)
    for name in given.sorted() where !names.contains(name) {
      reader.fail(name, .unknown(suggestion: reader.suggestion(for: name, among: names)), "")
    }
    guard reader.problems.isEmpty else {
      throw ArgumentError(operation: endpoint.name, problems: reader.problems)
    }
    return call(values, options)
  }

  /// An empty segment, or one of dots, would address another resource.
  private func checkSegment(_ value: WireValue?, _ parameter: Parameter, _ reader: inout ValueReader) {
    guard let text = value?.text, ["", ".", ".."].contains(text) else { return }
    reader.fail(parameter.name, .length, "a text that a path's segment can be: not empty, and not only dots")
  }

  // MARK: Rules

  /// The rules whose parameters form one argument of the generated method.
  private var choices: [ParameterRule] { endpoint.rules.filter { $0.kind == .oneOf && $0.swiftType != nil } }

  private func check(_ rule: ParameterRule, _ sent: Set<String>, _ reader: inout ValueReader) {
    let present = rule.parameters.filter { sent.contains($0) }
    func fail(_ what: String) {
      reader.fail(rule.parameters.joined(separator: ", "), .rule, what)
    }
    switch rule.kind {
    case .oneOf where rule.swiftType != nil:
      if present.isEmpty, rule.isOptional || combinations(of: rule).contains(where: \.isEmpty) { return }
      if combinations(of: rule).contains(where: { Set($0) == Set(present) }) { return }
      let ways = combinations(of: rule).filter { !$0.isEmpty }.map { $0.joined(separator: " with ") }
      fail("give \(rule.isOptional ? "at most one" : "exactly one") of: \(ways.joined(separator: "; "))")
    case .oneOf:
      if present.count != 1 { fail("give exactly one of \(rule.parameters.joined(separator: ", "))") }
    case .anyOf:
      if present.isEmpty { fail("give at least one of \(rule.parameters.joined(separator: ", "))") }
    case .together:
      if !present.isEmpty, present.count != rule.parameters.count {
        fail("give all of \(rule.parameters.joined(separator: ", ")), or none of them")
      }
    }
  }

  /// The sets of parameters that a choice can send, each in sending order.
  private func combinations(of rule: ParameterRule) -> [[String]] {
    let all = rule.spelledOut.flatMap { alternative in
      alternative.parts.reduce([[]]) { beginnings, part -> [[String]] in
        let ends: [[String]] =
          switch part {
          case .parameter(let name): [[name]]
          case .choice(let nested): combinations(of: nested)
          }
        return beginnings.flatMap { beginning in ends.map { beginning + $0 } }
      }
    }
    return rule.isOptional ? all + [[]] : all
  }

  // MARK: The call

  /// The call with the values that were read, in the order of the generated method.
  private func call(_ values: [String: WireValue], _ options: CallOptions) -> Call {
    var call = Call(operation.described, options)
    var isAdded: Set<String> = []
    for parameter in endpoint.parameters where !isAdded.contains(parameter.name) {
      guard let choice = choices.first(where: { $0.parameters.contains(parameter.name) }) else {
        add(parameter, values[parameter.name], to: &call)
        continue
      }
      let present = Set(choice.parameters.filter { values[$0] != nil })
      for name in combinations(of: choice).first(where: { Set($0) == present }) ?? [] {
        guard let member = endpoint.parameters.first(where: { $0.name == name }) else { continue }
        add(member, values[name], to: &call)
      }
      isAdded.formUnion(choice.parameters)
    }
    return call
  }

  private func add(_ parameter: Parameter, _ value: WireValue?, to call: inout Call) {
    guard let value else { return }
    guard parameter.keepsReserved else { return add(parameter, value, to: &call) }
    var isOneText = parameter.objectStyle?.isOneText == true
    if case .list = value, parameter.objectStyle == nil { isOneText = true }
    let list = isOneText ? (parameter.objectStyle == nil ? ListStyle(parameter.listStyle) : nestedList(parameter)) : nil
    call.withReserved(list: list) { add(parameter, value, to: &$0) }
  }

  private func add(_ parameter: Parameter, _ value: WireValue, to call: inout Call) {
    let name = parameter.place == .path ? parameter.name : parameter.wire
    let list = ListStyle(parameter.listStyle)
    let style = parameter.objectStyle.map { ObjectStyle($0) }
    let format = operation.facts.body ?? .json
    if parameter.name == endpoint.lengthFramingParameter { call.frameByLength() }
    switch parameter.place {
    case .path:
      if let style {
        call.path(name, object: value, style, list: list)
      } else if case .list(let elements) = value {
        call.path(name, elements.map { $0.text ?? "" }, list: list)
      } else {
        call.path(name, value.text ?? "")
      }
    case .body:
      switch value {
      case .bytes(let data): call.body(data)
      case .text(let text) where endpoint.hasRawBody: call.body(text: text)
      default: call.body(value)
      }
    case .field where format == .json: call.json(name, value)
    case .field where format == .multipart: addPart(name, value, parameter, to: &call)
    case .query: add(name, value, parameter, in: .query, to: &call)
    case .field: add(name, value, parameter, in: .form, to: &call)
    case .cookie: add(name, value, parameter, in: .cookie, to: &call)
    case .header: add(name, value, parameter, in: .header, to: &call)
    }
  }

  private func add(
    _ name: String, _ value: WireValue, _ parameter: Parameter, in place: Call.Place, to call: inout Call
  ) {
    if let style = parameter.objectStyle.map({ ObjectStyle($0) }) {
      let isText = place == .cookie || place == .header
      let list = isText ? ListStyle(parameter.listStyle) : nestedList(parameter)
      call.add(name, object: value, style, list: list, in: place)
    } else if case .list(let elements) = value {
      call.add(name, elements.map { $0.text ?? "" }, list: ListStyle(parameter.listStyle), in: place)
    } else {
      call.add(name, value.text ?? value.description, in: place)
    }
  }

  private func addPart(_ name: String, _ value: WireValue, _ parameter: Parameter, to call: inout Call) {
    switch value {
    case .file(let file): return call.part(name, file)
    case .list(let elements):
      let files = elements.compactMap { element -> FilePart? in if case .file(let file) = element { file } else { nil }
      }
      if !files.isEmpty { return call.part(name, files, list: ListStyle(parameter.listStyle)) }
    default: break
    }
    add(name, value, parameter, in: .part, to: &call)
  }

  /// The style of lists within objects. Commas are only for lists outside objects.
  private func nestedList(_ parameter: Parameter) -> ListStyle {
    if parameter.objectStyle == .json { return parameter.listStyle == .repeat ? .repeat : .brackets }
    return parameter.listStyle == .comma ? .brackets : ListStyle(parameter.listStyle)
  }
}

extension WireValue {
  /// Compact JSON, for places that have no other text form for objects.
  fileprivate var description: String {
    var writer = JSONWriter()
    write(json: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension ListStyle {
  init(_ style: Parameter.ListStyle) {
    switch style {
    case .comma: self = .comma
    case .space: self = .space
    case .pipe: self = .pipe
    case .repeat: self = .repeat
    case .brackets: self = .brackets
    case .indexed: self = .indexed
    case .dot: self = .dot
    }
  }
}

extension ObjectStyle {
  init(_ style: Parameter.ObjectStyle) {
    switch style {
    case .brackets: self = .brackets
    case .dots: self = .dots
    case .members: self = .members
    case .json: self = .json
    case .flat: self = .flat
    case .pairs: self = .pairs
    }
  }
}
