import CallsignCatalogue
import CallsignDynamic
import CallsignJSON

/// The JSON Schema (2020-12) of an operation's arguments.
struct ParameterSchema {
  private let models: ModelTable
  /// So deep a schema says what an assistant needs; what is deeper is any JSON.
  private static let depth = 6

  init(_ models: ModelTable) { self.models = models }

  /// An object with a member for each parameter, and one for the time to wait where the operation goes on.
  func schema(of operation: DynamicOperation) -> JSONValue {
    var properties: [String: JSONValue] = [:]
    var required: [JSONValue] = []
    let endpoint = operation.endpoint
    let covered = Set(endpoint.rules.filter { $0.kind == .oneOf }.flatMap(\.parameters))
    for parameter in endpoint.parameters where parameter.constant == nil {
      var schema = self.schema(of: parameter.type).object ?? [:]
      if let summary = parameter.summary { schema["description"] = .string(summary) }
      schema["default"] = parameter.defaultValue?.json(parameter.type, models).flatMap {
        try? JSONValue(jsonString: $0)
      }
      properties[parameter.name] = .object(schema)
      if !models.resolved(parameter.type).isOptional, !covered.contains(parameter.name) {
        required.append(.string(parameter.name))
      }
    }
    if let wait = WaitArgument(of: endpoint) { properties[wait.name] = wait.schema }
    var schema: [String: JSONValue] = [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
    ]
    if !required.isEmpty { schema["required"] = .array(required) }
    return .object(schema)
  }

  private func schema(of type: TypeReference, depth: Int = Self.depth) -> JSONValue {
    let type = models.resolved(type)
    var schema = plain(type, depth: depth)
    if type.isNullable, case .object(var members) = schema, let kind = members["type"] {
      members["type"] = .array((kind.array ?? [kind]) + [JSONValue.string("null")])
      if let values = members["enum"]?.array { members["enum"] = .array(values + [JSONValue.null]) }
      schema = .object(members)
    }
    return schema
  }

  private func plain(_ type: TypeReference, depth: Int) -> JSONValue {
    let constraints = type.constraints
    func bounded(_ kind: String, _ low: String, _ high: String) -> JSONValue {
      var members: [String: JSONValue] = ["type": .string(kind)]
      members[low] = constraints.minimum.flatMap { try? JSONValue(jsonString: $0) }
      members[high] = constraints.maximum.flatMap { try? JSONValue(jsonString: $0) }
      if let pattern = constraints.pattern { members["pattern"] = .string(pattern) }
      return .object(members)
    }
    switch type.kind {
    case .scalar(let scalar):
      switch scalar {
      case .string: return bounded("string", "minLength", "maxLength")
      case .int, .int32: return bounded("integer", "minimum", "maximum")
      case .number: return bounded("number", "minimum", "maximum")
      case .bool: return ["type": "boolean"]
      case .date(.seconds), .date(.milliseconds), .duration(.seconds), .duration(.milliseconds):
        return ["type": "number"]
      case .date(.day): return ["type": "string", "format": "date"]
      case .date: return ["type": "string", "format": "date-time"]
      case .duration: return ["type": "string", "format": "duration"]
      case .decimal: return ["type": ["number", "string"]]
      case .url: return ["type": "string", "format": "uri"]
      case .uuid: return ["type": "string", "format": "uuid"]
      case .bytes: return ["type": "string", "contentEncoding": "base64"]
      case .file:
        return [
          "type": "object", "required": ["base64"],
          "properties": [
            "base64": ["type": "string"], "name": ["type": "string"], "type": ["type": "string"],
          ],
        ]
      case .json: return [:]
      }
    case .list(let element):
      var members = bounded("array", "minItems", "maxItems").object ?? [:]
      if depth > 0 { members["items"] = schema(of: element, depth: depth - 1) }
      return .object(members)
    case .map(let element):
      return ["type": "object", "additionalProperties": depth > 0 ? schema(of: element, depth: depth - 1) : true]
    case .named(let name):
      guard let model = models[name], depth > 0 else { return [:] }
      return self.model(model, depth: depth - 1)
    }
  }

  private func model(_ model: CallsignCatalogue.Model, depth: Int) -> JSONValue {
    switch model.shape {
    case .alias(let target): return schema(of: target, depth: depth)
    case .enumeration(let cases):
      let values = cases.map {
        model.isInteger ? Int($0.value).map { .integer($0) } ?? .null : JSONValue.string($0.value)
      }
      return ["type": model.isInteger ? "integer" : "string", "enum": .array(values)]
    case .union(let union): return ["anyOf": .array(union.variants.map { schema(of: $0.type, depth: depth) })]
    case .object(let fields, let extra):
      let sent = fields.filter { !$0.isReadOnly }
      var properties: [String: JSONValue] = [:]
      for field in sent { properties[field.name] = schema(of: field.type, depth: depth) }
      let required = sent.filter { !models.resolved($0.type).isOptional && $0.constant == nil }
      var members: [String: JSONValue] = ["type": "object", "properties": .object(properties)]
      if !required.isEmpty { members["required"] = .array(required.map { .string($0.name) }) }
      if extra == nil { members["additionalProperties"] = false }
      return .object(members)
    }
  }
}
