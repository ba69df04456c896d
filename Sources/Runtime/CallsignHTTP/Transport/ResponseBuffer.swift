// Sound: a continuation is taken out of the state, under the lock, before it is resumed, so each is resumed once. Bytes are copied
// during the call that passes them.

import CallsignSupport
import HTTPTypes

/// One response between the thread that it arrives on and the task that reads it: the head, then a bounded number of bytes.
///
/// Arrival and delivery are apart, so that a thread can take in what there is and wake the reader once.
typealias ResponseBuffer = Locked<ResponseState>

/// The contents of a ``ResponseBuffer``: the lock's value, so that both are one object.
struct ResponseState {
  // Unchecked, which saves an allocation for each wait: a waiter is taken out of the state, under the lock, before it is
  // resumed.
  typealias HeadContinuation = UnsafeContinuation<Result<HTTPResponse, TransportError>, Never>
  typealias BodyContinuation = UnsafeContinuation<Result<Data?, TransportError>, Never>

  enum Reception {
    case taken
    /// Nothing was taken: the reader is behind.
    case full
    /// Nobody wants it any more.
    case over
  }

  /// The number of bytes that may wait for the reader before the sender is slowed.
  fileprivate static let size = 256 * 1024

  fileprivate var delivery = TransportError.Delivery.notSent
  fileprivate var head: HTTPResponse?
  fileprivate var protocolVersion: String?
  fileprivate var headWaiter: HeadContinuation?
  fileprivate var body = Data()
  fileprivate var bodyWaiter: BodyContinuation?
  /// The sender must hold back until the reader has caught up.
  fileprivate var isPaused = false
  /// Set once, when the transfer is over.
  fileprivate var outcome: Result<Void, TransportError>?
}

extension ResponseBuffer {
  typealias HeadContinuation = ResponseState.HeadContinuation
  typealias BodyContinuation = ResponseState.BodyContinuation

  var delivery: TransportError.Delivery { withLock { $0.delivery } }
  var isOver: Bool { withLock { $0.outcome != nil } }
  var hasHead: Bool { withLock { $0.head != nil } }
  var isPaused: Bool { withLock { $0.isPaused } }
  #if canImport(Darwin) || URLSession
    /// `Content-Encoding` of the head, if there is one.
    var contentEncoding: String? { withLock { $0.head?.headerFields[.contentEncoding] } }
  #endif
  /// Known once the head has arrived.
  var protocolVersion: String? { withLock { $0.protocolVersion } }
}

// The reading side.
extension ResponseBuffer {
  /// - Returns: Whether the transfer is still wanted; otherwise the continuation has been resumed with its failure.
  func awaitHead(_ continuation: HeadContinuation) -> Bool {
    let failure: TransportError? = withLock { state in
      if case .failure(let error) = state.outcome { return error }
      state.headWaiter = continuation
      return nil
    }
    if let failure { continuation.resume(returning: .failure(failure)) }
    return failure == nil
  }

  /// Takes what has arrived without waiting: bytes, the end, or the failure; `nil` if the reader must wait.
  ///
  /// - Returns: That, and whether the sender must be resumed.
  func takeReady() -> (Result<Data?, TransportError>?, wasPaused: Bool) {
    withLock { Self.takeReady(from: &$0) }
  }

  /// Waits for what comes next.
  ///
  /// - Returns: Whether the sender must be resumed.
  func awaitBody(_ continuation: BodyContinuation) -> Bool {
    let (ready, wasPaused) = withLock { state -> (Result<Data?, TransportError>?, Bool) in
      let (ready, wasPaused) = Self.takeReady(from: &state)
      if ready != nil { return (ready, wasPaused) }
      if state.bodyWaiter != nil {
        let error = TransportError(
          .other, delivery: .delivered, detail: "two tasks read one body at once; each must have its own response")
        return (.failure(error), false)
      }
      state.bodyWaiter = continuation
      return (nil, false)
    }
    if let ready { continuation.resume(returning: ready) }
    return wasPaused
  }

  private static func takeReady(from state: inout ResponseState) -> (Result<Data?, TransportError>?, wasPaused: Bool) {
    if !state.body.isEmpty {
      defer { (state.body, state.isPaused) = (Data(), false) }
      return (.success(state.body), state.isPaused)
    }
    return (state.outcome.map { $0.map { nil } }, false)
  }

  /// Ends the transfer with an error, if it isn't over.
  ///
  /// Unread bytes are discarded, and waiting tasks learn it now.
  ///
  /// - Returns: Whether it was this call that ended the transfer.
  func fail(_ error: (TransportError.Delivery) -> TransportError) -> Bool {
    let ended = withLock { state -> (TransportError, HeadContinuation?, BodyContinuation?)? in
      guard state.outcome == nil else { return nil }
      let error = error(state.delivery)
      state.outcome = .failure(error)
      state.body = Data()
      state.isPaused = false
      defer { (state.headWaiter, state.bodyWaiter) = (nil, nil) }
      return (error, state.headWaiter, state.bodyWaiter)
    }
    guard let (error, headWaiter, bodyWaiter) = ended else { return false }
    headWaiter?.resume(returning: .failure(error))
    bodyWaiter?.resume(returning: .failure(error))
    return true
  }
}

// The arriving side.
extension ResponseBuffer {
  func setDelivery(_ delivery: TransportError.Delivery) { withLock { $0.delivery = delivery } }

  func receive(head: HTTPResponse, protocolVersion: String?) {
    withLock { ($0.head, $0.protocolVersion, $0.delivery) = (head, protocolVersion, .delivered) }
  }

  /// Takes bytes in, unless the buffer is full already.
  func receive(_ bytes: UnsafeRawBufferPointer) -> ResponseState.Reception {
    withLock { state in
      guard state.outcome == nil else { return .over }
      if state.body.count >= ResponseState.size {
        state.isPaused = true
        return .full
      }
      state.body.append(contentsOf: bytes)
      return .taken
    }
  }

  /// Stores bytes that can't be left with the sender. The sender must hold back from here on if ``isPaused`` is true.
  func receive(_ bytes: Data) {
    withLock { state in
      guard state.outcome == nil else { return }
      state.body.append(bytes)
      state.isPaused = state.body.count >= ResponseState.size
    }
  }

  /// Marks the transfer as over. You can still read what has arrived.
  func finish(_ outcome: Result<Void, TransportError>) {
    withLock { state in
      if state.outcome == nil { state.outcome = outcome }
    }
  }

  /// Passes what has arrived to the waiting tasks.
  ///
  /// - Returns: Whether the sender must be resumed.
  func deliver() -> Bool {
    var head: (HeadContinuation, Result<HTTPResponse, TransportError>)?
    var body: (BodyContinuation, Result<Data?, TransportError>)?
    let wasPaused = withLock { state -> Bool in
      if let waiter = state.headWaiter {
        if let received = state.head {
          head = (waiter, .success(received))
          state.headWaiter = nil
        } else if case .failure(let error) = state.outcome {
          head = (waiter, .failure(error))
          state.headWaiter = nil
        }
      }
      guard let waiter = state.bodyWaiter else { return false }
      let (ready, wasPaused) = Self.takeReady(from: &state)
      guard let ready else { return false }
      body = (waiter, ready)
      state.bodyWaiter = nil
      return wasPaused
    }
    if let (waiter, result) = head { waiter.resume(returning: result) }
    if let (waiter, result) = body { waiter.resume(returning: result) }
    return wasPaused
  }
}
