import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// A long result, page by page: an asynchronous sequence of responses. To read the elements one by one, use ``items``.
///
/// An element that cannot be read is left out of its page, and ``Response/issues`` of the page lists it. If you read
/// ``items``, look in the log or use ``ClientConfiguration/reportIssues``.
///
/// Each iteration begins at the first page, or at the token that you pass to ``resuming(from:)``. Nothing is sent until
/// you request the first page, and no earlier page is fetched.
public struct Pages<Page: JSONDecodable & Sendable, Item: Sendable>: Sendable {
  let client: Client
  var call: Call
  let style: PageStyle
  package let readItems: @Sendable (Page) -> [Item]
  let readNext: @Sendable (Page) -> String?
  let readPrevious: (@Sendable (Page) -> String?)?
  /// Whether there are more pages, if the response states it.
  var readMore: (@Sendable (Page) -> Bool?)?
  /// Reads the number of elements on all pages together, if the response states it.
  var readTotal: (@Sendable (Page) -> Int?)?
  /// The header field that has the token of the next page, or its URL.
  var nextHeader: HTTPField.Name?
  /// The dotted path of the elements in a page's JSON; empty for a page that is the list.
  let itemPath: String
  var readID: (@Sendable (Item) -> String?)?
  /// The request parameter that asks for elements with a greater id.
  var sinceParameter: String?
  let size: Int?
  var start: String?
  var isBackwards = false
  var itemLimit: Int?

  /// Describes pages of the styles ``PageStyle/token(_:in:)``, ``PageStyle/cursor(_:in:)`` and ``PageStyle/url``. For
  /// generated code.
  ///
  /// - Parameters:
  ///   - client: The client that sends the calls.
  ///   - call: The call, without the parameter that asks for a page.
  ///   - style: How the endpoint pages.
  ///   - next: Reads the token, or the URL, of the next page.
  ///   - previous: Reads the token of the previous page.
  ///   - items: Reads the page's elements.
  ///   - itemPath: The same place in the page's JSON, as a dotted path; empty for a page that is the list.
  public init<Token: ParameterValue & Sendable>(
    _ client: Client, _ call: Call, _ style: PageStyle,
    next: @escaping @Sendable (Page) -> Token?,
    previous: (@Sendable (Page) -> Token?)? = nil,
    items: @escaping @Sendable (Page) -> [Item], at itemPath: String = ""
  ) {
    self.client = client
    self.call = call
    self.style = style
    self.itemPath = itemPath
    readItems = items
    readNext = { next($0)?.parameterText }
    if let previous {
      readPrevious = { previous($0)?.parameterText }
    } else {
      readPrevious = nil
    }
    readID = nil
    size = nil
  }

  /// Describes pages of the styles ``PageStyle/maxID(_:in:)`` and ``PageStyle/lastID(_:in:)``. For generated code.
  ///
  /// - Parameters:
  ///   - client: The client that sends the calls.
  ///   - call: The call, without the parameter that asks for a page.
  ///   - style: How the endpoint pages.
  ///   - items: Reads the page's elements.
  ///   - itemPath: The same place in the page's JSON, as a dotted path; empty for a page that is the list.
  ///   - id: Reads an element's id; elements without an id are skipped. For ``PageStyle/maxID(_:in:)`` it is a decimal
  ///     number.
  public init<ID: ParameterValue & Sendable>(
    _ client: Client, _ call: Call, _ style: PageStyle,
    items: @escaping @Sendable (Page) -> [Item], at itemPath: String = "",
    id: @escaping @Sendable (Item) -> ID?
  ) {
    self.client = client
    self.call = call
    self.style = style
    self.itemPath = itemPath
    readItems = items
    readNext = { _ in nil }
    readPrevious = nil
    readID = { id($0)?.parameterText }
    size = nil
  }

  /// Describes pages of the styles ``PageStyle/page(_:in:from:)``, ``PageStyle/offset(_:in:)`` and ``PageStyle/link``, and
  /// of those whose token is in a header field. For generated code.
  ///
  /// - Parameters:
  ///   - client: The client that sends the calls.
  ///   - call: The call, without the parameter that asks for a page.
  ///   - style: How the endpoint pages.
  ///   - size: How many elements a full page has, if the caller asked for a number. Pages that are counted go back by
  ///     this number when they are read backwards. A page with fewer elements is not necessarily the last one, because
  ///     APIs may return fewer than requested.
  ///   - items: Reads the page's elements.
  ///   - itemPath: The same place in the page's JSON, as a dotted path; empty for a page that is the list.
  public init(
    _ client: Client, _ call: Call, _ style: PageStyle,
    size: Int? = nil,
    items: @escaping @Sendable (Page) -> [Item], at itemPath: String = ""
  ) {
    self.client = client
    self.call = call
    self.style = style
    self.itemPath = itemPath
    readItems = items
    readNext = { _ in nil }
    readPrevious = nil
    readID = nil
    self.size = size
  }
}

extension Pages {
  /// The same pages, ending when the response says that there are no more. For generated code.
  public func more(_ more: @escaping @Sendable (Page) -> Bool?) -> Pages {
    var pages = self
    pages.readMore = more
    return pages
  }

  /// The same pages, ending once as many elements were read as the response says there are. For generated code.
  public func total(_ total: @escaping @Sendable (Page) -> Int?) -> Pages {
    var pages = self
    pages.readTotal = total
    return pages
  }

  /// The same pages, with the next token, or for ``PageStyle/link`` the next page's URL, in a header field. For
  /// generated code.
  public func next(header name: String) -> Pages {
    var pages = self
    pages.nextHeader = HTTPField.Name(name)
    return pages
  }

  /// The same pages from last to first, for APIs that name the previous page or number their pages. Begin with
  /// ``resuming(from:)``; without it, most APIs have nothing before their first page.
  ///
  /// A counted page can overlap the page that was read before it. For example, the list's first page does if fewer
  /// elements are left than fit on a page. ``items`` and ``rawItems`` skip the elements that come a second time.
  ///
  /// Pages that end below an id cannot be read backwards. If you ask such an API for elements above an id, it returns the newest
  /// elements, not the next ones. To read newer elements, use ``polling(every:since:)``.
  public func backwards() -> Pages {
    var pages = self
    pages.isBackwards.toggle()
    return pages
  }

  /// The same pages, beginning at a token from ``token(after:)``, which may be days old.
  ///
  /// - Parameter token: A token, cursor, id or page number. With `nil`, iteration begins at the first page.
  public func resuming(from token: String?) -> Pages {
    var pages = self
    pages.start = token
    return pages
  }

  /// The same pages, but only as many as a number of elements needs. ``items`` yields exactly that many, if they exist;
  /// the last page arrives complete.
  public func limit(_ items: Int) -> Pages {
    var pages = self
    pages.itemLimit = items
    return pages
  }

  /// The token to pass to ``resuming(from:)`` to continue after a page. It is `nil` after the last page, and for pages
  /// that are numbered or counted, because only their ``Iterator`` knows their number. For pages that are named by URL
  /// it is the absolute URL.
  public func token(after page: Response<Page>) -> String? {
    if style.isNumbered { return nil }
    return position(after: page, items: readItems(page.value), from: nil, count: nil)
  }
}

extension PageStyle {
  /// The parameter's value for the first page, if it needs one.
  var first: String? {
    switch self {
    case .token, .maxID, .lastID, .url, .link, .offset: nil
    case .cursor: "-1"
    case .page(_, _, let first): String(first)
    }
  }

  var isNumbered: Bool {
    switch self {
    case .page, .offset: true
    default: false
    }
  }
}

extension Pages {
  /// The call for one page.
  ///
  /// - Parameter isFirst: Whether it is the first page of an iteration. Only the first call keeps the idempotency key:
  ///   with the same key, the API would return the first page again.
  func call(at position: String?, isFirst: Bool) throws(CallError) -> Call {
    if isBackwards, readPrevious == nil, !goesBackwards {
      let reason = InvalidCall.Reason.value("this endpoint names no page before another; read it forwards")
      throw .invalidCall(InvalidCall(endpoint: call.name, reason: reason))
    }
    var call = call
    if !isFirst { call.options.idempotencyKey = nil }
    guard let position else { return call }
    switch style {
    case .token(let name, let place), .cursor(let name, let place), .maxID(let name, let place),
      .lastID(let name, let place):
      call.setPage(name, position, place)
    case .url, .link:
      guard let url = try NextPage.url(position, of: call, client) else {
        let reason = InvalidCall.Reason.value(
          "a page's URL must be one of the API's own host; resume from another token")
        throw .invalidCall(InvalidCall(endpoint: call.name, reason: reason))
      }
      call.setPageURL(url)
    case .page(let name, let place, _), .offset(let name, let place):
      // If the page is a member of a JSON body, it is a number there.
      if let number = Int(position) {
        call.setPage(name, number, place)
      } else {
        call.setPage(name, position, place)
      }
    }
    return call
  }

  /// Whether the pages can be read from last to first without a token.
  private var goesBackwards: Bool {
    if case .link = style { nextHeader == nil } else { style.isNumbered }
  }

  /// The parameter's value for the page after one; `nil` if that was the last page.
  ///
  /// - Parameters:
  ///   - response: The page.
  ///   - items: Its elements.
  ///   - position: The parameter's value that requested it.
  ///   - count: How many elements there were up to the end of this page; `nil` if that is not known.
  func position(after response: Response<Page>, items: [Item], from position: String?, count: Int?) -> String? {
    let page: Page = response.value
    // Elements that could not be read may be missing from the page.
    let hasGaps = response.issues.contains { $0.outcome == .leftOut }
    if !isBackwards, readMore?(page) == false { return nil }
    switch style {
    case .token, .cursor:
      let token: String? =
        if let nextHeader, !isBackwards { response.rawResponse.headers[nextHeader] } else {
          isBackwards ? readPrevious?(page) : readNext(page)
        }
      guard let token, !token.isEmpty else { return nil }
      if case .cursor = style, token == "0" { return nil }
      return token
    case .url:
      let url = isBackwards ? readPrevious?(page) : readNext(page)
      return url.flatMap { $0.isEmpty ? nil : NextPage.reference($0, in: response.rawResponse) }
    case .link:
      if let nextHeader {
        guard !isBackwards, let url = response.rawResponse.headers[nextHeader]?.trimmingWhitespace(), !url.isEmpty
        else {
          return nil
        }
        return NextPage.reference(url, in: response.rawResponse)
      }
      return LinkHeader(response.rawResponse.headers).target(isBackwards ? ["prev", "previous"] : ["next"])
        .map { NextPage.reference($0, in: response.rawResponse) }
    case .lastID:
      guard !items.isEmpty || hasGaps else { return nil }
      return items.last { readID?($0)?.isEmpty == false }.flatMap { readID?($0) }
    case .offset:
      let offset = position.flatMap { Int($0) } ?? 0
      // An element that could not be read still counts.
      let count = items.count + leftOut(of: response).count
      if isBackwards { return offset > 0 ? String(Swift.max(0, offset - (size ?? count))) : nil }
      guard count > 0, offset <= .max - count else { return nil }
      return isWhole(page, count: offset + count) ? nil : String(offset + count)
    case .maxID:
      // One below the smallest id, so that the element at the border is not returned twice.
      guard let readID, let smallest = items.compactMap({ readID($0).flatMap { UInt64($0) } }).min(), smallest > 0
      else { return nil }
      return String(smallest - 1)
    case .page(_, _, let first):
      let number = position.flatMap { Int($0) } ?? first
      if isBackwards { return number > first ? String(number - 1) : nil }
      let mayHaveNext = !items.isEmpty || hasGaps || readMore?(page) == true
      return mayHaveNext && !isWhole(page, count: count) && number < .max ? String(number + 1) : nil
    }
  }
}

extension Pages {
  /// Whether an error is the API's way of saying that no page has such a number.
  func isPastTheEnd(_ error: CallError) -> Bool {
    guard case .page = style, !isBackwards, case .api(let error) = error else { return false }
    return error.status == 404
  }

  /// Whether a response says that more pages follow, although not all elements were counted.
  ///
  /// - Parameter count: How many elements there were up to the end of this page; `nil` if that is not known.
  func promisesMore(_ page: Page, count: Int?) -> Bool {
    !isBackwards && readMore?(page) == true && !isWhole(page, count: count)
  }

  /// Whether as many elements were counted as the response says there are.
  private func isWhole(_ page: Page, count: Int?) -> Bool {
    guard let total = readTotal?(page), let count else { return false }
    return total <= count
  }

  /// The error for a page without a successor, if its token could not be read or the page says that more follow.
  /// Otherwise the rest would be lost silently.
  func problem(atEnd page: Response<Page>, hasItems: Bool, count: Int?) -> CallError? {
    let issue = page.issues.first { issue in
      switch style {
      case .token, .cursor, .url:
        // The token itself, or the object that contains it.
        let name = issue.omittedPath.pathNames.last.map { $0.lowercased() } ?? ""
        return !issue.omittedPath.contains("[")
          && (issue.path != issue.omittedPath
            || ["token", "cursor", "next", "previous"].contains { name.contains($0) })
      case .maxID, .lastID: return !hasItems && issue.outcome == .leftOut
      case .page, .offset, .link: return false
      }
    }
    if let issue { return .decoding(DecodingFailure(error: issue.error, rawResponse: page.rawResponse)) }
    guard promisesMore(page.value, count: count) else { return nil }
    return .unexpectedContent(UnexpectedContent(kind: .missingPage, rawResponse: page.rawResponse))
  }
}

extension Call {
  fileprivate mutating func setPage(
    _ name: String, _ value: any ParameterValue & JSONEncodable & Sendable, _ place: PageStyle.Place
  ) {
    switch (place, endpoint?.body ?? .none) {
    case (.query, _), (.field, .none): add(name, value, in: .query)
    case (.field, .json): json(name, value)
    case (.field, .form): add(name, value, in: .form)
    case (.field, .multipart): add(name, value, in: .part)
    }
  }
}

/// How an endpoint splits a long result into pages, and which parameter requests a page.
///
/// If a page says that more follow but has nothing to request them with, the list does not just end. It fails with a
/// ``CallError/unexpectedContent(_:)`` of the kind ``UnexpectedContent/Kind/missingPage``.
public enum PageStyle: Sendable {
  /// The part of the request that carries the parameter.
  public enum Place: UInt8, Sendable, Hashable {
    /// In the query.
    case query
    /// In the body, in the endpoint's format.
    case field
  }

  /// The response has an opaque token for the next request. The list ends when there is no token.
  case token(String, in: Place = .query)
  /// Like a token, but the list begins with `-1` and ends with `0`.
  case cursor(String, in: Place = .query)
  /// The next request asks for elements with an id below the smallest one seen. The list ends with a page without
  /// elements. It cannot be read backwards.
  case maxID(String, in: Place = .query)
  /// The next request asks for elements after the last one's id. The list ends with a page without elements. It cannot
  /// be read backwards.
  case lastID(String, in: Place = .query)
  /// Pages are numbered, usually from 1. The list ends with an empty page (unless it says that more follow), with a page that
  /// repeats the previous one, or with a number without a page (404). Backwards, it ends with the first page.
  case page(String, in: Place = .query, from: Int = 1)
  /// The next request says how many elements to skip. The list ends with a page without elements, or with a page that
  /// repeats the previous one.
  case offset(String, in: Place = .query)
  /// The response has the URL of the next page, which must be on the same host. The list ends when there is no URL. A
  /// relative URL is resolved against the URL of that response.
  case url
  /// The response's `Link` field has the URL of the next page (RFC 8288), which must be on the same host. The list ends
  /// when there is no URL. A relative URL is resolved against the URL of that response. Backwards, the URL is in
  /// `prev`.
  case link
}
