import CallsignJSON
import Foundation
import Testing

/// A list that is missing reads as an empty one; models tell both apart.
@Suite struct MissingListTests {
  private static func post(_ members: String) throws -> API.Post {
    try API.Post(jsonString: #"{"id":"1",\#(members)}"#)
  }

  @Test("A missing list differs from an empty one and from others") func ownLists() throws {
    let post = try Self.post(#""tags":[],"seen":[0]"#)
    #expect(!post.isMissing(\.tags) && !post.isMissing(\.seen))
    #expect(post.isMissing(\.replies))
    #expect(try Self.post(#""tags":null,"replies":[]"#).isMissing(\.tags))
    #expect(try !Self.post(#""tags":null,"replies":[]"#).isMissing(\.replies))
  }

  @Test("A key path may lead through models and lists of them") func nestedLists() throws {
    let post = try Self.post(
      #""quoted":{"id":"2","tags":[],"quoted":{"id":"3","seen":[0]}},"replies":[{"id":"4","tags":["a"]},{"id":"5"}]"#)
    #expect(try !#require(post.quoted).isMissing(\.tags))
    #expect(!post.isMissing(\.quoted!.tags))
    #expect(post.isMissing(\.quoted!.replies))
    #expect(!post.isMissing(\.quoted!.quoted!.seen))
    #expect(post.isMissing(\.quoted!.quoted!.tags))
    #expect(!post.isMissing(\.replies[0].tags))
    #expect(post.isMissing(\.replies[1].tags))
    #expect(!post.isMissing(\.replies))
  }

  @Test("A key path may lead through a property of one's own") func computedLists() throws {
    #expect(try Self.post(#""likes":1"#).isMissing(\.shortTags))
    #expect(try !Self.post(#""tags":["long"]"#).isMissing(\.shortTags))
  }

  @Test("A list of a required model that nothing set is missing") func emptyModel() {
    let holder = Holder(_storage: ModelStorage(for: Holder.self))
    #expect(holder.isMissing(\.post.tags))
  }

  @Test("A list that was left out is not written, wherever it is") func leavingOut() throws {
    let text =
      #"{"id":"1","quoted":{"id":"2","tags":["a"],"replies":[]},"tags":["b"],"#
      + #""replies":[{"id":"4","tags":["c"],"replies":[]},{"id":"5","tags":[]}],"seen":[0]}"#
    let original = try API.Post(jsonString: text)
    var post = original
    post.leaveOut(\.tags)
    post.leaveOut(\.seen)
    post.leaveOut(\.quoted!.tags)
    post.leaveOut(\.replies[0].tags)
    post.leaveOut(\.replies[0].replies)
    #expect(
      try post.jsonString()
        == #"{"id":"1","quoted":{"id":"2","replies":[]},"replies":[{"id":"4"},{"id":"5","tags":[]}]}"#)
    #expect(post.isMissing(\.tags) && post.isMissing(\.quoted!.tags) && post.isMissing(\.replies[0].tags))
    #expect(post.tags == [] && post.quoted?.tags == [])
    post.leaveOut(\.replies)
    post.leaveOut(\.replies)
    #expect(try post.jsonString() == #"{"id":"1","quoted":{"id":"2","replies":[]}}"#)
    #expect(try original.jsonString() == text)
    var empty = API.Post(id: "1")
    empty.leaveOut(\.tags)
    #expect(empty == API.Post(id: "1"))
    empty.tags = []
    #expect(empty != API.Post(id: "1"))
    empty.leaveOut(\.tags)
    #expect(empty == API.Post(id: "1") && empty.hashValue == API.Post(id: "1").hashValue)
  }

  @Test("A key path may lead through maps, further members and lists of lists") func throughContainers() throws {
    let text =
      #"{"byID":{"a":{"id":"1","tags":[]}},"rows":[[{"id":"2"},{"id":"3","tags":["x"]}]],"more":{"id":"4","tags":[]}}"#
    var shelf = try Shelf(jsonString: text)
    #expect(!shelf.isMissing(\.byID["a"]!.tags) && shelf.isMissing(\.byID["a"]!.replies))
    #expect(shelf.isMissing(\.rows[0][0].tags) && !shelf.isMissing(\.rows[0][1].tags))
    #expect(!shelf.isMissing(\.extra["more"]!.tags) && shelf.isMissing(\.extra["more"]!.replies))
    shelf.leaveOut(\.byID["a"]!.tags)
    shelf.leaveOut(\.rows[0][1].tags)
    shelf.leaveOut(\.extra["more"]!.tags)
    #expect(
      try shelf.jsonString() == #"{"byID":{"a":{"id":"1"}},"rows":[[{"id":"2"},{"id":"3"}]],"more":{"id":"4"}}"#)
  }

  private struct Shelf: Model {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("byID:{#0}? rows:[[#0]]? *:{#0}", API.Post.self) }
    var byID: [String: API.Post] {
      get { _storage[value: 0] }
      set { _storage[value: 0] = newValue }
    }
    var rows: [[API.Post]] {
      get { _storage[list: 1] }
      set { _storage[list: 1] = newValue }
    }
    var extra: [String: API.Post] {
      get { _storage[extra: 2] }
      set { _storage[extra: 2] = newValue }
    }
  }

  @Test("Leaving out a list of a missing model leaves the model missing") func missingModel() throws {
    var holder = Holder(_storage: ModelStorage(for: Holder.self))
    holder.leaveOut(\.post.tags)
    #expect(try holder.jsonString() == "{}")
    holder.post.tags = ["a"]
    holder.leaveOut(\.post.replies)
    #expect(try holder.jsonString() == #"{"post":{"tags":["a"]}}"#)
  }

  private struct Holder: Model {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("post:#0", API.Post.self) }
    var post: API.Post {
      get { _storage[model: 0] }
      set { _storage[model: 0] = newValue }
    }
  }
}

extension API.Post {
  fileprivate var shortTags: [String] { tags.filter { $0.count < 3 } }
}
