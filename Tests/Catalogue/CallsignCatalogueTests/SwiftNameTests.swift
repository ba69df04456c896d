import CallsignCatalogue
import TestSupport
import Testing

@Suite struct SwiftNameTests {
  @Test(
    "A member has the words of its wire name, acronyms in one case",
    arguments: [
      ("id", "id"), ("ID", "id"), ("user_id", "userID"), ("userId", "userID"), ("userID", "userID"),
      ("ids", "ids"), ("user_ids", "userIDs"), ("userIDs", "userIDs"), ("url", "url"), ("URL", "url"),
      ("expanded_url", "expandedURL"), ("media_url_https", "mediaURLHTTPS"), ("raw_html", "rawHTML"),
      ("as_json", "asJSON"), ("public_api", "publicAPI"), ("device_uuid", "deviceUUID"), ("trend_woeid", "trendWOEID"),
      ("user.fields", "userFields"), ("x-rate-limit", "xRateLimit"), ("two words", "twoWords"), ("a/b", "aB"),
      ("playback_0_count", "playback0Count"), ("media_url2", "mediaURL2"), ("createdAt", "createdAt"),
      ("getHTTPStatus", "getHTTPStatus"), ("CREATED_AT", "createdAt"), ("USD", "usd"), ("_id", "id"),
      ("__typename", "typename"), ("$ref", "ref"), ("1x", "_1x"), ("1.0", "_1_0"), ("10", "_10"), ("2_fast", "_2Fast"),
      ("+1", "plus1"), ("-1", "minus1"), ("@all", "all"), ("", "empty"), ("*", "asterisk"), ("<=", "lessEquals"),
      ("\u{1F600}", "u1f600"), ("ünï_çode", "ünïÇode"), ("名前", "名前"), ("\u{0301}a", "_\u{0301}a"),
      ("self", "selfValue"), ("init", "initValue"), ("default", "default"), ("type", "type"), ("iOS", "iOS"),
    ])
  func member(wire: String, name: String) {
    #expect(SwiftName.member(wire) == name)
  }

  @Test(
    "A type has the words of its wire name, each with a capital",
    arguments: [
      ("User", "User"), ("UserId", "UserID"), ("user_id", "UserID"), ("UserIDs", "UserIDs"), ("DmEvent", "DMEvent"),
      ("URLEntity", "URLEntity"), ("UrlEntity", "URLEntity"), ("URL", "URL"), ("POI", "POI"),
      ("Get2ListsIdResponse", "Get2ListsIDResponse"), ("3d_model", "_3dModel"), ("Type", "TypeModel"),
      ("Protocol", "ProtocolModel"), ("self", "SelfModel"), ("any", "AnyModel"), ("oauth_token", "OAuthToken"),
      ("", "Empty"), ("FULL_ACCESS", "FullAccess"), ("post.fields", "PostFields"),
    ])
  func type(wire: String, name: String) {
    #expect(SwiftName.type(wire) == name)
  }

  @Test(
    "A method that is a lower camel case identifier already is kept to the letter",
    arguments: [
      ("getPostsById", "getPostsById"), ("createPosts", "createPosts"), ("getUsersUrl", "getUsersUrl"),
      ("get_posts_by_id", "getPostsByID"), ("GetPosts", "getPosts"), ("statuses/show", "statusesShow"),
      ("init", "initValue"), ("", "empty"), ("get2", "get2"),
    ])
  func method(wire: String, name: String) {
    #expect(SwiftName.method(wire) == name)
  }

  @Test(
    "A case is never mistaken for one of Optional's or for the unknown one",
    arguments: [
      ("none", "noneValue"), ("some", "someValue"), ("Unknown", "unknownValue"), ("following", "following"),
      ("created_at", "createdAt"), ("default", "default"), ("1x", "_1x"),
    ])
  func enumCase(wire: String, name: String) {
    #expect(SwiftName.enumCase(wire) == name)
  }

  @Test("Neither the sign between words nor the number of signs counts")
  func signsBetweenWords() {
    var random = SeededGenerator(seed: 7)
    let parts = ["user", "id", "url2", "sha256", "a", "https", "woeids", "x1", "oauth", "self", "init", "type", "ids"]
    for _ in 0..<300 {
      let words = (0...Int.random(in: 0...3, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
      let (plain, doubled) = (words.joined(separator: "_"), words.joined(separator: "--") + "_")
      #expect(SwiftName.member(plain) == SwiftName.member(doubled))
      #expect(SwiftName.type(plain) == SwiftName.type(doubled))
    }
  }

  @Test("Backticks appear only if the language needs them")
  func escaping() {
    #expect(SwiftName.escaped("private") == "`private`")
    #expect(SwiftName.escaped("await") == "`await`")
    #expect(SwiftName.escaped("open") == "open")
    #expect(SwiftName.escapedLabel("private") == "private")
    #expect(SwiftName.escapedLabel("inout") == "`inout`")
    #expect(SwiftName.escapedLabel("let") == "`let`")
    #expect(
      ["inout", "let", "var", "private"].map(SwiftName.escapedCallLabel) == ["`inout`", "let", "var", "private"])
    #expect(SwiftName.escaped("text") == "text")
  }

  @Test("Small letters and underscores give the names that any other separator gives")
  func snakeCase() {
    var random = SeededGenerator(seed: 20_261_122)
    let words = [
      "id", "ids", "url", "urls", "oauth", "user", "a", "woeid", "woeids", "created", "at", "init", "self", "https", "",
    ]
    for _ in 0..<1_000 {
      let chosen = (0..<Int.random(in: 1...4, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      let snake = SwiftName.member(chosen.joined(separator: "_"))
      guard !chosen.allSatisfy(\.isEmpty) else { continue }
      #expect(snake == SwiftName.member(chosen.joined(separator: ".")), "\(chosen)")
    }
  }

  @Test("Every input has a name, and converting a name again does not change it")
  func stability() {
    var random = SeededGenerator(seed: 20_261_121)
    let alphabet = Array("aZ09_.-/ @+$é日\u{1F600}\u{0301}\n\"\\`sIDurl".unicodeScalars)
    for _ in 0..<2_000 {
      var wire = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        wire.append(alphabet.randomElement(using: &random) ?? "a")
      }
      let text = String(wire)
      for name in [SwiftName.type(text), SwiftName.member(text), SwiftName.method(text), SwiftName.enumCase(text)] {
        let scalars = name.unicodeScalars
        #expect(scalars.first.map { $0 == "_" || $0.properties.isXIDStart } == true, "\(text.debugDescription)")
        #expect(scalars.allSatisfy { $0.properties.isXIDContinue }, "\(text.debugDescription): \(name)")
      }
    }
  }
}
