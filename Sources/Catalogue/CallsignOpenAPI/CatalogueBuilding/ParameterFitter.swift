import CallsignCatalogue

/// Reduces parameters to what a catalogue can send: outside JSON, a text or a list of texts.
struct ParameterFitter {
  private let components: [String: Use]
  private let log: ImportLog

  init(_ components: [(pointer: String, use: Use)], log: ImportLog) {
    self.components = Dictionary(components.map { ($0.pointer, $0.use) }) { first, _ in first }
    self.log = log
  }

  func fit(_ operation: inout OperationShape) {
    if ["GET", "HEAD"].contains(operation.method),
      operation.body != nil || operation.parameters.contains(where: { $0.place == .body })
    {
      log.warn(
        "a \(operation.method) has no body (RFC 9110 §9.3.1); what `\(operation.name)` has is left out",
        at: operation.pointer)
      operation.body = nil
      operation.contentType = nil
      operation.rules = []
      operation.parameters.removeAll { $0.place == .field || $0.place == .body }
    }
    operation.parameters.removeAll { parameter in
      guard parameter.place == .header, !Self.isHeaderName(parameter.name) else { return false }
      log.warn("the header `\(parameter.name)` is not for callers to set; it is left out", at: operation.pointer)
      return true
    }
    for index in operation.parameters.indices {
      fit(&operation.parameters[index], body: operation.body, at: operation.pointer)
    }
    if let body = operation.body, body != .json, !operation.parameters.contains(where: { $0.place == .field }) {
      operation.body = nil
    }
    fitRules(of: &operation)
    if operation.stream != nil, operation.response?.shape == .scalar(.bytes) {
      log.warn("the records of a stream are taken as any JSON", at: operation.pointer)
      operation.response = .json
    }
  }

  private static let headersOfClient: Set<String> = [
    "authorization", "connection", "content-length", "content-type", "host", "proxy-authorization",
    "transfer-encoding",
  ]

  /// Whether a caller can set the header field: its name is valid, and the client does not set the field itself.
  private static func isHeaderName(_ name: String) -> Bool {
    HeaderName.isValid(name) && !headersOfClient.contains(name.lowercased())
  }

  private func fit(_ parameter: inout ParameterShape, body: BodyFormat?, at pointer: String) {
    switch parameter.place {
    case .path, .header, .cookie:
      if parameter.use.isNullable {
        log.note("`\(parameter.name)` cannot be null in a \(parameter.place.rawValue)", at: pointer)
        parameter.use.isNullable = false
      }
      let isRepeatable = parameter.place == .path && parameter.prefix.hasPrefix(";")
      if parameter.listStyle == .repeat && !isRepeatable || parameter.listStyle == .brackets {
        parameter.listStyle = .comma
      }
    case .body:
      if parameter.use.shape == .scalar(.bytes) { parameter.use.isNullable = false }
      return
    case .field where body == .json: return
    case .query, .field: break
    }
    if parameter.objectStyle != nil {
      parameter.use.isNullable = false
      return
    }
    let before = parameter.use
    parameter.use = text(parameter.use, mayBeFile: body == .multipart && parameter.place == .field)
    if parameter.use.shape != before.shape {
      log.warn(
        "`\(parameter.name)` is neither a plain value nor a list of such; outside JSON it is taken as text that is ready to send",
        at: pointer)
    }
    // A file is always a separate part.
    guard case .list(let element) = resolved(parameter.use).shape, resolved(element).shape != .scalar(.file) else {
      parameter.listStyle = .comma
      return
    }
  }

  private func resolved(_ use: Use) -> Use {
    if case .named(let pointer) = use.shape, let target = components[pointer] { target } else { use }
  }

  /// The use, or a string if it has no single text form.
  private func text(_ use: Use, mayBeFile: Bool, isElement: Bool = false) -> Use {
    let string = Use(.scalar(.string), isNullable: use.isNullable)
    switch resolved(use).shape {
    case .scalar(.file): return mayBeFile ? use : string
    case .scalar(.bytes), .scalar(.base64URL), .scalar(.json), .map, .object, .union, .named: return string
    case .scalar, .enumeration: return use
    case .list(let element):
      if isElement { return string }
      var result = use
      var fitted = text(element, mayBeFile: mayBeFile, isElement: true)
      fitted.isNullable = false
      if fitted != element { result.shape = .list(fitted) }
      return result
    }
  }

  /// Rules apply to optional parameters, at least two of them.
  private func fitRules(of operation: inout OperationShape) {
    guard !operation.rules.isEmpty else { return }
    let optional = Set(operation.parameters.filter { $0.place == .field && !$0.isRequired }.map(\.name))
    operation.rules = operation.rules.filter { rule in
      let isUsable =
        rule.names.count > 1 && Set(rule.names).count == rule.names.count && rule.names.allSatisfy(optional.contains)
      if !isUsable {
        log.note(
          "that `\(operation.name)` needs some of \(rule.names.map { "`\($0)`" }.joined(separator: ", ")) goes without saying",
          at: operation.pointer)
      }
      return isUsable
    }
  }
}
