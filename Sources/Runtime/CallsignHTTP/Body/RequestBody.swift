import CallsignSupport

/// The body of a request.
public enum RequestBody: Sendable {
  /// No body.
  case none
  /// Bytes in memory.
  case data(Data)
  /// A body that is read while it is sent. `open` starts it again for each attempt. `length` in bytes, if known, is
  /// sent as `Content-Length`; otherwise the body is sent in chunks.
  case stream(length: Int?, open: @Sendable () throws -> any BodySource)

  /// The length in bytes, if it is known before sending.
  public var length: Int? {
    switch self {
    case .none: 0
    case .data(let data): data.count
    case .stream(let length, _): length
    }
  }
}

/// Something that yields a body piece by piece. Only one piece is requested at a time, so it needs no lock.
public protocol BodySource: AnyObject, Sendable {
  /// The next bytes, never empty; `nil` at the end. `limit` is the most bytes that can be taken at once.
  func next(limit: Int) async throws -> Data?
}

extension RequestBody {
  /// Reads the whole body into memory, for tests and for small bodies.
  ///
  /// - Parameter limit: The most bytes to accept.
  /// - Throws: ``TransportError`` with ``TransportError/Kind/bodyTooLarge`` beyond the limit, or
  ///   ``TransportError/Kind/bodySource`` when the source fails.
  public func collect(upTo limit: Int = .max) async throws(TransportError) -> Data {
    switch self {
    case .none: return Data()
    case .data(let data):
      guard data.count <= limit else { throw TransportError(.bodyTooLarge, delivery: .notSent) }
      return data
    case .stream:
      guard let source = try openStream() else { return Data() }
      var whole = Data()
      do {
        while let piece = try await source.next(limit: 64 * 1024) {
          guard piece.count <= limit - whole.count else { throw TransportError(.bodyTooLarge, delivery: .notSent) }
          whole.append(piece)
        }
      } catch let error as TransportError {
        throw error
      } catch {
        throw TransportError(.bodySource, delivery: .notSent, detail: "\(type(of: error))")
      }
      return whole
    }
  }

  /// - Returns: The opened source, or `nil` if the body is not a stream.
  /// - Throws: ``TransportError`` with ``TransportError/Kind/bodySource``.
  package func openStream() throws(TransportError) -> (any BodySource)? {
    guard case .stream(_, let open) = self else { return nil }
    do {
      return try open()
    } catch {
      throw TransportError(.bodySource, delivery: .notSent, detail: "\(type(of: error))")
    }
  }
}
