import Callsign
import CallsignCatalogue
import CallsignJSON
import CallsignSupport

/// Reads JSON arguments according to the catalogue's types, and collects their problems.
struct ValueReader {
  let models: ModelTable
  let policy: ArgumentPolicy
  private(set) var problems: [ArgumentProblem] = []
  private var suggestions = Suggestions()

  init(_ models: ModelTable, _ policy: ArgumentPolicy) {
    self.models = models
    self.policy = policy
  }

  mutating func fail(_ path: String, _ kind: ArgumentProblem.Kind, _ allowed: String) {
    problems.append(ArgumentProblem(parameter: path, kind: kind, allowed: allowed))
  }

  mutating func suggestion(for name: String, among names: [String]) -> String? {
    suggestions.closest(to: name, among: names)
  }

  /// The value to send; `nil` if it cannot be sent.
  ///
  /// - Parameter path: The name of the parameter, followed by the path of the value within it.
  mutating func read(_ value: JSONValue, as type: TypeReference, at path: String) -> WireValue? {
    let type = models.resolved(type)
    if value.isNull, type.kind != .scalar(.json) {
      if type.isNullable { return .null }
      fail(path, .type(found: "null"), TypePhrase(type, models).text)
      return nil
    }
    switch type.kind {
    case .scalar(let scalar):
      guard let result = self.scalar(value, scalar) else {
        fail(path, .type(found: phrase(value, for: scalar)), TypePhrase(type, models).text)
        return nil
      }
      checkBounds(of: result, type, at: path)
      return result
    case .list(let element):
      guard let elements = value.array else {
        fail(path, .type(found: Self.phrase(value)), TypePhrase(type, models).text)
        return nil
      }
      if !isWithin(Double(elements.count), type.constraints) { fail(path, .count, TypePhrase(type, models).text) }
      return .list(elements.enumerated().compactMap { read($1, as: element, at: "\(path)[\($0)]") })
    case .map(let element):
      guard let members = value.object else {
        fail(path, .type(found: Self.phrase(value)), TypePhrase(type, models).text)
        return nil
      }
      let read = members.sorted { $0.key < $1.key }.compactMap { name, value in
        self.read(value, as: element, at: "\(path).\(name)").map { (name: name, value: $0) }
      }
      return .object(read)
    case .named(let name):
      guard let model = models[name] else { return .json(value) }
      return self.model(value, model, type, at: path)
    }
  }

  // MARK: Models

  private mutating func model(
    _ value: JSONValue, _ model: CallsignCatalogue.Model, _ type: TypeReference, at path: String
  ) -> WireValue? {
    switch model.shape {
    case .alias(let target): return read(value, as: target, at: path)
    case .enumeration(let cases):
      let allowed = TypePhrase(type, models).text
      if model.isInteger {
        guard let number = value.int else {
          fail(path, .type(found: Self.phrase(value)), allowed)
          return nil
        }
        if model.isClosed, policy.checksBounds, !cases.contains(where: { Int($0.value) == number }) {
          fail(path, .value(suggestion: nil), allowed)
        }
        return .int(number)
      }
      guard let text = value.string else {
        fail(path, .type(found: Self.phrase(value)), allowed)
        return nil
      }
      if policy.checksBounds, !model.isExtensible, !cases.contains(where: { $0.value == text }) {
        fail(path, .value(suggestion: suggestion(for: text, among: cases.map(\.value))), allowed)
      }
      return .text(text)
    case .union(let union): return self.union(value, union, type, at: path)
    case .object(let fields, let extra):
      guard let members = value.object else {
        fail(path, .type(found: Self.phrase(value)), TypePhrase(type, models).text)
        return nil
      }
      return object(members, fields, extra, at: path)
    }
  }

  private mutating func object(
    _ members: [String: JSONValue], _ fields: [Field], _ extra: TypeReference?, at path: String
  ) -> WireValue {
    var result: [(name: String, value: WireValue)] = []
    for field in fields {
      let place = "\(path).\(field.name)"
      let resolved = models.resolved(field.type)
      let constant = field.constant.map { models.constant($0, of: resolved) }
      guard let value = members[field.name] ?? constant, !(value.isNull && resolved.isOptional && !resolved.isNullable)
      else {
        if !resolved.isOptional, !field.isReadOnly { fail(place, .missing, TypePhrase(resolved, models).text) }
        continue
      }
      // Optional read-only members distinguish the variants of unions, or come with values from a response; the API ignores them.
      if field.isReadOnly, !resolved.isOptional, policy.checksBounds {
        fail(place, .readOnly, "")
        continue
      }
      if let text = field.constant, let constant, value != constant, value.tagText != text {
        fail(place, .value(suggestion: nil), text)
        continue
      }
      if let value = read(value, as: field.type, at: place) { result.append((field.name, value)) }
    }
    let names = fields.map(\.name)
    for (name, value) in members.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
      if let extra {
        if let value = read(value, as: extra, at: "\(path).\(name)") { result.append((name, value)) }
      } else {
        fail("\(path).\(name)", .unknown(suggestion: suggestion(for: name, among: names)), "")
      }
    }
    return .object(result)
  }

  private mutating func union(
    _ value: JSONValue, _ union: CallsignCatalogue.Union, _ type: TypeReference, at path: String
  ) -> WireValue? {
    if let tag = union.tag {
      let tags = union.variants.flatMap(\.tags)
      let allowed = "one of \(tags.joined(separator: ", "))"
      guard let members = value.object else {
        fail(path, .type(found: Self.phrase(value)), TypePhrase(type, models).text)
        return nil
      }
      guard let text = members[tag]?.tagText else {
        if members[tag] == nil, let result = untagged(value, union, at: path) { return result }
        fail("\(path).\(tag)", .missing, allowed)
        return nil
      }
      guard let variant = union.variants.first(where: { $0.tags.contains(text) }) else {
        fail("\(path).\(tag)", .value(suggestion: suggestion(for: text, among: tags)), allowed)
        return nil
      }
      return read(value, as: variant.type, at: path)
    }
    // Takes the first variant that fits. If none does, reports the problems of the closest one.
    var nearest: [ArgumentProblem]?
    let before = problems
    for variant in union.variants {
      let result = read(value, as: variant.type, at: path)
      let found = Array(problems.dropFirst(before.count))
      problems = before
      if found.isEmpty { return result }
      if found.count < nearest?.count ?? .max { nearest = found }
    }
    let isKindRight = nearest?.contains { if case .type = $0.kind { $0.parameter == path } else { false } } == false
    if isKindRight, let nearest {
      problems += nearest
    } else {
      fail(path, .type(found: Self.phrase(value)), TypePhrase(type, models).text)
    }
    return nil
  }

  /// Completes a value without the tag if exactly one variant fits; `nil` if none or several do.
  private mutating func untagged(_ value: JSONValue, _ union: CallsignCatalogue.Union, at path: String) -> WireValue? {
    let before = problems
    defer { problems = before }
    var results: [WireValue] = []
    for variant in union.variants {
      problems = []
      if let result = read(value, as: variant.type, at: path), problems.isEmpty { results.append(result) }
    }
    return results.count == 1 ? results[0] : nil
  }

  // MARK: Scalars

  private func scalar(_ value: JSONValue, _ scalar: Scalar) -> WireValue? {
    switch scalar {
    case .string: return value.string.map { .text($0) }
    case .int: return value.int.map { .int($0) }
    case .uint64:
      return Self.scan(value) { (reader) throws(JSONError) in try UInt64(json: &reader) }
        .map { number in Int(exactly: number).map { .int($0) } ?? .digits(String(number), Double(number)) }
    case .int32: return value.int.flatMap { Int32(exactly: $0) }.map { .int(Int($0)) }
    case .number: return number(value)
    case .bool: return value.bool.map { .bool($0) }
    case .json: return .json(value)
    case .date(let format):
      let own = DateFormat(format)
      if let text = value.string, let exact = Self.exactDate(text, own) { return exact }
      guard let date = Self.scan(value, { (reader) throws(JSONError) in try reader.date(own) }) else {
        // A caller with a date in the common form passes that.
        return value.string.flatMap { DateFormat.rfc3339.date(from: $0) }.map { .date($0, own) }
      }
      return .date(date, own)
    case .duration(let format):
      let own = DurationFormat(format)
      return Self.scan(value) { (reader) throws(JSONError) in try reader.duration(own) }.map { .duration($0, own) }
    case .decimal(let isText):
      let given = value.string ?? value.description
      let isNumber = given.utf8.allSatisfy { $0 > 0x20 } && (try? JSONValue(jsonString: given))?.kind == .number
      // `+1e5` and `007` are also numbers, but not in the form that APIs use.
      let isPlain = isNumber && !given.utf8.contains { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
      let written = isText ? (isPlain ? value.string : nil) : isNumber ? given : nil
      let exact = Self.scan(value) { (reader) throws(JSONError) in try Decimal(json: &reader) }
      // A number with more digits goes out as it is written. Only its bounds are checked with fewer.
      let number = exact ?? written.flatMap { Decimal(string: $0) }
      return number.map { .decimal($0, isText: isText, written: written) }
    case .url:
      return Self.scan(value) { (reader) throws(JSONError) in try URL(json: &reader) }.map { .text($0.absoluteString) }
    case .uuid:
      return Self.scan(value) { (reader) throws(JSONError) in try UUID(json: &reader) }.map {
        .text($0.uuidString.lowercased())
      }
    case .base64URL:
      guard case .bytes(let bytes)? = self.scalar(value, .bytes) else { return nil }
      return .base64URL(bytes)
    case .bytes:
      // In this form it is never a path, whatever it begins with.
      if let text = value["base64"]?.string { return Data(base64Encoded: text).map { .bytes($0) } }
      if let file = policy.file(value) {
        if let data = try? Data(contentsOf: file) { return .bytes(data) }
        // A mistyped path must not be sent as content, even if its letters could be base64.
        guard let text = value.string, !ArgumentPolicy.isPath(text) else { return nil }
      }
      return Self.scan(value) { (reader) throws(JSONError) in try Data(json: &reader) }.map { .bytes($0) }
    case .file:
      if let file = policy.file(value) {
        guard FileManager.default.isReadableFile(atPath: file.path) else { return nil }
        let type = value["type"]?.string ?? "application/octet-stream"
        return .file(FilePart(.file(file), fileName: value["name"]?.string ?? file.lastPathComponent, mediaType: type))
      }
      guard let text = value["base64"]?.string, let data = Data(base64Encoded: text) else { return nil }
      let type = value["type"]?.string ?? "application/octet-stream"
      return .file(FilePart(data, fileName: value["name"]?.string ?? "file", mediaType: type))
    }
  }

  /// A number with all of its digits. A `Double` would keep fewer.
  private func number(_ value: JSONValue) -> WireValue? {
    guard let double = value.double else { return nil }
    switch value {
    case .integer(let whole): return .int(whole)
    case .literal(let text): return .digits(text, double)
    default: return .number(double)
    }
  }

  /// A date with more fractional digits than a date value keeps, unchanged.
  private static func exactDate(_ text: String, _ format: Callsign.DateFormat) -> WireValue? {
    guard format == .rfc3339, let point = text.utf8.firstIndex(of: UInt8(ascii: ".")),
      text.utf8[point...].dropFirst().prefix(while: { (0x30...0x39).contains($0) }).count > 3,
      // Without an offset, it is not in the form to send.
      text.utf8.last == UInt8(ascii: "Z") || text.utf8.dropLast(2).last == UInt8(ascii: ":"),
      format.date(from: text) != nil
    else { return nil }
    return .text(text)
  }

  /// Reads the value as the runtime would.
  private static func scan<Value>(
    _ value: JSONValue, _ read: (inout JSONReader) throws(JSONError) -> Value
  ) -> Value? {
    guard let bytes = try? value.jsonData() else { return nil }
    return try? JSONReader.read(bytes) { (reader) throws(JSONError) in
      try reader.beginDocument()
      return try read(&reader)
    }
  }

  // MARK: Bounds

  private mutating func checkBounds(of value: WireValue, _ type: TypeReference, at path: String) {
    guard policy.checksBounds else { return }
    switch value {
    case .int(let number):
      if !isWithin(Double(number), type.constraints) { fail(path, .bounds, TypePhrase(type, models).text) }
    case .number(let number), .digits(_, let number):
      if !isWithin(number, type.constraints) { fail(path, .bounds, TypePhrase(type, models).text) }
    case .decimal(let number, _, _):
      if !isWithin(number, type.constraints) { fail(path, .bounds, TypePhrase(type, models).text) }
    case .text(let text):
      // JSON Schema counts the characters of RFC 8259, that is, code points.
      if !isWithin(Double(text.unicodeScalars.count), type.constraints) {
        fail(path, .length, TypePhrase(type, models).text)
      } else if let pattern = type.constraints.pattern, PatternCheck.refuses(text, pattern) {
        fail(path, .pattern, TypePhrase(type, models).text)
      }
    default: break
    }
  }

  private func isWithin(_ number: Double, _ constraints: Constraints) -> Bool {
    guard policy.checksBounds else { return true }
    if let minimum = constraints.minimum.flatMap({ Double($0) }), number < minimum { return false }
    if let maximum = constraints.maximum.flatMap({ Double($0) }), number > maximum { return false }
    return true
  }

  /// Compares digits, because a decimal number can have more of them than other numbers keep.
  private func isWithin(_ number: Decimal, _ constraints: Constraints) -> Bool {
    if let minimum = constraints.minimum.flatMap({ Decimal(string: $0) }), number < minimum { return false }
    if let maximum = constraints.maximum.flatMap({ Decimal(string: $0) }), number > maximum { return false }
    return true
  }

  // MARK: Phrases

  static func phrase(_ value: JSONValue) -> String {
    switch value.kind {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The kind of value that was found or, if the kind is right, a note that its content is not.
  func phrase(_ value: JSONValue, for scalar: Scalar) -> String {
    switch (scalar, value) {
    case (.bytes, _) where policy.file(value) != nil, (.base64URL, _) where policy.file(value) != nil:
      "the path of a file that cannot be read"
    case (.date, .string), (.duration, .string), (.decimal, .string), (.url, .string), (.uuid, .string),
      (.bytes, .string), (.base64URL, .string):
      "another text"
    case (.file, .string) where !policy.readsFiles: #"a text: write {"base64": "…", "name": "…"}"#
    case (.file, .string): "the path of a file that cannot be read"
    case (.int, .number), (.int32, .number), (.int, .literal), (.int32, .literal):
      "a number with a fraction or more bits"
    case (.uint64, .integer), (.uint64, .number), (.uint64, .literal):
      "a number below 0, with a fraction or of more bits"
    case (.int32, .integer): "a number of more bits"
    default: Self.phrase(value)
    }
  }
}

extension Callsign.DateFormat {
  init(_ format: CallsignCatalogue.DateFormat) {
    switch format {
    case .rfc3339: self = .rfc3339
    case .day: self = .day
    case .seconds: self = .seconds
    case .milliseconds: self = .milliseconds
    case .pattern(let pattern): self = .pattern(pattern)
    }
  }
}

extension Callsign.DurationFormat {
  init(_ format: CallsignCatalogue.DurationFormat) {
    switch format {
    case .iso8601: self = .iso8601
    case .seconds: self = .seconds
    case .milliseconds: self = .milliseconds
    case .protobuf: self = .protobuf
    }
  }
}

extension JSONValue {
  /// The text of a union's tag for comparison, from a string, a number or a flag.
  var tagText: String? {
    switch self {
    case .string(let text), .literal(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .bool(let flag): String(flag)
    case .null, .array, .object: nil
    }
  }
}
