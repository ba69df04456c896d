import Foundation

/// Does work on a thread of its own with a deep stack, for what recurses and what waits for the disk.
enum OwnThread {
  private static let stackSize = 16 << 20

  static func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      let thread = Thread {
        continuation.resume(returning: Result { () throws(Failure) in try work() })
      }
      thread.stackSize = stackSize
      thread.start()
    }
    return try result.get()
  }
}
