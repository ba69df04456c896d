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
  import Synchronization

  /// A value that one thread at a time may touch: the platform's `Mutex`, which classes can share.
  ///
  /// Inlinable, because what is not specialized for its value makes the types' metadata at run time, on each use.
  package final class Locked<Value>: Sendable {
    @usableFromInline let mutex: Mutex<Guarded<Value>>

    @inlinable package init(_ value: Value) { mutex = Mutex(Guarded(value: value)) }

    @inlinable package func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try mutex.withLock { guarded throws(Failure) in Guarded(value: try body(&guarded.value)) }.value
    }
  }

  /// `@unchecked Sendable`: within a ``Locked``, it is touched while the mutex is held; on its way out of there, it is this
  /// task's alone.
  @usableFromInline struct Guarded<Value>: @unchecked Sendable {
    @usableFromInline var value: Value

    @inlinable init(value: Value) { self.value = value }
  }

  /// A value that is made when it is first asked for. Several tasks may make it at once; all get the first one's.
  ///
  /// Costs no allocation of its own.
  package struct MadeOnce<Value: AnyObject & Sendable>: ~Copyable, Sendable {
    @usableFromInline let made = AtomicLazyReference<Value>()

    @inlinable package init() {}

    @inlinable package func value(_ make: () -> Value) -> Value { made.load() ?? made.storeIfNil(make()) }
  }
#endif
