import CallsignJSON
import Foundation
import TestSupport
import Testing

@testable import XSandbox

@Suite("JSON bodies of operations without state")
struct TypedBodyTests {
  @Test("A body that is not JSON is refused by the sandbox's own reader, in its words")
  func refused() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.alice(sandbox)
      let good = #"{"note_text":"See https://example.com","post_id":"20"}"#
      let response = try await client.post("/2/notes/evaluate", good)
      #expect(response.status == 200 && response.header(TypedOperation.responseHeader) == "schema", "\(response.json)")
      for text in ["{", "{\"note_text\":\"a\",}", good + "x", "[1,]", " "] {
        let response = try await client.post("/2/notes/evaluate", text)
        #expect(response.status == 400)
        #expect(
          response.messages.first?.hasPrefix("Requests with bodies must be valid JSON: ") == true, "\(response.json)")
      }
      let path = "/1.1/direct_messages/welcome_messages/new.json"
      let old = try await TestClient.aliceV1(sandbox).send("POST", path, json: "{\"welcome_message\"}")
      #expect(old.refusal == [400, 214])
      #expect(old.messages.first?.hasPrefix("The body is not valid JSON: ") == true, "\(old.json)")
    }
  }

  private func difference(_ text: String, _ other: String) throws -> ReadingDifference? {
    try JSON(parsing: Data(text.utf8)).difference(from: JSONValue(jsonString: other))
  }

  @Test(
    "A body that two readers read differently is found, with the location and both values",
    arguments: [
      ("1", "2", "$", "1", "2"), ("\"1\"", "1", "$", "\"1\"", "1"), ("null", "false", "$", "null", "false"),
      ("true", "1", "$", "true", "1"), ("1.5", "1.25", "$", "1.5", "1.25"),
      ("9007199254740993", "9007199254740992", "$", "9007199254740993", "9007199254740992"),
      (#"{"a":[1,{"b":"x"}]}"#, #"{"a":[1,{"b":"y"}]}"#, "$.a[1].b", "\"x\"", "\"y\""),
      (#"{"a":1,"b":2}"#, #"{"a":1}"#, "$.b", "2", "nothing"),
      (#"{"a":1}"#, #"{"a":1,"b":[]}"#, "$.b", "nothing", "[]"),
      ("[1]", "[1,2]", "$", "[1]", "[1,2]"), ("[]", "{}", "$", "[]", "{}"),
      ("\"\u{E9}\"", "\"e\u{301}\"", "$", "\"\u{E9}\"", "\"e\u{301}\""),
    ])
  func differences(_ text: String, _ other: String, _ path: String, _ own: String, _ read: String) throws {
    let found = try #require(try difference(text, other))
    #expect(found.path == path && found.own == own && found.other == read, "\(found)")
  }

  @Test(
    "Numbers are compared as numbers",
    arguments: [
      ("1", "1.0"), ("100", "1e2"), ("-0", "0"), ("0.1", "0.1"), ("18446744073709551616", "18446744073709551616"),
      ("12345678901234567890.5", "12345678901234567890.5"),
    ])
  func numbers(_ text: String, _ other: String) throws {
    #expect(try difference(text, other) == nil)
    #expect(try difference(other, text) == nil)
  }

  @Test("Both readers make the same of any JSON") func anyValue() throws {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<500 {
      let text = generator.json().description
      #expect(try difference(text, text) == nil, "\(text)")
      // One more element is seen wherever it is.
      #expect(try difference("[\(text)]", "[\(text),1]") != nil, "\(text)")
    }
  }
}
