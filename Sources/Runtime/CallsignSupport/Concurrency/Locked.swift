// Sound: a result leaves a lock as the caller decides, as with other locks.

#if canImport(Darwin) || CALLSIGN_THREAD_SANITIZER
  import Foundation
#endif
#if !canImport(Darwin)
  import Synchronization
#endif

/// A value that only one thread at a time can use.
///
/// `Synchronization.Mutex` requires macOS 15, so Apple platforms use `NSLock`. The thread sanitizer also uses it, because it does
/// not see waits for a `Mutex`.
///
/// `@unchecked Sendable`: every access to `value` happens while `lock` is held.
package final class Locked<Value>: @unchecked Sendable {
  #if canImport(Darwin) || CALLSIGN_THREAD_SANITIZER
    private let lock = NSLock()
  #else
    private let lock = Mutex(())
  #endif
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if canImport(Darwin) || CALLSIGN_THREAD_SANITIZER
      lock.lock()
      defer { lock.unlock() }
      return try body(&value)
    #else
      return try lock.withLock { (_) throws(Failure) in
        // `Mutex` lets results leave it only if it can send them. As with other locks, the caller decides what leaves this one.
        nonisolated(unsafe) let result = try body(&value)
        return result
      }
    #endif
  }
}

/// A value that is created when it is first used. Several tasks may create it at once; all get the first one's.
package final class MadeOnce<Value: AnyObject & Sendable>: Sendable {
  private let made = Locked<Value?>(nil)

  package init() {}

  package func value(_ make: () -> Value) -> Value {
    if let value = made.withLock({ $0 }) { return value }
    let new = make()
    return made.withLock { made in
      if let made { return made }
      made = new
      return new
    }
  }
}

/// A value that does not change, held by reference.
///
/// A struct of many members brings code for copying along with each type and function that holds it; this is one word.
package final class Reference<Value: Sendable>: Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}
