import Foundation
import TestSupport
import Testing

@testable import Soak

/// A few seconds of `Scripts/soak`, so that it stays able to run.
@Suite("The soak")
struct SoakTests {
  @Test(
    "A few seconds of everything under faults, with the sandbox in a separate process and every record accounted for",
    .timeLimit(.minutes(10)))
  func short() async throws {
    let tables = Tables()
    let sandbox = try SandboxProcess(Program.products.appendingPathComponent("Soak"))
    let problems = try await SoakRun(.short(seed: 7), sandbox, write: tables.append).run()
    #expect(problems == [], "\(tables.last)")
    for name in ["stream v2", "stream v1.1", "writes", "pages", "uploads", "refreshes", "memory", "files"] {
      #expect(tables.last.contains("  \(name)"))
    }
  }

  @Test("The account of refreshes fails if they are too few for the calls, too many, or refused") func refreshes() {
    func problems(_ refreshes: Int, inUse: Double = 300, refused: Int = 0, revocations: Int = 0) -> Int {
      RefreshAccount(
        refreshes: refreshes, refused: refused, revocations: revocations, lifetime: 8, seconds: 300, inUse: inUse
      ).problems.count
    }
    #expect([0, 21, 22, 51, 52].map { problems($0) } == [1, 1, 0, 0, 1])
    #expect([0, 1, 2].map { problems($0, inUse: 40) } == [1, 1, 0], "no refresh is due where nobody calls")
    #expect(problems(54, revocations: 3) == 0)
    #expect(problems(30, refused: 1) == 1)
  }

  @Test("Time without calls does not count as use of the token") func tokenUse() async {
    let tally = Tally()
    let start = ContinuousClock.now
    for seconds in [0, 0.25, 0.5, 9, 9.25] { await tally.tokenUsed(at: start + .seconds(seconds)) }
    #expect(await tally.secondsOfTokenUse == 0.75)
  }

  @Test("A file of random bytes has its beginning, size and hash") func randomFile() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("random-\(UUID().uuidString)")
    var chance = Chance(seed: 1, for: "file")
    for size in [3, 8, 70_001, 1 << 17] {
      let file = try RandomFile(url, beginning: [1, 2, 3, 4], size: size, &chance)
      defer { file.remove() }
      let bytes = try Data(contentsOf: url)
      #expect((bytes.count, file.size, bytes.first) == (size, size, 1))
      #expect(file.sha256.count == 64)
    }
    let abc = try RandomFile(url, beginning: Array("abc".utf8), size: 3, &chance)
    abc.remove()
    #expect(abc.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("A leak that fills the allocator's holes also fails the run") func leak() async {
    let megabyte = 1 << 20
    let watch = ProcessWatch()
    for second in 0..<900 {
      let heap = 20 * megabyte + second * 8192
      let usage = ProcessUsage(memory: 50 * megabyte, own: 30 * megabyte, heap: heap, descriptors: 9)
      await watch.sample(usage, client: usage)
    }
    let problems = await watch.problems(atRest: ProcessUsage(memory: 0, own: 0, descriptors: 9))
    #expect(problems.count == 1 && problems.first?.contains("what the client has allocated grows") == true)
  }

  @Test("The allocator's report is parsed") func heap() {
    let text = """
      <malloc version="1">
      <heap nr="0">
      <system type="current" size="135168"/>
      </heap>
      <total type="fast" count="2" size="100"/>
      <total type="rest" count="3" size="5000"/>
      <total type="mmap" count="1" size="200000"/>
      <system type="current" size="135168"/>
      <system type="max" size="135168"/>
      </malloc>
      """
    #expect(HeapStatistics.allocatedBytes(in: text) == 135_168 + 200_000 - 5100)
    #expect(HeapStatistics.allocatedBytes(in: "<malloc>") == nil)
  }

  #if os(macOS) || canImport(Glibc)
    /// In a separate process, so that nothing else allocates or frees in between.
    @Test("The allocator's report follows what is allocated", .needs(.plainMemory)) func allocated() async {
      await #expect(processExitsWith: .success) {
        let before = try #require(HeapStatistics.allocatedBytes())
        let block = [UInt8](repeating: 1, count: 64 << 20)
        let during = try #require(HeapStatistics.allocatedBytes())
        #expect(during - before > 32 << 20, "\(block.count) bytes were allocated")
      }
    }
  #endif

  @Test("A client that grows fails the run, the sandbox's growth is not the client's") func growth() async {
    let megabyte = 1 << 20
    func problems(_ seconds: Int, _ sandbox: (Int) -> Int, _ client: (Int) -> Int) async -> [String] {
      let watch = ProcessWatch()
      for second in 0..<seconds {
        await watch.sample(
          ProcessUsage(memory: sandbox(second), own: sandbox(second), descriptors: 9),
          // Code that first runs late does not count as a leak.
          client: ProcessUsage(
            memory: client(second) + second * megabyte / 60, own: client(second), descriptors: 9))
      }
      return await watch.problems(atRest: ProcessUsage(memory: 0, own: 0, descriptors: 9))
    }
    let flat: @Sendable (Int) -> Int = { _ in 30 * megabyte }
    // 30 MB at first, and then 100 KB each minute.
    let slow: @Sendable (Int) -> Int = { min($0, 100) * megabyte / 4 + max(0, $0 - 120) / 60 * megabyte / 10 }
    #expect(await problems(600, flat, flat) == [])
    #expect(await problems(600, { $0 * megabyte / 20 }, flat) == [])
    #expect(await problems(600, flat, slow) == [])
    let words = await problems(3600, flat, slow)
    #expect(words.count == 1 && words.first?.contains("client's memory grows") == true)
    #expect(await problems(100, flat, { $0 * megabyte }) == [], "the warm-up is not judged")
  }

  @Test("Arguments are read, and bad ones refused") func arguments() throws {
    let given = try SoakArguments(["2.5", "--seed", "7"])
    #expect((given.settings.seconds, given.settings.seed) == (150, 7))
    #expect(given.command == "Scripts/soak 2.5 --seed 7")
    #expect(try SoakArguments([]).minutes == 5)
    for wrong in [["-1"], ["x"], ["--seed"], ["--seed", "-3"], ["0"]] {
      #expect(throws: SoakArguments.Misuse.self) { try SoakArguments(wrong) }
    }
  }
}

/// `@unchecked Sendable`: `texts` is touched with the lock held only.
private final class Tables: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  var last: String { lock.withLock { texts.last ?? "" } }

  @Sendable func append(_ text: String) { lock.withLock { texts.append(text) } }
}
