import CallsignFoundation
import CallsignHTTP
import CallsignJSON
import Logging

extension Pages {
  /// The same pages, which can be polled. For generated code.
  ///
  /// - Parameters:
  ///   - since: The request parameter that bounds ids from below: elements with a greater id are answered.
  ///   - id: Where an element has its id, a decimal number.
  public func pollable<ID: ParameterValue & Sendable>(
    since: String, id: @escaping @Sendable (Item) -> ID?
  ) -> Pages {
    var pages = self
    pages.sinceParameter = since
    pages.readID = { id($0)?.parameterText }
    return pages
  }

  /// The elements that come up from now on, oldest first: the endpoint is asked again and again for those with a greater
  /// id than the greatest so far.
  ///
  /// ```swift
  /// for try await post in x.getUsersMentionsPages(id: me).polling(every: .seconds(60), since: saved) {
  ///   print(post.text)
  ///   saved = post.id
  /// }
  /// ```
  ///
  /// Without an id to begin after, the first request finds out which element is the newest, and yields none; with one, what
  /// has come up since is yielded first. What one poll finds is read to its last page before any of it is yielded, so an
  /// iteration that ends early and begins again after the last element that was yielded loses none.
  ///
  /// Rate limits are waited for, and so are failures of the network and of the server, with growing pauses up to 16
  /// intervals; other errors end the iteration. ``limit(_:)`` bounds how many elements are yielded in all;
  /// ``resume(from:)`` and ``backwards()`` mean nothing here.
  ///
  /// - Parameters:
  ///   - interval: The time from one poll to the next, at least a second.
  ///   - id: The id to begin after. `nil`: that of the call's own argument, such as `sinceID`, or else from now on.
  public func polling(every interval: Duration, since id: String? = nil) -> Polling<Page, Item> {
    Polling(pages: Reference(self), interval: Swift.max(interval, .seconds(1)), start: id)
  }
}

/// The elements of an endpoint as they come up: an asynchronous sequence without end. See ``Pages/polling(every:since:)``.
public struct Polling<Page: JSONDecodable & Sendable, Item: Sendable>: AsyncSequence, Sendable {
  /// An element.
  public typealias Element = Item
  /// The error that ends it.
  public typealias Failure = CallError

  let pages: Reference<Pages<Page, Item>>
  let interval: Duration
  let start: String?

  /// Prepares to poll; nothing is sent before the first element is asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Polls, and yields what it finds.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let pages: Reference<Pages<Page, Item>>
    private let interval: Duration
    private var state: State
    /// Items found and not yet yielded, oldest first.
    private var found: ArraySlice<Item> = []
    private var left: Int
    private var failures = 0
    private var hasSucceeded = false
    private var lastPoll: Date?

    private enum State: Sendable {
      /// The newest element is not known yet.
      case unknown
      /// There was nothing when it began, so that all there is has come up since.
      case empty
      /// The greatest id so far.
      case after(DecimalID)
    }

    init(_ polling: Polling) {
      var pages = polling.pages.value
      left = pages.itemLimit ?? .max
      (pages.itemLimit, pages.start, pages.isBackwards) = (nil, nil, false)
      let own = pages.sinceParameter.flatMap { pages.call.queryValue($0) }
      state = (polling.start ?? own).flatMap { DecimalID($0) }.map(State.after) ?? .unknown
      self.pages = Reference(pages)
      interval = polling.interval
    }

    /// The next element, as soon as there is one; `nil` after as many as ``Pages/limit(_:)`` says.
    public mutating func next() async throws(CallError) -> Item? { try await nextItem() }

    /// The next element, as soon as there is one; `nil` after as many as ``Pages/limit(_:)`` says.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> Item? {
      try await nextItem()
    }

    private mutating func nextItem() async throws(CallError) -> Item? {
      guard left > 0 else { return nil }
      while found.isEmpty {
        if let lastPoll {
          try await sleep(interval - Duration(bounded: Swift.max(0, now.timeIntervalSince(lastPoll))))
        }
        lastPoll = now
        do throws(CallError) {
          found = try await poll()[...]
          (failures, hasSucceeded) = (0, true)
        } catch {
          failures += 1
          guard let pause = pause(after: error) else { throw error }
          pages.value.client.configuration.logger.info(
            "poll again",
            metadata: ["endpoint": "\(pages.value.call.name)", "wait": "\(pause)", "reason": "\(error)"])
          try await sleep(pause)
          lastPoll = nil
        }
      }
      left -= 1
      return found.popFirst()
    }

    private var now: Date { pages.value.client.configuration.time.now() }

    private func sleep(_ duration: Duration) async throws(CallError) {
      if Task.isCancelled { throw .cancelled }
      guard duration > .zero else { return }
      do throws(CancellationError) { try await pages.value.client.configuration.time.sleep(for: duration) } catch {
        throw .cancelled
      }
    }

    /// How long to wait after a failed poll; `nil` where waiting does not mend it.
    private func pause(after error: CallError) -> Duration? {
      guard error.disconnectReason(wasConnected: hasSucceeded) != nil else { return nil }
      let pause = interval * (1 << Swift.min(failures - 1, 4))
      return Swift.max(pause, error.resetWait(at: now) ?? .zero)
    }

    /// Asks for what has come up, to the last page.
    private mutating func poll() async throws(CallError) -> [Item] {
      guard let since = pages.value.sinceParameter, let readID = pages.value.readID else {
        let reason = InvalidCall.Reason.value("this endpoint cannot be asked for what is new; read its pages instead")
        throw .invalidCall(InvalidCall(endpoint: pages.value.call.name, reason: reason))
      }
      var newest: DecimalID?
      var request = pages.value
      // A key of the caller's own is the first question's: by it the API would give the same answer again.
      if hasSucceeded { request.call.options.idempotencyKey = nil }
      if case .after(let id) = state {
        newest = id
        request.call.replaceQuery(since, id.text)
      }
      let earlier = newest
      var items: [(id: DecimalID, item: Item)] = []
      var iterator = request.makeAsyncIterator()
      reading: while let page = try await iterator.next() {
        for item in pages.value.readItems(page.value) {
          guard let id = readID(item).flatMap({ DecimalID($0) }) else { continue }
          // An API that does not heed the parameter would otherwise be read to its beginning each time.
          if let earlier, id <= earlier { break reading }
          items.append((id, item))
          newest = Swift.max(newest ?? id, id)
        }
        // The newest element is on the first page.
        if case .unknown = state { break }
      }
      let isFirst = if case .unknown = state { true } else { false }
      state = newest.map(State.after) ?? .empty
      if isFirst { return [] }
      // One that came up while the pages were read moves others to the next page, where they come again.
      var seen: Set<DecimalID> = []
      return items.sorted { $0.id < $1.id }.filter { seen.insert($0.id).inserted }.map(\.item)
    }
  }
}

/// An id that is a decimal number of any length, by which elements are in the order in which they were made.
struct DecimalID: Comparable, Hashable, Sendable {
  let text: String

  /// `nil` where it is no number.
  init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    let digits = text.drop { $0 == "0" }
    self.text = digits.isEmpty ? "0" : String(digits)
  }

  static func < (left: DecimalID, right: DecimalID) -> Bool {
    (left.text.utf8.count, left.text) < (right.text.utf8.count, right.text)
  }
}
