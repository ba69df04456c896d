import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// A long result, page by page: an asynchronous sequence of responses. ``items`` are their elements, one by one.
///
/// An element that cannot be read is left out of its page, which names it in ``Response/issues``; for readers of ``items``
/// there are the log and ``ClientConfiguration/reportIssues``.
///
/// Each iteration begins at the first page, or where ``resuming(from:)`` says. Nothing is sent before the first page is
/// asked for, and no page before it is needed.
public struct Pages<Page: JSONDecodable & Sendable, Item: Sendable>: Sendable {
  let client: Client
  var call: Call
  let style: PageStyle
  package let readItems: @Sendable (Page) -> [Item]
  let readNext: @Sendable (Page) -> String?
  let readPrevious: (@Sendable (Page) -> String?)?
  /// Whether there are more pages, where the response says so.
  var readMore: (@Sendable (Page) -> Bool?)?
  /// Reads the number of elements that all pages have together, where the response says so.
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
  ///   - next: Where a page has the token, or the URL, of the page after it.
  ///   - previous: Where it has the token of the page before it.
  ///   - items: Where it has its elements.
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
  ///   - items: Where a page has its elements.
  ///   - itemPath: The same place in the page's JSON, as a dotted path; empty for a page that is the list.
  ///   - id: Where an element has its id; one without is passed over. For ``PageStyle/maxID(_:in:)`` a decimal number.
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
  ///   - size: How many elements a whole page has, where the caller asked for a number: by as many a counted page goes
  ///     backwards. A page with fewer is not the last for that, as APIs give fewer than they are asked for.
  ///   - items: Where a page has its elements.
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
  /// The same pages, which end where the response says that there are no more. For generated code.
  public func more(_ more: @escaping @Sendable (Page) -> Bool?) -> Pages {
    var pages = self
    pages.readMore = more
    return pages
  }

  /// The same pages, which end where as many elements were there as the response says that there are. For generated code.
  public func total(_ total: @escaping @Sendable (Page) -> Int?) -> Pages {
    var pages = self
    pages.readTotal = total
    return pages
  }

  /// The same pages, whose next token is in a header field, or of ``PageStyle/link`` the next page's URL. For generated code.
  public func next(header name: String) -> Pages {
    var pages = self
    pages.nextHeader = HTTPField.Name(name)
    return pages
  }

  /// The same pages from the last one to the first, where the API names the page before each, or numbers them. Begin with
  /// ``resuming(from:)``; without it, most APIs have nothing before their first page.
  ///
  /// A page that is counted may reach into the one that was read before it, such as the list's first, where fewer elements
  /// are left than a page has: ``items`` and ``rawItems`` pass over those that come again.
  ///
  /// Pages that end below an id cannot be read so: asked for what is above one, such APIs respond with the newest, not with
  /// the next. ``polling(every:since:)`` reads what is newer.
  public func backwards() -> Pages {
    var pages = self
    pages.isBackwards.toggle()
    return pages
  }

  /// The same pages, beginning at a token that ``token(after:)`` gave, perhaps days ago.
  ///
  /// - Parameter token: A token, cursor, id or page number. `nil` begins at the beginning.
  public func resuming(from token: String?) -> Pages {
    var pages = self
    pages.start = token
    return pages
  }

  /// The same pages, but no more than are needed for a number of elements. ``items`` yields exactly that many, if there
  /// are; the last page comes whole.
  public func limit(_ items: Int) -> Pages {
    var pages = self
    pages.itemLimit = items
    return pages
  }

  /// The token by which ``resuming(from:)`` goes on after a page; `nil` when it is the last, and for pages that are
  /// numbered or counted: which number they have, only their ``Iterator`` knows. For pages that are named by URL it is the
  /// absolute URL.
  public func token(after page: Response<Page>) -> String? {
    if style.isNumbered { return nil }
    return position(after: page, items: readItems(page.value), from: nil, count: nil)
  }
}

extension PageStyle {
  /// The parameter's value for the first page, where one is needed.
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
  /// - Parameter isFirst: Whether it is the first of an iteration. A key by which the API knows a call again is that one's:
  ///   with the same key, the API would respond with the first page once more.
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
      // Where the page is a member of a JSON body, it is a number there.
      if let number = Int(position) {
        call.setPage(name, number, place)
      } else {
        call.setPage(name, position, place)
      }
    }
    return call
  }

  /// Whether the pages can be read from the last to the first without a token for that.
  private var goesBackwards: Bool {
    if case .link = style { nextHeader == nil } else { style.isNumbered }
  }

  /// The parameter's value for the page after one; `nil` when it is the last.
  ///
  /// - Parameters:
  ///   - response: The page.
  ///   - items: Its elements.
  ///   - position: The parameter's value that asked for it.
  ///   - count: How many elements there were up to its end; `nil` where that is not known.
  func position(after response: Response<Page>, items: [Item], from position: String?, count: Int?) -> String? {
    let page: Page = response.value
    // Elements may have been left out of it, because they could not be read.
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
      // What could not be read is an element all the same.
      let count = items.count + leftOut(of: response).count
      if isBackwards { return offset > 0 ? String(Swift.max(0, offset - (size ?? count))) : nil }
      guard count > 0, offset <= .max - count else { return nil }
      return isWhole(page, count: offset + count) ? nil : String(offset + count)
    case .maxID:
      // One below the smallest id, so that the element at the border does not come twice.
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
  /// Whether the API says by an error that there is no page of such a number.
  func isPastTheEnd(_ error: CallError) -> Bool {
    guard case .page = style, !isBackwards, case .api(let error) = error else { return false }
    return error.status == 404
  }

  /// Whether a response says that there are pages after it, of which not all elements were counted.
  ///
  /// - Parameter count: How many elements there were up to its end; `nil` where that is not known.
  func promisesMore(_ page: Page, count: Int?) -> Bool {
    !isBackwards && readMore?(page) == true && !isWhole(page, count: count)
  }

  /// Whether as many elements were counted as a response says that there are.
  private func isWhole(_ page: Page, count: Int?) -> Bool {
    guard let total = readTotal?(page), let count else { return false }
    return total <= count
  }

  /// The error that a page without a successor stands for, where it has one that cannot be read, or says that there is one:
  /// the rest must not get lost without a word.
  func problem(atEnd page: Response<Page>, hasItems: Bool, count: Int?) -> CallError? {
    let issue = page.issues.first { issue in
      switch style {
      case .token, .cursor, .url:
        // The token itself, or the object that has it.
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

/// The rules by which an endpoint hands out a long result page by page, and the parameter that asks for a page.
///
/// A page that says that there are more, and has nothing by which to ask for them, does not end the list: it is followed
/// by a ``CallError/unexpectedContent(_:)`` of the kind ``UnexpectedContent/Kind/missingPage``.
public enum PageStyle: Sendable {
  /// The part of the request that carries the parameter.
  public enum Place: UInt8, Sendable, Hashable {
    /// In the query.
    case query
    /// In the body, in the endpoint's format.
    case field
  }

  /// An opaque token from the response goes into the next request; its absence ends the list.
  case token(String, in: Place = .query)
  /// Like a token, but `-1` begins the list and `0` ends it.
  case cursor(String, in: Place = .query)
  /// The next request asks for elements with an id below the smallest one seen; a page without elements ends the list.
  /// Backwards there is no way.
  case maxID(String, in: Place = .query)
  /// The next request asks for elements after the last one's id; a page without elements ends the list. Backwards there is
  /// no way.
  case lastID(String, in: Place = .query)
  /// Pages count from a number, mostly 1; a page without elements ends the list, unless it says that there are more, or one
  /// that is the page before once more, or a number of which the API says that there is no such page (404). Backwards, the
  /// first page does.
  case page(String, in: Place = .query, from: Int = 1)
  /// The next request says how many elements to pass over; a page without elements ends the list, or one that is the page
  /// before once more.
  case offset(String, in: Place = .query)
  /// The response has the URL of the next page, which must be at the same host; its absence ends the list. A relative one is
  /// relative to the URL of that response.
  case url
  /// The response's `Link` field has the URL of the next page (RFC 8288), which must be at the same host; its absence ends the
  /// list. A relative one is relative to the URL of that response. Backwards, `prev` has it.
  case link
}
