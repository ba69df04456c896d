import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Logging

extension Pages {
  /// The same pages, which can be polled. For generated code.
  ///
  /// - Parameters:
  ///   - since: The request parameter that is the lower bound for ids: the response has elements with a greater id.
  ///   - id: Reads an element's id, a decimal number.
  public func pollable<ID: ParameterValue & Sendable>(
    since: String, id: @escaping @Sendable (Item) -> ID?
  ) -> Pages {
    var pages = self
    pages.sinceParameter = since
    pages.readID = { id($0)?.parameterText }
    return pages
  }

  /// The elements that appear from now on, oldest first.
  ///
  /// The endpoint is called repeatedly for elements with a greater id than the greatest so far.
  ///
  /// ```swift
  /// for try await post in x.getUsersMentionsPages(id: me).polling(every: .seconds(60), since: saved) {
  ///   print(post.text)
  ///   saved = post.id
  /// }
  /// ```
  ///
  /// Without an id to begin after, the first request only finds out which element is the newest, and yields none. With
  /// an id, everything newer than it is yielded first. A poll reads all pages before it yields any element. So if you
  /// end the iteration early and begin again after the last element that it yielded, you lose none. If a page fails,
  /// only that page is requested again, so that a poll can take more pages than one rate limit allows.
  ///
  /// Some lists reach back only a few days, such as a search of recent posts, and refuse an older id. Then the call is made
  /// without the id, and elements that are not newer are skipped. Elements that appeared before those days, while
  /// nobody polled, are lost. If the id is in the call's own argument, the iteration ends in that case; pass it to this
  /// method instead.
  ///
  /// If the call has an argument for the start of a time span, such as `startTime`, that start moves on with the
  /// elements, because some APIs do not accept an id together with it. If the start is older than the list reaches, the
  /// iteration ends.
  ///
  /// The iteration waits for rate limits. It also waits after network and server failures, with growing pauses of up to
  /// 16 intervals. Other errors end it, and so do ten responses in a row that are not HTTP or have an encoding that
  /// cannot be read. ``limit(_:)`` limits how many elements are yielded in total; ``resuming(from:)`` and
  /// ``backwards()`` have no effect here.
  ///
  /// - Parameters:
  ///   - interval: The time from one poll to the next, at least a second.
  ///   - id: The id to begin after. `nil`: the call's own argument, such as `sinceID`, or from now on if it has none.
  public func polling(every interval: Duration, since id: String? = nil) -> Polling<Page, Item> {
    Polling(pages: Reference(self), interval: Swift.max(interval, .seconds(1)), start: id)
  }
}

/// The elements of an endpoint as they appear: an asynchronous sequence without end. See
/// ``Pages/polling(every:since:)``.
public struct Polling<Page: JSONDecodable & Sendable, Item: Sendable>: AsyncSequence, Sendable {
  /// An element.
  public typealias Element = Item
  /// The error that ends it.
  public typealias Failure = CallError

  let pages: Reference<Pages<Page, Item>>
  let interval: Duration
  let start: String?

  /// Prepares to poll. Nothing is sent until you ask for the first element.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Polls, and yields what it finds.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let pages: Reference<Pages<Page, Item>>
    private let interval: Duration
    private var state: State
    /// Elements that were found but not yet yielded, oldest first.
    private var found: ArraySlice<Item> = []
    private var left: Int
    /// The requests that have failed since a page was read.
    private var failures = 0
    /// The pages that a poll had read when it failed.
    private var unfinished: Reading?
    private var hasSucceeded = false
    private var lastPoll: Date?
    /// The greatest id that the API has refused as too old.
    private var tooOld: DecimalID?

    /// The pages of one poll, and the elements found on them.
    private struct Reading: Sendable {
      var pages: Pages<Page, Item>.Iterator
      var items: [(id: DecimalID, item: Item)] = []
    }

    private enum State: Sendable {
      /// The newest element is not known yet.
      case unknown
      /// There was nothing at the start, so that everything found is new.
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

    /// The next element, as soon as there is one; `nil` after as many as ``Pages/limit(_:)`` allows.
    ///
    /// - Throws: ``CallError``, if trying again later cannot help.
    public mutating func next() async throws(CallError) -> Item? { try await nextItem() }

    /// The next element, as soon as there is one; `nil` after as many as ``Pages/limit(_:)`` allows.
    ///
    /// - Throws: ``CallError``, if trying again later cannot help.
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
        } catch {
          failures += 1
          guard let pause = pause(after: error) else {
            unfinished = nil
            throw error
          }
          pages.value.client.configuration.logger.info(
            "poll again",
            metadata: ["endpoint": "\(pages.value.call.name)", "wait": "\(pause)", "reason": "\(error)"])
          // The API may have forgotten a position that keeps failing.
          if failures >= Self.failuresAtOnePlace, error.resetWait(at: now) == nil { unfinished = nil }
          try await sleep(pause)
          lastPoll = nil
        }
      }
      left -= 1
      return found.popFirst()
    }

    private static var failuresAtOnePlace: Int { 5 }

    private var now: Date { pages.value.client.configuration.time.now() }

    private func sleep(_ duration: Duration) async throws(CallError) {
      if Task.isCancelled { throw .cancelled }
      guard duration > .zero else { return }
      do throws(CancellationError) { try await pages.value.client.configuration.time.sleep(for: duration) } catch {
        throw .cancelled
      }
    }

    private func mayPass(_ error: CallError) -> Bool {
      error.disconnectReason(wasConnected: hasSucceeded, failures: failures) != nil
    }

    /// The wait after a failed poll; `nil` if waiting cannot help.
    private func pause(after error: CallError) -> Duration? {
      guard mayPass(error) else { return nil }
      let pause = interval * (1 << Swift.min(failures - 1, 4))
      return Swift.max(pause, error.resetWait(at: now) ?? .zero)
    }

    /// Requests the new elements, to the last page.
    private mutating func poll() async throws(CallError) -> [Item] {
      guard let since = pages.value.sinceParameter, let readID = pages.value.readID else {
        let reason = InvalidCall.Reason.value("this endpoint cannot return only new elements; read its pages instead")
        throw .invalidCall(InvalidCall(endpoint: pages.value.call.name, reason: reason))
      }
      let known: DecimalID? = if case .after(let id) = state { id } else { nil }
      var items: [(id: DecimalID, item: Item)]
      let goesOn = unfinished != nil
      do throws(CallError) {
        items = try await read(after: known, since, readID)
      } catch {
        guard let reason = reason(toBeginAnewAfter: error, goesOn, known, since) else { throw error }
        pages.value.client.configuration.logger.info(
          "poll \(reason)", metadata: ["endpoint": "\(pages.value.call.name)"])
        unfinished = nil
        items = try await read(after: known, since, readID)
      }
      let isFirst = if case .unknown = state { true } else { false }
      state = (items.map(\.id).max() ?? known).map(State.after) ?? .empty
      if isFirst { return [] }
      // A new element that appears while pages are being read moves others to the next page, where they are read again.
      var seen: Set<DecimalID> = []
      return items.sorted { $0.id < $1.id }.filter { seen.insert($0.id).inserted }.map(\.item)
    }

    /// The reason to begin again at the first page at once, if that may help after an error; `nil` otherwise.
    ///
    /// - Parameter goesOn: Whether the reading continued one that had failed.
    private mutating func reason(
      toBeginAnewAfter error: CallError, _ goesOn: Bool, _ known: DecimalID?, _ since: String
    ) -> String? {
      if let known, isTooOld(known, since, error) {
        tooOld = known
        return "without an id, as the list does not reach back so far"
      }
      // Page tokens expire, and a wait may be longer than their life. APIs report that in many ways: some respond to
      // the first page.
      guard goesOn, !error.isCancellation, !mayPass(error) else { return nil }
      return "from the first page on, as the API does not go on at the place that it had named"
    }

    /// The pages with the elements that are newer than an id.
    private func request(after id: DecimalID?, _ since: String) -> Pages<Page, Item> {
      var request = pages.value
      // The caller's idempotency key is only for the first request: with it, the API would give the same response
      // again.
      if hasSucceeded { request.call.options.idempotencyKey = nil }
      guard let id else { return request }
      if let start = start(after: id, request.call) {
        request.call.replaceQuery(start.parameter, start.text)
      } else if tooOld.map({ $0 < id }) ?? true {
        request.call.replaceQuery(since, id.text)
      }
      return request
    }

    /// The start of the time span to request instead of an id, if the call has one: APIs do not accept an id together
    /// with it.
    private func start(after id: DecimalID, _ call: Call) -> (parameter: String, text: String)? {
      let conventions = pages.value.client.conventions
      guard let parameter = conventions.timeSpan?.start,
        let own = call.queryValue(parameter), let made = conventions.date(ofRecordWithID: id.text)
      else { return nil }
      let second = Date(timeIntervalSince1970: made.timeIntervalSince1970.rounded(.down))
      guard DateFormat.rfc3339.date(from: own).map({ $0 < second }) ?? false else { return (parameter, own) }
      return (parameter, DateFormat.rfc3339.string(from: second) ?? own)
    }

    /// Whether the API refuses an id because its element is older than all that it still lists.
    private func isTooOld(_ id: DecimalID, _ since: String, _ error: CallError) -> Bool {
      guard case .api(let error) = error, error.status == .badRequest, id != tooOld,
        error.problems.contains(where: { $0.parameters.contains(since) }), pages.value.call.queryValue(since) == nil,
        let made = pages.value.client.conventions.date(ofRecordWithID: id.text)
      else { return false }
      return made < now
    }

    /// Reads the elements that are newer than an id; without an id, up to the first page that has any. Continues where
    /// the last reading failed.
    private mutating func read(
      after id: DecimalID?, _ since: String, _ readID: @Sendable (Item) -> String?
    ) async throws(CallError) -> [(id: DecimalID, item: Item)] {
      var reading = unfinished ?? Reading(pages: request(after: id, since).makeAsyncIterator())
      unfinished = nil
      while let page = try await nextPage(&reading) {
        for item in pages.value.readItems(page.value) {
          guard let found = readID(item).flatMap({ DecimalID($0) }) else { continue }
          // Otherwise, an API that ignores the parameter would be read to its beginning each time.
          if let id, found <= id { return reading.items }
          reading.items.append((found, item))
        }
        // The newest element is on the first page that has one: some APIs count before they filter.
        if case .unknown = state, !reading.items.isEmpty { break }
      }
      return reading.items
    }

    /// The next page of a reading. If it fails, the pages read so far are kept for the next attempt.
    private mutating func nextPage(_ reading: inout Reading) async throws(CallError) -> Response<Page>? {
      do throws(CallError) {
        let page = try await reading.pages.next()
        (failures, hasSucceeded) = (0, true)
        return page
      } catch {
        if reading.pages.hasBegun {
          reading.pages.askAgain()
          unfinished = reading
        }
        throw error
      }
    }
  }
}

/// An ID that is a decimal number of any length. The order of such IDs is the order of creation.
struct DecimalID: Comparable, Hashable, Sendable {
  let text: String

  /// `nil` if the text is not a number.
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
