import Foundation

/// Takes down what a report writes.
///
/// `@unchecked Sendable`: `lines` is touched only while `lock` is held.
final class Lines: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  var all: [String] { lock.withLock { lines } }

  func append(_ line: String) { lock.withLock { lines.append(line) } }
}
