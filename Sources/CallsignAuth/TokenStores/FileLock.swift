import CallsignHTTP
import Foundation

/// A lock on a file that keeps out other processes, and other tasks of this one. The system frees it when its process
/// ends, however it ends.
struct FileLock: Sendable {
  let folder: String
  let name: String
  /// How long one holder may keep it. However many stand in line before a task, it waits on while the lock changes hands.
  let timeLimit: Duration

  /// Tasks of this process, which stand in line rather than ask for the file again and again.
  private static let turns = KeyedAsyncLock<String>()

  private var turn: String { "\(folder)/\(name)" }

  /// Waits for the lock.
  ///
  /// - Parameter queue: Where files are opened, which can take time.
  func acquire(on queue: DispatchQueue) async throws(TokenStoreError) -> TokenLock {
    let start = ContinuousClock.now
    let turn = turn
    try await waitForTurn(since: start)
    do throws(TokenStoreError) {
      let descriptor = try await takeFile(on: queue, since: start)
      Self.turns.noteProgress(of: turn)
      return TokenLock {
        // Unlocked first: a process that is just being started may have a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
        Self.turns.noteProgress(of: turn)
        Self.turns.finish(turn)
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

  /// When a task that has waited since `start` loses patience.
  private func end(since start: ContinuousClock.Instant) -> ContinuousClock.Instant {
    max(start, Self.turns.progress(of: turn) ?? start) + timeLimit
  }

  /// Asks for the file's lock until no other process has it; the descriptor that holds it.
  private func takeFile(
    on queue: DispatchQueue, since start: ContinuousClock.Instant
  ) async throws(TokenStoreError) -> Int32 {
    var pause = Duration.milliseconds(2)
    var lastTaken: Date?
    while true {
      switch try await queue.run({ () throws(TokenStoreError) in try tryLock() }) {
      case .held(let descriptor): return descriptor
      case .taken(let date):
        // Another process has taken it since.
        if let lastTaken, lastTaken != date { Self.turns.noteProgress(of: turn) }
        lastTaken = date
      }
      let end = end(since: start)
      guard ContinuousClock.now < end else { throw timedOut }
      do { try await Task.sleep(for: min(pause, max(.zero, end - .now))) } catch { throw .cancelledWait }
      pause = min(pause * 2, .milliseconds(50))
    }
  }

  private enum Attempt {
    case held(Int32)
    /// Another process has taken it, at this time by its own clock.
    case taken(Date)
  }

  private func tryLock() throws(TokenStoreError) -> Attempt {
    let folder = try TokenFolder.made(folder)
    while true {
      guard let file = try folder.openFile(name, O_RDWR | O_CREAT) else { continue }
      try file.refuseUnlessPrivate(kind: S_IFREG, mode: "600")
      guard try file.tryLock() else { return .taken(try file.modificationDate()) }
      // Whoever deletes the token removes the file; then a lock on it keeps nobody out.
      guard try folder.holds(file, as: name) else { continue }
      file.touch()
      return .held(try file.duplicate())
    }
  }

  private enum Turn { case granted, timeIsUp, cancelled }

  /// Waits for the tasks of this process that came before.
  private func waitForTurn(since start: ContinuousClock.Instant) async throws(TokenStoreError) {
    let result = await withTaskGroup(of: Turn.self) { group in
      group.addTask {
        do { try await Self.turns.wait(for: turn) } catch { return .cancelled }
        return .granted
      }
      group.addTask {
        while case let left = end(since: start) - .now, left > .zero {
          do { try await Task.sleep(for: left) } catch { return .cancelled }
        }
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
