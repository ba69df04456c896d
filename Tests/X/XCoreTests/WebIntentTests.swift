import Foundation
import Testing
import XCore

@Suite("Web intents") struct WebIntentTests {
  private let full = ComposeIntent(
    text: "50% & more + ünï 👍\n#1?", url: "https://example.com/a?b=c&d=é#e", hashtags: ["#swift", "linux"],
    via: "@XDevelopers", inReplyTo: "20", related: ["@a", "b"])

  @Test("The page to compose a post has its text") func web() {
    #expect(
      full.webURL?.absoluteString == "https://x.com/intent/post"
        + "?text=50%25%20%26%20more%20%2B%20%C3%BCn%C3%AF%20%F0%9F%91%8D%0A%231%3F"
        + "&url=https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc%26d%3D%C3%A9%23e&hashtags=swift%2Clinux&via=XDevelopers"
        + "&in_reply_to=20&related=a%2Cb")
    #expect(ComposeIntent().webURL?.absoluteString == "https://x.com/intent/post")
    #expect(ComposeIntent(text: "").webURL?.absoluteString == "https://x.com/intent/post")
    #expect(ComposeIntent(text: "-._~aZ9!*'()").webURL?.query == "text=-._~aZ9%21%2A%27%28%29")
  }

  @Test("The app is opened to compose a post") func app() {
    #expect(
      ComposeIntent(text: "a b", url: "https://e.x/?q", hashtags: ["#s"], via: "v", inReplyTo: "20").appURL?
        .absoluteString
        == "twitter://post?message=a%20b%20https%3A%2F%2Fe.x%2F%3Fq%20%23s%20via%20%40v&in_reply_to_status_id=20")
    #expect(ComposeIntent().appURL?.absoluteString == "twitter://post")
  }

  @Test("The app opens if it is installed") func theAppIsOpenedWhereItIs() {
    var asked: [URL] = []
    let there = full.url {
      asked.append($0)
      return true
    }
    #expect(there?.scheme == "twitter")
    #expect(asked == [full.appURL])
    #expect(full.url { _ in false } == full.webURL)
  }

  @Test("A person is asked to like, repost, follow or look") func others() {
    #expect(WebIntent.like(postID: "20").webURL?.absoluteString == "https://x.com/intent/like?tweet_id=20")
    #expect(WebIntent.repost(postID: "20").webURL?.absoluteString == "https://x.com/intent/retweet?tweet_id=20")
    #expect(WebIntent.follow(username: "@ann").webURL?.absoluteString == "https://x.com/intent/follow?screen_name=ann")
    #expect(WebIntent.user(username: "a&b=").webURL?.absoluteString == "https://x.com/intent/user?screen_name=a%26b%3D")
    #expect(WebIntent.like(postID: "20").appURL?.absoluteString == "twitter://status?id=20")
    #expect(WebIntent.follow(username: "ann").url { _ in true }?.absoluteString == "twitter://user?screen_name=ann")
    #expect(WebIntent.follow(username: "ann").url { _ in false }?.host == "x.com")
  }
}
