import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing

/// Several processes on one store. Serialized, since each test keeps both cores busy; the time limit is for a test that
/// waits for a line that never comes.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TokenStoreProcessTests {
  /// 500 saves and more, by processes that are killed at random moments. The disk then has the token that was reported as saved, or
  /// the one that was about to follow it, and never anything else.
  @Test("A killed process leaves the old token or the new one") func aKilledProcessLeavesTheOldTokenOrTheNewOne()
    async throws
  {
    let folder = try TestFolder()
    let store = folder.store
    var generator = SeededGenerator(seed: 41)
    var (saved, kills) = (0, 0)
    while saved < 500 || kills < 5 {
      try await store.delete(.probe)
      let process = try ProbeProcess(folder.tokens.path, "save", 0)
      let count = Int.random(in: 1...90, using: &generator)
      let pause = Int.random(in: 0...3000, using: &generator)
      var last = -1
      for await line in process.lines {
        last = try #require(Int(line))
        if last == count {
          // It continues to save, however long this takes.
          try await Task.sleep(for: .microseconds(pause))
          process.kill()
        }
      }
      #expect(await process.status() == SIGKILL)
      kills += 1
      saved += last + 1
      let token = try #require(try await store.token(for: .probe))
      let number = try #require(token.userID.flatMap(Int.init))
      #expect(number == last || number == last + 1)
    }
    try await folder.store.save(sampleToken(), for: .probe)
    #expect(try folder.names() == ["api.example,probe.json"])
  }

  @Test("Increments of eight processes are all there") func incrementsOfEightProcessesAreAllThere() async throws {
    let folder = try TestFolder()
    let processes = try (0..<8).map { _ in try ProbeProcess(folder.tokens.path, "increment", 25) }
    // Loading needs no lock, and finds whole tokens with any number of writers.
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
    #expect(try await folder.store.token(for: .probe)?.userID == "200")
  }

  @Test("Waiting for a held lease times out, and a killed process frees it")
  func aHeldLeaseTimesOutAndAKilledProcessFreesIt() async throws {
    let folder = try TestFolder()
    let process = try ProbeProcess(folder.tokens.path, "hold", 600)
    for await line in process.lines where line == "leased" { break }

    let impatient = FileTokenStore(folder: folder.tokens, lockTimeLimit: .milliseconds(30))
    let error = await storeError { _ = try await impatient.lease(.probe, lasting: .seconds(60)) }
    #expect(error?.reason == .lockTimedOut)
    #expect(error?.advice.contains("try again") == true)
    // Another key's lock is free.
    await (try await impatient.lease(.sample, lasting: .seconds(60))).release()

    let cancelled = Task { await storeError { _ = try await folder.store.lease(.probe, lasting: .seconds(60)) } }
    try await Task.sleep(for: .milliseconds(20))
    cancelled.cancel()
    #expect(await cancelled.value?.reason == .cancelled)

    let waiting = Task { try await folder.store.lease(.probe, lasting: .seconds(60)) }
    process.kill()
    await (try await waiting.value).release()
  }

  @Test("A deleted token's lease still keeps others out") func aDeletedTokensLeaseStillKeepsOthersOut() async throws {
    let folder = try TestFolder()
    let process = try ProbeProcess(folder.tokens.path, "increment", 60)
    for _ in 0..<60 { try await folder.store.delete(TokenKey(service: "api.example", account: "unused")) }
    let lease = try await folder.store.lease(.probe, lasting: .seconds(60))
    try await folder.store.delete(.any, under: lease)
    let other = FileTokenStore(folder: folder.tokens, lockTimeLimit: .milliseconds(20))
    #expect(await storeError { _ = try await other.lease(.probe, lasting: .seconds(60)) }?.reason == .lockTimedOut)
    await lease.release()
    #expect(await process.status() == 0)
  }

  /// The holder has asked a provider, for example, and pauses with the response while another process continues.
  @Test("A holder that is stopped past the end of its lease and continues later cannot overwrite the newer token")
  func aStoppedHolderCannotOverwrite() async throws {
    let folder = try TestFolder()
    let store = folder.store
    try await store.save(sampleToken("first"), for: .probe)
    let process = try ProbeProcess(folder.tokens.path, "stall", 300)
    var lines = process.lines.makeAsyncIterator()
    // It holds a lease of 300 milliseconds and has loaded the token.
    #expect(await lines.next() == "leased")
    process.signal(SIGSTOP)

    let lease = try await store.lease(.probe, lasting: .seconds(60))
    let loaded = try await store.load(.probe)
    #expect(loaded?.token == sampleToken("first"))
    process.signal(SIGCONT)
    // First before anything is saved, so that the version check would not refuse it.
    process.say("save")
    #expect(await lines.next() == "leaseLost")
    _ = try await store.save(sampleToken("newer"), replacing: TokenPrecondition(loaded), under: lease)
    await lease.release()
    // Then afterwards, under the previous lease and with any precondition.
    process.say("save")
    #expect(await lines.next() == "leaseLost")
    #expect(await process.status() == 0)
    #expect(try await store.token(for: .probe) == sampleToken("newer"))
    #expect(try folder.names() == ["api.example,probe.json"])
  }

  @Test("A holder that renews its lease keeps it though the time of day is set, and until it ends")
  func aLivingHolderKeepsIt() async throws {
    let folder = try TestFolder()
    let process = try ProbeProcess(folder.tokens.path, "hold", 600)
    for await line in process.lines where line == "leased" { break }
    let record = folder.tokens.appendingPathComponent("api.example,probe.lock")
    /// The record that the holder would write by a clock that has been set since.
    func renew(end: Double) throws {
      let file = try FileHandle(forWritingTo: record)
      try file.write(contentsOf: Data(#"{"holder":"h","start":\#(end - 600),"end":\#(end)}"#.utf8))
      try file.truncate(atOffset: file.offset())
      try file.close()
    }
    try renew(end: 1000)
    let isGranted = Flag()
    let patient = FileTokenStore(folder: folder.tokens, lockTimeLimit: .seconds(600))
    let waiting = Task {
      let lease = try await patient.lease(.probe, lasting: .seconds(600))
      await isGranted.set()
      return lease
    }
    for number in 1...20 {
      try renew(end: 1000 + Double(number))
      try await Task.sleep(for: .milliseconds(10))
    }
    // Nor is a record that cannot be read a reason to take it.
    try Data().write(to: record)
    try await Task.sleep(for: .milliseconds(100))
    #expect(await !isGranted.isSet)
    process.kill()
    await (try await waiting.value).release()
  }

  private actor Flag {
    private(set) var isSet = false
    func set() { isSet = true }
  }

  @Test("Holders that are stopped at any moment overwrite nothing newer") func stoppedAtAnyMoment() async throws {
    let folder = try TestFolder()
    let store = FileTokenStore(folder: folder.tokens, lockTimeLimit: .milliseconds(500))
    var generator = SeededGenerator(seed: 7)
    var completed = 0
    // Further rounds are for a machine that always stopped it at that moment.
    for round in 1...40 where round <= 8 || completed == 0 {
      try await store.delete(.probe)
      let process = try ProbeProcess(folder.tokens.path, "churn", 50)
      var lines = process.lines.makeAsyncIterator()
      for _ in 0..<Int.random(in: 1...4, using: &generator) { _ = await lines.next() }
      try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &generator)))
      process.signal(SIGSTOP)
      do {
        // If it is stopped while it changes the files, it keeps others out, and their errors say so.
        try await store.save(sampleToken("newer \(round)"), for: .probe)
      } catch {
        #expect(error.reason == .lockTimedOut)
        process.kill()
        // Until it has ended, it has the lock.
        _ = await process.status()
        continue
      }
      process.signal(SIGCONT)
      // It continues under new leases, from the stored state, never from its earlier one.
      var found = false
      // It may have printed much before it was stopped.
      for _ in 0..<200_000 {
        guard let line = await lines.next() else { break }
        guard line.hasPrefix("over ") else { continue }
        // If the first lease of all found nothing, it says so.
        if line == "over nothing" { continue }
        #expect(line == "over newer \(round)")
        found = true
        break
      }
      #expect(found, "the token that was saved meanwhile was overwritten unseen")
      completed += 1
      process.kill()
      _ = await process.status()
    }
    #expect(completed > 0)
  }
}
