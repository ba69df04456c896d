import Callsign
import Foundation
import Testing

/// Models, enums and unions: in, out, and round.
@Suite struct ModelTests {
  @Test("A tool finds the type of an endpoint's response by the endpoint's name")
  func responseTypes() {
    #expect(Petstore.responseType(of: "getPetById") == Petstore.PetResponse.self)
    #expect(Petstore.responseType(of: "replacePets") == [Petstore.Pet].self)
    #expect(Petstore.responseType(of: "countPets") == [String: Int].self)
    // Bytes, nothing, and no such endpoint.
    for name in ["getPhoto", "releasePet", "getPet"] { #expect(Petstore.responseType(of: name) == nil, "\(name)") }
  }

  private static let full = """
    {"id":"7","name":"Rex","nickname":null,"motto":"Woof","weight":1.5,"age":3,"neutered":false,"colour":"1x",\
    "born":"2020-01-01","created_at":"2020-01-01T00:00:00Z","seen":1577836800,\
    "listed":"Wed Jan 01 00:00:00 +0000 2020","visits":["2020-01-01"],"tags":["a","b"],"rows":[[1,2],[]],\
    "scores":{"x":0.5},"mother":{"id":"1","name":"M","motto":null},"children":[{"id":"2","name":"C","motto":null}],\
    "owner":{"id":"o","since":2019},"payload":"AAEC","anything":{"k":[null]},"default":true,"self":"me"}
    """

  private func pet(_ json: String) throws -> Petstore.Pet { try Petstore.Pet(jsonData: Data(json.utf8)) }

  @Test("Every kind of field is read and written") func everyField() throws {
    let pet = try pet(Self.full)
    #expect(pet.id == "7")
    #expect(pet.nickname == .null)
    #expect(pet.motto == "Woof")
    #expect(pet.weight == 1.5)
    #expect(pet.age == 3)
    #expect(pet.neutered == false)
    #expect(pet.colour == .single)
    #expect(pet.born == newYear)
    #expect(pet.createdAt == newYear)
    #expect(pet.seen == newYear)
    #expect(pet.listed == newYear)
    #expect(pet.visits == [newYear])
    #expect(pet.tags == ["a", "b"])
    #expect(pet.rows == [[1, 2], []])
    #expect(pet.scores == ["x": 0.5])
    #expect(pet.mother?.name == "M")
    #expect(pet.children.first?.id == "2")
    #expect(pet.keeper?.id == "o")
    #expect(pet.keeper?.extra["since"] == .integer(2019))
    #expect(pet.payload == Data([0, 1, 2]))
    #expect(pet.default == true)
    #expect(pet.selfValue == "me")
  }

  @Test(
    "A field is read under its further names, and written under its own",
    arguments: [#"{"next_token":"a","result_count":1}"#, #"{"next":"a","total":1}"#, #"{"total":1,"nextToken":"a"}"#])
  func furtherNames(text: String) throws {
    let meta = try Petstore.Meta(jsonString: text)
    #expect(meta.nextToken == "a")
    #expect(meta.count == 1)
    #expect(try meta.jsonString() == #"{"next_token":"a","result_count":1}"#)
  }

  @Test("A value that was read is written the same")
  func roundTrip() throws {
    let pet = try pet(Self.full)
    let written = try pet.jsonString()
    #expect(written == Self.full)
    #expect(try self.pet(written) == pet)
  }

  @Test("Missing, null and a value are distinguished")
  func nullability() throws {
    let missing = try pet(petJSON)
    #expect(missing.nickname == nil)
    #expect(missing.motto == .null)
    #expect(try missing.jsonString() == petJSON)
    var changed = missing
    changed.nickname = .null
    #expect(try changed.jsonString() == #"{"id":"7","name":"Rex","nickname":null,"motto":null}"#)
    #expect(try missing.jsonString() == petJSON)
    #expect(throws: JSONError.self) { try pet(#"{"id":"7","motto":null}"#) }
    #expect(throws: JSONError.self) { try pet(#"{"id":"7","name":null,"motto":null}"#) }
  }

  @Test("A model is made by hand") func madeByHand() throws {
    let pet = Petstore.Pet(
      id: "1", name: "a", motto: .null, colour: .unknown("plaid"), born: newYear,
      keeper: Petstore.Owner(id: "o"))
    #expect(
      try pet.jsonString()
        == #"{"id":"1","name":"a","motto":null,"colour":"plaid","born":"2020-01-01","owner":{"id":"o"}}"#)
  }

  @Test("A model is Codable") func codable() throws {
    let pet = try pet(Self.full)
    let data = try JSONEncoder().encode(pet)
    #expect(try JSONDecoder().decode(Petstore.Pet.self, from: data) == pet)
    #expect(Set([pet, pet]).count == 1)
  }

  @Test(
    "A value that the catalogue lacks arrives as unknown and goes out as it was",
    arguments: [
      ("black", Petstore.Colour.black), ("1x", .single), ("none", .noneValue), ("unknown", .unknownValue),
      ("+1", .plus1), ("plaid", .unknown("plaid")),
    ])
  func openEnums(wire: String, value: Petstore.Colour) throws {
    #expect(Petstore.Colour(rawValue: wire) == value)
    #expect(value.rawValue == wire)
    #expect(try pet(#"{"id":"1","name":"a","motto":null,"colour":"\#(wire)"}"#).colour == value)
  }

  @Test("A tag decides about the variant of a union") func taggedUnions() throws {
    func event(_ json: String) throws -> Petstore.Event { try Petstore.Event(jsonData: Data(json.utf8)) }
    guard case .sale(let sale) = try event(#"{"type":"sold","pet":\#(petJSON)}"#) else {
      Issue.record("no sale")
      return
    }
    #expect(sale.pet.name == "Rex")
    for tag in ["moved", "relocated"] {
      guard case .move(let move) = try event(#"{"to":"b","type":"\#(tag)"}"#) else {
        Issue.record("no move")
        return
      }
      #expect(move.to == "b")
    }
    let unknown = try event(#"{"type":"born","n":1}"#)
    #expect(unknown == .unknown(.object(["type": .string("born"), "n": .integer(1)])))
    #expect(try event(unknown.jsonString()) == unknown)
  }

  @Test("The shape decides about the variant of a union without a tag") func untaggedUnions() throws {
    func visit(_ json: String) throws -> Petstore.Visit { try Petstore.Visit(jsonData: Data(json.utf8)) }
    let visits = try [
      #"{"id":1,"place":{"name":"Town"},"target":"me"}"#, #"{"id":2,"place":[1.5,2.5],"target":\#(petJSON)}"#,
      #"{"id":3,"place":{"a":1},"target":{"id":"o"}}"#, #"{"id":4,"place":true,"target":[]}"#,
    ].map { json in
      let visit = try visit(json)
      let written = try visit.jsonString()
      #expect(written == json)
      return visit
    }
    guard case .city? = visits[0].place, case .string("me")? = visits[0].target,
      case .spot([1.5, 2.5])? = visits[1].place,
      case .pet? = visits[1].target, case .intMap(["a": 1])? = visits[2].place, case .owner? = visits[2].target,
      case .bool(true)? = visits[3].place, case .unknown? = visits[3].target
    else {
      Issue.record("\(visits)")
      return
    }
  }

  @Test("A model without fields is an object") func empty() throws {
    #expect(try Petstore.Empty(jsonData: Data(#"{"x":1}"#.utf8)) == Petstore.Empty())
    #expect(try Petstore.Empty().jsonString() == "{}")
  }

  @Test("A missing list reads as an empty one, and is distinguished from it where that matters")
  func missingLists() throws {
    let missing = try pet(petJSON)
    #expect(missing.tags == [] && missing.children.isEmpty && missing.rows == [] && missing.visits.isEmpty)
    for isMissing in [
      missing.isMissing(\.tags), missing.isMissing(\.children), missing.isMissing(\.rows), missing.isMissing(\.visits),
    ] { #expect(isMissing) }
    let empty = try pet(#"{"id":"7","name":"Rex","motto":null,"visits":[],"tags":[],"rows":[],"children":[]}"#)
    for isMissing in [
      empty.isMissing(\.tags), empty.isMissing(\.children), empty.isMissing(\.rows), empty.isMissing(\.visits),
    ] { #expect(!isMissing) }
    #expect(missing != empty)
    #expect(try missing.jsonString() == petJSON)
    #expect(
      try empty.jsonString() == #"{"id":"7","name":"Rex","motto":null,"visits":[],"tags":[],"rows":[],"children":[]}"#)
  }

  @Test("A list that was never set is not written; an empty one is")
  func writtenLists() throws {
    let none = Petstore.Pet(id: "1", name: "a", motto: .null)
    #expect(try none.jsonString() == #"{"id":"1","name":"a","motto":null}"#)
    #expect(
      try Petstore.Pet(id: "1", name: "a", motto: .null, tags: []).jsonString()
        == #"{"id":"1","name":"a","motto":null,"tags":[]}"#)
    var changed = none
    changed.tags.append("x")
    changed.children = []
    #expect(try changed.jsonString() == #"{"id":"1","name":"a","motto":null,"tags":["x"],"children":[]}"#)
    #expect(none.isMissing(\.tags))
  }

  @Test("Models print, dump and mirror as Swift values, in Swift's names, with the existing members")
  func printing() throws {
    let pet = try pet(
      #"{"id":"7","name":"Re\"x","motto":null,"age":3,"tags":["a"],"children":[{"id":"2","name":"C","motto":"m"}],"owner":{"id":"o"},"self":"me"}"#
    )
    let text =
      #"Pet(id: "7", name: "Re\"x", motto: .null, age: 3, tags: ["a"], children: [Pet(id: "2", name: "C", motto: "m")], "#
      + #"keeper: Owner(id: "o"), selfValue: "me")"#
    #expect("\(pet)" == text)
    #expect(String(reflecting: pet) == text)
    #expect("\([pet.keeper])" == #"[Optional(Owner(id: "o"))]"#)
    let mirror = Mirror(reflecting: pet)
    #expect(
      mirror.children.compactMap(\.label) == ["id", "name", "motto", "age", "tags", "children", "keeper", "selfValue"])
    #expect(mirror.descendant("children") is [Petstore.Pet])
    #expect(mirror.descendant("keeper") is Petstore.Owner)
    #expect(mirror.displayStyle == .struct)
    var dumped = ""
    dump(pet, to: &dumped)
    #expect(dumped.contains(#"- id: "7""#) && dumped.contains("selfValue"))
    #expect("\(Petstore.Empty())" == "Empty()")
  }

  @Test("A model with one id that identifies is Identifiable")
  func identity() throws {
    func id<T: Identifiable>(_ value: T) -> T.ID { value.id }
    #expect(id(try pet(petJSON)) == "7")
    #expect(!(Petstore.Meta() is any Identifiable))
  }

  @Test("Members that all variants of a union share are the union's")
  func sharedMembers() throws {
    func event(_ json: String) throws -> Petstore.Event { try Petstore.Event(jsonString: json) }
    #expect(try event(#"{"type":"sold","pet":\#(petJSON)}"#).type == "sold")
    #expect(try event(#"{"type":"moved","to":"b"}"#).type == "moved")
    #expect(try event(#"{"type":"born"}"#).type == "born")
    #expect(try event(#"{"type":1}"#).type == nil)
  }

  @Test("A list of models is also an array of that model in memory")
  func arraysOfModels() throws {
    let pet = try pet(Self.full)
    let storage = "\(type(of: unsafeBitCast(pet.children, to: AnyObject.self)))"
    #expect(storage.contains("<Pet>") && !storage.contains("ModelStorage"), "\(storage)")
    let top = try [Petstore.Pet](jsonString: "[\(Self.full)]")
    #expect("\(type(of: unsafeBitCast(top, to: AnyObject.self)))" == storage)
  }

  @Test("Lists of enums, unions and dates are compared by their values")
  func comparison() throws {
    let one = try Petstore.Visit(jsonString: #"{"id":1,"place":[1.5,2.5],"target":"me"}"#)
    let other = try Petstore.Visit(jsonString: #"{"id":1,"place":[1.5,2.5],"target":"you"}"#)
    let again = try Petstore.Visit(jsonString: #"{"target":"me","place":[1.5,2.5],"id":1}"#)
    #expect(one == again && one.hashValue == again.hashValue && one != other)
  }

  @Test("A response's own members hide members of `Response` with the same names")
  func responseMembers() throws {
    let value = try Petstore.Response(
      jsonString: #"{"status":"open","value":7,"body":"b","errors":["e"],"headers":{"a":"b"}}"#)
    let response = Callsign.Response(
      value: value, rawResponse: RawResponse(status: .ok, headers: [.server: "s"], body: Data("{}".utf8)))
    #expect(response.status == "open")
    #expect(response.value == 7)
    #expect(response.body == "b")
    #expect(response.errors == ["e"])
    #expect(response.headers == ["a": "b"])
    #expect(response.rawResponse.status == .ok)
    #expect(response.rawResponse.headers[.server] == "s")
    #expect(response.rawResponse.body == Data("{}".utf8))
    let whole: Petstore.Response = response.value
    #expect(whole == value)
    // Others keep the response's.
    let plain = Callsign.Response(value: try pet(petJSON), rawResponse: RawResponse(status: .created))
    #expect(plain.status == .created && plain.value.id == "7")
  }
}
