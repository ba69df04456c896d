import CallsignGenerator
import Foundation
import Testing

/// Compares the whole generated text of the sample catalogue with files that a reviewer can read.
///
/// After an intended change, `CALLSIGN_UPDATE_GOLDEN=1 swift test --filter GoldenTests` writes the files again; the diff shows what
/// changed for users.
@Suite struct GoldenTests {
  @Test("The sample becomes the text that is kept for comparison") func sample() throws {
    let folder = Sample.testsFolder.appendingPathComponent("CallsignGeneratorTests/Golden")
    let isUpdating = ProcessInfo.processInfo.environment["CALLSIGN_UPDATE_GOLDEN"] == "1"
    let files = Generator().generate(try Sample.catalogue())
    #expect(files.map(\.group) == ["calls", "choices", "events", "pets", "prices", "rarities"])
    for file in files {
      let golden = folder.appendingPathComponent("\(file.group).swift.txt")
      if isUpdating { try file.text.write(to: golden, atomically: true, encoding: .utf8) }
      let expected = try String(contentsOf: golden, encoding: .utf8)
      if file.text != expected {
        let pair = zip(file.text.split(separator: "\n"), expected.split(separator: "\n"))
        let difference = pair.enumerated().first { $0.element.0 != $0.element.1 }
        Issue.record(
          "\(file.group) differs at non-empty line \(difference.map { $0.offset + 1 } ?? 0): \(difference?.element.0 ?? "")"
        )
      }
    }
  }

  @Test("Debug builds compile the same, but for the attributes of functions that clients compile")
  func debugForm() throws {
    for access in AccessLevel.allCases {
      let options = GenerationOptions(access: access, protocolName: "SampleProtocol")
      var debugOptions = options
      debugOptions.emitsIntoClient = false
      let files = Generator(options: options).generate(try Sample.catalogue())
      let debugFiles = Generator(options: debugOptions).generate(try Sample.catalogue())
      #expect(files.contains { $0.text.contains("@_alwaysEmitIntoClient ") } == (access == .public))
      let stripped = files.map { file in
        ["@_alwaysEmitIntoClient ", "@usableFromInline "].reduce(file.text) {
          $0.replacingOccurrences(of: $1, with: "")
        }
      }
      // Shorter lines are broken at other places.
      #expect(debugFiles.map { withoutSpace($0.text) } == stripped.map(withoutSpace))
    }
  }

  private func withoutSpace(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  @Test("The same catalogue gives the same bytes, and one file's text does not depend on what else ran")
  func determinism() throws {
    let first = Generator().generate(try Sample.catalogue())
    let second = Generator().generate(try Sample.catalogue())
    #expect(first == second)
  }
}
