import Foundation

/// A lock on a file that keeps out other processes, and other tasks of this one. The system frees it when its process
/// ends, however it ends.
struct FileLock: Sendable {
  let folder: String
  let name: String
  let timeLimit: Duration

  /// Tasks of this process, which stand in line rather than ask for the file again and again.
  private static let turns = TurnQueue<String>()

  /// Waits for the lock.
  ///
  /// - Parameter queue: Where files are opened, which can take time.
  func acquire(on queue: DispatchQueue) async throws(TokenStoreError) -> TokenLock {
    let end = ContinuousClock.now + timeLimit
    let turn = "\(folder)/\(name)"
    try await waitForTurn(turn)
    do throws(TokenStoreError) {
      var pause = Duration.milliseconds(2)
      while true {
        if let descriptor = try await queue.run({ () throws(TokenStoreError) in try tryLock() }) {
          return TokenLock {
            // Unlocked first: a process that is just being started may have a copy of the descriptor.
            flock(descriptor, LOCK_UN)
            close(descriptor)
            Self.turns.finish(turn)
          }
        }
        guard ContinuousClock.now < end else { throw timedOut }
        do { try await Task.sleep(for: min(pause, max(.zero, end - .now))) } catch { throw .cancelledWait }
        pause = min(pause * 2, .milliseconds(50))
      }
    } catch {
      Self.turns.finish(turn)
      throw error
    }
  }

  /// Removes the lock's file, unless somebody holds the lock.
  func removeFile(in folder: borrowing TokenFolder) throws(TokenStoreError) {
    guard let file = try folder.openFile(name, O_RDWR), try file.tryLock() else { return }
    try folder.remove(name)
  }

  /// The descriptor that holds the lock; `nil` while somebody else does.
  private func tryLock() throws(TokenStoreError) -> Int32? {
    let folder = try TokenFolder.made(folder)
    while true {
      guard let file = try folder.openFile(name, O_RDWR | O_CREAT) else { continue }
      try file.refuseUnlessPrivate(kind: S_IFREG, mode: "600")
      guard try file.tryLock() else { return nil }
      // Whoever deletes the token removes the file; then a lock on it keeps nobody out.
      if try folder.holds(file, as: name) { return try file.duplicate() }
    }
  }

  private enum Turn { case granted, timeIsUp, cancelled }

  private func waitForTurn(_ turn: String) async throws(TokenStoreError) {
    let result = await withTaskGroup(of: Turn.self) { group in
      group.addTask {
        do { try await Self.turns.wait(for: turn) } catch { return .cancelled }
        return .granted
      }
      group.addTask {
        do { try await Task.sleep(for: timeLimit) } catch { return .cancelled }
        return .timeIsUp
      }
      var result = Turn.cancelled
      for await outcome in group {
        group.cancelAll()
        // The turn can still be granted while the other task ends; it must not be lost.
        if outcome == .granted || result == .cancelled { result = outcome }
        if outcome == .granted { break }
      }
      return result
    }
    switch result {
    case .granted: return
    case .timeIsUp: throw timedOut
    case .cancelled: throw .cancelledWait
    }
  }

  private var timedOut: TokenStoreError {
    TokenStoreError(
      .lockTimedOut,
      advice: """
        another task or process has held the lock \(folder)/\(name) for more than \(timeLimit); see whether it hangs, \
        and try again
        """.printable)
  }
}

extension TokenStoreError {
  static var cancelledWait: TokenStoreError {
    TokenStoreError(.cancelled, advice: "the task was cancelled while it waited for another to finish")
  }
}

extension DispatchQueue {
  /// Does work that may block on a thread of this queue rather than on one that tasks share.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(TokenStoreError) -> Value
  ) async throws(TokenStoreError) -> Value {
    let result: Result<Value, TokenStoreError> = await withCheckedContinuation { continuation in
      async { continuation.resume(returning: Result { () throws(TokenStoreError) in try work() }) }
    }
    return try result.get()
  }
}
