import CallsignCatalogue

/// Resolves every type name of the catalogue, and gives the Swift names of the types.
struct SwiftTypeNames {
  let table: ModelTable
  private var swiftNames: [String: String] = [:]
  /// The Swift names that the generated module declares. They hide the runtime's names.
  private var declared: Set<String>
  /// The prefix for the catalogue's types outside the client type: `XAPI.`.
  private var qualification = ""
  /// The enums of error bodies.
  let errors: ErrorTypes
  /// The models that are variants of untagged unions, or members of such variants, and that differ from another variant in the type
  /// of a member.
  let likeVariants: Set<String>

  /// - Parameter protocolName: The protocol that the module also declares.
  init(_ catalogue: Catalogue, protocolName: String? = nil) {
    table = ModelTable(catalogue)
    likeVariants = LikeVariants(catalogue, table).names
    var declared: Set = [catalogue.api.name]
    if let protocolName { declared.insert(protocolName) }
    for group in catalogue.groups {
      for model in group.models where swiftNames[model.name] == nil {
        let swiftName = model.typeName
        swiftNames[model.name] = swiftName
        declared.insert(swiftName)
      }
      for endpoint in group.endpoints {
        for rule in endpoint.rules { if let type = rule.swiftType { declared.insert(type) } }
      }
    }
    errors = ErrorTypes(catalogue, taken: &declared)
    self.declared = declared
  }

  /// The same types as named by code outside the client type.
  func qualified(by client: String) -> SwiftTypeNames {
    var table = self
    table.qualification = client + "."
    return table
  }

  func model(named name: String) -> Model? { table[name] }

  func swiftName(ofModel name: String) -> String { swiftNames[name] ?? SwiftName.type(name) }

  /// A Swift type that the generated module declares in the client type and that is not a model.
  func name(ofDeclared type: String) -> String { qualification + type }

  /// A type of the language or the runtime, with its module if the catalogue has a type with the same name.
  func name(_ type: RuntimeType) -> String {
    declared.contains(type.rawValue) ? type.module + "." + type.rawValue : type.rawValue
  }

  /// Whether the catalogue has a type with the name of a Foundation type, which then needs its module's name.
  var namesFoundation: Bool { RuntimeType.foundations.contains { declared.contains($0.rawValue) } }

  /// The kind after all aliases are resolved. A cycle of aliases, which the checker rejects, resolves to JSON.
  func resolved(_ type: TypeReference) -> TypeReference { table.resolved(type) }

  /// Whether the values of a type without aliases are lists for which null is not a separate value.
  func isList(_ resolved: TypeReference) -> Bool {
    if case .list = resolved.kind { !resolved.isNullable } else { false }
  }

  /// The shape of the model that a type refers to.
  func object(_ type: TypeReference) -> Model.Shape? {
    guard case .named(let name) = resolved(type).kind else { return nil }
    return model(named: name)?.shape
  }

  /// The Swift type without its optionality: `[UserID]`.
  func base(_ type: TypeReference) -> String {
    switch type.kind {
    case .scalar(let scalar): name(RuntimeType(scalar))
    case .named(let name): qualification + swiftName(ofModel: name)
    case .list(let element): "[" + value(element) + "]"
    case .map(let element): "[" + name(.string) + ": " + value(element) + "]"
    }
  }

  /// The Swift type of an existing value: `Nullable<String>` if null is a value.
  func value(_ type: TypeReference) -> String {
    type.isNullable ? name(.nullable) + "<" + base(type) + ">" : base(type)
  }

  /// The Swift type of an argument or a property: `Nullable<String>?`.
  func full(_ type: TypeReference) -> String { type.isOptional ? value(type) + "?" : value(type) }
}

/// The models whose open enum values distinguish the variants of untagged unions.
private struct LikeVariants {
  private struct Object {
    let name: String
    let fields: [Field]
    /// The types of the fields, by their names on the wire.
    let types: [String: TypeReference]
    /// The names of the required fields.
    let required: [String]
    let aliases: Set<String>

    func needsMore(than other: Object) -> Bool {
      required.contains { other.types[$0] == nil && !other.aliases.contains($0) }
    }
  }

  private(set) var names: Set<String> = []
  private let table: ModelTable
  /// The maximum number of variants to compare in pairs.
  private static let maximumCompared = 256

  init(_ catalogue: Catalogue, _ table: ModelTable) {
    self.table = table
    for model in catalogue.groups.flatMap(\.models) {
      guard case .union(let union) = model.shape, union.tag == nil else { continue }
      let variants = union.variants.compactMap { object($0.type) }
      guard variants.count <= Self.maximumCompared else {
        for variant in variants { takeAll(of: variant) }
        continue
      }
      for (index, variant) in variants.enumerated() {
        for other in variants[..<index] where !variant.needsMore(than: other) && !other.needsMore(than: variant) {
          compare(variant, other, mayNest: true)
        }
      }
    }
  }

  private func object(_ type: TypeReference) -> Object? {
    guard case .named(let name) = table.resolved(type).kind, case .object(let fields, _)? = table[name]?.shape else {
      return nil
    }
    let required = fields.filter { field in
      let type = table.resolved(field.type)
      return !type.isOptional && !type.isNullable && !field.isWriteOnly
    }
    return Object(
      name: name, fields: fields, types: Dictionary(fields.map { ($0.name, $0.type) }) { first, _ in first },
      required: required.map(\.name), aliases: Set(fields.flatMap(\.aliases)))
  }

  /// Adds a variant and the models in it, without comparing it with others.
  private mutating func takeAll(of variant: Object) {
    for object in [variant] + variant.fields.compactMap({ object($0.type) })
    where object.fields.contains(where: { isOpenEnum($0.type) }) {
      names.insert(object.name)
    }
  }

  /// Finds members with the same name and different types. Like the runtime, it also compares the members of members that are
  /// models.
  private mutating func compare(_ one: Object, _ other: Object, mayNest: Bool) {
    for field in one.fields {
      guard let type = other.types[field.name], table.resolved(type).kind != table.resolved(field.type).kind else {
        continue
      }
      if isOpenEnum(field.type) { names.insert(one.name) }
      if isOpenEnum(type) { names.insert(other.name) }
      if mayNest, let one = object(field.type), let other = object(type) { compare(one, other, mayNest: false) }
    }
  }

  private func isOpenEnum(_ type: TypeReference) -> Bool {
    guard case .named(let name) = table.resolved(type).kind, let model = table[name],
      case .enumeration = model.shape
    else { return false }
    return !model.isClosed && !model.isInteger
  }
}

/// A type that generated code names but does not declare.
enum RuntimeType: String {
  case string = "String"
  case int = "Int"
  case double = "Double"
  case bool = "Bool"
  case model = "Model"
  case modelStorage = "ModelStorage"
  case modelLayout = "ModelLayout"
  case unionVariants = "UnionVariants"
  case identifiable = "Identifiable"
  case customReflectable = "CustomReflectable"
  case customDebugStringConvertible = "CustomDebugStringConvertible"
  case openEnum = "OpenEnum"
  case integerEnum = "IntegerEnum"
  case closedEnum = "ClosedEnum"
  case parameterValue = "ParameterValue"
  case union = "Union"
  case jsonCodable = "JSONCodable"
  case jsonReader = "JSONReader"
  case jsonError = "JSONError"
  case jsonDecodable = "JSONDecodable"
  case codable = "Codable"
  case hashable = "Hashable"
  case staticString = "StaticString"
  case sendable = "Sendable"
  case date = "Date"
  case data = "Data"
  case filePart = "FilePart"
  case jsonValue = "JSONValue"
  case nullable = "Nullable"
  case response = "Response"
  case responseContent = "ResponseContent"
  case noContent = "NoContent"
  case call = "Call"
  case callOptions = "CallOptions"
  case callError = "CallError"
  case errorCases = "ErrorCases"
  case errorCase = "ErrorCase"
  case apiClient = "APIClient"
  case client = "Client"
  case clientConfiguration = "ClientConfiguration"
  case authenticator = "Authenticator"
  case endpoint = "Endpoint"
  case apiDefaults = "APIDefaults"
  case apiKey = "APIKey"
  case secret = "Secret"
  case webhookSignature = "WebhookSignature"
  case int32 = "Int32"
  case uint64 = "UInt64"
  case decimal = "Decimal"
  case decimalText = "DecimalText"
  case base64URLText = "Base64URLText"
  case url = "URL"
  case uuid = "UUID"
  case duration = "Duration"
  case formattedDate = "FormattedDate"
  case formattedDuration = "FormattedDuration"
  case pages = "Pages"
  case longRunningOperation = "LongRunningOperation"
  case failureSign = "FailureSign"
  case eventStream = "EventStream"

  init(_ scalar: Scalar) {
    switch scalar {
    case .string: self = .string
    case .int: self = .int
    case .number: self = .double
    case .bool: self = .bool
    case .date: self = .date
    case .bytes, .base64URL: self = .data
    case .file: self = .filePart
    case .json: self = .jsonValue
    case .int32: self = .int32
    case .uint64: self = .uint64
    case .decimal: self = .decimal
    case .url: self = .url
    case .uuid: self = .uuid
    case .duration: self = .duration
    }
  }

  var module: String {
    switch self {
    case .string, .staticString, .int, .int32, .uint64, .duration, .double, .bool, .sendable, .codable, .hashable,
      .identifiable,
      .customReflectable, .customDebugStringConvertible:
      "Swift"
    default: Self.foundations.contains(self) ? "Foundation" : "Callsign"
    }
  }

  /// The types of Foundation.
  static let foundations: Set = [date, data, decimal, url, uuid]
}
