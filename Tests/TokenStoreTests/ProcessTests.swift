import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing

/// Several processes on one store. Serialized, since each test keeps both cores busy; the time limit is for a test that
/// waits for a line that never comes.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ProcessTests {
  /// 500 saves and more, by processes that are killed at random moments: what was said to be on the disk is there, or
  /// the token that was about to follow it, and never anything else.
  @Test("A killed process leaves the old token or the new one") func aKilledProcessLeavesTheOldTokenOrTheNewOne()
    async throws
  {
    let folder = try TestFolder()
    let store = folder.store
    var generator = SeededGenerator(seed: 41)
    var (saved, kills) = (0, 0)
    while saved < 500 || kills < 5 {
      try await store.delete(.probe)
      let process = try ProbeProcess(folder.tokens, "save", 0)
      let count = Int.random(in: 1...90, using: &generator)
      let pause = Int.random(in: 0...3000, using: &generator)
      var last = -1
      for await line in process.lines {
        last = try #require(Int(line))
        if last == count {
          // It saves on meanwhile, however long this takes.
          try await Task.sleep(for: .microseconds(pause))
          process.kill()
        }
      }
      #expect(await process.status() == SIGKILL)
      kills += 1
      saved += last + 1
      let token = try #require(try await store.load(.probe))
      let number = try #require(token.userID.flatMap(Int.init))
      #expect(number == last || number == last + 1)
    }
    try await folder.store.save(sampleToken(), for: .probe)
    #expect(try folder.names() == ["api.example,probe.json"])
  }

  @Test("Increments of eight processes are all there") func incrementsOfEightProcessesAreAllThere() async throws {
    let folder = try TestFolder()
    let processes = try (0..<8).map { _ in try ProbeProcess(folder.tokens, "increment", 25) }
    // Loading needs no lock, and finds whole tokens however many save.
    let reader = Task {
      var count = 0
      while !Task.isCancelled {
        if try await folder.store.load(.probe) != nil { count += 1 }
      }
      return count
    }
    for process in processes { #expect(await process.status() == 0) }
    reader.cancel()
    #expect(try await reader.value > 0)
    #expect(try await folder.store.load(.probe)?.userID == "200")
  }

  @Test("A held lock times out and a killed process frees it") func aHeldLockTimesOutAndAKilledProcessFreesIt()
    async throws
  {
    let folder = try TestFolder()
    let process = try ProbeProcess(folder.tokens, "hold", 600)
    for await line in process.lines where line == "locked" { break }

    let impatient = FileTokenStore(folder: folder.tokens, lockTimeLimit: .milliseconds(30))
    let error = await storeError { _ = try await impatient.lock(.probe) }
    #expect(error?.reason == .lockTimedOut)
    #expect(error?.advice.contains("try again") == true)
    // Another key's lock is free.
    try await impatient.lock(.sample).release()

    let cancelled = Task { await storeError { _ = try await folder.store.lock(.probe) } }
    try await Task.sleep(for: .milliseconds(20))
    cancelled.cancel()
    #expect(await cancelled.value?.reason == .cancelled)

    let waiting = Task { try await folder.store.lock(.probe) }
    process.kill()
    try await waiting.value.release()
  }

  @Test("A deleted tokens lock still keeps others out") func aDeletedTokensLockStillKeepsOthersOut() async throws {
    let folder = try TestFolder()
    let process = try ProbeProcess(folder.tokens, "increment", 60)
    for _ in 0..<60 { try await folder.store.delete(TokenKey(service: "api.example", account: "unused")) }
    let lock = try await folder.store.lock(.probe)
    // Held here, so it must survive.
    try await folder.store.delete(.probe)
    #expect(try folder.names().contains("api.example,probe.lock"))
    let other = FileTokenStore(folder: folder.tokens, lockTimeLimit: .milliseconds(20))
    #expect(await storeError { _ = try await other.lock(.probe) }?.reason == .lockTimedOut)
    lock.release()
    #expect(await process.status() == 0)
  }
}
