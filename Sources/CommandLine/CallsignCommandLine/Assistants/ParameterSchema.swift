import CallsignCatalogue
import CallsignDynamic
import CallsignJSON

/// The JSON Schema (2020-12) of an operation's arguments.
struct ParameterSchema {
  private let models: ModelTable
  /// The depth of a schema that an assistant needs. Anything deeper, and a model inside itself, becomes any JSON.
  private static let depth = 6

  init(_ models: ModelTable) { self.models = models }

  /// An object with a member for each parameter, and one for the time to wait if the operation continues after its response.
  ///
  /// - Parameter names: The names of the members.
  func schema(of operation: DynamicOperation, _ names: ArgumentNames) -> JSONValue {
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
      let name = names.alias(of: parameter.name)
      // A model must know what it gives a value for.
      if name != parameter.name { schema["title"] = .string(parameter.wire) }
      properties[name] = .object(schema)
      if !models.resolved(parameter.type).isOptional, !covered.contains(parameter.name) {
        required.append(.string(name))
      }
    }
    if let wait = WaitArgument(of: endpoint) { properties[wait.name] = wait.schema }
    var schema: [String: JSONValue] = [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
    ]
    if !required.isEmpty { schema["required"] = .array(required) }
    return .object(schema)
  }

  /// - Parameter outer: The names of the models around it.
  private func schema(of type: TypeReference, depth: Int = Self.depth, within outer: Set<String> = []) -> JSONValue {
    let type = models.resolved(type)
    var schema = plain(type, depth: depth, within: outer)
    if type.isNullable, case .object(var members) = schema {
      if let kind = members["type"] { members["type"] = .array((kind.array ?? [kind]) + [JSONValue.string("null")]) }
      if let values = members["enum"]?.array { members["enum"] = .array(values + [JSONValue.null]) }
      if let variants = members["anyOf"]?.array { members["anyOf"] = .array(variants + [["type": "null"]]) }
      schema = .object(members)
    }
    return schema
  }

  private func plain(_ type: TypeReference, depth: Int, within outer: Set<String>) -> JSONValue {
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
      case .uint64:
        var members = bounded("integer", "minimum", "maximum").object ?? [:]
        if members["minimum"] == nil { members["minimum"] = 0 }
        return .object(members)
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
      case .base64URL: return ["type": "string", "contentEncoding": "base64url"]
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
      if depth > 0 { members["items"] = schema(of: element, depth: depth - 1, within: outer) }
      return .object(members)
    case .map(let element):
      return [
        "type": "object",
        "additionalProperties": depth > 0 ? schema(of: element, depth: depth - 1, within: outer) : true,
      ]
    case .named(let name):
      guard let model = models[name], depth > 0, !outer.contains(name) else { return [:] }
      return self.model(model, depth: depth - 1, within: outer.union([name]))
    }
  }

  private func model(_ model: CallsignCatalogue.Model, depth: Int, within outer: Set<String>) -> JSONValue {
    switch model.shape {
    case .alias(let target): return schema(of: target, depth: depth, within: outer)
    case .enumeration(let cases):
      let values = cases.map {
        model.isInteger ? Int($0.value).map { .integer($0) } ?? .null : JSONValue.string($0.value)
      }
      let type: JSONValue = model.isInteger ? "integer" : "string"
      let known: JSONValue = ["type": type, "enum": .array(values)]
      return model.isExtensible ? ["anyOf": [known, ["type": type]]] : known
    case .union(let union):
      return ["anyOf": .array(union.variants.map { variant($0, tag: union.tag, depth: depth, within: outer) })]
    case .object(let fields, let extra):
      let sent = fields.filter { !$0.isReadOnly }
      var properties: [String: JSONValue] = [:]
      for field in sent {
        var schema = self.schema(of: field.type, depth: depth, within: outer)
        if let constant = field.constant, case .object(var members) = schema {
          members["const"] = models.constant(constant, of: field.type)
          schema = .object(members)
        }
        properties[field.name] = schema
      }
      let required = sent.filter { !models.resolved($0.type).isOptional && $0.constant == nil }
      var members: [String: JSONValue] = ["type": "object", "properties": .object(properties)]
      if !required.isEmpty { members["required"] = .array(required.map { .string($0.name) }) }
      if extra == nil { members["additionalProperties"] = false }
      return .object(members)
    }
  }

  /// A variant of a union. The tag distinguishes it, so the tag is required and has one of the variant's values.
  private func variant(
    _ variant: CallsignCatalogue.Union.Variant, tag: String?, depth: Int, within outer: Set<String>
  ) -> JSONValue {
    let schema = self.schema(of: variant.type, depth: depth, within: outer)
    guard let tag, case .object(var members) = schema else { return schema }
    let type = field(tag, of: variant.type)?.type ?? TypeReference(.scalar(.string))
    var properties = members["properties"]?.object ?? [:]
    var own = properties[tag]?.object ?? [:]
    own["const"] = nil
    own["enum"] = .array(variant.tags.map { models.constant($0, of: type) })
    properties[tag] = .object(own)
    members["properties"] = .object(properties)
    let required = members["required"]?.array ?? []
    members["required"] = .array(required.contains(.string(tag)) ? required : required + [.string(tag)])
    return .object(members)
  }

  private func field(_ name: String, of type: TypeReference) -> Field? {
    guard case .named(let model) = models.resolved(type).kind, case .object(let fields, _)? = models[model]?.shape
    else { return nil }
    return fields.first { $0.name == name }
  }
}
