import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation

/// Yields prepared pieces, and counts how many it was asked for.
final class PieceSource: BodySource {
  private let state: Locked<(pieces: ArraySlice<Data>, asked: Int)>

  init(_ pieces: [Data]) { state = Locked((pieces[...], 0)) }

  func next(limit: Int) async throws -> Data? {
    state.withLock { state in
      state.asked += 1
      return state.pieces.popFirst()
    }
  }
}

/// Never ends.
final class EndlessSource: BodySource {
  private let count = Locked(0)
  private let wasReleased: @Sendable () -> Void

  init(wasReleased: @escaping @Sendable () -> Void = {}) { self.wasReleased = wasReleased }

  deinit { wasReleased() }

  /// How many bytes were asked for and given.
  var given: Int { count.withLock { $0 } }

  func next(limit: Int) async throws -> Data? {
    count.withLock { $0 += limit }
    return Data(repeating: 7, count: limit)
  }
}

/// Fails after some bytes.
final class FailingSource: BodySource {
  struct Failure: Error {}
  private let hasGiven = Locked(false)

  func next(limit: Int) async throws -> Data? {
    let isFirst = hasGiven.withLock { given in
      defer { given = true }
      return !given
    }
    guard isFirst else { throw Failure() }
    return Data(repeating: 1, count: 100)
  }
}

/// Gives one piece, then nothing until it is cancelled.
final class StuckSource: BodySource {
  let wasCancelled = Locked(false)
  private let hasGiven = Locked(false)

  func next(limit: Int) async throws -> Data? {
    let isFirst = hasGiven.withLock { given in
      defer { given = true }
      return !given
    }
    if isFirst { return Data(repeating: 1, count: 100) }
    do {
      try await Task.sleep(for: .seconds(3600))
    } catch {
      wasCancelled.withLock { $0 = true }
      throw error
    }
    return nil
  }
}
