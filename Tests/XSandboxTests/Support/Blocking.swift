import Foundation

/// Runs something that blocks on a thread of its own: the server under test lives on the concurrency pool's few threads, which a test must not hold.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}
