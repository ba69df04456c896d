import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

/// A reader predicts the next member from the previous object. Its results must not depend on that.
@Suite struct MemberOrderTests {
  private static let members = [
    #""id":"1""#, #""text":"t""#, #""likes":2"#, #""score":0.5"#, #""tags":["a"]"#, #""unknown":{"id":[1]}"#,
    #""quoted":{"text":"q","id":"2"}"#,
    #""replies":[{"text":"r","id":"3"},{"id":"4","text":"s"},{"text":"u","id":"5"}]"#,
    #""\u006eote":"n""#, #""kind" : "post""#, #""pinned":null"#,
  ]

  @Test("Any orders give the same values") func anyOrdersGiveTheSameValues() throws {
    var random = SeededGenerator(seed: 7)
    let one = try API.Post(jsonString: "{\(Self.members.joined(separator: ","))}")
    #expect(one.replies.map(\.text) == ["r", "s", "u"])
    for _ in 0..<200 {
      // Runs in one order, as an API sends them, interrupted by others.
      var posts: [String] = []
      for _ in 0..<4 {
        let object = "{\(Self.members.shuffled(using: &random).joined(separator: ","))}"
        posts += Array(repeating: object, count: Int.random(in: 1...4, using: &random))
      }
      let page = try API.Page(jsonString: "{\"data\":[\(posts.joined(separator: ","))]}")
      #expect(page.data == Array(repeating: one, count: posts.count))
    }
  }

  @Test("Members may be missing, repeated or almost named") func membersMayBeMissingRepeatedOrAlmostNamed() throws {
    let page = try API.Page(
      jsonString: """
        {"data":[{"id":"1","text":"a","likes":1},{"id":"2","text":"b","likes":2},{"id":"3"},{"id":"4","likes":4},
        {"text":"c","id":"5","id":"6"},{"id":"7","tex":"x","text ":"y","texts":"z","":"e"},{"id":"8","text" :"d"}]}
        """)
    #expect(page.data.map(\.id) == ["1", "2", "3", "4", "6", "7", "8"])
    #expect(page.data.map(\.text) == ["a", "b", nil, nil, "c", nil, "d"])
    #expect(page.data.map(\.likes) == [1, 2, nil, 4, nil, nil, nil])
  }

  @Test("An error in a list names its place") func anErrorInAListNamesItsPlace() throws {
    for broken in [#"{"likes":1}"#, #"{"id":"3","likes":"x"}"#, #"{"id":"3","likes":1,}"#, #"{"id":"3""#, "{"] {
      let text = #"{"data":[{"id":"1","replies":[{"id":"2"},\#(broken)]}]}"#
      let error = #expect(throws: JSONError.self) { _ = try API.Page(jsonString: text) }
      #expect(error?.path.hasPrefix("data[0].replies[1]") == true || error?.path == "data[0].replies", "\(broken)")
    }
  }

  @Test("Every cut of a document throws") func everyCutOfADocumentThrows() throws {
    let text = Array(
      "{\"data\":[{\(Self.members.joined(separator: ","))},{\(Self.members.joined(separator: ","))}]}".utf8)
    _ = try API.Page(jsonData: Data(text))
    for count in 0..<text.count {
      #expect(throws: JSONError.self) { try API.Page(jsonData: Data(text[..<count])) }
    }
  }

  @Test("Lists of strings are lists") func listsOfStringsAreLists() throws {
    var post = try API.Post(jsonString: #"{"id":"1","tags":[]}"#)
    #expect(post.tags == [])
    var other = API.Post(id: "1")
    other.tags = []
    #expect(post == other)
    #expect(post.hashValue == other.hashValue)
    post.tags.append("a")
    #expect(try post.jsonString() == #"{"id":"1","tags":["a"]}"#)
    #expect(!other.isMissing(\.tags))
    other.leaveOut(\.tags)
    #expect(other.isMissing(\.tags))
    #expect(throws: JSONError.self) { try API.Post(jsonString: #"{"id":"1","tags":["a",1]}"#) }
  }
}
