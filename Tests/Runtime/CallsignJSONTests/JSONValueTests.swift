import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import Testing
import XCore

@Suite struct JSONValueTests {
  let value: JSONValue = ["id": "20", "counts": [1, 2.5, nil, true], "owner": ["name": "A"]]

  /// The part of the value that is read, and the expected result.
  private static let reached: [(JSONValue?, JSONValue?)] = {
    let value = JSONValueTests().value
    return [
      (value.id, "20"), (value["counts"]?[0], 1), (value.counts?[1], 2.5), (value.counts?[2], .null),
      (value.counts?[3], true), (value.owner?.name, "A"), (value.counts?[4], nil), (value.counts?[-1], nil),
      (value.missing?.name, nil),
    ]
  }()

  @Test("Members and elements are reached", arguments: reached)
  func membersAndElementsAreReached(found: JSONValue?, expected: JSONValue?) {
    #expect(found == expected)
  }

  @Test("A value gives out what it is") func values() {
    #expect(value.id?.string == "20")
    #expect(value.counts?[0]?.int == 1)
    #expect(value.counts?[1]?.double == 2.5)
    #expect(value.counts?[2]?.isNull == true)
    #expect(value.counts?[3]?.bool == true)
    #expect(value.counts?.array?.count == 4)
    #expect(value.owner?.object?.keys.sorted() == ["name"])
  }

  @Test("Output is sorted and may be pretty") func outputIsSortedAndMayBePretty() throws {
    #expect(try value.jsonString() == #"{"counts":[1,2.5,null,true],"id":"20","owner":{"name":"A"}}"#)
    #expect(value.description == #"{"counts":[1,2.5,null,true],"id":"20","owner":{"name":"A"}}"#)
    #expect(
      try (["a": [], "b": [1, [:]], "c": ["d": nil]] as JSONValue).jsonString(.pretty) == """
        {
          "a": [],
          "b": [
            1,
            {}
          ],
          "c": {
            "d": null
          }
        }
        """)
  }

  @Test("Values become models") func valuesBecomeModels() throws {
    let user: API.User = try (["id": "1", "full name": "n"] as JSONValue).decode()
    #expect(user.fullName == "n")
    #expect(throws: JSONError.self) { try value.decode(API.User.self) }
  }

  @Test(
    "Swift's coders keep the digits of numbers",
    arguments: [
      "12345678901234567.89", "9.000000000000001", "0.30000000000000004", "0.1", "1e+300", "5e-324", "9007199254740993",
      "18446744073709551615", "-9223372036854775809", "12345678901234567890.5",
      #"{"a":12345678901234567.89,"mantissa":[1]}"#,
    ])
  func coders(text: String) throws {
    let value = try JSONValue(jsonString: text)
    #expect(try JSONValue(jsonData: JSONEncoder().encode(value)) == value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == value)
    let list = try PropertyListEncoder().encode([value])
    #expect(try PropertyListDecoder().decode([JSONValue].self, from: list) == [value])
  }

  @Test("A model's decimal has the same digits after Swift's coders") func modelsInCoders() throws {
    struct Payment: Model, Codable {
      var _storage: ModelStorage
      static var _layout: ModelLayout { ModelLayout("amount:decimal?") }
      init(_storage: ModelStorage) { self._storage = _storage }
    }
    let text = #"{"amount":12345678901234567.89}"#
    let data = try JSONEncoder().encode(Payment(jsonString: text))
    #expect(String(decoding: data, as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(Payment.self, from: data).jsonString() == text)
  }

  @Test(
    "A number that Swift's coders cannot keep is an error",
    arguments: ["1e400", "1e-400", "0.1234567890123456789012345678901234567890123456789"])
  func codersThatWouldRound(text: String) throws {
    let value: JSONValue = ["a": .literal(text)]
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
    #expect(try value.jsonString() == "{\"a\":\(text)}")
  }

  @Test("A type of one's own reads member by member") func aTypeOfOnesOwnReadsMemberByMember() throws {
    struct Point: JSONCodable {
      var x = 0.0
      var names: [String] = []
      init(json reader: inout JSONReader) throws(JSONError) {
        var x = 0.0
        var names: [String] = []
        try reader.object { (name, reader) throws(JSONError) in
          switch name {
          case "x": x = try reader.number()
          case "names": try reader.array { (_, reader) throws(JSONError) in names.append(try reader.string()) }
          default: break
          }
        }
        self.x = x
        self.names = names
      }
      func write(json writer: inout JSONWriter) {
        writer.object {
          $0.member("x", x)
          $0.member("names", names)
          $0.member("none", String?.none)
        }
      }
    }
    let point = try Point(jsonString: #"{"y":{"z":[1]},"x":1.5,"names":["a","b"]}"#)
    #expect(try point.jsonString() == #"{"x":1.5,"names":["a","b"]}"#)
    let error = #expect(throws: JSONError.self) { try Point(jsonString: #"{"names":["a",1]}"#) }
    #expect(error?.path == "names[1]")
    #expect(error?.offset == 14)
  }
}
