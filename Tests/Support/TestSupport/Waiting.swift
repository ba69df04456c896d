import Foundation
import Testing

/// Waits for an expected action of another task, thread or process, for as long as a busy machine may need.
///
/// - Throws: ``NeverHappened`` after the limit, having recorded an issue.
package func eventually(
  _ comment: Comment = "it never happened", within limit: Duration = .seconds(300),
  sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < end else {
      Issue.record(comment, sourceLocation: sourceLocation)
      throw NeverHappened()
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Ends a test that waited in vain.
package struct NeverHappened: Error {}

/// Runs a blocking closure on a separate thread: the concurrency pool has few threads, and the tested code needs them.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}
