import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import Testing
import XCore

@Suite struct ModelTests {
  static let full = """
    {"id":"1","text":"hé \\"x\\"","likes":12,"score":1.5,"pinned":true,"created_at":"2026-11-21T10:00:00.250Z",\
    "day":"2026-11-21","at":1700000000,"kind":"long-post","author":{"id":"7","full name":"A B",\
    "joined":"Wed Aug 27 13:08:45 +0000 2008","age":3,"tags":[1]},"quoted":{"id":"2","quoted":{"id":"3"}},\
    "tags":["a","b"],"replies":[{"id":"4"},{"id":"5","likes":1}],"counts":{"a":1,"b":2},"raw":{"any":[null]},\
    "media":"aGk=","note":null,"seen":[1700000000000,1]}
    """

  @Test("Null is a value of a member of any JSON type, and the member is still required") func anyJSON() throws {
    let reading = try API.Reading(jsonString: #"{"value":null,"note":null}"#)
    #expect(reading.value == .null && reading.note == nil)
    #expect(try reading.jsonString() == #"{"value":null}"#)
    #expect(try API.Reading(jsonString: #"{"value":[null]}"#).value == [nil])
    #expect(throws: JSONError.self) { try API.Reading(jsonString: "{}") }
  }

  @Test("Every kind of member is read and written back") func everyKindOfMemberIsReadAndWrittenBack() throws {
    let post = try API.Post(jsonString: Self.full)
    #expect(post.id == "1")
    #expect(post.text == "hé \"x\"")
    #expect(post.likes == 12)
    #expect(post.score == 1.5)
    #expect(post.pinned == true)
    #expect(post.createdAt == Date(timeIntervalSince1970: 1_795_255_200.25))
    #expect(post.day == Date(timeIntervalSince1970: 1_795_219_200))
    #expect(post.at == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(post.kind == .longPost)
    #expect(post.author?.fullName == "A B")
    #expect(post.author?.joined == Date(timeIntervalSince1970: 1_219_842_525))
    #expect(post.author?.extra == ["age": 3, "tags": [1]])
    #expect(post.quoted?.quoted?.id == "3")
    #expect(post.tags == ["a", "b"])
    #expect(post.replies.map(\.id) == ["4", "5"])
    #expect(post.counts == ["a": 1, "b": 2])
    #expect(post.raw?.any?[0] == JSONValue.null)
    #expect(post.media == Data("hi".utf8))
    #expect(post.note == .some(.null))
    #expect(post.seen == [Date(timeIntervalSince1970: 1_700_000_000), Date(timeIntervalSince1970: 0.001)])
    #expect(try post.jsonString() == Self.full)
  }

  @Test("Changing a copy leaves the original") func changingACopyLeavesTheOriginal() throws {
    let original = try API.Post(jsonString: Self.full)
    var copy = original
    copy.likes = 13
    copy.replies[0].text = "changed"
    copy.quoted?.quoted = nil
    copy.kind = .unknown("new")
    #expect(original.likes == 12)
    #expect(original.replies[0].text == nil)
    #expect(original.quoted?.quoted?.id == "3")
    #expect(copy.replies[0].text == "changed")
    #expect(copy.replies.count == 2)
    #expect(copy.quoted?.quoted == nil)
    #expect(try copy.jsonString().contains("\"kind\":\"new\""))
    #expect(copy != original)
    copy = original
    #expect(copy == original)
    #expect(Set([copy, original]).count == 1)
  }

  @Test("Values that are set are equal to values that are read") func valuesThatAreSetAreEqualToValuesThatAreRead()
    throws
  {
    var built = API.Post(id: "1")
    built.replies = [API.Post(id: "2")]
    built.tags = ["x"]
    built.note = "n"
    built.seen = [Date(timeIntervalSince1970: 5)]
    built.author = API.User(id: "7", fullName: "A")
    built.author?.extra = ["b": 1, "a": nil]
    let text = try built.jsonString()
    #expect(
      text == """
        {"id":"1","author":{"id":"7","full name":"A","a":null,"b":1},"tags":["x"],"replies":[{"id":"2"}],"note":"n","seen":[5000]}
        """)
    let read = try API.Post(jsonString: text)
    #expect(read == built)
    #expect(read.hashValue == built.hashValue)
    built.tags = []
    #expect(read != built)
  }

  @Test("Optional members may be null, missing or in any order") func optionalMembersMayBeNullMissingOrInAnyOrder()
    throws
  {
    let post = try API.Post(jsonString: #"{"unknown":{"deep":[1,2]},"tags":null,"likes":null,"text":"t","id":"9"}"#)
    #expect(post.id == "9")
    #expect(post.text == "t")
    #expect(post.tags == [] && post.isMissing(\.tags))
    #expect(post.likes == nil)
    #expect(try post.jsonString() == #"{"id":"9","text":"t"}"#)
  }

  @Test("The last of several members of one name wins") func theLastOfSeveralMembersOfOneNameWins() throws {
    let post = try API.Post(jsonString: #"{"id":"1","tags":["a"],"likes":1,"id":"2","tags":["b"],"likes":null}"#)
    #expect(post.id == "2")
    #expect(post.tags == ["b"])
    #expect(post.likes == nil)
    #expect(try JSONValue(jsonString: #"{"a":1,"a":2}"#) == ["a": 2])
  }

  @Test("Escaped names are the same names") func escapedNamesAreTheSameNames() throws {
    #expect(try API.Post(jsonString: #"{"\u0069d":"1","t\u0065xt":"x"}"#).text == "x")
  }

  @Test("Null differs from missing") func nullIsToldApartFromMissing() throws {
    #expect(try API.Post(jsonString: #"{"id":"1"}"#).note == nil)
    #expect(try API.Post(jsonString: #"{"id":"1","note":null}"#).note == .some(.null))
    #expect(try API.Post(jsonString: #"{"id":"1","note":"x"}"#).note == "x")
    var post = API.Post(id: "1")
    post.note = .null
    #expect(try post.jsonString() == #"{"id":"1","note":null}"#)
    post.note = nil
    #expect(try post.jsonString() == #"{"id":"1"}"#)
    let page = try API.Page(
      jsonString: #"{"data":[],"meta":{"z":{"id":"1","full name":"n"}},"clear":{"id":"2","full name":"m"}}"#)
    #expect(page.clear?.value?.id == "2")
    #expect(page.meta?["z"]?.fullName == "n")
  }

  @Test("Integers may be strings of digits and nothing else") func integersMayBeStringsOfDigitsAndNothingElse() throws {
    func likes(_ text: String) throws -> Int? { try API.Post(jsonString: #"{"id":"1","likes":\#(text)}"#).likes }
    #expect(try likes("\"9007199254740993\"") == 9_007_199_254_740_993)
    #expect(try likes("-9223372036854775808") == Int.min)
    #expect(try likes("9223372036854775807") == Int.max)
    #expect(try likes("1.50e1") == 15)
    #expect(try likes("0") == 0)
    for bad in ["9223372036854775808", "1.5", "\"\"", "\" 1\"", "\"+1\"", "\"1.0\"", "1e400"] {
      #expect(throws: JSONError.self) { try likes(bad) }
    }
  }

  @Test(
    "Errors name path and offset",
    arguments: [
      (#"{"data":[{"id":"1"},{"id":"2","likes":"x"}]}"#, "data[1].likes", 38),
      (#"{"data":[{"id":"1"},{"text":"2"}]}"#, "data[1].id", 20),
      (#"{"data":[{"id":5}]}"#, "data[0].id", 15),
      (#"{"data":[{"id":null}]}"#, "data[0].id", 15),
      (#"{"data":[{"id":"1","quoted":{"id":"2","author":{"id":"3"}}}]}"#, "data[0].quoted.author.full name", 47),
      (#"{"data":[],"meta":{"secret":{"id":1}}}"#, "meta.*.id", 34),
      (#"{"data":[{"id":"1","seen":[1,true]}]}"#, "data[0].seen[1]", 29),
      (#"{"data":[{"id":"1","created_at":"yesterday"}]}"#, "data[0].created_at", 32),
      (#"{"data":[{"id":"1","media":"*"}]}"#, "data[0].media", 27),
      (#"{"data":[{"id":"1","#, "data[0]", 19),
      (#"[]"#, "", 0),
    ])
  func errorsNamePathAndOffset(text: String, path: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { try API.Page(jsonString: text) }
    #expect(error?.path == path)
    #expect(error?.offset == offset)
  }

  @Test("Only missing members are reported as missing") func missingIsSaidOnlyOfWhatIsMissing() {
    let missing = #expect(throws: JSONError.self) { try API.Post(jsonString: "{}") }
    #expect(missing?.kind == .missing)
    #expect(missing?.description == "id: required, but missing (byte 0)")
    let null = #expect(throws: JSONError.self) { try API.Post(jsonString: #"{"id":null}"#) }
    #expect(null?.kind == .mismatch(expected: "a value", found: "null"))
    let number = #expect(throws: JSONError.self) { try API.Post(jsonString: #"{"id":1}"#) }
    #expect(number?.kind == .mismatch(expected: "a string", found: "a number"))
  }

  @Test("Errors repeat nothing of the text") func errorsRepeatNothingOfTheText() {
    for text in [
      #"{"data":[],"meta":{"hunter2":{"id":"hunter2"}}}"#, #"{"data":"hunter2"}"#,
      #"{"data":[{"id":"1","likes":"hunter2"}]}"#,
      #"{"data":[{"id":"1","at":"hunter2"}]}"#, #"{"data":[] hunter2}"#,
    ] {
      let error = #expect(throws: JSONError.self) { try API.Page(jsonString: text) }
      #expect(error?.description.contains("hunter2") == false)
    }
  }

  @Test("Coders read and write models") func codersReadAndWriteModels() throws {
    let post = try API.Post(jsonString: Self.full)
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .useDefaultKeys
    let data = try encoder.encode(["posts": [post]])
    #expect(try JSONDecoder().decode([String: [API.Post]].self, from: data) == ["posts": [post]])
    #expect(try API.Post(jsonData: JSONEncoder().encode(post)) == post)
    #expect(try JSONDecoder().decode(API.Kind.self, from: Data("\"post\"".utf8)) == .post)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(API.Post.self, from: Data("{}".utf8)) }
    let list = try PropertyListEncoder().encode(API.Event.user(API.User(id: "1", fullName: "n")))
    #expect(try PropertyListDecoder().decode(JSONValue.self, from: list)["id"] == "1")
  }

  @Test("Key strategies of a coder leave a model's names as they are")
  func keyStrategies() throws {
    struct Order: Codable, Equatable {
      var theirModel: Named
      var anyValue: JSONValue
    }
    struct Named: Model, Codable, Hashable {
      var _storage: ModelStorage
      static var _layout: ModelLayout {
        ModelLayout("created_at:string? createdAt:string? inner:#0? *:{json}", Named.self)
      }
    }
    let inner = #"{"created_at":"c"}"#
    let text = #"{"created_at":"a","createdAt":"b","inner":\#(inner),"some_more":{"a_b":1},"someMore":[{"c_d":null}]}"#
    let order = try Order(theirModel: Named(jsonString: text), anyValue: JSONValue(jsonString: text))
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let data = try encoder.encode(order)
    let sent = try JSONValue(jsonData: data)
    #expect(sent["their_model"] == order.anyValue && sent["any_value"] == order.anyValue)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try decoder.decode(Order.self, from: data) == order)
    let list = try PropertyListEncoder().encode(["m": order.theirModel])
    #expect(try PropertyListDecoder().decode([String: Named].self, from: list) == ["m": order.theirModel])
  }

  @Test("A number among further members that JSON cannot have is a failure, and not null")
  func infiniteExtra() throws {
    struct Bag: Model, Codable, Hashable {
      var _storage: ModelStorage
      static var _layout: ModelLayout { ModelLayout("id:string? *:{number}") }
      var extra: [String: Double] {
        get { _storage[extra: 1] }
        set { _storage[extra: 1] = newValue }
      }
    }
    var bag = Bag(_storage: ModelStorage(for: Bag.self))
    bag.extra = ["a": 1.5]
    #expect(try bag.jsonString() == #"{"a":1.5}"#)
    bag.extra = ["a": .infinity]
    #expect(throws: JSONError.self) { try bag.jsonString() }
  }

  @Test("Amounts among further members keep each digit") func exactExtra() throws {
    let text = #"{"a":9.000000000000001,"b":12345678901234567.89}"#
    let purse = try Purse(jsonString: text)
    #expect(purse.amounts["a"] == Decimal(string: "9.000000000000001"))
    #expect(try purse.jsonString() == text)
  }

  private struct Purse: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("id:string? *:{decimal}") }
    var amounts: [String: Decimal] { _storage[extra: 1] }
  }

  @Test("A model within further members counts as the levels of a model") func nestedExtra() throws {
    func text(_ depth: Int) -> String {
      String(repeating: #"{"a":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
    }
    let deepest = JSONReader.depthLimit / JSONReader.modelDepth - 1
    #expect(try Node(jsonString: text(deepest)).jsonString() == text(deepest))
    let error = #expect(throws: JSONError.self) { try Node(jsonString: text(deepest + 1)) }
    #expect(error?.kind == .tooDeep)
  }

  private struct Node: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("name:string? *:{#0}", Node.self) }
    var nodes: [String: Node] { _storage[extra: 1] }
  }

  @Test("Appending to a member changes it in place") func changesInPlace() throws {
    var post = API.Post(id: "1")
    post.tags.reserveCapacity(1_000)
    post.replies = [API.Post(id: "2")]
    post.replies[0].tags.reserveCapacity(1_000)
    func places() -> [UnsafeRawPointer?] {
      [post.tags, post.replies[0].tags].map { $0.withUnsafeBytes { $0.baseAddress } }
    }
    let before = places()
    for number in 0..<100 {
      post.tags.append("\(number)")
      post.replies[0].tags.append("\(number)")
    }
    #expect(places() == before)
    #expect(post.tags.count == 100 && post.replies[0].tags.last == "99")
    let copy = post
    post.tags.append("more")
    #expect(copy.tags.count == 100 && post.tags.count == 101)
  }

  @Test("A change that throws on the way loses nothing") func interruptedChange() throws {
    struct Failure: Error {}
    func fail(_ tags: inout [String]) throws {
      tags.append("b")
      throw Failure()
    }
    var post = API.Post(id: "1")
    post.tags = ["a"]
    #expect(throws: Failure.self) { try fail(&post.tags) }
    #expect(post.tags == ["a", "b"])
  }

  @Test("Printing a model shows its members") func printingAModelShowsItsMembers() throws {
    let post = API.Post(id: "20")
    #expect(String(describing: post) == #"Post(id: "20")"#)
    #expect(Mirror(reflecting: post).children.map(\.label) == ["id"])
  }

  @Test("Many unknown members that are kept cost linear time", .timeLimit(.minutes(2)))
  func manyUnknownMembers() throws {
    // Quadratic, this would copy some hundred gigabytes.
    let members = (0..<200_000).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
    let user = try API.User(jsonString: #"{"id":"1","full name":"a",\#(members)}"#)
    #expect(user.extra.count == 200_000)
    #expect(user.extra["m199999"] == 199_999)
  }
}
