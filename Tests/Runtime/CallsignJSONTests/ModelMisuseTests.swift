import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import Testing
import XCore

/// Types that conform to `Model` without being a struct round a `ModelStorage`.
private enum Misused {
  struct Number: Model {
    var number = 0
    static var _layout: ModelLayout { ModelLayout("id:string?") }
  }
  struct Pair: Model {
    var storage: ModelStorage
    var more = 0
    static var _layout: ModelLayout { ModelLayout("id:string?") }
  }
  struct OtherReference: Model {
    let storage: Reference
    static var _layout: ModelLayout { ModelLayout("id:string?") }
  }
  struct OptionalStorage: Model {
    let storage: ModelStorage?
    static var _layout: ModelLayout { ModelLayout("id:string?") }
  }
  struct Wrapper: Model {
    let inner: API.User
    static var _layout: ModelLayout { ModelLayout("id:string?") }
  }
  struct Nothing: Model {
    static var _layout: ModelLayout { ModelLayout("id:string?") }
  }
  // `@unchecked Sendable`: the test touches it from one task alone.
  final class Reference: Model, @unchecked Sendable {
    var storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("id:string?") }
    init(storage: ModelStorage) { self.storage = storage }
  }
  /// As it should be, but with members that are not.
  struct Holder: Model {
    var storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("one:#0? many:[#0]? map:{#0}?", OtherReference.self) }
    var one: OtherReference? { storage[model: 0] }
  }
}

@Suite struct ModelMisuseTests {
  @Test(
    "Reading what is declared otherwise than a model throws",
    arguments: [
      Misused.Number.self, Misused.Pair.self, Misused.OtherReference.self, Misused.OptionalStorage.self,
      Misused.Wrapper.self, Misused.Nothing.self, Misused.Reference.self,
    ] as [any Model.Type])
  func readingAnythingElseThrows(type: any Model.Type) throws {
    for text in [#"{"id":"1"}"#, "{}"] {
      let error = #expect(throws: JSONError.self) { _ = try type.init(jsonString: text) }
      guard case .unusableModel(let reason) = error?.kind else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(reason.contains("conform \(type) to JSONCodable"))
    }
  }

  @Test("Members of such types are refused where they stand", arguments: ["one", "many", "map"])
  func membersOfSuchTypesAreRefusedWhereTheyStand(name: String) throws {
    let value = ["one": "{}", "many": "[{}]", "map": #"{"a":{}}"#][name] ?? ""
    let error = #expect(throws: JSONError.self) { _ = try Misused.Holder(jsonString: "{\"\(name)\":\(value)}") }
    #expect(error?.path == ["one": "one", "many": "many[0]", "map": "map.*"][name])
    #expect(try Misused.Holder(jsonString: "{}").one == nil)
  }

  @Test("Models with a mirror of their own are models") func modelsWithAMirrorOfTheirOwnAreModels() throws {
    struct Mirrored: Model, CustomReflectable {
      var storage: ModelStorage
      static var _layout: ModelLayout { ModelLayout("id:string") }
      var customMirror: Mirror { Mirror(self, children: ["a": 1, "b": 2]) }
    }
    #expect(try Mirrored(jsonString: #"{"id":"1"}"#).jsonString() == #"{"id":"1"}"#)
  }

  @Test("Required members that nothing set have empty values") func requiredMembersThatNothingSetHaveEmptyValues()
    throws
  {
    struct Bare: Model {
      var storage: ModelStorage
      static var _layout: ModelLayout {
        ModelLayout(
          "text:string count:int size:number flag:bool at:date kind:string owner:#0 owners:[#0] names:[string] numbers:[int] map:{json} any:json raw:bytes event:#1 target:#2 note:string|null",
          API.User.self, API.Event.self, API.Target.self)
      }
    }
    let bare = Bare(storage: ModelStorage(for: Bare.self))
    #expect(bare.storage[string: 0] == "")
    #expect(bare.storage[int: 1] == 0)
    #expect(bare.storage[number: 2] == 0.0)
    #expect(bare.storage[bool: 3] == false)
    #expect(bare.storage[date: 4] == Date(timeIntervalSince1970: 0))
    #expect(bare.storage[enum: 5] == API.Kind.unknown(""))
    #expect((bare.storage[model: 6] as API.User).fullName == "")
    #expect(bare.storage[list: 7] == [API.User]())
    #expect(bare.storage[list: 8] == [String]())
    #expect(bare.storage[list: 9] == [Int]())
    #expect(bare.storage[value: 10] == [String: JSONValue]())
    #expect((bare.storage[value: 11] as JSONValue) == .array([]))
    #expect(bare.storage[value: 12] == Data())
    #expect((bare.storage[value: 13] as API.Event) == .unknown([]))
    #expect((bare.storage[value: 14] as API.Target) == .point([]))
    #expect((bare.storage[nullable: 15] as Nullable<String>) == .null)
    #expect(try bare.jsonString() == "{}")
  }

  @Test("Accessors of another type or place than the layout's give nothing")
  func accessorsOfAnotherTypeOrPlaceThanTheLayoutsGiveNothing() throws {
    let user = try API.User(jsonString: #"{"id":"1","full name":"n"}"#)
    #expect((user.storage[int: 0] as Int?) == nil)
    #expect((user.storage[value: 0] as [String]?) == nil)
    #expect((user.storage[value: 0] as [API.User]?) == nil)
    #expect((user.storage[model: 0] as API.User?) == nil)
    #expect((user.storage[string: 99] as String?) == nil)
    var changed = user
    changed.storage[string: 99] = "beyond"
    #expect(changed == user)
  }
}
