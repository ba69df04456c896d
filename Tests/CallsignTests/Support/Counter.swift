import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import XCore

/// Counts from 0, in any number of tasks.
///
/// `@unchecked Sendable`: `count` is touched only while `lock` is held.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  /// How many numbers were given.
  var value: Int { lock.withLock { count } }

  /// The next number.
  func next() -> Int {
    lock.withLock {
      count += 1
      return count - 1
    }
  }

  func reset() { lock.withLock { count = 0 } }
}

/// A request's body in pieces.
final class UploadedPieces: BodySource, @unchecked Sendable {
  // Asked for one piece at a time, as the protocol says.
  private var rest: ArraySlice<Data>

  init(_ pieces: [Data]) { rest = pieces[...] }

  func next(limit: Int) async throws -> Data? { rest.popFirst() }
}
