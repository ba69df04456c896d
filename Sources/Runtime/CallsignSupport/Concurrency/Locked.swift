#if canImport(Darwin) || CALLSIGN_THREAD_SANITIZER
  import Foundation
#endif
#if !canImport(Darwin)
  import Synchronization
#endif

#if canImport(Darwin) || CALLSIGN_THREAD_SANITIZER
  /// A value that one thread at a time may touch. `Synchronization.Mutex` needs macOS 15; this is for those before it, and
  /// for the thread sanitizer, which does not see who waits for a `Mutex`.
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
#else
  /// A value that one thread at a time may touch, beside the platform's `Mutex`.
  ///
  /// The mutex is of `Void` and the value lies beside it, because a generic function of this package is not specialized in
  /// another module: a `Mutex<Value>` would have its type's metadata looked up on each use, which took longer than the work.
  /// The mutex is also what keeps accesses apart, so the value needs no check of that at run time.
  ///
  /// `@unchecked Sendable`: every access to `value` is made while `mutex` is held.
  package final class Locked<Value>: @unchecked Sendable {
    private let mutex = Mutex<Void>(())
    @exclusivity(unchecked) private var value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      mutex._unsafeLock()
      defer { mutex._unsafeUnlock() }
      return try body(&value)
    }
  }
#endif

#if canImport(Darwin)
  /// A value that is made when it is first asked for. Several tasks may make it at once; all get the first one's.
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
#else
  /// A value that is made when it is first asked for. Several tasks may make it at once; all get the first one's.
  ///
  /// Costs no allocation of its own.
  package struct MadeOnce<Value: AnyObject & Sendable>: ~Copyable, Sendable {
    @usableFromInline let made = AtomicLazyReference<Value>()

    @inlinable package init() {}

    @inlinable package func value(_ make: () -> Value) -> Value { made.load() ?? made.storeIfNil(make()) }
  }
#endif

/// A value that does not change, held by reference.
///
/// A struct of many members brings code for copying along with each type and function that holds it; this is one word.
package final class Reference<Value: Sendable>: Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}
