import TestSupport
import Testing
import XText

@Suite("Splitting a text into a thread")
struct ThreadSplittingTests {
  @Test("A text that fits is one post, without a number")
  func short() {
    #expect(PostText.thread("  Hello, world. \n", numbering: .end) == ["Hello, world."])
    #expect(PostText.thread(" \n") == [])
  }

  @Test("A post ends with a sentence if it is at least half full then, and otherwise with a word")
  func borders() {
    let sentence = "This is a sentence of some sixty characters, more or less so."
    let posts = PostText.thread(Array(repeating: sentence, count: 9).joined(separator: " "))
    #expect(posts == [4, 4, 1].map { Array(repeating: sentence, count: $0).joined(separator: " ") })
    let words = PostText.thread(String(repeating: "word ", count: 100))
    #expect(words.count == 2)
    #expect(words.allSatisfy { $0.hasPrefix("word") && $0.hasSuffix("word") })
    let japanese = PostText.thread(String(repeating: "これは日本語の文章です。", count: 30))
    #expect(japanese.allSatisfy { $0.hasSuffix("。") })
  }

  @Test("No entity is cut")
  func entities() {
    let url = "https://example.com/" + String(repeating: "path/", count: 100)
    let text = String(repeating: "a ", count: 134) + "#hashtagthatislong " + url + " @somebody " + url
    let posts = PostText.thread(text)
    #expect(posts.allSatisfy { PostText($0).isValid })
    #expect(posts.flatMap { PostEntities($0).all.map(\.kind) } == PostEntities(text).all.map(\.kind))
  }

  @Test("Each number is that of its post, and has room")
  func numbering() {
    let text = String(repeating: "Sentences that are short. ", count: 130)
    for numbering in [ThreadNumbering.end, .beginning, ThreadNumbering(.end) { "(\($0) of \($1))" }] {
      let posts = PostText.thread(text, numbering: numbering)
      #expect(posts.count > 9)
      #expect(posts.allSatisfy { PostText($0).isValid })
    }
    let posts = PostText.thread(text, numbering: .end)
    #expect(posts.first?.hasSuffix(" 1/\(posts.count)") == true)
    #expect(posts.last?.hasSuffix(" \(posts.count)/\(posts.count)") == true)
  }

  @Test("A marker of one's own may be longest at any number, and depend on the count as it likes")
  func ownMarkers() {
    let markers: [@Sendable (Int, Int) -> String] = [
      { $0 == 1 ? "🧵 1/\($1)" : "\($0)/\($1)" },
      { $0 == $1 ? "end" : String(repeating: "→", count: 10 - $0 % 10) },
      { $1 % 2 == 0 ? "\($0)" : "\($0) of \($1) in all" },
      { String(repeating: "i", count: 30 - min($1, 29)) + "\($0)" },
    ]
    for marker in markers {
      for placement in [ThreadNumbering.Placement.beginning, .end] {
        for text in [String(repeating: "あ", count: 600), String(repeating: "Some words. ", count: 300)] {
          let posts = PostText.thread(text, numbering: ThreadNumbering(placement, marker: marker))
          #expect(posts.count > 3)
          for (index, post) in posts.enumerated() {
            #expect(PostText(post).isValid, "\(post)")
            let number = marker(index + 1, posts.count)
            #expect(placement == .beginning ? post.hasPrefix(number + " ") : post.hasSuffix(" " + number))
          }
        }
      }
    }
  }

  @Test("For any text, all of its characters are kept, in valid posts")
  func hostile() {
    var generator = SeededGenerator(seed: 4)
    var texts = (0..<200).map { _ in generator.text(length: 0...1500) }
    texts.append("a" + String(repeating: "\u{301}", count: 5000))
    texts.append(String(repeating: "👨‍👩‍👧‍👦", count: 500))
    texts.append("#" + String(repeating: "a", count: 1000))
    texts.append(String(repeating: "\u{FB2C}", count: 1000))
    for text in texts {
      let posts = PostText.thread(text, numbering: .none)
      #expect(posts.allSatisfy { PostText($0).isValid })
      func dense(_ text: String) -> [Unicode.Scalar] { text.unicodeScalars.filter { !$0.properties.isWhitespace } }
      #expect(posts.flatMap(dense) == dense(text))
    }
  }
}
