import CallsignHTTP
import CallsignSupport

extension Pages: AsyncSequence {
  /// A page with its response.
  public typealias Element = Response<Page>
  /// The error that ends the pages early.
  public typealias Failure = CallError

  /// Begins at the first page, or at the token from ``resuming(from:)``.
  public func makeAsyncIterator() -> Iterator { Iterator(Reference(self)) }

  /// Reads one page after the other.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let pages: Reference<Pages>
    /// The parameter's value for the next page; `nil` for the first page if it needs none.
    private var position: String?
    private var isAtEnd = false
    /// Whether the page at `position` was requested, but failed.
    private var hasFailed = false
    /// Whether the limit of elements is reached.
    private var isFull = false
    private var seen: Set<String> = []
    private var itemCount = 0
    /// The number of elements from the beginning of the list, including those that could not be read; `nil` for an
    /// iteration that began elsewhere.
    private var elementCount: Int?
    /// The position in the list of the previous page's start, if counted pages are read backwards.
    private var bound: Int?
    /// The number of the last page's elements, from the first on, that were not on the previous page; `nil`: all.
    private var newCount: Int?
    /// Whether a page was read.
    private(set) var hasBegun = false
    /// The last page's body, if pages are numbered or counted.
    private var lastBody: Data?
    /// Why there is no further page, until it is reported.
    private var problem: CallError?

    /// The token to pass to ``Pages/resuming(from:)`` to continue after the pages so far. It also works if
    /// ``Pages/limit(_:)`` or an error has ended them. `nil` if there are no more pages, and before the first page.
    public var token: String? { isAtEnd && !hasFailed ? nil : position }

    init(_ reference: Reference<Pages>) {
      pages = reference
      let pages = reference.value
      position = pages.start ?? pages.style.first
      isFull = pages.itemLimit.map { $0 <= 0 } ?? false
      elementCount = pages.isBackwards || pages.start != nil ? nil : 0
    }

    /// The next page; `nil` after the last.
    ///
    /// - Throws: ``CallError``, which ends the iteration.
    public mutating func next() async throws(CallError) -> Response<Page>? { try await nextPage() }

    /// The next page; `nil` after the last.
    ///
    /// - Throws: ``CallError``, which ends the iteration.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> Response<Page>? {
      try await nextPage()
    }

    private mutating func nextPage() async throws(CallError) -> Response<Page>? {
      if let problem {
        self.problem = nil
        throw problem
      }
      guard !isAtEnd, !isFull else { return nil }
      let pages = pages.value
      // An error ends the iteration; a new one can be resumed from the last page's token.
      isAtEnd = true
      if let position { seen.insert(position) }
      let page: Response<Page>
      do throws(CallError) {
        page = try await pages.client.send(try pages.call(at: position, isFirst: !hasBegun))
      } catch {
        // The previous page was the last: an API that counts pages can only report that.
        if hasBegun, pages.isPastTheEnd(error) { return nil }
        hasFailed = true
        throw error
      }
      // Some APIs repeat their last page for every later number, and others always return the first page.
      if hasBegun, lastBody == page.rawResponse.body {
        guard pages.promisesMore(page.value, count: elementCount) else { return nil }
        throw .unexpectedContent(UnexpectedContent(kind: .repeatedPage, rawResponse: page.rawResponse))
      }
      hasBegun = true
      if pages.style.isNumbered { lastBody = page.rawResponse.body }
      noteNewCount(of: page)
      let items = pages.readItems(page.value)
      itemCount += new(items).count
      elementCount = elementCount.map { $0 + items.count + pages.leftOut(of: page).count }
      isFull = pages.itemLimit.map { itemCount >= $0 } ?? false
      var problem: CallError?
      if let next = pages.position(after: page, items: items, from: position, count: elementCount) {
        if try pages.leavesHost(next) {
          problem = .unexpectedContent(UnexpectedContent(kind: .foreignPage, rawResponse: page.rawResponse))
        } else if seen.contains(next) {
          problem = .unexpectedContent(UnexpectedContent(kind: .repeatedPage, rawResponse: page.rawResponse))
        } else {
          position = next
          isAtEnd = false
        }
      } else {
        problem = pages.problem(atEnd: page, hasItems: !items.isEmpty, count: elementCount)
      }
      // A missing page that was not requested is not a problem.
      if !isFull { self.problem = problem }
      return page
    }

    /// Finds out which elements of a counted page overlap the previous one.
    private mutating func noteNewCount(of page: Response<Page>) {
      guard case .offset = pages.value.style, pages.value.isBackwards else { return }
      let offset = position.flatMap { Int($0) } ?? 0
      newCount = bound.map { bound in
        let count = Swift.max(0, bound - offset)
        return count - pages.value.leftOut(of: page).count { $0 < count }
      }
      bound = offset
    }

    /// The last page's elements that were not on the previous page.
    func new<Element>(_ items: [Element]) -> ArraySlice<Element> { items.prefix(newCount ?? .max) }

    /// Continues at the page that could not be read.
    mutating func askAgain() {
      isAtEnd = false
      hasFailed = false
      // New elements may have moved the last page's elements to this position in the meantime.
      lastBody = nil
    }
  }

  /// The elements of all pages, one by one.
  public var items: Items { Items(pages: Reference(self)) }

  /// The elements of all pages, one by one.
  public struct Items: AsyncSequence, Sendable {
    /// An element of a page.
    public typealias Element = Item
    /// The error that ends the elements early.
    public typealias Failure = CallError

    let pages: Reference<Pages>

    /// Begins with the first page's first element.
    public func makeAsyncIterator() -> Iterator { Iterator(pages) }

    /// Reads one element after the other, and the next page when the last one is used up.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
      private var pages: Pages.Iterator
      private let readItems: @Sendable (Page) -> [Item]
      private var rest: ArraySlice<Item> = []
      private var left: Int

      init(_ pages: Reference<Pages>) {
        self.pages = Pages.Iterator(pages)
        readItems = pages.value.readItems
        left = pages.value.itemLimit ?? .max
      }

      /// The next element; `nil` after the last element of the last page.
      ///
      /// - Throws: ``CallError``, which ends the iteration.
      public mutating func next() async throws(CallError) -> Item? { try await next(isolation: nil) }

      /// The next element; `nil` after the last element of the last page.
      ///
      /// - Throws: ``CallError``, which ends the iteration.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> Item? {
        // Runs on the caller's executor, and does not suspend within a page.
        guard left > 0 else { return nil }
        while rest.isEmpty {
          guard let page = try await pages.next(isolation: actor) else { return nil }
          rest = pages.new(readItems(page.value))
        }
        left -= 1
        return rest.popFirst()
      }
    }
  }
}
