import CallsignCatalogue
import CallsignSupport

/// Recognizes operations that return a long list in pages, and streams that can resend what was missed.
struct PageFinder {
  private let components: [String: Use]

  init(_ components: [(pointer: String, use: Use)]) {
    self.components = Dictionary(components.map { ($0.pointer, $0.use) }) { first, _ in first }
  }

  /// Request parameters for a token, in order of preference.
  private static let tokenParameters = [
    "pagination_token", "next_token", "page_token", "pageToken", "nextToken", "continuation_token", "cursor", "after",
    "starting_after",
  ]
  /// The paths in responses that contain the next token.
  private static let nextPaths = [
    "meta.next_token", "next_token", "nextToken", "next_page_token", "nextPageToken", "continuation_token",
    "meta.next_cursor", "next_cursor", "nextCursor", "pagination.next_token", "pagination.next_cursor",
    "paging.next_token", "page_info.end_cursor", "pageInfo.endCursor",
  ]
  /// Response header fields with the next token, in lowercase, without `X-` and hyphens.
  private static let nextHeaders: Set<String> = [
    "nextcursor", "nexttoken", "nextpagetoken", "nextpagecursor", "continuationtoken", "nextcontinuationtoken",
    "mscontinuation", "mscontinuationtoken", "paginationnexttoken", "paginationnextcursor", "pagenext",
  ]
  /// Response header fields with the URL of the next page, in the same form.
  private static let nextURLHeaders: Set<String> = [
    "nextpage", "nextpageurl", "nextpageuri", "nextpagelink", "nexturl", "nexturi", "nextlink", "next",
    "paginationnext",
    "pagenexturl", "paginationnexturl", "nextresults", "nextresultsurl",
  ]
  private static let sizeParameters = [
    "max_results", "page_size", "pageSize", "limit", "per_page", "perPage", "count", "maxResults", "first",
  ]
  /// The last words of parameters that set the page size, such as `sysparm_limit` and `$top`.
  private static let sizeWords: Set<String> = ["limit", "top", "size", "count"]

  /// The paths in responses that contain the URL of the next page.
  private static let urlPaths = [
    "links.next", "_links.next.href", "_links.next", "links.next.href", "paging.next", "pagination.next",
    "pagination.next_url", "next_page_url", "nextPageUrl", "next_url", "next_page_uri", "nextLink", "next_href",
    "meta.next_page_url",
  ]
  /// The paths in responses that say whether there are more pages.
  private static let morePaths = [
    "has_more", "hasMore", "meta.has_more", "pagination.has_more", "paging.has_more", "pageInfo.hasNextPage",
    "page_info.has_next_page",
  ]
  /// Words that mark a number as the count of all elements.
  private static let totalWords: Set<String> = ["total", "totals"]
  /// Words of numbers that count something else, or only a part.
  private static let otherWords: Set<String> = [
    "page", "pages", "per", "size", "price", "amount", "cost", "sum", "time",
  ]
  /// Names of numbers that count all elements without one of these words.
  private static let totalNames: Set<String> = ["numfound", "fullcount"]
  /// Request parameters that say how many elements to skip.
  private static let offsetParameters = [
    "offset", "skip", "start", "startAt", "start_at", "startIndex", "start_index", "startPosition", "start_position",
  ]
  /// The last words of further such parameters, such as `sysparm_offset`, `$skip` and `page[offset]`.
  private static let offsetWords: Set<String> = ["offset", "skip"]
  /// Request parameters that ask for elements after another one, in order of preference.
  private static let lastIDParameters = ["starting_after", "after_id", "after"]

  func pages(of operation: OperationShape) -> Pagination? {
    guard var pages = style(of: operation), let response = operation.response else { return nil }
    // With tokens, a missing token already marks the last page.
    if [.page, .offset, .lastID].contains(pages.style) {
      pages.more = Self.morePaths.first { isFlag(at: $0, in: response) }
    }
    if [.page, .offset].contains(pages.style) {
      pages.total = total(in: response)
    }
    return pages
  }

  private func style(of operation: OperationShape) -> Pagination? {
    guard operation.method == "GET", let response = operation.response else { return nil }
    let parameters = operation.parameters.filter { $0.place == .query }
    let sizes =
      Self.sizeParameters + parameters.map(\.name).filter { Self.lastWord($0).map(Self.sizeWords.contains) == true }
    let size = sizes.first { name in
      parameters.contains { $0.name == name && $0.use.shape == .scalar(.int) }
    }
    // A page size with a few allowed values counts as one, although it has a named type.
    let isSized = sizes.contains { name in
      parameters.contains { $0.name == name && isNumber($0.use) }
    }
    let token = Self.tokenParameters.first { name in parameters.contains { $0.name == name && isToken($0) } }
    if let token, let next = Self.nextPaths.first(where: { isText(at: $0, in: response) }),
      let items = items(in: response)
    {
      let previous = [next.replacingLast("next", with: "previous"), next.replacingLast("next", with: "prev")]
        .first { $0 != next && isText(at: $0, in: response) }
      let since = since(parameters, items: items, in: response)
      return Pagination(
        style: .token, parameter: token, next: next, previous: previous, items: items, size: size,
        id: since == nil ? nil : Self.elementID, since: since)
    }
    guard let items = items(in: response) else { return nil }
    if let token, let header = operation.responseHeaders.first(where: { Self.isNextHeader($0.name) }) {
      var pages = Pagination(style: .token, parameter: token, items: items, size: size)
      pages.nextHeader = header.name
      return pages
    }
    if let header = operation.responseHeaders.first(where: { isNextURL($0, of: operation) }) {
      var pages = Pagination(style: .link, parameter: "next", items: items, size: size)
      pages.nextHeader = header.name
      return pages
    }
    if operation.hasLinkHeader {
      return Pagination(style: .link, parameter: "next", items: items, size: size)
    }
    // `next` on its own may be a token. Together with `previous` and `count`, it is the URL that a well-known framework returns.
    let isURL =
      isURL(at: "next", in: response) && isURL(at: "previous", in: response) && isText(at: "count", in: response)
    if let url = isURL ? "next" : Self.urlPaths.first(where: { self.isURL(at: $0, in: response) }) {
      let previous = url.replacingLast("next", with: "previous")
      return Pagination(
        style: .url, parameter: url,
        previous: previous != url && self.isURL(at: previous, in: response) ? previous : nil,
        items: items, size: size)
    }
    if let after = Self.lastIDParameters.first(where: { name in
      parameters.contains { $0.name == name && isToken($0) }
    }), Self.morePaths.contains(where: { isFlag(at: $0, in: response) }), hasID(items, in: response) {
      return Pagination(style: .lastID, parameter: after, items: items, size: size, id: Self.elementID)
    }
    let offsets =
      Self.offsetParameters
      + parameters.map(\.name).filter { Self.lastWord($0).map(Self.offsetWords.contains) == true }
    if let offset = offsets.first(where: { name in
      parameters.contains { $0.name == name && $0.use.shape == .scalar(.int) && !$0.isRequired }
    }), isSized {
      return Pagination(style: .offset, parameter: offset, items: items, size: size)
    }
    if let page = parameters.first(where: { $0.name == "page" && $0.use.shape == .scalar(.int) && !$0.isRequired }) {
      var pages = Pagination(style: .page, parameter: page.name, items: items, size: size)
      if page.annotations.fallback == .single("0") { pages.first = 0 }
      return pages
    }
    return nil
  }

  private static func isNextHeader(_ name: String) -> Bool {
    let words = name.lowercased().split(separator: "-")
    return nextHeaders.contains(words.drop { $0 == "x" }.joined())
  }

  /// Whether a header field is the URL of the next page. If it is a number, or there is a `page` parameter, it is a page number.
  private func isNextURL(_ header: (name: String, use: Use), of operation: OperationShape) -> Bool {
    guard header.use.shape == .scalar(.string) else { return false }
    let name = header.name.lowercased().split(separator: "-").drop { $0 == "x" }.joined()
    let saysURL = ["url", "uri", "link"].contains { name.contains($0) }
    return Self.nextURLHeaders.contains(name) && (saysURL || !operation.parameters.contains { $0.name == "page" })
  }

  private static func lastWord(_ name: String) -> String? { Words(name).list.last?.lowercased() }

  /// The path of the total number of elements: a number in the response, or in an object in it, whose name says so.
  private func total(in response: Use) -> String? {
    guard let whole = object(response) else { return nil }
    func total(of object: ObjectShape) -> String? {
      let names = object.members.filter { $0.use.shape == .scalar(.int) && !$0.name.contains(".") }.map(\.name)
      if names.contains("total") { return "total" }
      return names.first { name in
        let words = Set(Words(name).list.map { $0.lowercased() })
        return !words.isDisjoint(with: Self.totalWords) && words.isDisjoint(with: Self.otherWords)
          || Self.totalNames.contains(words.isEmpty ? "" : name.lowercased().filter(\.isLetter))
      }
    }
    if let own = total(of: whole) { return own }
    for member in whole.members where !member.name.contains(".") {
      if let inner = object(member.use), let name = total(of: inner) { return "\(member.name).\(name)" }
    }
    return nil
  }

  /// Request parameters that ask for elements with a greater ID.
  private static let sinceParameters = ["since_id", "sinceId"]
  /// The member that contains an element's ID.
  private static let elementID = "id"

  /// Whether the page's elements have IDs.
  private func hasID(_ items: String, in response: Use) -> Bool {
    let list = items == "." ? response : object(response)?[items]?.use
    guard case .list(let element)? = list?.shape else { return false }
    return isText(at: Self.elementID, in: element)
  }

  private func since(_ parameters: [ParameterShape], items: String, in response: Use) -> String? {
    guard hasID(items, in: response) else { return nil }
    return Self.sinceParameters.first { name in parameters.contains { $0.name == name && isToken($0) } }
  }

  /// Request parameters of streams that ask to resend the last minutes.
  private static let backfillParameters = ["backfill_minutes", "backfillMinutes"]
  /// The paths of IDs in records.
  private static let recordIDPaths = ["data.id", "data.event_uuid", "id"]

  /// The parameter that makes a stream resend what was missed, and the ID that identifies records already received.
  func backfill(of operation: OperationShape) -> Backfill? {
    let parameter = operation.parameters.first { parameter in
      parameter.place == .query && Self.backfillParameters.contains(parameter.name)
        && parameter.use.shape == .scalar(.int) && parameter.use.constraints.maximum != nil
    }
    guard let parameter, let response = operation.response else { return nil }
    return Backfill(
      parameter: parameter.name, id: Self.recordIDPaths.first { isText(at: $0, in: response) })
  }

  /// The parameter that looks like a page token.
  func token(of operation: OperationShape) -> String? {
    Self.tokenParameters.first { name in
      operation.parameters.contains { $0.place == .query && $0.name == name }
    }
  }

  /// Whether the parameter can be a token: the first page is requested without it.
  private func isToken(_ parameter: ParameterShape) -> Bool {
    guard !parameter.isRequired, !parameter.use.isNullable else { return false }
    switch parameter.use.shape {
    case .scalar(.string), .scalar(.int): return true
    case .named(let pointer): return components[pointer]?.shape == .scalar(.string)
    default: return false
    }
  }

  private func isNumber(_ use: Use) -> Bool {
    switch use.shape {
    case .scalar(.int): true
    case .enumeration(let enumeration): enumeration.isInteger
    case .named(let pointer):
      if case .enumeration(let enumeration)? = components[pointer]?.shape { enumeration.isInteger } else { false }
    default: false
    }
  }

  private func object(_ use: Use) -> ObjectShape? {
    switch use.shape {
    case .object(let object): object
    case .named(let pointer): if case .object(let object)? = components[pointer]?.shape { object } else { nil }
    default: nil
    }
  }

  /// Whether there is a text or a number at the path, like a token.
  private func isText(at path: String, in response: Use) -> Bool {
    switch use(at: path, in: response)?.shape {
    case .scalar(.int), .scalar(.uuid): true
    default: isURL(at: path, in: response)
    }
  }

  /// Whether there is a text at the path that may be a URL. A number would be a page number.
  private func isURL(at path: String, in response: Use) -> Bool {
    switch use(at: path, in: response)?.shape {
    case .scalar(.string), .scalar(.url): true
    case .named(let pointer): components[pointer]?.shape == .scalar(.string)
    default: false
    }
  }

  private func isFlag(at path: String, in response: Use) -> Bool {
    use(at: path, in: response)?.shape == .scalar(.bool)
  }

  private func use(at path: String, in response: Use) -> Use? {
    var use = response
    for name in path.pathNames {
      guard let member = object(use)?[name] else { return nil }
      use = member.use
    }
    return use
  }

  private static let itemNames = [
    "data", "items", "results", "values", "records", "entries", "elements", "rows", "resources", "hits", "objects",
  ]

  private func isList(_ use: Use) -> Bool { if case .list = use.shape { true } else { false } }

  /// The path of the page's elements: the response itself, its only list, or the list with a typical name.
  private func items(in response: Use) -> String? {
    if case .list = response.shape { return "." }
    guard let object = object(response) else { return nil }
    // A name with a dot would be read as a path.
    let members = object.members.filter { !$0.name.isEmpty && !$0.name.contains(".") && isList($0.use) }
    let lists = members.map(\.name)
    if let known = Self.itemNames.first(where: lists.contains) { return known }
    if lists.count == 1 { return lists.first }
    // Among several lists, such as a list of errors or the sort order, takes the one whose models have an ID.
    let identified = lists.filter { hasID($0, in: response) }
    return identified.count == 1 ? identified.first : nil
  }
}

extension String {
  /// The text with the last occurrence of a word replaced; unchanged if the word does not occur.
  fileprivate func replacingLast(_ word: String, with other: String) -> String {
    var end = endIndex
    while end > startIndex {
      let head = self[..<end]
      if head.hasSuffix(word) { return head.dropLast(word.count) + other + self[end...] }
      end = index(before: end)
    }
    return self
  }
}
