import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import Testing
import XCore

/// Uses of models that never occur in generated code.
@Suite struct ModelStorageTests {
  @Test("A model may have properties next to its storage, or be a class") func otherShapes() throws {
    struct Pair: Model {
      var _storage: ModelStorage
      var more = 0
      static var _layout: ModelLayout { ModelLayout("id:string?") }
      init(_storage: ModelStorage) { self._storage = _storage }
    }
    final class Reference: Model {
      let _storage: ModelStorage
      static var _layout: ModelLayout { ModelLayout("id:string? pairs:[#0]?", Pair.self) }
      init(_storage: ModelStorage) { self._storage = _storage }
    }
    let text = #"{"id":"1","pairs":[{"id":"2"}]}"#
    let reference = try Reference(jsonString: text)
    #expect((reference._storage[list: 1] as [Pair]).map(\.more) == [0])
    #expect(try reference.jsonString() == text)
  }

  @Test("Models with their own mirror are models") func modelsWithAMirrorOfTheirOwnAreModels() throws {
    struct Mirrored: Model, CustomReflectable {
      var _storage: ModelStorage
      static var _layout: ModelLayout { ModelLayout("id:string") }
      var customMirror: Mirror { Mirror(self, children: ["a": 1, "b": 2]) }
    }
    #expect(try Mirrored(jsonString: #"{"id":"1"}"#).jsonString() == #"{"id":"1"}"#)
  }

  @Test("Members whose names differ only in the middle are found in any order") func manyNames() throws {
    struct Totals: Model {
      var _storage: ModelStorage
      static var _layout: ModelLayout {
        ModelLayout(
          """
          m100000_total:int? m100001_total:int? m100002_total:int? m100003_total:int? m100004_total:int? \
          m100005_total:int? m100006_total:int? m100007_total:int? m100008_total:int? m100009_total:int? \
          m100010_total:int? m100011_total:int? m100012_total:int? m100013_total:int? m100014_total:int? \
          m100015_total:int? m100016_total:int? m100017_total:int? m100018_total:int? m100019_total:int? \
          m100020_total:int? m100021_total:int? m100022_total:int? m100023_total:int? m100024_total:int? \
          m100025_total:int? m100026_total:int? m100027_total:int? m100028_total:int? m100029_total:int? \
          m100030_total:int? m100031_total:int? m100032_total:int? m100033_total:int? m100034_total:int? \
          m100035_total:int? m100036_total:int? m100037_total:int? m100038_total:int? m100039_total:int? \
          m100040_total:int? m100041_total:int? m100042_total:int? m100043_total:int? m100044_total:int? \
          m100045_total:int? m100046_total:int? m100047_total:int? m100048_total:int? m100049_total:int? \
          m100050_total:int? m100051_total:int? m100052_total:int? m100053_total:int? m100054_total:int? \
          m100055_total:int? m100056_total:int? m100057_total:int? m100058_total:int? m100059_total:int? \
          m100060_total:int? m100061_total:int? m100062_total:int? m100063_total:int? m100064_total:int? \
          m100065_total:int? m100066_total:int? m100067_total:int? m100068_total:int? m100069_total:int?
          """)
      }
      init(_storage: ModelStorage) { self._storage = _storage }
    }
    let members = (0..<70).reversed().map { "\"m\(100_000 + $0)_total\":\($0)" }
    let totals = try Totals(jsonString: "{\(members.joined(separator: ",")),\"m100070_total\":70}")
    for row in 0..<70 { #expect((totals._storage[int: row] as Int?) == row) }
  }

  @Test("Required members that nothing set have empty values") func requiredMembersThatNothingSetHaveEmptyValues()
    throws
  {
    struct Bare: Model {
      var _storage: ModelStorage
      static var _layout: ModelLayout {
        ModelLayout(
          "text:string count:int size:number flag:bool at:date kind:string owner:#0 owners:[#0] names:[string] numbers:[int] map:{json} any:json raw:bytes event:#1 target:#2 note:string|null",
          API.User.self, API.Event.self, API.Target.self)
      }
    }
    let bare = Bare(_storage: ModelStorage(for: Bare.self))
    #expect(bare._storage[string: 0] == "")
    #expect(bare._storage[int: 1] == 0)
    #expect(bare._storage[number: 2] == 0.0)
    #expect(bare._storage[bool: 3] == false)
    #expect(bare._storage[date: 4] == Date(timeIntervalSince1970: 0))
    #expect(bare._storage[enum: 5] == API.Kind.unknown(""))
    #expect((bare._storage[model: 6] as API.User).fullName == "")
    #expect(bare._storage[list: 7] == [API.User]())
    #expect(bare._storage[list: 8] == [String]())
    #expect(bare._storage[list: 9] == [Int]())
    #expect(bare._storage[value: 10] == [String: JSONValue]())
    #expect((bare._storage[value: 11] as JSONValue) == .array([]))
    #expect(bare._storage[value: 12] == Data())
    #expect((bare._storage[value: 13] as API.Event) == .unknown([]))
    #expect((bare._storage[value: 14] as API.Target) == .point([]))
    #expect((bare._storage[nullable: 15] as Nullable<String>) == .null)
    #expect(try bare.jsonString() == "{}")
  }

  @Test("Accessors of another type or place than the layout's give nothing")
  func accessorsOfAnotherTypeOrPlaceThanTheLayoutsGiveNothing() throws {
    let user = try API.User(jsonString: #"{"id":"1","full name":"n"}"#)
    #expect((user._storage[int: 0] as Int?) == nil)
    #expect((user._storage[value: 0] as [String]?) == nil)
    #expect((user._storage[value: 0] as [API.User]?) == nil)
    #expect((user._storage[model: 0] as API.User?) == nil)
    #expect((user._storage[string: 99] as String?) == nil)
    var changed = user
    changed._storage[string: 99] = "beyond"
    #expect(changed == user)
  }
}

extension ModelStorageTests {
  @Test("A change of a copy does not change the original, at any depth") func copies() throws {
    let text =
      #"{"id":"1","quoted":{"id":"2","author":{"id":"a","full name":"n"}},"tags":["t"],"replies":[{"id":"3"}]}"#
    let original = try API.Post(jsonString: text)
    var copy = original
    copy.id = "x"
    copy.quoted?.author?.fullName = "changed"
    copy.replies[0].id = "y"
    copy.replies.append(API.Post(id: "z"))
    copy.tags[0] = "u"
    #expect(try original.jsonString() == text)
    #expect(
      try copy.jsonString()
        == #"{"id":"x","quoted":{"id":"2","author":{"id":"a","full name":"changed"}},"tags":["u"],"#
        + #""replies":[{"id":"y"},{"id":"z"}]}"#)
    var quoted = try #require(original.quoted)
    quoted.id = "changed"
    #expect(original.quoted?.id == "2")
  }

  @Test("A model with more members than a model can have is refused") func tooManyMembers() throws {
    for (count, isRefused) in [(32_767, false), (32_768, true), (70_000, true)] {
      let text = "{\"m\(count - 1)\":1,\"m0\":2}"
      let type: any Wide.Type = count == 32_767 ? WideEnough.self : count == 32_768 ? TooWide.self : FarTooWide.self
      do throws(JSONError) {
        let value = try type.init(jsonString: text)
        #expect(!isRefused)
        #expect(value._storage[int: count - 1] == 1 && value._storage[int: 0] == 2)
      } catch {
        #expect(isRefused)
        #expect(error.kind == .unusableModel("\(type) has \(count) members, and a model has at most 32767"))
      }
    }
  }

  @Test("Unknown values of a union are kept as they are") func unknownVariants() throws {
    for text in [#"{"a":[1,null],"type":"other"}"#, #"{"id":1}"#, "7"] {
      let event = try API.Event(jsonString: text)
      guard case .unknown = event else {
        Issue.record("\(event)")
        continue
      }
      #expect(try event.jsonString() == text)
    }
  }
}

/// Models with more members than a source file could list.
private protocol Wide: Model { static var memberCount: Int { get } }

extension Wide {
  static var _layout: ModelLayout {
    ModelLayout((0..<memberCount).map { "m\($0):int?" }.joined(separator: " "), [])
  }
}

private struct WideEnough: Wide {
  var _storage: ModelStorage
  static var memberCount: Int { 32_767 }
}
private struct TooWide: Wide {
  var _storage: ModelStorage
  static var memberCount: Int { 32_768 }
}
private struct FarTooWide: Wide {
  var _storage: ModelStorage
  static var memberCount: Int { 70_000 }
}
