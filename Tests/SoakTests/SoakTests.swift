import Foundation
import TestSupport
import Testing

@testable import Soak

/// A few seconds of `Scripts/soak`, so that it stays able to run.
@Suite("The soak")
struct SoakTests {
  @Test(
    "Everything under faults for some seconds, the sandbox in a process of its own, and every record accounted for",
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

  @Test("A client that grows fails the run, the sandbox's growth is not the client's") func growth() async {
    let megabyte = 1 << 20
    func problems(_ seconds: Int, _ sandbox: (Int) -> Int, _ client: (Int) -> Int) async -> [String] {
      let watch = ProcessWatch()
      for second in 0..<seconds {
        await watch.sample(
          ProcessUsage(memory: sandbox(second), descriptors: 9),
          client: ProcessUsage(memory: client(second), descriptors: 9))
      }
      return await watch.problems(atRest: ProcessUsage(memory: 0, descriptors: 9))
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
