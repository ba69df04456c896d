import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import Testing

/// The tasks of one process and a lock.
@Suite struct LockTests {
  private static func stores() throws -> (folder: TestFolder, stores: [any TokenStore]) {
    let folder = try TestFolder()
    return (folder, [folder.store, MemoryTokenStore()])
  }

  @Test("One task at a time holds it") func oneTaskAtATimeHoldsIt() async throws {
    let (_folder, stores) = try Self.stores()
    for store in stores {
      try await store.save(StoredToken(kind: .oauth2, accessToken: "s3cr3t", userID: "0"), for: .sample)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          group.addTask {
            let lock = try await store.lock(.sample)
            var token = try await store.load(.sample) ?? StoredToken(kind: .oauth2, accessToken: "s3cr3t")
            token.userID = String((token.userID.flatMap(Int.init) ?? 0) + 1)
            try await store.save(token, for: .sample)
            lock.release()
          }
        }
        try await group.waitForAll()
      }
      #expect(try await store.load(.sample)?.userID == "100")
    }
    withExtendedLifetime(_folder) {}
  }

  /// The limit is for one who holds it, not for all who came before; otherwise a long line would fail when each of them
  /// takes a while, as a refresh does.
  @Test("A long line does not time out") func aLongLineDoesNotTimeOut() async throws {
    let folder = try TestFolder()
    let limit = Duration.seconds(1)
    let store = FileTokenStore(folder: folder.tokens, lockTimeLimit: limit)
    let ends = Times()
    await ends.note()
    let failures = await withTaskGroup(of: TokenStoreError?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await storeError {
            let lock = try await store.lock(.sample)
            try await Task.sleep(for: limit / 10)
            await ends.note()
            lock.release()
          }
        }
      }
      return await group.reduce(into: [TokenStoreError]()) { failures, error in if let error { failures.append(error) }
      }
    }
    // On a machine that stands still for so long, giving up is right.
    if await ends.longestPause < limit { #expect(failures == []) }
    #expect(failures.allSatisfy { $0.reason == .lockTimedOut })
  }

  private actor Times {
    private var times: [ContinuousClock.Instant] = []
    func note() { times.append(.now) }
    var longestPause: Duration { zip(times.dropFirst(), times).map { $0 - $1 }.max() ?? .zero }
  }

  /// Two values for one folder are one store.
  @Test("Values for the same folder share it") func valuesForTheSameFolderShareIt() async throws {
    let folder = try TestFolder()
    let lock = try await folder.store.lock(.sample)
    let other = FileTokenStore(folder: folder.tokens, lockTimeLimit: .milliseconds(20))
    #expect(await storeError { _ = try await other.lock(.sample) }?.reason == .lockTimedOut)
    lock.release()
    lock.release()
    try await other.lock(.sample).release()
  }

  @Test("A lock that is forgotten is freed") func aLockThatIsForgottenIsFreed() async throws {
    let folder = try TestFolder()
    do { _ = try await folder.store.lock(.sample) }
    let error = await storeError { try await folder.store.lock(.sample).release() }
    #expect(error == nil)
  }

  @Test("Who is cancelled gives way to the next") func whoIsCancelledGivesWayToTheNext() async throws {
    let (_folder, stores) = try Self.stores()
    for store in stores {
      let lock = try await store.lock(.sample)
      let waiting = (0..<20).map { _ in Task { await storeError { try await store.lock(.sample).release() } } }
      for task in waiting { task.cancel() }
      for task in waiting { #expect(await task.value?.reason == .cancelled) }
      lock.release()
      try await store.lock(.sample).release()
    }
    withExtendedLifetime(_folder) {}
  }
}
