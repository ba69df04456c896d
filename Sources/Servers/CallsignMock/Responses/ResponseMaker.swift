import CallsignCatalogue
import CallsignJSON
import CallsignSupport
import Foundation
import HTTPTypes

/// Generates responses from the types of operations.
struct ResponseMaker: Sendable {
  let types: ModelIndex
  /// The examples from the API's own document.
  let examples: ExampleBook
  let everyCall: EveryCall
  /// The operations that continue after their response.
  let polls: PollTable
  let seed: Seed
  /// The number of elements in a list with pages.
  let listLength: Int
  /// The number of elements on a page if the request does not say.
  let pageSize: Int

  /// A response before framing.
  struct Response {
    var value: JSONValue
    var headers: HTTPFields = [:]
  }

  /// The request asked for a page with a token that no page has contained, or something similar.
  struct Refusal: Error {
    var problem: ArgumentProblem
  }

  var generator: ValueGenerator { ValueGenerator(types: types, seed: seed, examples: examples) }

  /// The seed of one call. The same arguments give the same response, whatever page is requested.
  func seed(of endpoint: Endpoint, _ arguments: [String: JSONValue]) -> Seed {
    let pages = endpoint.pages
    let turning = [pages?.requestParameter, pages?.size, pages?.since].compactMap(\.self)
    let kept = arguments.filter { !turning.contains($0.key) }
    return seed.derived(endpoint.name).derived(JSONText.text(.object(kept)))
  }

  /// The response to a call.
  func response(
    _ endpoint: Endpoint, _ type: TypeReference, _ arguments: [String: JSONValue], _ request: IncomingRequest
  ) throws(Refusal) -> Response {
    let seed = seed(of: endpoint, arguments)
    let example = examples.response(of: endpoint.name, seed) { generator.fitted($0, type) }
    var response = Response(value: example ?? generator.value(type, seed, name: endpoint.name))
    echo(endpoint, type, arguments, seed, &response.value, isExample: example != nil)
    if let pages = endpoint.pages, let list = types.type(at: pages.items, of: type),
      case .list(let element) = types.resolve(list).kind
    {
      var maker = PageMaker(responses: self, endpoint: endpoint, pages: pages, type: type, element: element, seed: seed)
      // Elements that are paged by their IDs have generated IDs.
      if pages.style != .maxID, pages.since == nil { maker.examples = example?.member(at: pages.items)?.array ?? [] }
      response = try maker.page(of: response.value, arguments, request)
    }
    avoidFailures(type, &response.value)
    if let poll = polls.poll(asking: endpoint) { end(poll, type, &response.value) }
    // An operation that has just started has not failed.
    if let poll = endpoint.poll { avoidFailures(of: poll, type, &response.value) }
    addPlace(of: endpoint, seed, request, to: &response)
    for header in endpoint.responseHeaders {
      guard let name = HTTPField.Name(header.name), response.headers[name] == nil else { continue }
      let value = generator.value(header.type, seed.derived(header.name), name: header.name)
      response.headers[name] =
        name == .location ? location(endpoint, response.value, request, seed) : ParameterText.plain(value)
    }
    return response
  }

  /// The URL of the resource in the response: by its ID below the path of the call that created it, otherwise the call's own URL.
  private func location(_ endpoint: Endpoint, _ value: JSONValue, _ request: IncomingRequest, _ seed: Seed) -> String {
    let base = request.origin + (request.path.hasSuffix("/") ? String(request.path.dropLast()) : request.path)
    guard endpoint.method == "POST" else { return base }
    let type = TypeReference(.scalar(.string))
    let id = value["id"] ?? value["data"]?["id"] ?? generator.value(type, seed.derived("location"), name: "id")
    return "\(base)/\(Self.encoded(ParameterText.plain(id) ?? "1"))"
  }

  /// A record of a stream.
  func record(_ endpoint: Endpoint, _ type: TypeReference, _ seed: Seed) -> JSONValue {
    var value = generator.value(type, seed, name: "record")
    guard endpoint.hasWholeEvents else {
      avoidFailures(type, &value)
      return value
    }
    // The data of a whole event may say that the call has failed.
    if let inner = types.type(at: "data", of: type), var data = value.member(at: "data") {
      avoidFailures(inner, &data)
      value.set(data, at: "data")
    }
    return value
  }

  // MARK: Values from the request

  /// Copies IDs and other values from the request to the response: `getPet(id: 7)` returns pet 7.
  private func echo(
    _ endpoint: Endpoint, _ type: TypeReference, _ arguments: [String: JSONValue], _ seed: Seed,
    _ value: inout JSONValue, isExample: Bool
  ) {
    if echoList(endpoint, type, arguments, seed, &value) { return }
    var given: [String: JSONValue] = [:]
    for parameter in endpoint.parameters {
      guard let argument = arguments[parameter.name] else { continue }
      switch parameter.place {
      case .path, .field: given[parameter.name] = argument
      case .body: if case .object(let members) = argument { given.merge(members) { own, _ in own } }
      case .query:
        if ["id", "name", "username", "screen_name"].contains(parameter.name) { given[parameter.name] = argument }
      case .header, .cookie: break
      }
    }
    // The last segment is the ID of the returned resource, whatever its name. An earlier one is the ID of an owner.
    if let last = endpoint.path.split(separator: "/").last, last.hasPrefix("{"), let end = last.firstIndex(of: "}") {
      let name = String(last[..<end].dropFirst().drop { $0 == "+" })
      if given["id"] == nil || name != "id" { given["id"] = arguments[name] ?? given["id"] }
    } else if endpoint.path.contains("{id}") {
      given["id"] = nil
    }
    guard !given.isEmpty else { return }
    for path in [".", "data", "result", "item"] {
      guard let inner = types.type(at: path, of: type), case .object(_, let fields, _) = types.resolve(inner).kind,
        fields.contains(where: { given[$0.name] != nil }), path == "." || value[path] != nil
      else { continue }
      if path == ".", types.type(at: "data", of: type) != nil, !fields.contains(where: { $0.name == "id" }) { continue }
      if isExample, let old = value.member(at: path)?.object {
        var members = old
        for field in fields where old[field.name] != nil {
          let wanted = given[field.name].flatMap { generator.fitted($0, field.type) }
          if let wanted { members[field.name] = wanted }
        }
        return value.set(.object(members), at: path)
      }
      let made = generator.value(inner, seed.derived("echo"), name: path, depth: path == "." ? 0 : 1, fixed: given)
      guard made.kind == .object else { continue }
      value.set(made, at: path)
      return
    }
  }

  /// Returns one element for each of several IDs or names in the request.
  private func echoList(
    _ endpoint: Endpoint, _ type: TypeReference, _ arguments: [String: JSONValue], _ seed: Seed,
    _ value: inout JSONValue
  ) -> Bool {
    for path in [endpoint.pages?.items ?? ".", "data"] {
      guard let list = types.type(at: path, of: type), case .list(let element) = types.resolve(list).kind,
        case .object(_, let fields, _) = types.resolve(element).kind
      else { continue }
      for parameter in endpoint.parameters where parameter.place == .query || parameter.place == .path {
        guard case .array(let wanted)? = arguments[parameter.name], parameter.name.hasSuffix("s"),
          let field = fields.first(where: { $0.name == parameter.name.dropLast() })
        else { continue }
        let elements = wanted.enumerated().map { index, wanted in
          generator.value(element, seed.derived(index), name: field.name, depth: 1, fixed: [field.name: wanted])
        }
        value.set(.array(elements), at: path)
        return true
      }
    }
    return false
  }

  /// Changes members that would say that the call has failed.
  private func avoidFailures(_ type: TypeReference, _ value: inout JSONValue) {
    for sign in everyCall.failures where isShown(sign, in: value) { set(sign, isShown: false, type, &value) }
  }

  func isShown(_ sign: FailureSign, in value: JSONValue) -> Bool {
    value.member(at: sign.path).flatMap(ParameterText.plain).map { Self.isShown(sign, by: $0) } ?? false
  }

  private static func isShown(_ sign: FailureSign, by text: String) -> Bool {
    sign.values.contains(text) != sign.isNegated
  }

  /// Changes the member of a sign so that it shows the sign, or does not. A member that the type does not have is left alone.
  ///
  /// - Parameter others: Signs that it must not show.
  func set(
    _ sign: FailureSign, isShown: Bool, _ type: TypeReference, _ value: inout JSONValue,
    without others: [FailureSign] = []
  ) {
    guard let member = types.type(at: sign.path, of: type) ?? anything(type) else { return }
    let candidates: [JSONValue] =
      switch types.resolve(member).kind {
      case .enumeration(_, let cases): cases.map { ParameterText(types: types).value(.text($0.value), member) }
      case .scalar(.bool): [true, false]
      default: sign.values.map { ParameterText(types: types).value(.text($0), member) } + ["ok", 0, 1]
      }
    let good = candidates.first { candidate in
      let text = ParameterText.plain(candidate) ?? ""
      return Self.isShown(sign, by: text) == isShown && generator.accepts(candidate, member)
        && !others.contains { $0.path == sign.path && Self.isShown($0, by: text) }
    }
    if good != nil || !isShown { value.set(good, at: sign.path) }
  }

  /// The type of a member if the value is any JSON.
  private func anything(_ type: TypeReference) -> TypeReference? {
    if case .scalar(.json) = types.resolve(type).kind { type } else { nil }
  }

  // MARK: Errors

  /// The type of an error's body: the operation's type for the status, then for its class, then the API's.
  func errorType(_ status: Int, _ endpoint: Endpoint?) -> TypeReference? {
    for errors in [endpoint?.errors ?? [], everyCall.errors] {
      for key in [String(status), "\(status / 100)xx", "default"] {
        if let found = errors.first(where: { $0.status.lowercased() == key }) { return found.type }
      }
    }
    return nil
  }

  /// The body of an error. Its status and message are set if the type has members for them.
  ///
  /// - Parameter detail: The problem; by default the usual phrase for the status.
  func error(_ status: Int, _ type: TypeReference, _ endpoint: Endpoint?, detail: String? = nil) -> JSONValue {
    let usual = JSONValue.string(ReasonPhrase.of(status))
    let words = detail.map(JSONValue.string) ?? usual
    return generator.value(
      type, seed.derived(endpoint?.name ?? "").derived("error").derived(status), name: "error",
      fixed: [
        "status": .integer(status), "title": usual, "message": words, "detail": words, "description": words,
        "error_description": words,
      ])
  }
}

extension JSONValue {
  /// The value at a dotted path; `.` is the value itself.
  func member(at path: String) -> JSONValue? {
    if path == "." { return self }
    return path.pathNames.reduce(self as JSONValue?) { $0?[$1] }
  }

  /// Sets the value at a dotted path, or removes it with `nil`. Missing objects on the path are created.
  mutating func set(_ value: JSONValue?, at path: String) {
    if path == "." {
      if let value { self = value }
      return
    }
    set(value, at: path.pathNames[...])
  }

  private mutating func set(_ value: JSONValue?, at path: ArraySlice<String>) {
    guard let name = path.first else {
      if let value { self = value }
      return
    }
    var members = object ?? [:]
    if path.count == 1 {
      members[name] = value
    } else {
      guard members[name] != nil || value != nil else { return }
      var inner = members[name] ?? .object([:])
      inner.set(value, at: path.dropFirst())
      members[name] = inner
    }
    self = .object(members)
  }
}
