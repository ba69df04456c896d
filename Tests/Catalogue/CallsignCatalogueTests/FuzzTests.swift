import CallsignCatalogue
import CatalogueTestSupport
import TestSupport
import Testing

@Suite("Mutations of a good catalogue never crash the loader", .timeLimit(.minutes(10)))
struct FuzzTests {

  /// Pieces that mean something to YAML or to the type language.
  private static let pieces = [
    "[", "]", "{", "}", ": ", "- ", "? ", "&a ", "*a", "!t ", "|", ">", "'", "\"", "\\u0041", "\\", "#", "\n", "\r",
    "\t", "  ", "$", "$enum", "?", "| null", "(1..", "/", "indirect ", "enum [", "union [", "é", "\u{2028}", "\u{85}",
    "\u{0}", "---\n", "...\n", "<<: ", "%YAML 1.1\n", "\u{FEFF}", "~", ",", "\u{E000}",
  ]

  @Test("A mutated catalogue is loaded or refused, never a crash", arguments: 0..<8 as Range<UInt64>)
  func mutations(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let original = Array(Samples.everything.utf8)
    for _ in 0..<60 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: bytes.remove(at: place)
        case 2:
          let end = min(bytes.count, place + Int.random(in: 1...200, using: &generator))
          let copy = bytes[place..<end]
          bytes.insert(contentsOf: copy, at: Int.random(in: 0...bytes.count, using: &generator))
        case 3:
          let end = min(bytes.count, place + Int.random(in: 1...80, using: &generator))
          if end - place < bytes.count { bytes.removeSubrange(place..<end) }
        default:
          let piece = Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)]
          bytes.insert(contentsOf: piece.utf8, at: place)
        }
      }
      let result = CatalogueLoader().load(files: [CatalogueSource(path: "a.yaml", bytes: bytes)])
      #expect((result.catalogue == nil) == result.diagnostics.hasErrors)
      for diagnostic in result.diagnostics {
        #expect(diagnostic.location.line >= 1 && diagnostic.location.column >= 1, "\(diagnostic)")
      }
    }
  }
}
