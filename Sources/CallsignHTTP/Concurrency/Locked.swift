import Foundation

/// A value that one thread at a time may touch. `Synchronization.Mutex` needs macOS 15; this is for those before it.
///
/// `@unchecked Sendable`: every access to `value` is made while `lock` is held.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
