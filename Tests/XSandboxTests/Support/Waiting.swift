import Foundation
import Testing

/// Waits until a condition holds. Two minutes without it are a failure of the test.
func wait(
  until condition: @Sendable () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let deadline = ContinuousClock.now + .seconds(120)
  while try await !condition() {
    try #require(ContinuousClock.now < deadline, "waited for two minutes", sourceLocation: sourceLocation)
    try await Task.sleep(for: .milliseconds(1))
  }
}

/// Runs something that blocks on a thread of its own: the server under test lives on the concurrency pool's few
/// threads, which a test must not hold.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}
