import Foundation

/// Runs work on a thread of its own whose stack is deep enough for recursion from schema to schema.
///
/// The threads of Swift concurrency have 512 KB on Apple's systems.
enum DeepStack {
  private static let byteCount = 64 << 20

  static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result? {
    let box = Box<Result>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      box.value = work()
      done.signal()
    }
    thread.stackSize = byteCount
    thread.start()
    done.wait()
    return box.value
  }

  // The semaphore orders the one write before the one read.
  private final class Box<Value: Sendable>: @unchecked Sendable {
    var value: Value?
  }
}
