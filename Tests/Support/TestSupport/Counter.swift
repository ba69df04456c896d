import Callsign
import CallsignHTTP
import Foundation

/// Counts from 0, in any number of tasks.
///
/// `@unchecked Sendable`: `count` is touched only while `lock` is held.
package final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  package init() {}

  /// How many numbers were given.
  package var value: Int { lock.withLock { count } }

  /// The next number.
  package func next() -> Int {
    lock.withLock {
      count += 1
      return count - 1
    }
  }

  package func reset() { lock.withLock { count = 0 } }
}

/// A request's body in pieces.
package final class UploadedPieces: BodySource, @unchecked Sendable {
  // Asked for one piece at a time, as the protocol says.
  private var rest: ArraySlice<Data>

  package init(_ pieces: [Data]) { rest = pieces[...] }

  package func next(limit: Int) async throws -> Data? { rest.popFirst() }
}
