import Foundation
import Testing

@testable import XSandbox

@Suite("JSON")
struct JSONTests {
  @Test("Booleans and numbers are distinguished on each platform")
  func bridging() throws {
    let value = try JSON(parsing: Data(#"[true,false,1,0,1.5,-7,1.0,9007199254740993,null,"1",{"a":true}]"#.utf8))
    #expect(
      value == [
        true, false, 1, 0, .number(1.5), -7, 1, 9_007_199_254_740_993, .null, "1", ["a": true],
      ])
  }

  @Test(
    "Text that is not JSON is refused",
    arguments: ["", " ", "{", "[1,]", "{\"a\"}", "nul", "{'a':1}", "1 2", "{\"a\":1 , \n}"])
  func refused(text: String) {
    #expect(throws: JSON.ParsingError.self) { try JSON(parsing: Data(text.utf8)) }
  }

  @Test("UTF-16 is refused, although Foundation accepts it")
  func encoding() throws {
    let bytes = try #require("{\"text\":\"ab\"}".data(using: .utf16LittleEndian))
    #expect(throws: JSON.ParsingError.self) { try JSON(parsing: bytes) }
  }

  @Test("Written JSON reads back, in any script and with control characters")
  func roundTrip() throws {
    let value: JSON = [
      "quote\"": "back\\slash \n\r\t\u{0}\u{1F} ü 日本 👩‍🚀 \u{2028}", "array": [1, .number(2.25), false, .null, [:], []],
    ]
    #expect(try JSON(parsing: value.bytes) == value)
  }
}
