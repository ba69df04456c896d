#if canImport(Darwin)
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
#else
  import Synchronization

  /// A value that one thread at a time may touch: the platform's `Mutex`, which classes can share.
  package final class Locked<Value>: Sendable {
    private let mutex: Mutex<Guarded<Value>>

    package init(_ value: Value) { mutex = Mutex(Guarded(value: value)) }

    package func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try mutex.withLock { guarded throws(Failure) in Guarded(value: try body(&guarded.value)) }.value
    }
  }

  /// `@unchecked Sendable`: within a ``Locked``, it is touched while the mutex is held; on its way out of there, it is this
  /// task's alone.
  private struct Guarded<Value>: @unchecked Sendable {
    var value: Value
  }
#endif
