import Foundation
import Testing

@testable import Soak

/// A few seconds of `Scripts/soak`, so that it stays able to run.
@Suite("The soak")
struct SoakTests {
  @Test("Everything under faults for some seconds, and every record accounted for", .timeLimit(.minutes(10)))
  func short() async throws {
    let tables = Tables()
    let problems = try await SoakRun(.short(seed: 7), write: tables.append).run()
    #expect(problems == [], "\(tables.last)")
    for name in ["stream v2", "stream v1.1", "writes", "pages", "uploads", "refreshes", "memory", "files"] {
      #expect(tables.last.contains("  \(name)"))
    }
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
