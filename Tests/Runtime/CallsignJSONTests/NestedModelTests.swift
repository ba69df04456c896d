import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Foundation
import Testing

/// Models within models are made when they are first asked for, the small ones at least.
@Suite("Nested models that are made late") struct NestedModelTests {
  /// A post with responses to responses.
  private static func nested(_ levels: Int, responses: Int) -> String {
    let author = #"{"id":"u\#(levels)","full name":"A \"quoted\" name that is longer than others","age":\#(levels)}"#
    let below = levels == 0 ? [] : (0..<responses).map { _ in nested(levels - 1, responses: responses) }
    return #"{"id":"p\#(levels)","likes":\#(levels),"author":\#(author),"quoted":{"id":"q","tags":["a","b"]},"#
      + #""replies":[\#(below.joined(separator: ","))],"counts":{"a":\#(levels)}}"#
  }

  private static func touch(_ post: API.Post) -> Int {
    post.id.count + (post.author?.fullName.count ?? 0) + (post.quoted?.tags.count ?? 0)
      + post.replies.reduce(0) { $0 + touch($1) }
  }

  @Test("They are the same whether they were read before or not", arguments: [(1, 1), (2, 2), (5, 2), (2, 40)])
  func asking(_ levels: Int, _ responses: Int) throws {
    let text = Self.nested(levels, responses: responses)
    let fresh = try API.Post(jsonString: text)
    #expect(try fresh.jsonString() == API.Post(jsonString: text).jsonString())
    let asked = try API.Post(jsonString: text)
    let sum = Self.touch(asked)
    #expect(sum == Self.touch(asked))
    #expect(try asked.jsonString() == fresh.jsonString())
    #expect(try asked.jsonString(.pretty) == API.Post(jsonString: text).jsonString(.pretty))
    #expect(asked == fresh)
    #expect(asked.hashValue == fresh.hashValue)
    #expect(asked.debugDescription == fresh.debugDescription)
  }

  @Test("They outlive the model that they were read in, and do not change with it") func staying() throws {
    var post: API.Post? = try API.Post(jsonString: Self.nested(3, responses: 2))
    var copy = post
    let reply = try #require(post?.replies.last)
    let author = try #require(reply.replies.first?.author)
    copy?.replies[1].replies[0].author?.fullName = "another"
    copy?.quoted?.tags = []
    #expect(copy?.replies[1].replies[0].author?.fullName == "another")
    #expect(post?.replies[1].replies[0].author?.fullName == author.fullName)
    #expect(post?.quoted?.tags == ["a", "b"])
    (post, copy) = (nil, nil)
    #expect(author.fullName == "A \"quoted\" name that is longer than others")
    #expect(author.extra == ["age": 1])
    #expect(reply.replies.map(\.id) == ["p1", "p1"])
  }

  @Test("Tasks that ask at the same time get the same ones") func askingAtOnce() async throws {
    for _ in 0..<50 {
      let post = try API.Post(jsonString: Self.nested(3, responses: 2))
      let sum = Self.touch(try API.Post(jsonString: Self.nested(3, responses: 2)))
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<8 { group.addTask { Self.touch(post) } }
        for await found in group { #expect(found == sum) }
      }
    }
  }

  @Test("If a member occurs twice, its last value counts") func repetition() throws {
    for count in [2, 5_000] {
      let members = (0..<count).map { #""quoted":{"id":"\#($0)","counts":{"a":\#($0)}},"replies":[{"id":"\#($0)"}]"# }
      let post = try API.Post(jsonString: #"{"id":"1",\#(members.joined(separator: ","))}"#)
      #expect(post.quoted?.id == "\(count - 1)")
      #expect(post.quoted?.counts == ["a": count - 1])
      #expect(post.replies.map(\.id) == ["\(count - 1)"])
    }
  }

  @Test("Everything that was read is released, even if reading failed") func release() throws {
    struct Node: Model, Codable, Hashable {
      var _storage: ModelStorage
      static var _layout: ModelLayout { ModelLayout("id:int held:#0? next:#1? all:[#1]?", Held.self, Node.self) }
      var held: Held? { _storage[value: 1] }
      var next: Node? {
        get { _storage[model: 2] }
        set { _storage[model: 2] = newValue }
      }
      var all: [Node] { _storage[list: 3] }
    }
    func text(_ levels: Int, end: String) -> String {
      if levels == 0 { return end }
      let few = (0..<2).map { #"{"id":\#($0),"held":"few"}"# }.joined(separator: ",")
      let many = (0..<60).map { #"{"id":\#($0),"held":"many","next":{"id":1,"held":"next"}}"# }.joined(separator: ",")
      return #"{"id":1,"held":"one","held":"two","next":{"id":2,"held":"three","all":[\#(few)]},"#
        + #""all":[\#(levels.isMultiple(of: 2) ? few : many),\#(text(levels - 1, end: end))]}"#
    }
    let good = text(3, end: #"{"id":0}"#)
    try {
      let fresh = try Node(jsonString: good)
      #expect(Held.living.withLock { $0 } > 100)
      var asked = try Node(jsonString: good)
      #expect(asked.next?.all.last?.held == Held("few"))
      #expect(asked.all.first?.next?.held == Held("next"))
      let copy = asked
      asked.next?.next = copy
      #expect(asked != fresh)
      #expect(copy == fresh)
    }()
    #expect(Held.living.withLock { $0 } == 0)
    for end in [#"{"id":"x"}"#, #"{"held":"no id"}"#, "{", #"{"id":0,"held":1}"#] {
      #expect(throws: JSONError.self) { try Node(jsonString: text(3, end: end)) }
      #expect(Held.living.withLock { $0 } == 0)
      var issues: [DecodingIssue] = []
      let node = try? Node(jsonData: Data(text(3, end: end).utf8), issues: &issues)
      #expect((node == nil) == (end == "{"))
      #expect(issues.isEmpty == (node == nil))
    }
    #expect(Held.living.withLock { $0 } == 0)
  }

  /// A value that counts how many of it there are.
  private struct Held: JSONCodable, Sendable, Hashable {
    static let living = Locked(0)

    private final class Box: Sendable {
      init() { living.withLock { $0 += 1 } }
      deinit { living.withLock { $0 -= 1 } }
    }

    private let text: String
    private let box = Box()

    init(_ text: String) { self.text = text }

    init(json reader: inout JSONReader) throws(JSONError) { text = try reader.string() }

    func write(json writer: inout JSONWriter) { writer.string(text) }

    static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }
}
