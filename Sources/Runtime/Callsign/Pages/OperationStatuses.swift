import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The states of an operation that continues after its call's response, which mostly has status 202: an asynchronous
/// sequence of responses, up to the final one.
///
/// ```swift
/// let export = try await shop.startExport(format: .csv)
/// let states = shop.statuses(until: { $0.state != .running }) { () async throws(CallError) in
///   try await shop.getExport(id: export.id)
/// }
/// for try await state in states { print(state.percent ?? 0) }
/// ```
///
/// Between two requests it waits for the response's `Retry-After`, else for the given time. Each iteration starts its
/// own requests. Cancelling the task ends the requests, not the operation; an API that can cancel the operation has an
/// endpoint for that.
public struct OperationStatuses<Status: Sendable>: AsyncSequence, Sendable {
  /// A state with its response.
  public typealias Element = Response<Status>
  /// The error that ends the requests early.
  public typealias Failure = CallError

  let interval: Duration
  let time: any TimeSource
  let isOver: @Sendable (Status) -> Bool
  let ask: @Sendable () async throws(CallError) -> Response<Status>

  /// Begins with a request, without a wait.
  public func makeAsyncIterator() -> Iterator { Iterator(statuses: self) }

  /// The last state, once the operation is over.
  ///
  /// - Throws: ``CallError``.
  public func last() async throws(CallError) -> Response<Status> {
    var iterator = makeAsyncIterator()
    var last: Response<Status>?
    while let status = try await iterator.next() { last = status }
    // There is at least one: the first request is always made.
    guard let last else { throw .cancelled }
    return last
  }

  /// Requests the state repeatedly.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let statuses: OperationStatuses
    private var wait: Duration?
    private var isOver = false

    init(statuses: OperationStatuses) { self.statuses = statuses }

    /// The next state; `nil` after the final one.
    ///
    /// - Throws: ``CallError``, which ends the iteration.
    public mutating func next() async throws(CallError) -> Response<Status>? { try await nextStatus() }

    /// The next state; `nil` after the final one.
    ///
    /// - Throws: ``CallError``, which ends the iteration.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> Response<Status>? {
      try await nextStatus()
    }

    private mutating func nextStatus() async throws(CallError) -> Response<Status>? {
      guard !isOver else { return nil }
      if let wait {
        do throws(CancellationError) { try await statuses.time.sleep(for: wait) } catch { throw .cancelled }
      }
      // An error ends the iteration.
      isOver = true
      let response = try await statuses.ask()
      isOver = statuses.isOver(response.value)
      // Whatever the API says: it must not be called in a tight loop.
      let shortest = Swift.min(statuses.interval, .seconds(1))
      wait =
        RetryAfter.delay(response.rawResponse.headers, now: statuses.time.now()).map { Swift.max($0, shortest) }
        ?? statuses.interval
      return response
    }
  }
}

extension APIClient {
  /// The states of an operation that continues after its call's response.
  ///
  /// - Parameters:
  ///   - interval: How long to wait between two requests if the response does not say. Default: 2 seconds.
  ///   - isOver: Whether a state is the last: the operation has succeeded or failed.
  ///   - ask: Requests the state: a method of the API, or ``status(at:in:as:options:)``.
  public func statuses<Status: Sendable>(
    every interval: Duration = .seconds(2), until isOver: @escaping @Sendable (Status) -> Bool,
    ask: @escaping @Sendable () async throws(CallError) -> Response<Status>
  ) -> OperationStatuses<Status> {
    OperationStatuses(interval: interval, time: client.configuration.time, isOver: isOver, ask: ask)
  }

  /// The state of an operation at a URL from a response, such as from its `Location` field.
  ///
  /// - Parameters:
  ///   - url: An absolute URL at the API's first host, or a path there.
  ///   - response: The response that the URL comes from. A relative URL is resolved against its URL (RFC 3986 §5.1.3):
  ///     `status` in the response to `/exports/7/start` is `/exports/7/status`. The credentials are of the kinds that
  ///     its call accepted. Default: none; a relative URL is then at the API's first host, and the credentials are the
  ///     client's first.
  ///   - type: The type of the state.
  ///   - options: The settings for this call that differ from its client's.
  /// - Throws: ``CallError``; ``CallError/invalidCall(_:)`` for a URL at another host, where credentials must not go.
  public func status<Status: JSONDecodable & Sendable>(
    at url: String, in response: RawResponse? = nil, as type: Status.Type, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<Status> {
    try await client.send(try client.callForStatus(at: url, in: response, below: ownBaseURLs, options))
  }
}

extension Client {
  /// The call for the URL of an operation's state.
  ///
  /// - Parameter response: The response that has named the URL; `nil` if it is not known.
  func callForStatus(
    at url: String, in response: RawResponse?, below baseURLs: [String], _ options: CallOptions
  ) throws(CallError) -> Call {
    let text = response.map { NextPage.reference(url, in: $0) } ?? url
    // The client may also have credentials of another API, which are not for this one.
    let auth = CallCredentials(of: response)
    var call = Call(.get, "/", below: baseURLs, auth: auth, options: options)
    var target = try NextPage.url(text, of: call, self)
    // The operation may have been started at another of the API's hosts; relative URLs stay there.
    if target == nil, let home = response?.url?.origin, baseURLs.contains(where: { AbsoluteURL($0)?.origin == home }) {
      call = Call(.get, "\(home)/", below: baseURLs, auth: auth, options: options)
      target = try NextPage.url(text, of: call, self)
    }
    guard let target else {
      let reason = InvalidCall.Reason.url("an operation's state is only requested from the API's own host")
      throw .invalidCall(InvalidCall(endpoint: "status", reason: reason))
    }
    call.setPageURL(target)
    return call
  }
}
