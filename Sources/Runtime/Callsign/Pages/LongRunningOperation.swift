import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// An operation that a call has started and that continues after the call's response: an asynchronous sequence of its
/// states, up to the final one. Generated methods that end in `Operation` return one.
///
/// ```swift
/// let export = try await shop.startExportOperation(format: .csv)
/// let done = try await export.result { state in print(state.percent ?? 0) }
/// ```
///
/// The time between two status requests comes from the last response's `Retry-After`, otherwise from the catalogue. Cancelling the
/// task ends the requests, not the operation; to end the operation, call ``cancel()``, if the API supports it. Each iteration
/// starts its own requests.
public struct LongRunningOperation<Started: Sendable, Status: Sendable>: AsyncSequence, Sendable {
  /// A state with its response.
  public typealias Element = Response<Status>
  /// The error that ends the status requests early.
  public typealias Failure = CallError

  /// The response to the call that started the operation. Its value is optional if the API need not give one, because
  /// the state can be requested without it.
  public let started: Response<Started>
  /// Whether the API has a call that cancels the operation.
  public var isCancellable: Bool {
    // Without `==`, which cannot take a function with a typed error before macOS 15.
    if case .some = cancellation { true } else { false }
  }

  private let rules: OperationRules
  private var cancellation: (@Sendable () async throws(CallError) -> Void)?
  /// Whether the first response is a state, if it is of the same type.
  private var beginsWithState = true
  /// The response to a status request, and the state in it; a response without content only means that the operation continues.
  private let ask: @Sendable () async throws(CallError) -> (RawResponse, Response<Status>?)

  private init(
    _ started: Response<Started>, _ rules: OperationRules,
    _ ask: @escaping @Sendable () async throws(CallError) -> (RawResponse, Response<Status>?)
  ) {
    self.started = started
    self.rules = rules
    self.ask = ask
  }

  /// Requests the state with a method of the API. Generated code calls it.
  ///
  /// - Parameters:
  ///   - client: The client that has started the operation.
  ///   - started: The response to the call that did.
  ///   - interval: How long to wait between two status requests if the response does not say.
  ///   - done: The members that mean that the operation has succeeded, any one of them. If there are none, every
  ///     response whose status is not 202 means that.
  ///   - failed: The members that mean that it has failed.
  ///   - ask: Requests the state.
  public init(
    _ client: Client, _ started: Response<Started>, every interval: Duration, done: [FailureSign] = [],
    failed: [FailureSign] = [], ask: @escaping @Sendable () async throws(CallError) -> Response<Status>
  ) {
    self.init(started, OperationRules(client, interval, done, failed)) { () async throws(CallError) in
      do throws(CallError) {
        let state = try await ask()
        return (state.rawResponse, state)
      } catch {
        guard let response = error.rawResponse, response.status == .accepted, ContentKind.isEmpty(response.body) else {
          throw error
        }
        return (response, nil)
      }
    }
  }

  /// Requests the state at the URL that the first response has named. Generated code calls it.
  ///
  /// - Parameters:
  ///   - api: The API that has started the operation.
  ///   - started: The response to the call that did.
  ///   - url: An absolute URL at the API's first host, or at that of the first response, or one relative to the first
  ///     response's URL. `nil` if the response has none: the first status request then fails.
  ///   - interval: How long to wait between two status requests if the response does not say.
  ///   - done: The members that mean that the operation has succeeded, any one of them. If there are none, every
  ///     response whose status is not 202 means that.
  ///   - failed: The members that mean that it has failed.
  public init(
    _ api: some APIClient, _ started: Response<Started>, at url: String?, every interval: Duration,
    done: [FailureSign] = [], failed: [FailureSign] = []
  ) where Status: JSONDecodable {
    self.init(api.client, started, at: url, below: api.ownBaseURLs, every: interval, done: done, failed: failed)
  }

  /// Requests the state at the URL that the first response has named, which must be at the first base URL or at that of
  /// the first response.
  package init(
    _ client: Client, _ started: Response<Started>, at url: String?, below baseURLs: [String], every interval: Duration,
    done: [FailureSign], failed: [FailureSign]
  ) where Status: JSONDecodable {
    self.init(started, OperationRules(client, interval, done, failed)) { () async throws(CallError) in
      guard let url else {
        throw .unexpectedContent(UnexpectedContent(kind: .missingState, rawResponse: started.rawResponse))
      }
      let call = try client.callForStatus(at: url, in: started.rawResponse, below: baseURLs, CallOptions())
      let execution = try CallExecution(client, call)
      let rawResponse = try await execution.wholeResponse()
      if rawResponse.status == .accepted, ContentKind.isEmpty(rawResponse.body) { return (rawResponse, nil) }
      return (rawResponse, try execution.decode(rawResponse))
    }
  }

  /// The same operation with a call that cancels it. Generated code calls it.
  public func cancelled(
    by cancellation: @escaping @Sendable () async throws(CallError) -> Void
  ) -> LongRunningOperation {
    var operation = self
    operation.cancellation = cancellation
    return operation
  }

  /// The same operation, for a first response that is not a state although its Swift type is that of one.
  package func beginningWithStatusRequest() -> LongRunningOperation {
    var operation = self
    operation.beginsWithState = false
    return operation
  }

  /// Asks the API to cancel the operation. Its later states show the result.
  ///
  /// - Throws: ``CallError``; ``CallError/invalidCall(_:)`` if the API has no call for it.
  public func cancel() async throws(CallError) {
    guard let cancellation else {
      let reason = InvalidCall.Reason.value("the API has no call that cancels this operation")
      throw .invalidCall(InvalidCall(endpoint: "cancel", reason: reason))
    }
    try await cancellation()
  }

  /// The last state, once the operation has succeeded.
  ///
  /// - Parameter progress: Receives each state, including the last one. Default: ignores them.
  /// - Throws: ``CallError``; ``CallError/api(_:)`` with the last state's response if it means that the operation
  ///   failed.
  public func result(
    _ progress: @Sendable (Response<Status>) -> Void = { _ in }
  ) async throws(CallError) -> Response<Status> {
    var iterator = makeAsyncIterator()
    var last: Response<Status>?
    while let state = try await iterator.next() {
      progress(state)
      last = state
    }
    // There is at least one, because the requests go on until the operation is over.
    guard let last else { throw .cancelled }
    if rules.hasFailed(last.rawResponse) { throw .api(APIError(rawResponse: last.rawResponse)) }
    return last
  }

  /// Begins with the first response if it is a final state, else with a status request.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Requests the state repeatedly.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let operation: Reference<LongRunningOperation>
    private var wait: Duration?
    private var isOver = false
    /// The first response, if the operation is already over.
    private var first: Response<Status>?

    fileprivate init(_ operation: LongRunningOperation) {
      self.operation = Reference(operation)
      let response = operation.started.rawResponse
      if operation.beginsWithState, !ContentKind.isEmpty(response.body), operation.rules.isOver(response),
        let value = operation.started.value as? Status
      {
        first = Response(value: value, rawResponse: response)
      }
      wait = RetryAfter.delay(response.headers, now: operation.rules.time.now())
    }

    /// The next state; `nil` after the final one.
    ///
    /// - Throws: ``CallError``, which ends the iteration.
    public mutating func next() async throws(CallError) -> Response<Status>? { try await nextState() }

    /// The next state; `nil` after the final one.
    ///
    /// - Throws: ``CallError``, which ends the iteration.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> Response<Status>? {
      try await nextState()
    }

    private mutating func nextState() async throws(CallError) -> Response<Status>? {
      let operation = operation.value
      while !isOver {
        // An error ends the iteration.
        isOver = true
        if let first { return first }
        if let wait {
          do throws(CancellationError) { try await operation.rules.time.sleep(for: wait) } catch { throw .cancelled }
        }
        let (response, state) = try await operation.ask()
        wait = operation.rules.wait(after: response)
        isOver = operation.rules.isOver(response)
        if let state { return state }
      }
      return nil
    }
  }
}

extension Client {
  /// Makes a call that starts an operation whose state can be requested without the response's content. The value is
  /// `nil` if the response has none. Generated code calls it.
  ///
  /// - Throws: ``CallError``.
  public func start<Value: JSONDecodable>(_ call: Call) async throws(CallError) -> Response<Value?> {
    let execution = try CallExecution(self, call)
    let rawResponse = try await execution.wholeResponse()
    if ContentKind(rawResponse.body) == .empty { return Response(value: nil, rawResponse: rawResponse) }
    let response: Response<Value> = try execution.decode(rawResponse)
    let (value, issues): (Value, [DecodingIssue]) = (response.value, response.issues)
    return Response(value: value, rawResponse: rawResponse, issues: issues)
  }
}

/// The rules for status requests and for the end of an operation: the same for operations of all types.
private final class OperationRules: Sendable {
  let time: any TimeSource
  private let interval: Duration
  private let done: [FailureSign]
  private let failed: [FailureSign]

  init(_ client: Client, _ interval: Duration, _ done: [FailureSign], _ failed: [FailureSign]) {
    time = client.configuration.time
    self.interval = interval
    self.done = done
    self.failed = failed
  }

  func hasFailed(_ response: RawResponse) -> Bool { failed.contains { $0.isShown(in: response.body) } }

  func isOver(_ response: RawResponse) -> Bool {
    if hasFailed(response) { return true }
    return done.isEmpty ? response.status != .accepted : done.contains { $0.isShown(in: response.body) }
  }

  /// The wait before the next status request.
  func wait(after response: RawResponse) -> Duration {
    // Whatever the API says: it must not be called in a tight loop.
    let shortest = Swift.min(interval, .seconds(1))
    return RetryAfter.delay(response.headers, now: time.now()).map { Swift.max($0, shortest) } ?? interval
  }
}
