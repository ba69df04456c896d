import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

@Suite struct RoundTripTests {
  /// A random document within bounds.
  static func document(_ random: inout SeededGenerator) -> JSONValue { random.json(text: text) }

  static func text(_ random: inout SeededGenerator) -> String {
    let pieces = ["a", "bc", "é", "漢字", "🚀", "\"", "\\", "\n", "\u{1}", "/", "\u{7F}", "\u{2028}", "plain words "]
    return (0..<Int.random(in: 0..<9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  @Test("Exactly the characters that need it are escaped, at any position") func escapes() throws {
    let escaped = ["\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#, "\u{0}": #"\u0000"#, "\u{1F}": #"\u001f"#]
    let plain = [" ", "!", "#", "[", "]", "\u{7F}", "é", "\u{2028}", "🚀"].map { ($0, $0) }
    for (character, text) in Array(escaped.map { ($0.key, $0.value) }) + plain {
      for place in 0..<20 {
        let before = String(repeating: "a", count: place)
        for after in ["", "b", "bcdefgh", "bcdefghi", before] {
          #expect(try (before + character + after).jsonString() == "\"\(before)\(text)\(after)\"")
        }
      }
    }
  }

  @Test("Documents are written as they were read") func documentsComeBackAsTheyWere() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let value = Self.document(&random)
      #expect(try JSONValue(jsonData: value.jsonData()) == value)
      #expect(try JSONValue(jsonData: value.jsonData(.pretty)) == value)
      #expect(throws: Never.self) { try Skipped(jsonData: value.jsonData(.pretty)) }
    }
  }

  @Test("Foundation reads the written text, and the reverse") func foundationReadsWhatIsWrittenAndTheReverse() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<1_000 {
      let value = Self.document(&random)
      let ours = try value.jsonData()
      let object = try JSONSerialization.jsonObject(with: ours, options: .fragmentsAllowed)
      let theirs = try JSONSerialization.data(withJSONObject: object, options: [.fragmentsAllowed, .sortedKeys])
      let read = try JSONValue(jsonData: theirs)
      let again = try JSONSerialization.jsonObject(with: read.jsonData(), options: .fragmentsAllowed)
      #expect((object as? NSObject) == (again as? NSObject))
    }
  }

  @Test("Coders carry documents") func codersCarryDocuments() throws {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<200 {
      let value = JSONValue.array([Self.document(&random)])
      let decoded = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
      #expect(
        try JSONValue(jsonData: JSONEncoder().encode(decoded)) == JSONValue(jsonData: JSONEncoder().encode(value)))
    }
  }

  /// Changed documents must be read or refused alike by reading and skipping, and never end the process.
  @Test("Changed documents are read or refused alike") func changedDocumentsAreReadOrRefusedAlike() throws {
    var random = SeededGenerator(seed: 6)
    let page = try JSONValue(jsonString: ModelTests.full).jsonData()
    let starts: [Data] = [Data(#"{"data":["#.utf8) + page + Data("]}".utf8), page]
    let interesting = Array(#"{}[]",:\u0019eE+-.ntf "#.utf8) + [0x00, 0x0A, 0x1F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]
    for round in 0..<20_000 {
      var bytes = [UInt8](starts[round % 2])
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(interesting.randomElement(using: &random) ?? 0, at: place)
        case 2: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 3: bytes.removeSubrange(place...)
        default: bytes[place] = interesting.randomElement(using: &random) ?? 0
        }
      }
      let data = Data(bytes)
      let value = try? JSONValue(jsonData: data)
      #expect((value != nil) == ((try? Skipped(jsonData: data)) != nil))
      let model = try? API.Page(jsonData: data)
      let post = try? API.Post(jsonData: data)
      _ = try? API.Target(jsonData: data)
      _ = try? API.Event(jsonData: data)
      if value == nil { #expect(model == nil && post == nil) }
      if let post { #expect(try API.Post(jsonData: post.jsonData()) == post) }
    }
  }
}
