/// The part of JSON Schema that the request bodies in X's document use.
indirect enum BodySchema: Sendable {
  /// Any value. The operation checks it.
  case anyValue
  case boolean
  case integer(ClosedRange<Int>)
  /// A string, with its length in Unicode scalars.
  case string(length: ClosedRange<Int>)
  case identifier
  case choice(of: [String])
  case array(of: BodySchema, count: ClosedRange<Int>)
  /// An object with only these members.
  case object([Member])

  struct Member: Sendable {
    var name: String
    var schema: BodySchema
    var isRequired = false

    static func required(_ name: String, _ schema: BodySchema) -> Member {
      Member(name: name, schema: schema, isRequired: true)
    }

    static func optional(_ name: String, _ schema: BodySchema) -> Member { Member(name: name, schema: schema) }
  }

  static let anyString = BodySchema.string(length: 0...Int.max)

  /// Returns all faults of a value, each with its path (`$.reply.in_reply_to_tweet_id`).
  func faults(of value: JSON, at path: String = "$") -> [InvalidParameter] {
    switch (self, value) {
    case (.anyValue, _), (.boolean, .boolean): []
    case (.integer(let range), .integer(let number)):
      range.contains(number)
        ? [] : [fault(path, "\(number)", "must be between \(range.lowerBound) and \(range.upperBound)")]
    case (.string(let length), .string(let text)): lengthFaults(of: text, length, at: path)
    case (.identifier, .string(let text)):
      Pattern.isIdentifier(text) ? [] : [fault(path, text, "does not match the regex pattern ^[0-9]{1,19}$")]
    case (.choice(of: let allowed), .string(let text)):
      allowed.contains(text)
        ? []
        : [fault(path, text, "does not have a value in the enumeration [\(allowed.joined(separator: ", "))]")]
    case (.array(of: let element, let count), .array(let elements)):
      (count.contains(elements.count)
        ? []
        : [fault(path, "\(elements.count)", "must have \(count.lowerBound) to \(count.upperBound) elements")])
        + elements.enumerated().flatMap { element.faults(of: $0.element, at: "\(path)[\($0.offset)]") }
    case (.object(let members), .object(let values)): memberFaults(of: values, members, at: path)
    default: [fault(path, value.typeName, "\(value.typeName) found, \(typeName) expected")]
    }
  }

  /// The value with numeric IDs converted to strings.
  func withTextIdentifiers(_ value: JSON) -> JSON {
    switch (self, value) {
    case (.identifier, .integer(let number)): .string(String(number))
    case (.array(of: let element, _), .array(let elements)): .array(elements.map(element.withTextIdentifiers))
    case (.object(let members), .object(let values)):
      .object(
        values.reduce(into: values) { result, member in
          guard let schema = members.first(where: { $0.name == member.key })?.schema else { return }
          result[member.key] = schema.withTextIdentifiers(member.value)
        })
    default: value
    }
  }

  private func lengthFaults(of text: String, _ length: ClosedRange<Int>, at path: String) -> [InvalidParameter] {
    let count = text.unicodeScalars.count
    if count < length.lowerBound {
      return [fault(path, text, "must be at least \(length.lowerBound) characters long")]
    }
    return count > length.upperBound
      ? [fault(path, text, "must be at most \(length.upperBound) characters long")] : []
  }

  private func memberFaults(of values: [String: JSON], _ members: [Member], at path: String) -> [InvalidParameter] {
    let known = Set(members.map(\.name))
    let unknown = values.keys.filter { !known.contains($0) }.sorted().map { name in
      fault(
        "\(path).\(name)", name, "is not defined in the schema and the schema does not allow additional properties")
    }
    return unknown
      + members.flatMap { member -> [InvalidParameter] in
        let memberPath = "\(path).\(member.name)"
        if let value = values[member.name] { return member.schema.faults(of: value, at: memberPath) }
        return member.isRequired ? [fault(memberPath, "", "is missing but it is required")] : []
      }
  }

  private func fault(_ path: String, _ value: String, _ message: String) -> InvalidParameter {
    InvalidParameter(name: path, values: value.isEmpty ? [] : [value], message: "[\(path): \(message)]")
  }

  private var typeName: String {
    switch self {
    case .anyValue: "value"
    case .boolean: "boolean"
    case .integer: "integer"
    case .string, .identifier, .choice: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

/// Reads and checks request bodies.
enum BodyValidation {
  static func check(_ request: IncomingRequest, against schema: BodySchema) throws(Problem) -> JSON {
    guard request.mediaType == "application/json" else {
      throw .invalidRequest([
        InvalidParameter(
          name: "Content-Type", values: request.mediaType.map { [$0] } ?? [],
          message: "Requests with bodies must have content-type of application/json.")
      ])
    }
    let value: JSON
    do {
      value = try JSON(parsing: request.body)
    } catch {
      throw .notJSON(error, in: .v2)
    }
    let faults = schema.faults(of: value)
    guard faults.isEmpty else { throw .invalidRequest(faults) }
    return value
  }

  /// Returns the parts of a multipart body, or `nil` for a body of another type.
  static func parts(of request: IncomingRequest) throws(Problem) -> MultipartBody? {
    guard request.mediaType == "multipart/form-data" else { return nil }
    guard let body = MultipartBody(request) else {
      throw .invalidRequest([InvalidParameter(name: "$", message: "The multipart body is malformed.")])
    }
    return body
  }
}
