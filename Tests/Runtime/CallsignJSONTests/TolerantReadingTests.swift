import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Foundation
import Logging
import TestSupport
import Testing

@Suite("Reading JSON that is partly wrong") struct TolerantReadingTests {
  private func read<Value: JSONCodable>(
    _: Value.Type, _ text: String
  ) throws -> (value: Value, issues: [DecodingIssue]) {
    var issues: [DecodingIssue] = []
    let value = try Value(jsonData: Data(text.utf8), issues: &issues)
    return (value, issues)
  }

  @Test("A list leaves out elements without their id, and reports which and where") func list() throws {
    let text = #"{"data":[{"id":"1","full name":"a"},{"full name":"b"},{"id":"3","full name":"c"},7]}"#
    let (response, issues) = try read(API.TolerantUsersResponse.self, text)
    #expect(response.data.map(\.id) == ["1", "3"])
    #expect(issues.map(\.path) == ["data[1].id", "data[3]"])
    #expect(issues.map(\.omittedPath) == ["data[1]", "data[3]"])
    #expect(issues.map(\.outcome) == [.leftOut, .leftOut])
    #expect(issues.map(\.expected) == ["a required member", "an object"])
    #expect(issues.map(\.found) == ["nothing", "a number"])
    for issue in issues {
      let rest = text.utf8.dropFirst(issue.offset)
      #expect(rest.starts(with: "{\"full name\":\"b\"}".utf8) || rest.starts(with: "7]".utf8))
    }
    #expect("\(issues[0])".contains("data[1] is left out"))
    // A strict reading fails at the first.
    let strict = #expect(throws: JSONError.self) { try API.TolerantUsersResponse(jsonString: text) }
    #expect(strict?.path == "data[1].id")
  }

  @Test("A list of elements that all lack a member is whole, and the member reads as empty") func emptyMembers() throws
  {
    for (member, found) in [("", "nothing"), (#","full name":null"#, "null"), (#","full name":5"#, "a number")] {
      let text = "[" + (0..<40).map { #"{"id":"\#($0)"\#(member)}"# }.joined(separator: ",") + "]"
      let (users, issues) = try read([API.User].self, text)
      #expect(users.map(\.id) == (0..<40).map { "\($0)" })
      #expect(users.allSatisfy { $0.fullName.isEmpty })
      #expect(issues.count == 40 && issues.allSatisfy { $0.outcome == .empty && $0.found == found })
      #expect(issues[7].path == "[7].full name" && issues[7].omittedPath == "[7].full name")
      #expect("\(issues[0])".hasSuffix("[0].full name reads as empty"))
      #expect(throws: JSONError.self) { try [API.User](jsonString: text) }
    }
    #expect(throws: JSONError.self) { try read(API.User.self, #"{"full name":"n"}"#) }
  }

  @Test("A required member of any type reads as the empty value of its type") func emptyValues() throws {
    let (thing, issues) = try read(Everything.self, #"{"id":7,"list":null,"models":null,"note":"n"}"#)
    #expect(thing.list.isEmpty && thing.models.isEmpty && thing.map.isEmpty && thing.note == "n")
    #expect(thing.count == 0 && thing.ratio == 0 && !thing.isOn && thing.at == Date(timeIntervalSince1970: 0))
    #expect(thing.kind == .unknown("") && thing.event == .unknown([]) && thing.json == [] && thing.author.id.isEmpty)
    #expect(thing.url.absoluteString == "about:blank" && thing.own.isEmpty)
    #expect(Set(issues.map(\.outcome)) == [.empty])
    #expect(issues.count == 13)
  }

  @Test("An object that has none of a model's members is another thing") func otherObjects() throws {
    for text in ["{}", #"{"message":"no"}"#, #"{"title":{}}"#] {
      let error = #expect(throws: JSONError.self) { try read(Plain.self, text) }
      #expect(error?.path == "title")
      #expect(try read([Plain].self, "[\(text)]").value.isEmpty)
    }
    for text in [#"{"title":null}"#, #"{"state":"s"}"#, #"{"tags":null}"#, #"{"state":"s","title":5}"#] {
      #expect(try read(Plain.self, text).value.title.isEmpty)
      #expect(try read([Plain].self, "[\(text)]").value.count == 1)
    }
    // An object that a response only wraps must have its id; an object within an element need not.
    for text in [#"{"data":null,"errors":[]}"#, #"{"errors":[]}"#, #"{"data":{},"errors":[]}"#] {
      let error = #expect(throws: JSONError.self) { try read(API.TolerantUserResponse.self, text) }
      #expect(error?.path.hasPrefix("data") == true)
    }
  }

  /// A model without an id.
  struct Plain: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("title:string state:string tags:[string]") }
    var title: String { _storage[string: 0] }
  }

  /// A model that requires a member of each kind.
  struct Everything: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout {
      ModelLayout(
        "id:int list:[string] models:[#0] map:{int} count:int ratio:number on:bool at:date kind:#1 event:#2 json:json author:#0 url:url own:[#0] note:string",
        API.User.self, API.Kind.self, API.Event.self)
    }
    var list: [String] { _storage[list: 1] }
    var models: [API.User] { _storage[list: 2] }
    var map: [String: Int] { _storage[value: 3] }
    var count: Int { _storage[int: 4] }
    var ratio: Double { _storage[number: 5] }
    var isOn: Bool { _storage[bool: 6] }
    var at: Date { _storage[date: 7] }
    var kind: API.Kind { _storage[enum: 8] }
    var event: API.Event { _storage[value: 9] }
    var json: JSONValue { _storage[value: 10] }
    var author: API.User { _storage[model: 11] }
    var url: URL { _storage[value: 12] }
    var own: [API.User] { _storage[list: 13] }
    var note: String { _storage[string: 14] }
  }

  @Test(
    "Escapes and bytes that are not characters cost nothing but themselves",
    arguments: [
      (#"\ud83d"#, "\u{FFFD}"), (#"\ude00x"#, "\u{FFFD}x"), (#"\ud83dx\ud83d\ude00"#, "\u{FFFD}x\u{1F600}"),
      (#"\ud83d\ud83d\ude00"#, "\u{FFFD}\u{1F600}"), (#"\ud83d\u0041"#, "\u{FFFD}A"), ("a\nb\tc\u{0}", "a\nb\tc\u{0}"),
      ("a<E4>b", "a\u{FFFD}b"), ("<F0><9F><98>", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("<C3>", "\u{FFFD}"),
      (#"<E4>\\"#, "\u{FFFD}\\"), (#"<E4>\""#, "\u{FFFD}\""), ("ä<E4>€", "ä\u{FFFD}€"),
    ])
  func characters(written: String, read text: String) throws {
    // `<E4>` stands for the byte.
    var bytes = Data()
    var rest = written.utf8[...]
    func put(_ part: String) {
      rest = part.utf8[...]
      while let byte = rest.first {
        if byte == UInt8(ascii: "<"), let value = UInt8(String(rest.dropFirst().prefix(2)) ?? "", radix: 16) {
          bytes.append(value)
          rest = rest.dropFirst(4)
        } else {
          bytes.append(byte)
          rest = rest.dropFirst()
        }
      }
    }
    put(#"{"data":[{"id":"0","full name":"z"},{"id":"1","full name":"\#(written)"},{"id":"2"},"#)
    put(#"{"id":"3","full name":"c"}]}"#)
    var issues: [DecodingIssue] = []
    let response = try API.TolerantUsersResponse(jsonData: bytes, issues: &issues)
    #expect(response.data.map(\.id) == ["0", "1", "2", "3"])
    #expect(response.data[1].fullName == text)
    #expect(issues.map(\.outcome) == [.mended, .empty])
    #expect(
      issues.first.map { "\($0)".contains("data[1].full name") && "\($0)".hasSuffix("is read anyway") } == true)
    // Places are those of the text that came.
    let missing = try #require(issues.last).offset
    #expect(bytes.dropFirst(missing).starts(with: Data(#"{"id":"2"}"#.utf8)))
    #expect(throws: JSONError.self) { try API.TolerantUsersResponse(jsonData: bytes) }
  }

  @Test("After any number of repaired characters, an issue has its place in the original text") func manyRepairs()
    throws
  {
    var bytes = Data(#"{"id":"1","tags":["#.utf8)
    var places: [Int] = []
    for run in 0..<100 {
      bytes += Data("\"".utf8) + Data(repeating: 0xFF, count: run % 4) + Data("a\u{1}\u{2}\\ud8000\",".utf8)
      places.append(bytes.count)
      bytes += Data("1,".utf8)
    }
    bytes += Data(#""end"]}"#.utf8)
    var issues: [DecodingIssue] = []
    let post = try API.Post(jsonData: bytes, issues: &issues)
    #expect(post.tags.count == 101)
    #expect(issues.dropFirst().map(\.offset) == places)
  }

  @Test("A byte order mark before a document is reported and skipped") func byteOrderMark() throws {
    let (post, issues) = try read(API.Post.self, "\u{FEFF}{\"id\":\"1\",\"likes\":\"many\"}")
    #expect(post.id == "1")
    #expect(issues.map(\.outcome) == [.mended, .absent])
    #expect(issues.map(\.offset) == [0, 21])
    let value = try read(JSONValue.self, "\u{FEFF}[1]")
    #expect(value.value == [1] && value.issues.count == 1)
  }

  @Test(
    "Text that is not JSON for another reason stays an error, at its location",
    arguments: [
      ("{\"id\":\"\u{1}\"", 9), ("{\"id\":\"\u{1}\u{2}\"} x", 12), ("\u{FEFF}x", 3), ("{\"id\":\u{1}}", 6),
      ("{'id':'\u{1}'}", 1),
      ("\u{FEFF}", 3), (#"{"id":"\ud8"}"#, 7), ("{\"id\":\"\u{1}\\q\"}", 8), ("{\"id\":\"\u{1}", 8),
    ])
  func stillBroken(text: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { try read(API.Post.self, text) }
    #expect(error?.offset == offset)
  }

  @Test("Null is a sign of failure only if it is named as one") func nullIsNoSign() {
    let code = FailureSign("meta.code", isNot: "0")
    for (body, isShown) in [
      (#"{"meta":{"code":null}}"#, false), (#"{"meta":{}}"#, false), (#"{"meta":{"code":0}}"#, false),
      (#"{"meta":{"code":"null"}}"#, true), (#"{"meta":{"code":7}}"#, true),
    ] {
      #expect(code.isShown(in: Data(body.utf8)) == isShown, "\(body)")
    }
    #expect(FailureSign("result", is: "null").isShown(in: Data(#"{"result":null}"#.utf8)))
    #expect(!FailureSign("error", isNot: "null").isShown(in: Data(#"{"error":null}"#.utf8)))
    #expect(FailureSign("error", isNot: "null").isShown(in: Data(#"{"error":"x"}"#.utf8)))
  }

  @Test("A sign of failure is found even if single characters are wrong") func failureSign() {
    let sign = FailureSign("ok", is: "false")
    for text in [#"{"note":"\ud83d","ok":false}"#, "\u{FEFF}{\"ok\":false}", "{\"a\":\"\n\",\"ok\":false}"] {
      #expect(sign.isShown(in: Data(text.utf8)))
    }
    for text in [#"{"note":"\ud83d","ok":true}"#, "\u{FEFF}", "{\"a\":\"\n\"", "{'ok':false}"] {
      #expect(!sign.isShown(in: Data(text.utf8)))
    }
    let problems = APIError(rawResponse: RawResponse(status: .badRequest, body: Data("\u{FEFF}{\"title\":\"T\"}".utf8)))
      .problems
    #expect(problems.map(\.title) == ["T"])
  }

  @Test("A constant member is assumed if it is missing or of another kind") func constants()
    throws
  {
    let text =
      #"[{"id":"1"},{"object":null,"version":{},"is_final":"no","id":"2"},{"object":"z","type":5,"id":"3"},{}]"#
    let (list, issues) = try read([API.Receipt].self, text)
    #expect(list.map(\.id) == ["1", "2", "3"])
    #expect(list.map(\.object) == ["a:b", "a:b", "z"])
    #expect(list.map(\.version) == [-2, -2, 5])
    #expect(list.allSatisfy { $0.isFinal })
    #expect(issues.map(\.outcome) == Array(repeating: .constant, count: 7) + [.leftOut])
    #expect(
      Set(issues.map(\.omittedPath)) == [
        "[0].object", "[0].version", "[0].is_final", "[1].object", "[1].version", "[1].is_final", "[2].is_final", "[3]",
      ])
    #expect(issues.allSatisfy { $0.path.hasPrefix($0.omittedPath) })
    #expect(issues.map(\.found).contains("nothing") && issues.map(\.found).contains("an object"))
    #expect("\(issues[0])".hasSuffix("reads as what it always is"))
    #expect(try API.Receipt(jsonString: list[0].jsonString()) == list[0])
    #expect(throws: JSONError.self) { try [API.Receipt](jsonString: text) }
    let whole = try read(API.Receipt.self, #"{"object":"a:b","version":1,"is_final":false,"id":"4"}"#)
    #expect(whole.issues.isEmpty && whole.value.version == 1 && !whole.value.isFinal)
  }

  @Test("If shapes distinguish variants, constant members are part of the shape")
  func constantsOfVariants() throws {
    let whole = #"{"object":"a:b","version":-2,"is_final":true,"id":"1"}"#
    let (shaped, issues) = try read(
      [API.ShapedRecord].self,
      #"[\#(whole),{"version":-2,"id":"1"},{"object":5,"version":1,"is_final":true,"id":"1"},{"object":[],"id":"1","amount":2}]"#
    )
    #expect(shaped.count == 4)
    if case .receipt? = shaped.first {} else { Issue.record("\(shaped)") }
    for record in shaped.dropFirst() { if case .unknown = record {} else { Issue.record("\(record)") } }
    #expect(issues.map(\.outcome) == [.unknownVariant, .unknownVariant])
    let (tagged, told) = try read([API.TaggedRecord].self, #"[{"object":"a:b","id":"1"},{"id":"1"}]"#)
    if case .receipt(let receipt)? = tagged.first { #expect(receipt.version == -2) } else { Issue.record("\(tagged)") }
    if case .unknown? = tagged.last {} else { Issue.record("\(tagged)") }
    #expect(told.map(\.omittedPath) == ["[0].version", "[0].is_final"])
  }

  @Test(
    "Numbers may be written as texts, and so may whole numbers",
    arguments: [("1.5", 1.5), ("-2", -2), ("1e3", 1000), ("007", 7), ("0.10", 0.1)])
  func writtenNumbers(text: String, value: Double) throws {
    #expect(try Double(jsonString: "\"\(text)\"") == value)
    #expect(try [Double](jsonString: "[1,\"\(text)\"]") == [1, value])
    #expect(try [String: Double](jsonString: "{\"a\":\"\(text)\"}") == ["a": value])
    #expect(try API.Post(jsonString: "{\"id\":\"1\",\"score\":\"\(text)\"}").score == value)
    #expect(try Decimal(jsonString: "\"\(text)\"") == Decimal(value))
  }

  @Test(
    "A text that is not a number is not read as one",
    arguments: ["", " 1", "1 ", "1,5", "+1", "nan", "inf", "0x10", "1e999", "1.5x", "--1", "1.5.2", #"\u0031"#])
  func textsThatAreNoNumbers(text: String) throws {
    #expect(throws: JSONError.self) { try Double(jsonString: "\"\(text)\"") }
    let (post, issues) = try read(API.Post.self, "{\"id\":\"1\",\"score\":\"\(text)\"}")
    #expect(post.score == nil)
    #expect(issues.map(\.path) == ["score"])
  }

  @Test(
    "An optional member of another shape reads as absent",
    arguments: [
      (#""likes":"many""#, "likes"), (#""likes":1.5"#, "likes"), (#""text":5"#, "text"), (#""pinned":"yes""#, "pinned"),
      (#""created_at":"yesterday""#, "created_at"), (#""kind":[]"#, "kind"), (#""quoted":{"text":"t"}"#, "quoted.id"),
      (#""quoted":[]"#, "quoted"), (#""tags":{}"#, "tags"), (#""tags":["a",1]"#, "tags[1]"),
      (#""replies":[{}]"#, "replies[0].id"), (#""counts":{"a":1,"b":"x"}"#, "counts.*"), (#""note":5"#, "note"),
      (#""media":"%""#, "media"), (#""seen":[1,"x"]"#, "seen[1]"), (#""likes":{"deep":[{"a":[]}]}"#, "likes"),
    ])
  func optional(member: String, path: String) throws {
    let text = #"{"id":"1",\#(member),"score":2,"raw":[true]}"#
    let (post, issues) = try read(API.Post.self, text)
    #expect(post.id == "1")
    #expect(post.score == 2)
    #expect(post.raw == [true])
    #expect(issues.map(\.path) == [path])
    #expect(issues.first.map { text.utf8.count > $0.offset && $0.offset > 8 } == true)
    #expect(throws: JSONError.self) { try API.Post(jsonString: text) }
    // The rest of lists and maps stays.
    if path == "tags[1]" { #expect(post.tags == ["a"]) }
    if path == "counts.*" { #expect(post.counts == ["a": 1]) }
    if path == "replies[0].id" { #expect(post.replies.isEmpty && !post.isMissing(\.replies)) }
    if path == "note" { #expect(post.note == nil) }
  }

  @Test("A missing id makes its parent unreadable, up to a part that can be left out") func propagation() throws {
    let (page, issues) = try read(
      API.Page.self,
      #"""
      {"data":[{"id":"1","quoted":{"id":"2","author":{"full name":"3"},"quoted":{"likes":"x"}}},
      {"id":"4","author":{"full name":"b","id":"5","joined":"never","more":[1]}}],"meta":{"a":{"full name":"6"}},"clear":null}
      """#)
    #expect(page.data.map(\.id) == ["1", "4"])
    #expect(page.data[0].quoted?.id == "2")
    #expect(page.data[0].quoted?.author == nil)
    #expect(page.data[0].quoted?.quoted == nil)
    #expect(page.data[1].author?.fullName == "b")
    #expect(page.data[1].author?.extra["more"] == [1])
    #expect(page.meta == [:])
    #expect(page.clear == .null)
    #expect(
      issues.map(\.path) == [
        "data[0].quoted.author.id", "data[0].quoted.quoted.id", "data[1].author.joined", "meta.*.id",
      ])
    #expect(
      issues.map(\.omittedPath) == [
        "data[0].quoted.author", "data[0].quoted.quoted", "data[1].author.joined", "meta.*",
      ])
    // If a response's own required member cannot be read, nothing of the response is left.
    for text in [#"{"data":{"full name":"n"}}"#, #"{"data":{"id":1,"full name":"n"}}"#, #"{"data":[]}"#, "{}", "[]"] {
      #expect(throws: JSONError.self) { try read(API.TolerantUserResponse.self, text) }
    }
  }

  @Test("One odd entry of the errors does not cost the data") func errorsBesideData() throws {
    let (response, issues) = try read(
      API.TolerantUserResponse.self,
      #"{"data":{"id":"1","full name":"n"},"errors":[{"title":"a"},{"title":"b","resource_type":"user"}]}"#)
    #expect(response.data.fullName == "n")
    #expect(response.errors.map(\.title) == ["a", "b"])
    #expect(issues.map(\.path) == ["errors[0].resource_type"])
  }

  @Test("A union whose variant cannot be read is unknown, with its JSON") func unions() throws {
    let (all, issues) = try read(
      API.Collection.self,
      #"""
      {"events":[{"type":"user","full name":"1"},{"type":"post","id":"2"},5],"event":{"type":"user"},"best":{"type":"post"},
      "users":{"a":{"full name":"1"},"b":{"id":"2","full name":"n"}},"counts":[1,"x",3],"own":{"users":[{},{"id":"3","full name":"c"}],"x":1}}
      """#)
    #expect(all.events.count == 3)
    #expect(all.events[0] == .unknown(["type": "user", "full name": "1"]))
    #expect(all.events[1] == .post(API.Post(id: "2")))
    #expect(all.events[2] == .unknown(5))
    #expect(all.event == .unknown(["type": "user"]))
    #expect(all.best == .unknown(["type": "post"]))
    #expect(all.users?.keys.sorted() == ["b"])
    #expect(all.counts == [1, 3])
    #expect(all.own?.users.map(\.id) == ["3"])
    #expect(
      issues.map(\.path) == [
        "events[0].id", "event.id", "best.id", "users.*.id", "counts[1]", "own.users[0].id",
      ])
    #expect(issues.prefix(3).allSatisfy { $0.outcome == .unknownVariant })
    #expect(try read(API.Event.self, #"{"type":"user"}"#).value == .unknown(["type": "user"]))
    #expect(try read([API.Event].self, #"[{"type":"user"}]"#).value == [.unknown(["type": "user"])])
  }

  @Test(
    "Text that is not JSON fails as a whole, at any position",
    arguments: [
      #"{"data":[{"id":"1","full name":5,"x":tru}]}"#, #"{"data":[{"id":"1","full name":5}"#, #"{"data":[1,]}"#,
      #"{"data":[1]} x"#, "{\"data\":[1,\u{1}]}", "", #"{"data":[{"id":1,"more":nul}]}"#,
    ])
  func syntax(text: String) {
    let error = #expect(throws: JSONError.self) { try read(API.TolerantUsersResponse.self, text) }
    #expect(error.map { $0.offset <= text.utf8.count } == true)
  }

  @Test("Issues within kept members have their place in the document") func kept() throws {
    let (value, issues) = try read(Keeper.self, #"{"a":1,"b":"x","c":2}"#)
    #expect(value.extra == ["a": 1, "c": 2])
    #expect(issues.map(\.path) == ["*"] && issues.map(\.offset) == [11])
  }

  @Test("A document without mistakes is read as ever, and a thousand mistakes are enough") func bounds() throws {
    let good = #"{"data":[{"id":"1","full name":"a"}],"meta":{"a":1}}"#
    #expect(try read(API.TolerantUsersResponse.self, good).value == API.TolerantUsersResponse(jsonString: good))
    #expect(try read(API.TolerantUsersResponse.self, good).issues.isEmpty)
    let bad = "[" + Array(repeating: "{}", count: 3_000).joined(separator: ",") + "]"
    let (users, issues) = try read([API.User].self, bad)
    #expect(users.isEmpty)
    #expect(issues.count == 1_000)
  }

  // MARK: Aliases

  @Test(
    "A member is read under its older names, and written under its current one",
    arguments: [
      #"{"posts":[{"id":"1"}],"size":3,"best":5}"#, #"{"tweets":[{"id":"1"}],"length":3,"top":5}"#,
      #"{"top":5,"length":3,"statuses":[{"id":"1"}]}"#, #"{"top":5,"l\u0065ngth":3,"statuses":[{"id":"1"}]}"#,
      // The member's own name comes first, at any position.
      #"{"best":5,"top":6,"posts":[{"id":"1"}],"tweets":[],"size":3,"length":4}"#,
      #"{"top":6,"best":5,"tweets":[],"posts":[{"id":"1"}],"length":4,"size":3}"#,
      #"{"best":5,"size":null,"length":3,"tweets":[{"id":"1"}],"statuses":[]}"#,
      #"{"best":5,"length":3,"size":null,"tweets":[{"id":"1"}],"statuses":[]}"#,
    ])
  func aliases(text: String) throws {
    for collection in [try API.Collection(jsonString: text), try read(API.Collection.self, text).value] {
      #expect(collection.posts.map(\.id) == ["1"])
      #expect(collection.size == 3)
      #expect(collection.best == .unknown(5))
      #expect(try collection.jsonString() == #"{"posts":[{"id":"1"}],"best":5,"size":3}"#)
    }
    // In lists readers learn the order of members.
    let list = "[" + Array(repeating: text, count: 5).joined(separator: ",") + "]"
    #expect(try [API.Collection](jsonString: list).allSatisfy { $0.size == 3 && $0.posts.count == 1 })
  }

  @Test(
    "A member that a response should contain is read if it is the whole response",
    arguments: [
      (#"{"data":{"id":"1","full name":"a"}}"#, []), (#"{"id":"1","full name":"a"}"#, []),
      (#"{"full name":"a","joined":"odd","errors":[],"id":"1"}"#, ["joined"]),
      // The member's own name comes first.
      (#"{"id":"2","full name":"b","data":{"full name":"a","id":"1"}}"#, []),
    ])
  func bareResponses(text: String, paths: [String]) throws {
    let (response, issues) = try read(BareResponse.self, text)
    #expect(response.data.id == "1" && response.data.fullName == "a")
    #expect(issues.map(\.path) == paths)
    if paths.isEmpty { #expect(try BareResponse(jsonString: text) == response) }
    #expect(try response.jsonString().hasPrefix(#"{"data":{"id":"1","full name":"a""#))
  }

  @Test(
    "Only a whole document is read as the member that it lacks, and an error names that member",
    arguments: [
      ("{}", "data"), (#"{"full name":"a"}"#, "data"), (#"{"data":null,"id":"1","full name":"a"}"#, "data"),
      (#"{"data":{"full name":"b"},"id":"1","full name":"a"}"#, "data.id"), (#"{"id":1,"full name":"a"}"#, "data"),
    ])
  func bareResponsesThatAreNone(text: String, path: String) {
    #expect(throws: JSONError.self) { try BareResponse(jsonString: text) }
    let error = #expect(throws: JSONError.self) { try read(BareResponse.self, text) }
    #expect(error?.path == path)
    #expect(throws: JSONError.self) { try [BareResponse](jsonString: #"[{"id":"1","full name":"a"}]"#) }
  }

  /// A response that an API sends in two forms.
  struct BareResponse: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("data:#0 . errors:[{json}]?", API.User.self) }
    var data: API.User { _storage[model: 0] }
  }

  @Test("A mistake under an older name has that name in its path") func aliasPaths() throws {
    let (collection, issues) = try read(API.Collection.self, #"{"top":5,"tweets":[{}],"length":"x"}"#)
    #expect(collection.posts.isEmpty)
    #expect(issues.map(\.path) == ["tweets[0].id", "length"])
    let strict = #expect(throws: JSONError.self) { try API.Collection(jsonString: #"{"top":5,"length":"x"}"#) }
    #expect(strict?.path == "length")
  }

  @Test(
    "A member's own name that cannot be read leaves the value of an older name, in any order",
    arguments: [
      #"{"best":5,"length":3,"size":"odd","tweets":[{"id":"1"}],"posts":null}"#,
      #"{"best":5,"size":"odd","length":3,"posts":null,"tweets":[{"id":"1"}]}"#,
    ])
  func unreadableOwnName(text: String) throws {
    let (collection, issues) = try read(API.Collection.self, text)
    #expect(collection.size == 3 && collection.posts.map(\.id) == ["1"])
    #expect(issues.map(\.path) == ["size"])
  }

  @Test("An older name is not an unknown member, if these are kept") func aliasBesideExtra() throws {
    // The value under the older name is ignored if the member's own name is there.
    for text in [#"{"length":3,"x":1}"#, #"{"x":1,"length":4,"size":3}"#, #"{"x":1,"size":3,"length":"odd"}"#] {
      let (value, issues) = try read(RenamedKeeper.self, text)
      #expect(value.size == 3 && value.extra == ["x": 1])
      #expect(issues.isEmpty)
      #expect(try RenamedKeeper(jsonString: value.jsonString()) == value)
    }
  }

  /// The same with a member that had another name.
  struct RenamedKeeper: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("size:int? length *:{int}") }
    var size: Int? { _storage[int: 0] }
    var extra: [String: Int] {
      get { _storage[extra: 1] }
      set { _storage[extra: 1] = newValue }
    }
  }

  /// A model that keeps unknown whole numbers.
  struct Keeper: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("id:string? *:{int}") }
    var extra: [String: Int] {
      get { _storage[extra: 1] }
      set { _storage[extra: 1] = newValue }
    }
  }
}

@Suite("Issues of responses") struct ResponseIssueTests {
  private static let body = #"{"data":[{"id":"1","full name":"a"},{"full name":"b"},{"full name":"c","joined":"x"}]}"#

  @Test("A response lists skipped parts; the log has one line per path, and the closure is called each time")
  func reports() async throws {
    let lines = Locked<[String]>([])
    let reports = Locked<[String]>([])
    var configuration = ClientConfiguration(transport: InMemoryTransport { _ in .json(Self.body) })
    configuration.logger = Logger(label: "test") { _ in LineRecorder(lines: lines) }
    configuration.reportIssues = { issues, endpoint in
      reports.withLock { $0.append("\(endpoint) \(issues.map(\.path))") }
    }
    let client = Client(auth: [], configuration: configuration)
    for _ in 0..<3 {
      let response: Response<API.TolerantUsersResponse> = try await client.send(Call(endpoint()))
      #expect(response.data.map(\.id) == ["1"])
      #expect(response.issues.map(\.omittedPath) == ["data[1]", "data[2]"])
    }
    #expect(lines.withLock { $0 }.count == 1)
    let line = try #require(lines.withLock { $0 }.first)
    #expect(line.contains("testCall") && line.contains("data[].id") && line.contains("a required member"))
    #expect(
      reports.withLock { $0 } == Array(repeating: "testCall [\"data[1].id\", \"data[2].id\"]", count: 3))
  }

  @Test("Many odd members of one response are one line of the log") func oneLine() async throws {
    let lines = Locked<[String]>([])
    let elements = (0..<40).map { #"{"id":"\#($0)","likes":"x","score":[],"text":5}"# }.joined(separator: ",")
    var configuration = ClientConfiguration(transport: InMemoryTransport { _ in .json("[\(elements)]") })
    configuration.logger = Logger(label: "test") { _ in LineRecorder(lines: lines) }
    let client = Client(auth: [], configuration: configuration)
    for _ in 0..<2 {
      let response: Response<[API.Post]> = try await client.send(Call(endpoint()))
      #expect(response.value.count == 40 && response.issues.count == 120)
    }
    #expect(lines.withLock { $0 }.count == 1)
    let line = try #require(lines.withLock { $0 }.first)
    #expect(["[].likes", "[].score", "[].text", "120"].allSatisfy { line.contains($0) })
  }

  @Test("Strict decoding throws at the first mistake") func strict() async throws {
    var configuration = ClientConfiguration(transport: InMemoryTransport { _ in .json(Self.body) })
    configuration.decoding = .strict
    do throws(CallError) {
      let _: Response<API.TolerantUsersResponse> = try await Client(auth: [], configuration: configuration).send(
        Call(endpoint()))
      Issue.record("no error")
    } catch {
      guard case .decoding(let failure) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(failure.error.path == "data[1].id")
    }
  }

  @Test("Pages continue after an element that cannot be read, and the closure hears of it")
  func items() async throws {
    let reports = Locked<[String]>([])
    var configuration = ClientConfiguration(transport: InMemoryTransport { _ in .json(Self.body) })
    configuration.reportIssues = { issues, _ in reports.withLock { $0 += issues.map(\.omittedPath) } }
    let pages = Pages<API.TolerantUsersResponse, API.User>(
      Client(auth: [], configuration: configuration), Call(endpoint()), .token("next"), next: { _ in String?.none },
      items: { $0.data })
    var ids: [String] = []
    for try await user in pages.items { ids.append(user.id) }
    #expect(ids == ["1"])
    #expect(reports.withLock { $0 } == ["data[1]", "data[2]"])
  }

  @Test("A page with unreadable elements is not mistaken for the last one")
  func pagesWithGaps() async throws {
    let responses = [
      #"{"data":[{"id":"1","full name":"a"},{"full name":"b"}]}"#, #"{"data":[{"full name":"c"},{}]}"#,
      #"{"data":[{"id":"5","full name":"e"}]}"#,
    ]
    let transport = InMemoryTransport { request in
      let number = request.url.query.flatMap { Int($0.split(separator: "=").last ?? "") } ?? 1
      return .json(responses[min(number, 3) - 1])
    }
    let pages = Pages<API.TolerantUsersResponse, API.User>(
      client([], transport), Call(endpoint()), .page("page"), size: 2, items: { $0.data })
    var ids: [String] = []
    for try await user in pages.items { ids.append(user.id) }
    #expect(ids == ["1", "5"])
    #expect(transport.requests.count == 4)
  }

  @Test(
    "A page with an unreadable token is returned, and then the error",
    arguments: [#""next_token":5"#, #""next_token":{"a":"b"}"#])
  func unreadableToken(member: String) async throws {
    let transport = InMemoryTransport { _ in .json(#"{"data":[{"id":"1"}],\#(member)}"#) }
    let pages = Pages<TokenPage, API.Post>(
      client([], transport), Call(endpoint()), .token("next_token"), next: { $0.nextToken }, items: { $0.data })
    var ids: [String] = []
    do {
      for try await post in pages.items { ids.append(post.id) }
      Issue.record("no error")
    } catch {
      guard case .decoding(let failure) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(failure.error.path == "next_token")
    }
    #expect(ids == ["1"])
  }

  private struct TokenPage: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("data:[#0]? next_token:string?", API.Post.self) }
    var data: [API.Post] { _storage[list: 0] }
    var nextToken: String? { _storage[string: 1] }
  }

  @Test("A stream yields a record with an odd part, and loses none without a word") func streams() async throws {
    let records = [
      #"{"id":"1","likes":"x"}"#, #"{"likes":1}"#, #"{"id":"3"}"#, #"{"id":"4","likes":"y"}"#,
    ]
    let reports = Locked<[String]>([])
    let transport = InMemoryTransport { _ in
      TransportResponse(body: Data((records.joined(separator: "\r\n") + "\r\n").utf8))
    }
    var configuration = ClientConfiguration(transport: transport)
    configuration.reportIssues = { issues, endpoint in
      reports.withLock { $0 += issues.map { "\(endpoint) \($0.path) \($0.outcome)" } }
    }
    let stream: EventStream<API.Post> = Client(auth: [], configuration: configuration).stream(
      Call(endpoint(stream: .lines))
    ).reconnecting(.never)
    let events = stream.events
    var ids: [String] = []
    for try await post in stream.values { ids.append(post.id) }
    #expect(ids == ["1", "3", "4"])
    #expect(
      reports.withLock { $0 } == [
        "testCall likes absent", "testCall id leftOut", "testCall likes absent",
      ])
    var told = 0
    for await event in events { if case .issues(let issues) = event { told += issues.count } }
    #expect(told == 3)
  }
}

/// Keeps the lines of a log with their metadata, from `warning` on.
private struct LineRecorder: LogHandler {
  let lines: Locked<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .warning
  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") } }
}
