import CallsignCatalogue
import CallsignDynamic

/// The members of object parameters, for the help of an operation.
struct ObjectMembers {
  private let operation: DynamicOperation
  /// The maximum number of lines for one parameter.
  private static let limit = 60
  /// How deep nested objects are shown.
  private static let depthLimit = 3

  init(_ operation: DynamicOperation) { self.operation = operation }

  /// One line for each member that you can set by its path, and one for a list of objects.
  func lines(of parameter: Parameter) -> [String] {
    var lines: [String] = []
    add(parameter.type, parameter.name, depth: 0, &lines)
    guard lines.count > Self.limit else { return lines }
    return lines.prefix(Self.limit) + ["        … and \(lines.count - Self.limit) more members"]
  }

  private func add(_ type: TypeReference, _ path: String, depth: Int, _ lines: inout [String]) {
    guard depth < Self.depthLimit, lines.count <= 2 * Self.limit else { return }
    let type = operation.models.resolved(type)
    if case .list(let element) = type.kind, let fields = fields(of: element) {
      let names = fields.prefix(20).map { $0.name + (isRequired($0) ? " (required)" : "") }
      lines.append(
        "        each an object with \(names.joined(separator: ", "))" + (fields.count > names.count ? ", …" : "")
          + "; as JSON: \(path):='[{…}]'")
    }
    for field in fields(of: type) ?? [] {
      let own = "\(path).\(field.name)"
      lines.append("        --\(own)\(isRequired(field) ? " (required)" : "")  \(operation.phrase(for: field.type))")
      add(field.type, own, depth: depth + 1, &lines)
    }
  }

  /// The members of an object that a request can contain; `nil` if the type is not an object.
  private func fields(of type: TypeReference) -> [Field]? {
    guard case .named(let name) = operation.models.resolved(type).kind,
      case .object(let fields, _)? = operation.models[name]?.shape
    else { return nil }
    return fields.filter { !$0.isReadOnly }
  }

  private func isRequired(_ field: Field) -> Bool { !operation.models.resolved(field.type).isOptional }
}
