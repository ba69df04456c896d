import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import Testing
import XCore

@Suite struct EnumAndUnionTests {
  @Test("Unknown cases are kept") func unknownCasesAreKept() throws {
    let kinds = try [API.Kind](jsonString: #"["post","long-post","brand-new","pos","long",""]"#)
    #expect(kinds == [.post, .longPost, .unknown("brand-new"), .unknown("pos"), .unknown("long"), .unknown("")])
    #expect(try kinds.jsonString() == #"["post","long-post","brand-new","pos","long",""]"#)
    #expect(API.Kind.knownCases == [.post, .longPost])
    #expect(API.Kind.unknown("post") == .post)
    #expect(API.Kind.unknown("post").hashValue == API.Kind.post.hashValue)
    #expect(API.Kind(rawValue: "post long-post").rawValue == "post long-post")
  }

  @Test("A tag chooses the variant") func aTagChoosesTheVariant() throws {
    let texts = [
      #"{"id":"1","text":"t","type":"post"}"#, #"{"type":"account","id":"2","full name":"n"}"#,
      #"{"type":"new","id":"3"}"#, #"{"id":"4"}"#, #"{"type":5}"#, "[1]",
    ]
    let events = try texts.map { try API.Event(jsonString: $0) }
    guard case .post(let post) = events[0], case .user(let user) = events[1] else {
      Issue.record("wrong variants: \(events)")
      return
    }
    #expect(post.text == "t")
    #expect(user.fullName == "n")
    #expect(events[2] == .unknown(["type": "new", "id": "3"]))
    #expect(events[3] == .unknown(["id": "4"]))
    #expect(events[4] == .unknown(["type": 5]))
    #expect(events[5] == .unknown([1]))
    let broken = #expect(throws: JSONError.self) { try API.Event(jsonString: #"{"type":"user","id":"1"}"#) }
    #expect(broken?.path == "full name")
    #expect(throws: JSONError.self) { try API.Event(jsonString: #"{"a":tru}"#) }
  }

  @Test("The shape chooses the variant") func theShapeChoosesTheVariant() throws {
    func target(_ text: String) throws -> API.Target { try API.Target(jsonString: text) }
    #expect(try target(#"{"id":"1","full name":"n"}"#) == .user(API.User(id: "1", fullName: "n")))
    #expect(try target(#"{"id":"1"}"#) == .post(API.Post(id: "1")))
    // Both have their required members; the post knows more of the object.
    if case .post(let post) = try target(#"{"id":"1","full name":"n","text":"t","likes":1}"#) {
      #expect(post.likes == 1)
    } else {
      Issue.record("not a post")
    }
    #expect(try target(#""n""#) == .name("n"))
    #expect(try target("[1,2.5]") == .point([1, 2.5]))
    #expect(try target("{}") == .unknown([:]))
    #expect(try target("true") == .unknown(true))
    #expect(try target(#"{"id":null,"a":1}"#) == .unknown(["id": nil, "a": 1]))
    #expect(Set([try target(#""n""#), .name("n"), .name("m")]).count == 2)
  }

  @Test(
    "Constants and enums choose among variants that are alike",
    arguments: [
      (#"{"kind":"draft","id":"1"}"#, 1), (#"{"id":"1","kind":"note"}"#, 2), (#"{"kind":"n\u006fte","id":"1"}"#, 2),
      (#"{"k\u0069nd":"note","id":"1"}"#, 2), (#"{"kind":"long-post","id":"1","more":[{}]}"#, 3),
      // A value of no other alternative belongs to the one that allows any.
      (#"{"kind":"letter","id":"1"}"#, 0), (#"{"kind":5,"id":"1"}"#, 0),
      (#"{"version":1,"isOld":true}"#, 4), (#"{"version":2,"isOld":false}"#, 5), (#"{"version":"2","isOld":null}"#, -1),
      // Each has one wrong member: the first counts.
      (#"{"version":2,"isOld":true}"#, 4), (#"{"version":3,"isOld":false}"#, 5),
      (#"{"data":{"kind":"draft","id":"1"}}"#, 6), (#"{"data":{"kind":"note","id":"1"},"next":"a"}"#, 7),
      (#"{"data":{}}"#, 6), (#"{"data":[]}"#, 6), ("{}", -1), ("[]", -1),
    ])
  func constantsChooseTheVariant(_ text: String, _ expected: Int) throws {
    try #expect(API.Alternative(jsonString: text).position == expected)
    try #expect([API.Alternative](jsonString: "[\(text),\(text)]").map(\.position) == [expected, expected])
    #expect(throws: JSONError.self) { try API.Alternative(jsonString: String(text.dropLast())) }
  }

  @Test(
    "A constant counts more than the members that a variant knows, which an API may add to others; an enum counts less",
    arguments: [
      (#"{"kind":"draft","id":"1","text":"a","place":"b"}"#, 0), (#"{"kind":"note","id":"1"}"#, 1),
      (#"{"kind":"note","id":"1","place":"b"}"#, 1), (#"{"kind":"else","id":"1","text":"a"}"#, 2),
      (#"{"kind":"new-kind","id":"1","place":"b"}"#, 2), (#"{"kind":"post","id":"1","text":"a"}"#, 2),
      // An enum of one value is a constant that may be left out.
      (#"{"id":"1"}"#, 3), (#"{"id":"1","state":"new","to":"x"}"#, 3), (#"{"id":"1","state":"moved"}"#, 4),
    ])
  func constantsComeFirst(_ text: String, _ expected: Int) throws {
    try #expect(API.Growing(jsonString: text).position == expected)
  }

  @Test(
    "The kind of the elements chooses among several types of arrays",
    arguments: [
      (#"["a"]"#, API.Lists.names(["a"])), ("[[1,2],[]]", .points([[1, 2], []])),
      (#"[{"id":"1"}]"#, .posts([API.Post(id: "1")])), (#"[[{"id":"1"}]]"#, .rows([[API.Post(id: "1")]])),
      ("[true,false]", .flags([true, false])),
      // Without an element to tell by it is the first that may be so.
      ("[]", .names([])), ("[[]]", .points([[]])),
      ("[5]", .unknown([5])), (#"[["a"]]"#, .unknown([["a"]])), (#"{"id":"1"}"#, .unknown(["id": "1"])),
    ])
  func theElementsChooseTheVariant(text: String, expected: API.Lists) throws {
    #expect(try API.Lists(jsonString: text) == expected)
  }

  @Test("Empty lists of different types are different values") func emptyLists() {
    let lists: [API.Lists] = [.names([]), .points([]), .posts([]), .rows([]), .flags([]), .unknown([])]
    for (index, list) in lists.enumerated() { #expect(lists.firstIndex(of: list) == index) }
    #expect(Set(lists).count == lists.count)
  }

  @Test("The text after such an array is read as usual") func behindTheElements() throws {
    #expect(
      try [API.Lists](jsonString: #"[["a"],[true],[[[1]]]]"#) == [.names(["a"]), .flags([true]), .unknown([[[1]]])])
  }

  @Test("An array that is no JSON is refused", arguments: ["[[1}", "["])
  func elementsThatAreNoJSON(text: String) {
    #expect(throws: JSONError.self) { try API.Lists(jsonString: text) }
  }

  @Test(
    "A number or text that the first variant of its kind cannot be is the next one's",
    arguments: [
      // 0 is Int32, 1 Int, 2 Double, 3 Decimal, 4 Duration, 5 Date, 6 String; then lists of Int, Double, Nullable<Int>
      // and Nullable<String>.
      ("1", 0), ("2.0", 0), ("1e3", 0), ("-7", 0), ("3000000000", 1), ("2.5", 2),
      (#""PT1H""#, 4), (#""2020-01-01""#, 5), (#""hello""#, 6), (#""12.50""#, 6), (#""""#, 6),
      ("[1,2]", 7), ("[1,2.0]", 7), ("[1,2.5]", 8), ("[1.5]", 8), ("[]", 7), ("[1,null]", 9), (#"["a",null]"#, 10),
      ("[1,[]]", 7), ("true", -1),
    ])
  func whatTheFirstCannotBe(_ text: String, _ expected: Int) throws {
    struct Variant: JSONCodable {
      static let variants = UnionVariants(
        Int32.self, Int.self, Double.self, Decimal.self, Duration.self, Date.self, String.self, [Int].self,
        [Double].self, [Nullable<Int>].self, [Nullable<String>].self)
      let position: Int
      func write(json writer: inout JSONWriter) { writer.int(position) }
      init(json reader: inout JSONReader) throws(JSONError) {
        position = try reader.variant(of: Self.variants)
        try reader.skip()
      }
    }
    #expect(try Variant(jsonString: text).position == expected)
    #expect(try [Variant](jsonString: "[\(text),\(text)]").map(\.position) == [expected, expected])
  }

  @Test("An empty text is a name like any other", arguments: ["", "a", " ", "b c"])
  func emptyName(text: String) {
    #expect(EnumNames(" a").index(of: text) == ["": 0, "a": 1][text] ?? -1)
    #expect(EnumNames("a ").index(of: text) == ["a": 0, "": 1][text] ?? -1)
    #expect(EnumNames("\n\nb c").index(of: text) == ["": 0, "b c": 1][text] ?? -1)
    #expect(EnumNames("\n").index(of: text) == (text.isEmpty ? 0 : -1))
    #expect(EnumNames("").index(of: text) == -1)
    #expect((EnumNames(" a").count, EnumNames("\n").count, EnumNames("").count) == (2, 1, 0))
  }

  @Test(
    "A union's tag may be a number or a flag",
    arguments: [("1", 0), ("-2", 1), ("true", 2), ("\"1\"", 0), ("3", -1), ("false", -1), ("null", -1), ("[1]", -1)])
  func tagsOfOtherKinds(tag: String, position: Int) throws {
    struct Variant: JSONCodable {
      let position: Int
      func write(json writer: inout JSONWriter) { writer.int(position) }
      init(json reader: inout JSONReader) throws(JSONError) {
        position = try reader.variant(tag: "tag", "1 -2 true")
        try reader.skip()
      }
    }
    #expect(try Variant(jsonString: "{\"a\": {}, \"tag\": \(tag) , \"b\": 1}").position == position)
  }
}
