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
    static var layout: ModelLayout { ModelLayout("id:string?") }
  }
  struct Pair: Model {
    let storage: ModelStorage
    var more = 0
    static var layout: ModelLayout { ModelLayout("id:string?") }
  }
  struct OtherReference: Model {
    let storage: Reference
    static var layout: ModelLayout { ModelLayout("id:string?") }
  }
  struct OptionalStorage: Model {
    let storage: ModelStorage?
    static var layout: ModelLayout { ModelLayout("id:string?") }
  }
  struct Wrapper: Model {
    let inner: API.User
    static var layout: ModelLayout { ModelLayout("id:string?") }
  }
  struct Nothing: Model {
    static var layout: ModelLayout { ModelLayout("id:string?") }
  }
  final class Reference: Model {
    let storage: ModelStorage
    static var layout: ModelLayout { ModelLayout("id:string?") }
    init(storage: ModelStorage) { self.storage = storage }
  }
  /// As it should be, but with members that are not.
  struct Holder: Model {
    let storage: ModelStorage
    static var layout: ModelLayout { ModelLayout("one:#0? many:[#0]? map:{#0}?", OtherReference.self) }
    var one: OtherReference? { self[model: 0] }
  }
}

@Suite struct ModelMisuseTests {
  @Test(
    "Reading anything else throws",
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
      let storage: ModelStorage
      static var layout: ModelLayout { ModelLayout("id:string") }
      var customMirror: Mirror { Mirror(self, children: ["a": 1, "b": 2]) }
    }
    #expect(try Mirrored(jsonString: #"{"id":"1"}"#).jsonString() == #"{"id":"1"}"#)
  }

  @Test("Required members that nothing set have empty values") func requiredMembersThatNothingSetHaveEmptyValues()
    throws
  {
    struct Bare: Model {
      let storage: ModelStorage
      static var layout: ModelLayout {
        ModelLayout(
          "text:string count:int size:number flag:bool at:date kind:string owner:#0 owners:[#0] names:[string] numbers:[int] map:{json} any:json raw:bytes event:#1 target:#2 note:string|null",
          API.User.self, API.Event.self, API.Target.self)
      }
    }
    let bare = Bare(blank: ())
    #expect(bare[string: 0] == "")
    #expect(bare[int: 1] == 0)
    #expect(bare[number: 2] == 0.0)
    #expect(bare[bool: 3] == false)
    #expect(bare[date: 4] == Date(timeIntervalSince1970: 0))
    #expect(bare[enum: 5] == API.Kind.unknown(""))
    #expect((bare[model: 6] as API.User).fullName == "")
    #expect(bare[value: 7] == [API.User]())
    #expect(bare[value: 8] == [String]())
    #expect(bare[value: 9] == [Int]())
    #expect(bare[value: 10] == [String: JSONValue]())
    #expect((bare[value: 11] as JSONValue) == .array([]))
    #expect(bare[value: 12] == Data())
    #expect((bare[value: 13] as API.Event) == .unknown([]))
    #expect((bare[value: 14] as API.Target) == .point([]))
    #expect((bare[nullable: 15] as Nullable<String>) == .null)
    #expect(try bare.jsonString() == "{}")
  }

  @Test("Accessors of another type or place than the layouts give nothing")
  func accessorsOfAnotherTypeOrPlaceThanTheLayoutsGiveNothing() throws {
    let user = try API.User(jsonString: #"{"id":"1","full name":"n"}"#)
    #expect((user[int: 0] as Int?) == nil)
    #expect((user[value: 0] as [String]?) == nil)
    #expect((user[value: 0] as [API.User]?) == nil)
    #expect((user[model: 0] as API.User?) == nil)
    #expect((user[string: 99] as String?) == nil)
    var changed = user
    changed[string: 99] = "beyond"
    #expect(changed == user)
  }
}
