import CallsignCatalogue
import CallsignJSON
import CallsignSupport
import Foundation
import HTTPTypes

/// Splits a list into pages, for any style of pagination.
struct PageMaker {
  let responses: ResponseMaker
  let endpoint: Endpoint
  let pages: Pagination
  let type: TypeReference
  let element: TypeReference
  let seed: Seed
  /// The first elements of the list.
  var examples: [JSONValue] = []

  private var types: ModelIndex { responses.types }
  private var generator: ValueGenerator { responses.generator }
  private var count: Int { responses.listLength }

  /// Puts a page's elements into a response, with the links or tokens for the adjacent pages.
  func page(
    of response: JSONValue, _ arguments: [String: JSONValue], _ request: IncomingRequest
  ) throws(ResponseMaker.Refusal) -> ResponseMaker.Response {
    var result = ResponseMaker.Response(value: response)
    let size = size(arguments)
    var elements = elements(arguments, response)
    if let since = pages.since.flatMap({ arguments[$0] }).flatMap(Self.number), let id = pages.id {
      elements.removeAll { ($0.member(at: id).flatMap(Self.number) ?? .max) <= since }
    }
    let begin = try begin(arguments, elements, size, request)
    let shown = Array(elements.dropFirst(begin).prefix(size))
    makeWay(to: pages.items, in: &result.value)
    result.value.set(.array(shown), at: pages.items)
    let next = begin + shown.count < elements.count && !shown.isEmpty ? begin + shown.count : nil
    let previous = begin > 0 ? max(0, begin - size) : nil
    if let more = pages.more { put(.bool(next != nil), at: more, in: &result.value) }
    link(next: next, previous: previous, begin: begin, size: size, request, &result)
    countElements(shown.count, of: elements.count, &result.value)
    if let total = pages.total { put(.integer(elements.count), at: total, in: &result.value) }
    return result
  }

  private func size(_ arguments: [String: JSONValue]) -> Int {
    if let given = pages.size.flatMap({ arguments[$0] }).flatMap(Self.number) { return min(max(given, 1), 1_000) }
    guard let name = pages.size, let parameter = endpoint.parameters.first(where: { $0.name == name }) else {
      return responses.pageSize
    }
    let bounds = types.resolve(parameter.type).constraints
    let least = bounds.minimum.flatMap { Int($0) } ?? 1
    let most = bounds.maximum.flatMap { Int($0) } ?? 1_000
    return max(1, min(max(responses.pageSize, least), most, 1_000))
  }

  // MARK: Elements

  /// All elements of the list, newest first if the pagination uses IDs.
  private func elements(_ arguments: [String: JSONValue], _ response: JSONValue) -> [JSONValue] {
    // One element for each one requested.
    let isWanted = endpoint.parameters.contains { parameter in
      guard case .array? = arguments[parameter.name], case .object(_, let fields, _) = types.resolve(element).kind
      else {
        return false
      }
      return parameter.name.hasSuffix("s") && fields.contains { $0.name == parameter.name.dropLast() }
    }
    if isWanted, case .array(let given)? = response.member(at: pages.items) { return given }
    var seen: Set<JSONValue> = []
    return (0..<count).map { index in
      var made = make(index, attempt: 0)
      // Two elements with the same ID would make a pager stop.
      if let id = made.member(at: pages.id ?? "id") {
        var attempt = 1
        var id = id
        while !seen.insert(id).inserted, attempt < 20 {
          made = make(index, attempt: attempt)
          id = made.member(at: pages.id ?? "id") ?? .null
          attempt += 1
        }
      }
      return made
    }
  }

  private func make(_ index: Int, attempt: Int) -> JSONValue {
    if attempt == 0, examples.indices.contains(index) { return examples[index] }
    var fixed: [String: JSONValue] = [:]
    if let id = pages.id, pages.style == .maxID || pages.since != nil {
      let number = 1_900_000_000 + (count - index) * 1_000
      if let type = types.member(id, of: element) {
        fixed[id] = [JSONValue.integer(number), .string(String(number))].first { generator.accepts($0, type) }
      }
    }
    return generator.value(
      element, seed.derived("element").derived(index).derived(attempt), name: "element", depth: 1, fixed: fixed)
  }

  private static func number(_ value: JSONValue) -> Int? { value.int ?? value.string.flatMap { Int($0) } }

  // MARK: Where a page begins

  private func begin(
    _ arguments: [String: JSONValue], _ elements: [JSONValue], _ size: Int, _ request: IncomingRequest
  ) throws(ResponseMaker.Refusal) -> Int {
    if !pages.style.hasParameter {
      let pairs = request.query.map(FormText.pairs) ?? []
      let page = pairs.first { $0.name == PageMark.parameter }.flatMap { Int($0.value) } ?? 1
      return (min(max(page, 1), 1_000_000) - 1) * size
    }
    guard let given = arguments[pages.parameter], !given.isNull, given != .string("") else { return 0 }
    let number = Self.number(given)
    switch pages.style {
    case .token:
      guard let found = (0...max(elements.count, 1)).first(where: { token($0) == given }) else {
        throw refusal(given, "is not a token from an earlier page", allowed: "a token of an earlier response")
      }
      return found
    case .cursor:
      guard let number else {
        throw refusal(given, "is not a cursor from an earlier response", allowed: "-1, or a cursor")
      }
      if number == -1 { return 0 }
      return number < 0 ? max(0, -(max(number, -1_000_000) + size)) : min(number, 1_000_000)
    case .maxID:
      guard let number, let id = pages.id else { return 0 }
      return elements.firstIndex { ($0.member(at: id).flatMap(Self.number) ?? .min) <= number } ?? elements.count
    case .lastID:
      let last = ParameterText.plain(given)
      let place = elements.firstIndex { $0.member(at: pages.id ?? "id").flatMap(ParameterText.plain) == last }
      return place.map { $0 + 1 } ?? elements.count
    case .page:
      let first = pages.first ?? 1
      return max(0, min(max(number ?? first, first), 1_000_000) - first) * size
    case .offset: return min(max(number ?? 0, 0), 1_000_000)
    case .url, .link: return 0
    }
  }

  private func refusal(_ given: JSONValue, _ detail: String, allowed: String) -> ResponseMaker.Refusal {
    let place = endpoint.parameters.first { $0.name == pages.parameter }?.place ?? .query
    return ResponseMaker.Refusal(
      problem: ArgumentProblem(
        parameter: pages.parameter, place: place == .field ? "body" : place.rawValue,
        detail: "\(ValueChecker.quoted(ParameterText.plain(given) ?? "")) \(detail)", allowed: allowed))
  }

  /// The token for the page that begins with an element, in the parameter's type.
  private func token(_ begin: Int) -> JSONValue {
    let parameter = endpoint.parameters.first { $0.name == pages.parameter }
    let type = parameter?.type ?? TypeReference(.scalar(.string))
    if generator.accepts(.integer(begin), type) { return .integer(begin) }
    var bare = type
    bare.isNullable = false
    return generator.value(bare, seed.derived("token").derived(begin), name: "token")
  }

  // MARK: Ways to other pages

  private func link(
    next: Int?, previous: Int?, begin: Int, size: Int, _ request: IncomingRequest,
    _ result: inout ResponseMaker.Response
  ) {
    switch pages.style {
    case .token:
      if let path = pages.next { put(next.map(token), at: path, in: &result.value) }
      if let path = pages.previous { put(previous.map(token), at: path, in: &result.value) }
      if let next, let name = pages.nextHeader.flatMap({ HTTPField.Name($0) }) {
        result.headers[name] = ParameterText.plain(token(next))
      }
    case .cursor:
      if let path = pages.next { put(.integer(next ?? 0), at: path, in: &result.value) }
      // A negative token requests the page that ends where this one begins.
      if let path = pages.previous { put(.integer(-begin), at: path, in: &result.value) }
      if let next, let name = pages.nextHeader.flatMap({ HTTPField.Name($0) }) { result.headers[name] = String(next) }
    case .url:
      put(next.map { .string(url(page: $0 / size + 1, request)) }, at: pages.parameter, in: &result.value)
      if let path = pages.previous {
        put(previous.map { .string(url(page: $0 / size + 1, request)) }, at: path, in: &result.value)
      }
    case .link where pages.nextHeader != nil:
      if let next, let name = pages.nextHeader.flatMap({ HTTPField.Name($0) }) {
        result.headers[name] = url(page: next / size + 1, request)
      }
    case .link:
      var links: [String] = []
      if let next { links.append("<\(url(page: next / size + 1, request))>; rel=\"next\"") }
      if let previous { links.append("<\(url(page: previous / size + 1, request))>; rel=\"prev\"") }
      if !links.isEmpty, let name = HTTPField.Name("Link") { result.headers[name] = links.joined(separator: ", ") }
    case .maxID, .page, .offset, .lastID: break
    }
  }

  /// The URL of the request with another page number.
  private func url(page: Int, _ request: IncomingRequest) -> String {
    let kept = (request.query ?? "").split(separator: "&").filter { !$0.hasPrefix("\(PageMark.parameter)=") }
    let query = kept.map(String.init) + ["\(PageMark.parameter)=\(page)"]
    return request.origin + request.path + "?" + query.joined(separator: "&")
  }

  /// Sets a member in the form of its type. Without a value, the member is removed, null, or empty, whichever its type allows.
  private func put(_ value: JSONValue?, at path: String, in response: inout JSONValue) {
    guard let type = types.type(at: path, of: type) else { return }
    let resolved = types.resolve(type)
    guard let value else {
      let empty: JSONValue? = type.isOptional ? Optional.none : .some(resolved.isNullable ? .null : .string(""))
      if empty != nil { makeWay(to: path, in: &response) }
      return response.set(empty, at: path)
    }
    makeWay(to: path, in: &response)
    var candidates = [value]
    if let text = ParameterText.plain(value) {
      candidates.append(.string(text))
      if let number = Int(text) { candidates.append(.integer(number)) }
    }
    response.set(candidates.first { generator.accepts($0, type) } ?? value, at: path)
  }

  /// Creates the objects on the path to a member, with their required members.
  private func makeWay(to path: String, in response: inout JSONValue) {
    let names = path.pathNames
    for count in 1..<max(names.count, 1) {
      let parent = names.prefix(count).joined(separator: ".")
      guard response.member(at: parent)?.object == nil, var bare = types.type(at: parent, of: type) else { continue }
      bare.isNullable = false
      response.set(generator.value(bare, seed.derived(parent), name: parent), at: parent)
    }
  }

  /// Sets the members that count the elements.
  private func countElements(_ shown: Int, of total: Int, _ response: inout JSONValue) {
    for folder in ["", "meta.", "pagination.", "page_info."] {
      for (name, number) in [
        ("result_count", shown), ("total", total), ("total_count", total), ("total_results", total),
        ("totalCount", total),
      ] {
        let path = folder + name
        guard response.member(at: path) != nil, let type = types.type(at: path, of: type),
          generator.accepts(.integer(number), type)
        else { continue }
        response.set(.integer(number), at: path)
      }
    }
  }
}
