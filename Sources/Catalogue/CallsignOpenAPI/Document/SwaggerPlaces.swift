/// Maps the places of the converted OpenAPI 3 document back to the Swagger 2.0 document.
struct SwaggerPlaces {
  private let root: DocumentValue

  /// - Parameter root: The Swagger document.
  init(_ root: DocumentValue) { self.root = root }

  /// The sections with another name in OpenAPI 3, by the beginnings of pointers there.
  static let sections = [
    "#/components/schemas/": "#/definitions/", "#/components/parameters/": "#/parameters/",
    "#/components/responses/": "#/responses/", "#/components/securitySchemes/": "#/securityDefinitions/",
  ]

  /// A text with its pointers to sections converted to those of the Swagger document.
  static func text(_ text: String) -> String {
    guard text.contains("#/components/") else { return text }
    return sections.reduce(text) { $0.replacing($1.key, with: $1.value) }
  }

  /// The place in the Swagger document.
  func place(_ pointer: String) -> String {
    for (section, own) in Self.sections where pointer.hasPrefix(section) {
      let tokens = pointer.dropFirst(section.count).split(separator: "/", omittingEmptySubsequences: false)
      var rest = tokens.dropFirst().map(String.init)
      if own == "#/parameters/" { rest = Self.ofValue(rest) }
      if own == "#/responses/" { rest = Self.ofResponse(rest) }
      return ([own + (tokens.first ?? "")] + rest).joined(separator: "/")
    }
    if pointer == "#/components/securitySchemes" { return "#/securityDefinitions" }
    if pointer == "#/components/schemas" { return "#/definitions" }
    if pointer.hasPrefix("#/servers") { return "#" }
    let tokens = pointer.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard tokens.count > 4, tokens[1] == "paths" else { return pointer }
    let path = Pointer.decoded(tokens[2])
    if tokens[3] == "parameters" {
      return place(of: Array(tokens[4...]), among: root["paths"]?[path], at: tokens[..<3].joined(separator: "/"))
    }
    let operation = root["paths"]?[path]?[Pointer.decoded(tokens[3])]
    let start = tokens[..<4].joined(separator: "/")
    let rest = Array(tokens[5...])
    switch tokens[4] {
    case "parameters": return place(of: rest, among: operation, at: start)
    case "requestBody": return place(inBody: rest, of: operation, path: path, at: start)
    case "responses":
      return ([start, "responses"] + rest.prefix(1) + Self.ofResponse(Array(rest.dropFirst()))).joined(separator: "/")
    case "servers": return start
    default: return pointer
    }
  }

  /// The steps below a parameter. Swagger writes a value's schema next to its name.
  private static func ofValue(_ steps: [String]) -> [String] {
    steps.first == "schema" ? Array(steps.dropFirst()) : steps
  }

  /// The steps below a response, which has one schema for all its media types.
  private static func ofResponse(_ steps: [String]) -> [String] {
    steps.first == "content" ? Array(steps.dropFirst(2)) : steps
  }

  private func isOfBody(_ parameter: DocumentValue) -> Bool {
    var parameter = parameter
    if let reference = parameter["$ref"]?.string, reference.hasPrefix("#/parameters/") {
      parameter = root["parameters"]?[Pointer.lastName(of: reference)] ?? parameter
    }
    return ["body", "formData"].contains(parameter["in"]?.string ?? "")
  }

  /// The place of a parameter, by its index among those outside a body.
  private func place(of steps: [String], among owner: DocumentValue?, at start: String) -> String {
    let others = (owner?["parameters"]?.list ?? []).enumerated().filter { !isOfBody($0.element) }
    guard let first = steps.first, let number = Int(first), others.indices.contains(number) else {
      return start + "/parameters"
    }
    return ([start, "parameters", String(others[number].offset)] + Self.ofValue(Array(steps.dropFirst())))
      .joined(separator: "/")
  }

  /// The place of a body, or of a form field.
  private func place(inBody steps: [String], of operation: DocumentValue?, path: String, at start: String) -> String {
    let fields = (operation?["parameters"]?.list ?? []).enumerated().filter { isOfBody($0.element) }
    // `content`, a media type, `schema`, and the rest.
    let inSchema = steps.count > 3 && steps[2] == "schema" ? Array(steps[3...]) : []
    if let body = fields.first(where: { $0.element["in"]?.string == "body" }) {
      let rest = steps.count > 2 ? ["schema"] + inSchema : []
      return ([start, "parameters", String(body.offset)] + rest).joined(separator: "/")
    }
    if inSchema.count > 1, inSchema[0] == "properties",
      let field = fields.first(where: { $0.element["name"]?.scalarText == Pointer.decoded(inSchema[1]) })
    {
      return ([start, "parameters", String(field.offset)] + inSchema[2...]).joined(separator: "/")
    }
    return fields.first.map { "\(start)/parameters/\($0.offset)" } ?? start + "/parameters"
  }
}
