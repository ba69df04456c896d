import CallsignJSON
import Foundation
import Testing

/// Strings of models are created when they are first used.
@Suite("Strings that are made late") struct LateTextTests {
  /// Every second string is longer than a `String` can hold without allocating memory.
  private static let spelled = #"""
    {"id":"\u0031","text":"caf\u00e9 \/ \ud83d\ude80 and a longer text behind it","kind":"long\u002dpost",
     "author":{"id":"\n","full name":"\"\\\b\f\n\r\t and a longer text behind them"},
     "tags":["a","\u0062","größer als fünfzehn Bytes"],"replies":[{"id":"2","text":""},{"id":"3"}]}
    """#

  private static let written =
    #"{"id":"1","text":"café / 🚀 and a longer text behind it","kind":"long-post","author":{"id":"\n","#
    + #""full name":"\"\\\b\f\n\r\t and a longer text behind them"},"tags":["a","b","größer als fünfzehn Bytes"],"#
    + #""replies":[{"id":"2","text":""},{"id":"3"}]}"#

  @Test("They are written alike whether they were read before or not, however the document spelled them")
  func writing() throws {
    let fresh = try API.Post(jsonString: Self.spelled)
    #expect(try fresh.jsonString() == Self.written)
    let read = try API.Post(jsonString: Self.spelled)
    _ = read.debugDescription
    #expect(try read.jsonString() == Self.written)
    #expect(fresh == read)
    #expect(fresh.hashValue == read.hashValue)
  }

  @Test("They have the same values at each reading") func reading() throws {
    let post = try API.Post(jsonString: Self.spelled)
    for _ in 0..<2 {
      #expect(post.id == "1")
      #expect(post.text == "café / 🚀 and a longer text behind it")
      #expect(post.kind == .longPost)
      #expect(post.tags == ["a", "b", "größer als fünfzehn Bytes"])
      #expect(post.replies.map(\.id) == ["2", "3"])
      #expect(post.replies[0].text == "")
      #expect(post.replies[1].text == nil)
    }
  }

  @Test("They outlive the bytes, the response and the models that they were read in") func lifetime() throws {
    var data = Data(Self.spelled.utf8)
    var post: API.Post? = try API.Post(jsonData: data)
    data.resetBytes(in: 0..<data.count)
    var author = try #require(post?.author)
    let reply = try #require(post?.replies.first)
    post = nil
    #expect(reply.id == "2")
    author.id = "changed"
    #expect(author.fullName == "\"\\\u{8}\u{C}\n\r\t and a longer text behind them")
    #expect(author.id == "changed")
  }

  @Test("Tasks that ask for them at the same time get the same ones") func concurrency() async throws {
    for _ in 0..<50 {
      let post = try API.Post(jsonString: Self.spelled)
      let texts = await withTaskGroup(of: [String].self) { group in
        for _ in 0..<8 {
          group.addTask {
            var copy = post
            copy.id += "x"
            return [copy.id, post.text ?? "", copy.author?.fullName ?? ""] + post.tags + copy.replies.map(\.id)
          }
        }
        return await group.reduce(into: Set<[String]>()) { $0.insert($1) }
      }
      #expect(texts.count == 1)
      #expect(texts.first?.first == "1x")
    }
  }

  @Test("A value that is not a string is refused in a list of strings, with its location") func lists() {
    #expect(throws: JSONError(.mismatch(expected: "a string", found: "a number"), path: "tags[1]", offset: 22)) {
      try API.Post(jsonString: #"{"id":"1","tags":["a",5]}"#)
    }
    #expect(throws: JSONError.self) { try API.Post(jsonString: #"{"id":"1","tags":["a","\x"]}"#) }
    #expect(throws: JSONError.self) { try API.Post(jsonString: #"{"id":"1","tags":["a" "b"]}"#) }
  }

  @Test("A copy of a writer keeps its text while the other one continues") func writers() throws {
    var first = JSONWriter()
    let post = try API.Post(jsonString: #"{"id":"1"}"#)
    first.array { writer in
      writer.value(post)
      var second = writer
      writer.value("first")
      second.value("other")
      #expect(String(decoding: second.bytes, as: UTF8.self) == #"[{"id":"1"},"other""#)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == #"[{"id":"1"},"first""#)
    }
    #expect(try String(decoding: first.finish(), as: UTF8.self) == #"[{"id":"1"},"first"]"#)
  }

  @Test("Whole numbers of every length are written in their digits")
  func numbers() throws {
    var power = 1
    var numbers = [0, Int.max, Int.min]
    for _ in 0..<18 {
      power *= 10
      numbers += [power - 1, power, -power, 1 - power]
    }
    for number in numbers { #expect(try number.jsonString() == "\(number)") }
  }
}
