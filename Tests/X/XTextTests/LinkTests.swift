import Foundation
import Testing
import XText

@Suite("Links of a post's text")
struct LinkTests {
  @Test("Text and links are escaped, and links are not followed by search engines")
  func escaped() {
    let html = Autolink().html(#"<b> & "quoted" http://example.com/?a=1&b=2 @user"#)
    #expect(
      html == "&lt;b&gt; &amp; &quot;quoted&quot; "
        + #"<a href="http://example.com/?a=1&amp;b=2" rel="nofollow">http://example.com/?a=1&amp;b=2</a> "#
        + #"@<a class="tweet-url username" href="https://x.com/user" rel="nofollow">user</a>"#)
  }

  @Test("A text of X's API is unescaped once, and only X's own escapes")
  func unescaped() {
    #expect(PostText.unescaped("Tom &amp; Jerry &lt;3 &gt;") == "Tom & Jerry <3 >")
    #expect(PostText.unescaped("&amp;lt; &amp;amp;") == "&lt; &amp;")
    for text in ["", "&", "&amp", "&quot; &#39; &nbsp; &AMP;", "👩‍👩‍👧 e\u{301}"] {
      #expect(PostText.unescaped(text) == text)
    }
    #expect(PostText.unescaped("&amp;\u{301}").unicodeScalars.elementsEqual("&\u{301}".unicodeScalars))
    #expect(PostText.unescaped(String(repeating: "&amp;", count: 50_000)).utf8.count == 50_000)
  }

  @Test("Positions in a text of X's API are those of the same characters after unescaping")
  func shifted() throws {
    let text = "&lt;&lt; 😀 @user &amp; #tag"
    let entities = PostEntities(text).all
    let (unescaped, ranges) = PostText.unescaped(text, shifting: entities.map(\.range.codePoints).reversed())
    #expect(unescaped == "<< 😀 @user & #tag")
    #expect(Array(ranges.reversed()) == PostEntities(unescaped).all.map(\.range.codePoints))
    let parts = [0..<0, 0..<4, 1..<2, 2..<2, 3..<9, 4..<8, 0..<100, -3 ..< -1]
    #expect(
      PostText.unescaped("&lt;&lt;a", shifting: parts).ranges
        == [0..<0, 0..<1, 0..<1, 0..<0, 0..<3, 1..<2, 0..<94, -3 ..< -1])
    #expect(PostText.unescaped("abc", shifting: [1..<9]).ranges == [1..<9])
  }

  @Test("A text of X's API is not escaped twice")
  func escapedOnce() throws {
    var autolink = Autolink()
    autolink.isNoFollow = false
    autolink.unescapesText = true
    let text = "Tom &amp; Jerry &lt;b&gt; https://a.com/?b=1&amp;c=2 @user"
    let html =
      #"Tom &amp; Jerry &lt;b&gt; <a href="https://a.com/?b=1&amp;c=2">https://a.com/?b=1&amp;c=2</a> "#
      + #"@<a class="tweet-url username" href="https://x.com/user">user</a>"#
    #expect(autolink.html(text) == html)
    // The places of a response are those in the escaped text.
    let start = "Tom &amp; Jerry &lt;b&gt; ".count
    let url = "https://a.com/?b=1&amp;c=2"
    let entities = [
      PostEntity(.mention(username: "user"), codePoints: text.count - 5..<text.count, in: text),
      PostEntity(.url(url), codePoints: start..<start + url.count, in: text),
    ]
    #expect(autolink.html(text, linking: entities.compactMap { $0 }) == html)
    let other = try #require(PostEntity(.hashtag("b"), codePoints: 98..<100, in: String(repeating: "a", count: 100)))
    #expect(autolink.html("a &amp; b", linking: [other]) == "a &amp; b")
    #expect(String(autolink.attributedString("Tom &amp; Jerry @user").characters) == "Tom & Jerry @user")
  }

  @Test("The options of twitter-text exist")
  func options() {
    var autolink = Autolink.twitterText
    autolink.includesAtSign = true
    autolink.usernameClass = "u"
    autolink.signTag = "s"
    autolink.nameTag = "b"
    autolink.opensNewWindow = true
    #expect(
      autolink.html("@user")
        == #"<a class="u" href="https://twitter.com/user" target="_blank"><s>@</s><b>user</b></a>"#)
    autolink = .twitterText
    autolink.suppressesLists = true
    #expect(
      autolink.html("@user/list")
        == #"@<a class="tweet-url username" href="https://twitter.com/user">user</a>/list"#)
    autolink = .twitterText
    autolink.linksURLsWithoutScheme = true
    autolink.urlClass = "url"
    autolink.urlTarget = "_top"
    #expect(
      autolink.html("example.com") == #"<a href="https://example.com" class="url" target="_top">example.com</a>"#)
    autolink = .twitterText
    autolink.attributes = [("data-a", "<1>")]
    autolink.editsAttributes = { _, attributes in attributes.removeAll { $0.name == "title" } }
    autolink.editsText = { entity, html in html + "!" }
    #expect(
      autolink.html("$A")
        == ##"<a href="https://twitter.com/search?q=%24A" class="tweet-url cashtag" data-a="&lt;1&gt;">$A!</a>"##)
  }

  @Test("A shortened URL is shown as X shows it, and copied in full")
  func shortened() {
    var autolink = Autolink.twitterText
    autolink.urlEntities = [
      Autolink.URLEntity(url: "https://t.co/a", displayURL: "…mple.com/b…", expandedURL: "https://example.com/b/c")
    ]
    let html = autolink.html("https://t.co/a")
    #expect(html.contains(#"title="https://example.com/b/c""#))
    #expect(html.contains("<span class='js-display-url'>mple.com/b</span>"))
    #expect(html.contains("'>https://exa</span>"))
    #expect(html.contains("'>/c</span>"))
    autolink.urlEntities[0].displayURL = "pic.x.com/b"
    #expect(autolink.html("https://t.co/a").contains(">pic.x.com/b</a>"))
  }

  @Test(
    "A link without a scheme leads to the Web, whatever it contains",
    arguments: [
      ("web.archive.org/web/2020/http://example.com", "https://web.archive.org/web/2020/http://example.com"),
      ("a.com/?u=https://b.com", "https://a.com/?u=https://b.com"), ("HTTP://a.com/", "HTTP://a.com/"),
      ("javascript://a.com/%0Aalert(1)", "https://javascript://a.com/%0Aalert(1)"),
    ])
  func addresses(url: String, address: String) throws {
    let entity = try #require(PostEntity(.url(url), codePoints: 0..<19, in: "https://example.com"))
    let html = Autolink().html("https://example.com", linking: [entity])
    #expect(html.hasPrefix("<a href=\"\(address)\""), "\(html)")
  }

  @Test("An attributed string has a link at each entity and nowhere else")
  func attributed() {
    let text = "Hi @user: see https://example.com, #日本 & $AB"
    let attributed = Autolink().attributedString(text)
    #expect(String(attributed.characters) == text)
    let links = attributed.runs.compactMap { run in
      run.link.map { (String(attributed.characters[run.range]), $0.absoluteString) }
    }
    #expect(links.map(\.0) == ["@user", "https://example.com", "#日本", "$AB"])
    #expect(
      links.map(\.1) == [
        "https://x.com/user", "https://example.com", "https://x.com/search?q=%23%E6%97%A5%E6%9C%AC",
        "https://x.com/search?q=%24AB",
      ])
  }

  @Test("Hits that end after the text end with it")
  func hitsBeyond() {
    #expect(HitHighlighting.highlight("ab", hits: [1..<9]) == "a<em>b</em>")
    #expect(HitHighlighting.highlight("ab", hits: [0..<1], tag: "strong") == "<strong>a</strong>b")
  }

  @Test("Entities have their places in all three countings, and none overlaps another")
  func places() throws {
    let text = "😀 #tag https://example.com/#no @user/list"
    let entities = PostEntities(text)
    #expect(entities.all.map { String(text[$0.range.indices]) } == ["#tag", "https://example.com/#no", "@user/list"])
    let tag = try #require(entities.hashtags.first)
    #expect(tag.range.codePoints == 2..<6)
    #expect(tag.range.utf16 == 3..<7)
    #expect(entities.lists.map(\.kind) == [.list(username: "user", name: "list")])
    #expect(PostEntity(.hashtag("tag"), codePoints: 2..<6, in: text) == tag)
    #expect(PostEntity(.hashtag("tag"), codePoints: 2..<600, in: text) == nil)
  }

  @Test(
    "A position counted in code points is a range of the string, if the text has it",
    arguments: [
      (0, 1, "😀", 0..<2), (2, 6, "#tag", 3..<7), (7, 9, "e\u{301}", 8..<10), (9, 9, "", 10..<10), (3, 2, nil, nil),
      (-1, 2, nil, nil), (5, 10, nil, nil), (10, 10, nil, nil), (Int.max - 1, Int.max, nil, nil),
    ] as [(Int, Int, String?, Range<Int>?)])
  func ranges(start: Int, end: Int, part: String?, utf16: Range<Int>?) {
    let text = "😀 #tag e\u{301}"
    let range = TextRange(codePointsFrom: start, to: end, in: text)
    #expect(range.map { String(text[$0.indices]) } == part)
    #expect(range?.utf16 == utf16)
    #expect(range == nil || range?.codePoints == start..<end)
  }

  @Test("Only the grammar of RFC 3986 decides about URLs")
  func validURLs() {
    for url in [
      "https://192.168.10.255:65535/", "http://[::1]/a", "http://a_b.example.com/%20?x=/?#/?", "HTTP://example.com",
    ] {
      #expect(PostEntities.isURL(url), "\(url)")
    }
    for url in [
      "ftp://example.com", "http://example", "http://example.com/%2", "http://a_b.com", "http://1.2.3.04/",
      "http://[]/",
      "http://example.com:", "http://exa mple.com", "", "http://", "example.com",
    ] {
      #expect(!PostEntities.isURL(url), "\(url)")
    }
    #expect(!PostEntities.isURL("http://☃.net/", unicodeDomains: false))
    #expect(PostEntities.isCashtag("$BRK.B"))
    #expect(!PostEntities.isCashtag("$BRK.B "))
  }
}
