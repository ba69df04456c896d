extension CatalogueChecks {
  /// Checks the settings that apply to every call of the API.
  mutating func checkEveryCall(_ api: API) {
    checkErrors(api.everyCall.errors)
    let own: Set<String> = [
      "authorization", "connection", "content-length", "content-type", "host", "transfer-encoding",
    ]
    for header in api.everyCall.headers where own.contains(header.name.lowercased()) {
      error(
        "the client sets the header `\(header.name)` itself; remove it from `api.headers`", at: api.location)
    }
    var functions: [String: String] = [:]
    for scheme in api.schemes where scheme.key != nil {
      let name = SwiftName.member(scheme.name)
      if let other = functions.updateValue(scheme.name, forKey: name) {
        error(
          "the schemes `\(other)` and `\(scheme.name)` both become the Swift function `\(name)`; rename one",
          at: scheme.location)
      }
      if Self.staticMembers.contains(name) {
        error("the scheme becomes the Swift function `\(name)`, which already exists; rename it", at: scheme.location)
      }
      if Self.knownSchemes.contains(scheme.name) {
        error(
          "`\(scheme.name)` is a separate scheme and not an API key; give the key another name", at: scheme.location)
      }
    }
  }

  /// The static members of the client type.
  private static let staticMembers: Set<String> = ["baseURLs", "endpoints", "conventions", "defaults", "responseType"]

  mutating func checkErrors(_ errors: [ErrorBody]) {
    for body in errors {
      checkType(body.type)
      checkNoFile(received: body.type)
      checkNoFormat(in: body.type, butOfDates: [.rfc3339, .day, .seconds])
      if body.type.isOptional || body.type.isNullable {
        error("an error's body cannot have `?` or `| null`; remove it", at: body.type.location)
      }
    }
  }

  /// Rejects a `file` in a response.
  mutating func checkNoFile(received type: TypeReference) {
    checkNoFile(type, because: "a `file` is sent, not received; write `bytes`")
  }

  /// Checks the header fields of a response: they may be strings, numbers, flags and dates.
  mutating func checkResponseHeaders(_ endpoint: Endpoint) {
    var names: Set<String> = []
    for header in endpoint.responseHeaders {
      checkType(header.type)
      let name = header.propertyName
      if !names.insert(name).inserted {
        error("two headers become the property `\(name)`; give one another `name`", at: header.location)
      } else if let returns = endpoint.returns {
        checkResponseHeader(header, name, of: returns)
      }
      guard let type = resolved(header.type) else { continue }
      let isPlain =
        switch type.kind {
        case .scalar(.string), .scalar(.int), .scalar(.number), .scalar(.bool), .scalar(.date): true
        default: false
        }
      if !isPlain { error("a header is a `string`, `int`, `number`, `bool` or `date`", at: header.type.location) }
      if endpoint.stream != nil || !(endpoint.returns.map(hasOwnType) ?? false) {
        error(
          "only a response with a type of the catalogue can have its headers as members; they are in `response.headers`",
          at: header.location)
      }
    }
  }

  /// All responses of one type share the header members that any of them has.
  private mutating func checkResponseHeader(_ header: ResponseHeader, _ name: String, of returns: TypeReference) {
    if GeneratedNames.responseMembers.contains(name), hasMember(name, returns) {
      warning(
        "the header becomes the property `\(name)`, which is the response's own member; give the header another `name`",
        at: header.location)
      return
    }
    let key = "\(returns.canonical { resolved($0) ?? $0 }.text) \(name)"
    guard let other = responseHeaders[key] else {
      responseHeaders[key] = header
      return
    }
    let isSame =
      other.name.lowercased() == header.name.lowercased() && resolved(other.type)?.kind == resolved(header.type)?.kind
    if !isSame {
      warning(
        "`\(header.name)` becomes the property `\(name)` of this response, and so does `\(other.name)` in "
          + "\(place(other.location, from: header.location)), which is the one that is used; give one of them another `name`",
        at: header.location)
    }
  }

  /// Whether an object, or every variant of a union, has a member that becomes this property.
  private func hasMember(_ name: String, _ type: TypeReference) -> Bool {
    switch model(type)?.shape {
    case .object(let fields, _): fields.contains { $0.propertyName == name }
    case .union(let union):
      union.variants.allSatisfy { variant in
        guard case .object(let fields, _)? = model(variant.type)?.shape else { return false }
        return fields.contains { $0.propertyName == name }
      }
    default: false
    }
  }
}

extension CatalogueChecks {
  /// Whether the catalogue declares the type, or it is a list or map of such a type. Only this API's responses can then have it.
  private func hasOwnType(_ type: TypeReference) -> Bool {
    guard let resolved = resolved(type) else { return true }
    switch resolved.kind {
    case .named: return true
    case .list(let element), .map(let element): return hasOwnType(element)
    case .scalar: return false
    }
  }
}
