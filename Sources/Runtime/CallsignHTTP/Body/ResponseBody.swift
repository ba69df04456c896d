import CallsignSupport

/// A response's body, in pieces as they arrive.
///
/// It can be read once. Reading slowly slows the sender: no more than a small, fixed amount is held in memory. When the
/// body and its iterator are gone before the end, the transfer is ended.
public struct ResponseBody: AsyncSequence, Sendable {
  /// A piece, never empty.
  public typealias Element = Data
  /// The error that ends a transfer early.
  public typealias Failure = TransportError

  private let source: any ResponseBodySource

  /// - Parameter source: Where the pieces come from; released when the body is dropped.
  public init(_ source: any ResponseBodySource) { self.source = source }

  /// A body that is already there.
  public init(_ data: Data) { source = WholeBody(data) }

  /// Continues where the last reader stopped.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Reads the body's pieces.
  public struct Iterator: AsyncIteratorProtocol {
    let source: any ResponseBodySource

    /// The next bytes; `nil` at the end.
    public mutating func next() async throws(TransportError) -> Data? { try await source.next() }

    /// The next bytes; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportError) -> Data? {
      try await source.next()
    }
  }

  /// Reads the rest.
  ///
  /// - Parameter limit: The most bytes to accept.
  /// - Throws: ``TransportError`` with ``TransportError/Kind/bodyTooLarge`` beyond the limit, or whatever ended the
  ///   transfer.
  public func collect(upTo limit: Int = .max) async throws(TransportError) -> Data {
    guard var whole = try await source.next() else { return Data() }
    while let piece = try await source.next() {
      guard piece.count <= limit - whole.count else { throw TransportError(.bodyTooLarge, delivery: .delivered) }
      whole.append(piece)
    }
    guard whole.count <= limit else { throw TransportError(.bodyTooLarge, delivery: .delivered) }
    return whole
  }
}

/// A source of the bytes of a ``ResponseBody``. Its deinitializer ends the transfer.
public protocol ResponseBodySource: AnyObject, Sendable {
  /// The next bytes, never empty; `nil` at the end.
  func next() async throws(TransportError) -> Data?
}

/// A body that was complete from the start.
private final class WholeBody: ResponseBodySource {
  private let pending: Locked<Data?>

  init(_ data: Data) { pending = Locked(data.isEmpty ? nil : data) }

  func next() async throws(TransportError) -> Data? {
    pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
  }
}

/// A response's body on its way to its reader, which keeps a copy.
package final class ObservedBody: ResponseBodySource {
  private struct State {
    /// `nil` once there was too much.
    var copy: Data? = Data()
    var hasEnded = false
  }

  private let body: ResponseBody
  private let limit: Int
  private let whenOver: @Sendable (Data?, _ isWhole: Bool) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - body: The body.
  ///   - limit: The maximum number of bytes to keep.
  ///   - whenOver: Receives the copy once the body has ended or is dropped; `nil` if the body was too large.
  package init(_ body: ResponseBody, limit: Int, whenOver: @escaping @Sendable (Data?, _ isWhole: Bool) -> Void) {
    self.body = body
    self.limit = limit
    self.whenOver = whenOver
  }

  package func next() async throws(TransportError) -> Data? {
    var pieces = body.makeAsyncIterator()
    let piece: Data?
    do throws(TransportError) { piece = try await pieces.next() } catch {
      end(isWhole: false)
      throw error
    }
    guard let piece else {
      end(isWhole: true)
      return nil
    }
    state.withLock { state in
      if let count = state.copy?.count, count + piece.count <= limit {
        state.copy?.append(piece)
      } else {
        state.copy = nil
      }
    }
    return piece
  }

  private func end(isWhole: Bool) {
    let copy: Data?? = state.withLock { state in
      if state.hasEnded { return .none }
      state.hasEnded = true
      return .some(state.copy)
    }
    if let copy { whenOver(copy, isWhole) }
  }

  deinit { end(isWhole: false) }
}
