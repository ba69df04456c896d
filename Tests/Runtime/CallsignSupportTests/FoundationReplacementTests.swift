import CallsignHTTP
import CallsignSupport
import Foundation
import TestSupport
import Testing

/// Functions that replace Foundation's, compared with Foundation's own.
@Suite("Without Foundation") struct FoundationReplacementTests {
  private static let parts = [
    "a", "e", " ", "\t", "\r\n", "\n", "\u{A0}", "\u{2003}", "\u{2028}", "\u{301}", "\u{323}", "\u{0600}", "\u{200D}",
    "\u{1100}",
    "\u{1161}", "\u{11A8}", "\u{212B}", "\u{FB01}", "\u{1F600}", "+", "&",
  ]

  /// Texts made of parts that are easily misread.
  private static func texts(_ parts: [String]) -> [String] {
    var generator = SeededGenerator(seed: 11)
    return (0..<2_000).map { _ in
      (0..<Int.random(in: 0...8, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
    }
  }

  @Test("White space is taken from the ends by code points")
  func trimming() {
    for text in Self.texts(Self.parts) {
      let expected = text.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(Array(text.trimmingWhitespace().utf8) == Array(expected.utf8), "\(Array(text.unicodeScalars))")
      #expect(Array(text[...].trimmingWhitespace().utf8) == Array(expected.utf8))
    }
  }

  @Test("Letters and their accents are composed")
  func composing() {
    for text in Self.texts(Self.parts) {
      #expect(Array(text.composed.utf8) == Array(text.precomposedStringWithCanonicalMapping.utf8))
    }
  }

  @Test("Percent-encoded text is decoded, and invalid UTF-8 is refused")
  func decoding() {
    for text in Self.texts(["%", "%4", "%41", "%c3%A9", "%C3", "%A9", "%00", "%E0%80%80", "+", "x", "\u{301}"]) {
      // On Linux, Foundation inserts U+FFFD for bytes that it refuses on Apple's systems.
      let expected = text.removingPercentEncoding.flatMap { $0.unicodeScalars.contains("\u{FFFD}") ? nil : $0 }
      #expect(PercentEncoding.decode(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(text)")
    }
  }

  @Test("The reasons of files are the system's words")
  func reasons() throws {
    let missing = #expect(throws: (any Error).self) { try Data(contentsOf: URL(fileURLWithPath: "/missing/file")) }
    #expect(missing?.fileErrorReason == "No such file or directory")
    let folder = #expect(throws: (any Error).self) { try FileManager.default.contentsOfDirectory(atPath: "/missing") }
    #expect(folder?.fileErrorReason == "No such file or directory")
    #expect(CancellationError().fileErrorReason == "CancellationError()")
  }

  @Test("Many threads run their closures, once each")
  func threads() async {
    let count = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await withCheckedContinuation { continuation in
            let isStarted = detachThread {
              count.withLock { $0 += 1 }
              continuation.resume()
            }
            if !isStarted { continuation.resume() }
          }
        }
      }
    }
    #expect(count.withLock { $0 } == 50)
  }
}
