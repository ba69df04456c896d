import CallsignHTTP
import Foundation

/// An answer's body on its way to its reader, of which a copy is kept.
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
  ///   - limit: The most bytes that are kept.
  ///   - whenOver: Gets the copy once the body has ended or is dropped; `nil` where there was too much.
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
