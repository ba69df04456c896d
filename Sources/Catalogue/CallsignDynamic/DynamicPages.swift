import Callsign
import CallsignCatalogue
import CallsignJSON
import CallsignSupport

/// The pages of a long result: an asynchronous sequence of responses. Nothing is sent until you ask for a page.
public struct DynamicPages: AsyncSequence, Sendable {
  /// One page with its response.
  public typealias Element = DynamicPage
  /// The error that ends the pages early.
  public typealias Failure = CallError

  let pages: Pages<JSONValue, JSONValue>
  let api: DynamicAPI
  let type: TypeReference

  /// The same pages, but no more than needed for a number of elements. The last page is complete.
  public func limit(_ items: Int) -> DynamicPages { DynamicPages(pages: pages.limit(items), api: api, type: type) }

  /// The same pages, starting at a token from ``DynamicPages/AsyncIterator/token``, even days later.
  public func resuming(from token: String?) -> DynamicPages {
    DynamicPages(pages: pages.resuming(from: token), api: api, type: type)
  }

  /// Starts at the first page, or at the token given to ``resuming(from:)``.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(iterator: pages.makeAsyncIterator(), pages: self)
  }

  /// Reads the pages one after the other.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    private var iterator: Pages<JSONValue, JSONValue>.Iterator
    private let pages: DynamicPages

    init(iterator: Pages<JSONValue, JSONValue>.Iterator, pages: DynamicPages) {
      self.iterator = iterator
      self.pages = pages
    }

    /// The token for ``DynamicPages/resuming(from:)`` to continue after the pages read so far; `nil` if there are no more.
    public var token: String? { iterator.token }

    /// The next page; `nil` after the last.
    public mutating func next() async throws(CallError) -> DynamicPage? { try await next(isolation: nil) }

    /// The next page; `nil` after the last.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> DynamicPage? {
      guard let page = try await iterator.next(isolation: actor) else { return nil }
      return DynamicPage(
        response: try pages.api.checked(page, pages.type), items: pages.pages.readItems(page.value))
    }
  }
}

/// One page of a long result.
public struct DynamicPage: Sendable {
  /// The whole response.
  public let response: DynamicResponse
  /// Its elements.
  public let items: [JSONValue]
}

/// How to request an operation's pages, in the runtime's terms.
struct Paging {
  private let plan: Pagination
  private let parameter: Parameter?
  private let style: PageStyle

  /// - Returns: `nil` if the operation has no pages.
  init?(_ operation: DynamicOperation) {
    let endpoint = operation.endpoint
    guard let plan = endpoint.pages, endpoint.returns != nil, endpoint.stream == nil else { return nil }
    self.plan = plan
    parameter = endpoint.parameters.first { $0.name == plan.requestParameter }
    let name = plan.requestParameter ?? ""
    let place: PageStyle.Place = parameter?.place == .field ? .field : .query
    style =
      switch plan.style {
      case .token: .token(name, in: place)
      case .cursor: .cursor(name, in: place)
      case .maxID: .maxID(name, in: place)
      case .lastID: .lastID(name, in: place)
      case .page: .page(name, in: place, from: plan.first ?? 1)
      case .offset: .offset(name, in: place)
      case .url: .url
      case .link: .link
      }
  }

  /// The pages of a call.
  func pages(_ client: Client, _ call: DynamicCall) -> Pages<JSONValue, JSONValue> {
    // If the caller gave a value for the page parameter, the pages start there.
    let request = plan.requestParameter.map { call.without($0) } ?? call
    let start = parameter.flatMap { beginning(of: call, $0) }
    let items: @Sendable (JSONValue) -> [JSONValue] = { [plan] page in page.value(at: plan.items)?.array ?? [] }
    let path = plan.items == "." ? "" : plan.items
    var pages: Pages<JSONValue, JSONValue>
    switch plan.style {
    case .maxID, .lastID:
      pages = Pages(client, request.call, style, items: items, at: path, id: Self.text(plan.id))
    case .page, .offset, .link:
      let size = plan.size.flatMap { call.arguments[$0]?.int }
      pages = Pages(client, request.call, style, size: size, items: items, at: path)
    case .token, .cursor, .url:
      let next = plan.style == .url ? plan.parameter : plan.next
      pages = Pages(
        client, request.call, style, next: Self.text(next), previous: plan.previous.map { Self.text($0) }, items: items,
        at: path)
    }
    if let more = plan.more { pages = pages.more { page in page.value(at: more)?.bool } }
    if let total = plan.total { pages = pages.total { page in page.value(at: total)?.int } }
    if let header = plan.nextHeader { pages = pages.next(header: header) }
    if let since = plan.since, plan.id != nil { pages = pages.pollable(since: since, id: Self.text(plan.id)) }
    return start.map { pages.resuming(from: $0) } ?? pages
  }

  /// Where the pages start, in the form in which the call itself would send it. A `null` is left out, as in the check of the
  /// arguments.
  private func beginning(of call: DynamicCall, _ parameter: Parameter) -> String? {
    guard let given = call.arguments[parameter.name], !given.isNull else { return nil }
    var reader = ValueReader(call.operation.models, call.policy)
    return reader.read(given, as: parameter.type, at: parameter.name)?.text
  }

  private static func text(_ path: String?) -> @Sendable (JSONValue) -> String? {
    { page in path.flatMap { page.value(at: $0)?.parameterText } }
  }
}

extension JSONValue {
  /// The value at a dotted path. `.` is the value itself.
  func value(at path: String) -> JSONValue? {
    path == "." ? self : path.pathNames.reduce(self) { value, name in value?[name] }
  }
}
