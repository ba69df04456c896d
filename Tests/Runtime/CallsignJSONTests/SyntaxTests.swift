import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

@Suite struct SyntaxTests {
  @Test("The JSON test suite gets a response as it asks", .needs(.corpus("json-test-suite")))
  func theJSONTestSuiteGetsItsVerdicts() throws {
    let folder = try #require(Corpora.url("json-test-suite"))
    var counts = ["y": 0, "n": 0, "i": 0]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      guard name.hasSuffix(".json"), let kind = name.first.map(String.init), counts[kind] != nil else { continue }
      let data = try Data(contentsOf: folder.appendingPathComponent(name))
      counts[kind, default: 0] += 1
      let value = Result { try JSONValue(jsonData: data) }
      let skipped = Result { try Skipped(jsonData: data) }
      switch kind {
      case "y":
        #expect(throws: Never.self, "\(name) by JSONValue") { try value.get() }
        #expect(throws: Never.self, "\(name) by skip") { _ = try skipped.get() }
        #expect(try JSONValue(jsonData: value.get().jsonData()) == value.get(), "\(name) written and read again")
      case "n":
        #expect(throws: JSONError.self, "\(name) by JSONValue") { try value.get() }
        #expect(throws: JSONError.self, "\(name) by skip") { _ = try skipped.get() }
      default:
        let accepted = (try? value.get()) != nil
        #expect(accepted == ((try? skipped.get()) != nil), "\(name): both or none")
      }
    }
    #expect(counts["y", default: 0] > 90)
    #expect(counts["n", default: 0] > 180)
  }

  @Test(
    "Text that is not JSON is refused",
    arguments: [
      "", " ", "nul", "nulll", "tru", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity", "[1,]",
      "[,1]",
      "[1 2]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "[1", "\"", "\"\\\"", "\"\\x\"",
      "\"\\u12\"",
      "\"\\u123g\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\ud800\\ud800\"", "\"a\nb\"", "\"\u{0}\"",
      "1 2", "[]x", "\u{FEFF}1", "'a'", "// c\n1", "\u{A0}1",
    ])
  func whatIsNotJSONIsRefused(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(jsonString: text) }
    #expect(throws: JSONError.self) { try Skipped(jsonString: text) }
  }

  @Test(
    "Invalid UTF-8 is refused",
    arguments: [
      [0xFF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
      [0xC3, 0x28],
    ] as [[UInt8]])
  func invalidUTF8IsRefused(bytes: [UInt8]) {
    for padding in 0..<10 {
      let prefix = [UInt8](repeating: 0x61, count: padding)
      let text = Data([0x22] + prefix + bytes + [0x22])
      let error = #expect(throws: JSONError.self) { try JSONValue(jsonData: text) }
      #expect(error?.kind == .invalidUTF8)
      #expect(error?.offset == 1 + padding)
      #expect(throws: JSONError.self) { try Skipped(jsonData: text) }
      #expect(throws: JSONError.self) { try Skipped(jsonData: Data("{".utf8) + text + Data(":1}".utf8)) }
    }
  }

  @Test("Nesting is limited") func nestingIsLimited() throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let inner = open == "[" ? "" : "1"
      func nested(_ depth: Int) -> String {
        String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
      }
      #expect(throws: Never.self) { try JSONValue(jsonString: nested(512)) }
      #expect(throws: Never.self) { try Skipped(jsonString: nested(512)) }
      let error = #expect(throws: JSONError.self) { try JSONValue(jsonString: nested(513)) }
      #expect(error?.kind == .tooDeep)
      #expect(throws: JSONError.self) { try Skipped(jsonString: nested(100_000)) }
      #expect(throws: JSONError.self) { try API.Post(jsonString: #"{"x":"# + nested(512) + "}") }
    }
    // A level of models takes more of the stack.
    func posts(_ depth: Int) -> String {
      String(repeating: #"{"id":"1","quoted":"#, count: depth) + "null" + String(repeating: "}", count: depth)
    }
    #expect(throws: Never.self) { try API.Post(jsonString: posts(128)) }
    let tooMany = #expect(throws: JSONError.self) { try API.Post(jsonString: posts(129)) }
    #expect(tooMany?.kind == .tooDeep)
    let extra =
      #"{"id":"1","full name":"n","x":"# + String(repeating: "[", count: 512)
      + String(repeating: "]", count: 512) + "}"
    #expect(throws: JSONError.self) { try API.User(jsonString: extra) }
  }

  @Test("Strings are decoded exactly") func stringsAreDecodedExactly() throws {
    let text = #""\u0000\b\f\n\r\t\/\\\"\u00e9\u20AC\ud83d\ude80 plain text that is long enough é€🚀 \u0041""#
    let expected = "\u{0}\u{8}\u{C}\n\r\t/\\\"é€🚀 plain text that is long enough é€🚀 A"
    #expect(try String(jsonString: text) == expected)
    #expect(try String(jsonString: expected.jsonString()) == expected)
    for length in 0..<40 {
      for special in ["é", "\\n", "🚀", "\\ud83d\\ude80", "\""] where special != "\"" {
        let plain = String(repeating: "x", count: length)
        let read = try String(jsonString: "\"\(plain)\(special)\(plain)\"")
        #expect(read.hasPrefix(plain) && read.hasSuffix(plain) && read.count == 2 * length + 1)
      }
    }
  }

  @Test(
    "Numbers keep their precision",
    arguments: [
      ("9223372036854775807", JSONValue.integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .literal("9223372036854775808")), ("1e999", .literal("1e999")),
      ("0.1234567890123456789", .literal("0.1234567890123456789")), ("1.0", .number(1)),
      // Numbers of 16 and 17 digits: not all of them are the shortest text of their `Double`.
      ("9.000000000000001", .literal("9.000000000000001")), ("12345678901234.567", .literal("12345678901234.567")),
      ("8.1234567890123457", .literal("8.1234567890123457")), ("0.30000000000000004", .number(0.1 + 0.2)),
      ("-122.41941550000001", .number(-122.41941550000001)), ("1234567890123456e-300", .number(1.234567890123456e-285)),
      ("1.2345e-320", .literal("1.2345e-320")), ("1e-400", .literal("1e-400")), ("0e-400", .number(0)),
    ])
  func numbersKeepTheirPrecision(text: String, value: JSONValue) throws {
    #expect(try JSONValue(jsonString: text) == value)
  }

  @Test("A zero keeps its sign") func negativeZero() throws {
    #expect(try JSONValue(jsonString: "-0").double?.sign == .minus)
  }

  @Test(
    "A number is written so that it is read as the same again",
    arguments: [
      "9223372036854775808", "1e999", "0.1234567890123456789", "1.0", "-0.0", "5e-324", "0.1", "[1,2.5,1e+30]",
    ])
  func numbersAreWrittenAsTheyWere(text: String) throws {
    let value = try JSONValue(jsonString: text)
    #expect(try JSONValue(jsonString: value.jsonString()) == value)
  }

  @Test("A whole number is an `int`, even if it has a fraction of zeros and more digits than a `Double`")
  func wholeLiterals() throws {
    #expect(try JSONValue(jsonString: "9007199254740993.0").int == 9_007_199_254_740_993)
    #expect(try JSONValue(jsonString: "9007199254740993.5").int == nil)
    #expect(JSONValue.literal("0x10").int == nil && JSONValue.literal("0x10").double == nil)
  }

  @Test("A number that its type cannot hold, or that is none of JSON, is refused") func numbersThatAreRefused() {
    #expect(throws: JSONError.self) { try Double(jsonString: "1e999") }
    #expect(throws: JSONError.self) { try Int(jsonString: "9223372036854775808") }
    #expect(throws: JSONError.self) { try Double.infinity.jsonData() }
    #expect(throws: JSONError.self) { try JSONValue.array([.number(.nan)]).jsonData() }
    #expect(throws: JSONError.self) { try JSONValue.literal("1,2").jsonData() }
  }

  @Test(
    "A model writes whole numbers without a fraction",
    arguments: [
      (7, "7"), (0, "0"), (-3, "-3"), (-0.0, "-0.0"), (0.5, "0.5"), (1_790_000_000_000_000, "1790000000000000"),
      (1e300, "1e+300"),
    ] as [(Double, String)])
  func wholeNumbers(number: Double, text: String) throws {
    #expect(String(decoding: try [number].jsonData(), as: UTF8.self) == "[\(text)]")
  }

  @Test("JSON that came with a fraction stays so") func fractions() throws {
    #expect(String(decoding: try JSONValue.array([.number(7)]).jsonData(), as: UTF8.self) == "[7.0]")
  }

  @Test("Doubles are read as the standard library reads them") func doublesAreReadAsTheStandardLibraryReadsThem() throws
  {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let double = Double(bitPattern: random.next())
      guard double.isFinite else { continue }
      #expect(try Double(jsonString: double.description) == double)
      let text =
        "\(Int.random(in: 0...999_999_999, using: &random)).\(UInt64.random(in: 0...UInt64.max, using: &random) % 100_000_000)e\(Int.random(in: -30...30, using: &random))"
      #expect(try Double(jsonString: text) == Double(text))
    }
  }
}
