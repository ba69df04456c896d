import Callsign
import CallsignTesting
import CallsignXv1
import Foundation
import HTTPTypes
import Testing

@Suite struct ConvenienceTests {
  @Test("Following and unfollowing are one call each") func followAndUnfollow() async throws {
    let recorder = Recorder(Sample.user)
    let user = try await recorder.v1.follow(.screenName("jack"), notifying: false)
    #expect(user.idStr == "12")
    try await recorder.v1.unfollow(.id("12"))
    #expect(
      try await recorder.lines() == [
        "POST api.twitter.com/1.1/friendships/create.json screen_name=jack&follow=false",
        "POST api.twitter.com/1.1/friendships/destroy.json user_id=12",
      ])
  }

  @Test("Liking a liked post is not an error; anything else is")
  func favourite() async throws {
    let recorder = Recorder(Sample.tweet)
    try await recorder.v1.setFavorite(true, on: "20")
    try await recorder.v1.setFavorite(false, on: "20")
    #expect(
      try await recorder.lines() == [
        "POST api.twitter.com/1.1/favorites/create.json id=20", "POST api.twitter.com/1.1/favorites/destroy.json id=20",
      ])
    let already = await Recorder.failure(#"{"errors":[{"code":139,"message":"m"}]}"#, status: .forbidden) {
      v1 throws(CallError) in try await v1.setFavorite(true, on: "20")
    }
    #expect(already.error == nil)
    let gone = await Recorder.failure(#"{"errors":[{"code":144,"message":"m"}]}"#, status: .notFound) {
      v1 throws(CallError) in try await v1.setFavorite(true, on: "20")
    }
    #expect(gone.error?.v1Codes == [.tweetNotFound])
  }

  @available(*, deprecated)
  @Test("A status is shown by its id") func show() async throws {
    let recorder = Recorder(Sample.tweet)
    #expect(try await recorder.v1.show("20").text == "just setting up")
    #expect(
      try await recorder.lines() == ["GET api.twitter.com/1.1/statuses/show/20.json?tweet_mode=extended"])
  }

  @Test(
    "A tweet's whole text is found in any form, with its entities",
    arguments: [
      (#""text":"t","entities":{"hashtags":[{"text":"t","indices":[0,1]}]}"#, "t"),
      (#""full_text":"f","entities":{"hashtags":[{"text":"f","indices":[0,1]}]}"#, "f"),
      (
        #""text":"t","extended_tweet":{"full_text":"e","entities":{"hashtags":[{"text":"e","indices":[0,1]}]}},"#
          + #""entities":{"hashtags":[{"text":"t","indices":[0,1]}]}"#, "e"
      ),
      (
        #""full_text":"RT @a: …","entities":{"hashtags":[]},"retweeted_status":{DATES,"full_text":"o","#
          + #""entities":{"hashtags":[{"text":"o","indices":[0,1]}]}}"#, "o"
      ),
      (
        #""text":"RT @a: …","retweeted_status":{DATES,"text":"t","#
          + #""extended_tweet":{"full_text":"o","entities":{"hashtags":[{"text":"o","indices":[0,1]}]}}}"#, "o"
      ),
      ("", nil),
    ])
  func wholeText(members: String, text: String?) throws {
    let dates = #""created_at":"Tue Mar 21 20:50:14 +0000 2006","id":20,"id_str":"20""#
    let members = ([dates] + (members.isEmpty ? [] : [members])).joined(separator: ",")
    let tweet = try XAPIv1.Tweet(jsonString: "{\(members.replacing("DATES", with: dates))}")
    #expect(tweet.wholeText == text)
    #expect(tweet.wholeEntities?.hashtags.map(\.text) == text.map { [$0] })
  }

  @Test(
    "The app that posted a tweet has a name and an address",
    arguments: [
      (
        #"<a href="https://mobile.x.com/a?b=1&amp;c" rel="nofollow">Tom &amp; Co</a>"#, "Tom & Co",
        "https://mobile.x.com/a?b=1&c"
      ),
      (#"<a rel="nofollow" href="http://a.example">A</a>"#, "A", "http://a.example"), ("web", "web", nil),
      (#"<a href="" rel="nofollow"></a>"#, nil, nil), ("<a", nil, nil), ("", nil, nil), (nil, nil, nil),
    ] as [(String?, String?, String?)])
  func source(source: String?, name: String?, url: String?) throws {
    var tweet = try XAPIv1.Tweet(jsonString: Sample.tweet)
    tweet.source = source
    #expect(tweet.sourceName == name)
    #expect(tweet.sourceURL == url)
  }

  @available(*, deprecated)
  @Test("A keyword stream has only the tweets")
  func tracking() async throws {
    let recorder = Recorder { _ in
      TransportResponse(
        body: Data("{\"limit\":{\"track\":1}}\r\n\(Sample.tweet)\r\n\r\n{\"friends\":[]}\r\n\(Sample.tweet)\r\n".utf8))
    }
    var ids: [String] = []
    for try await tweet in recorder.v1.tweets(
      tracking: ["swift lang", "#linux"], languages: ["en"], reconnecting: .never)
    {
      ids.append(tweet.idStr)
    }
    #expect(ids == ["20", "20"])
    #expect(
      try await recorder.lines() == [
        "POST stream.twitter.com/1.1/statuses/filter.json "
          + "track=swift%20lang,%23linux&language=en"
      ])
    var nothing = recorder.v1.tweets(tracking: []).makeAsyncIterator()
    await #expect(throws: CallError.self) { _ = try await nothing.next() }
    #expect(recorder.transport.requests.count == 1)
  }

  // MARK: Looking up

  /// Knows the users with even ids, whose names are `User` and the id, and responses in the opposite order.
  private static func lookup(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let form = String(decoding: try await request.body.collect(), as: UTF8.self)
    let list = form.prefix { $0 != "&" }.split(separator: "=").last.map(String.init)?.removingPercentEncoding ?? ""
    let asked = list.split(separator: ",")
    guard asked.count <= 100, Set(asked).count == asked.count else {
      return .json(#"{"errors":[{"code":18,"message":"too many"}]}"#, status: .forbidden)
    }
    let ids = asked.compactMap { Int($0.filter(\.isNumber)) }.filter { $0 % 2 == 0 }
    guard !ids.isEmpty else {
      return .json(#"{"errors":[{"code":17,"message":"No user matches for specified terms."}]}"#, status: .notFound)
    }
    return .json(
      "[" + ids.reversed().map { #"{"id":\#($0),"id_str":"\#($0)","screen_name":"User\#($0)"}"# }.joined(separator: ",")
        + "]")
  }

  @Test(
    "Users are looked up by hundreds; order is kept, and missing ones are reported", arguments: [0, 1, 100, 101, 350])
  func lookupByID(count: Int) async throws {
    let recorder = Recorder { request throws(TransportError) in try await Self.lookup(request) }
    let wanted = (0..<count).map(String.init)
    let users = try await recorder.v1.users(ids: wanted)
    #expect(users.found.map(\.idStr) == wanted.filter { (Int($0) ?? 1) % 2 == 0 })
    #expect(users.missing == wanted.filter { (Int($0) ?? 0) % 2 == 1 })
    #expect(recorder.transport.requests.count == (count + 99) / 100)
    #expect(recorder.transport.requests.allSatisfy { $0.head.path == "/1.1/users/lookup.json" })
  }

  @Test(
    "Names match in any case; a batch without a match is not an error; a name given twice comes twice")
  func lookupByName() async throws {
    let recorder = Recorder { request throws(TransportError) in try await Self.lookup(request) }
    let users = try await recorder.v1.users(screenNames: ["user4", "USER2", "User4", "user3"])
    #expect(users.found.map(\.screenName) == ["User4", "User2", "User4"])
    #expect(users.missing == ["user3"])
    let nobody = try await recorder.v1.users(screenNames: ["user1", "user3"])
    #expect(nobody.found.isEmpty)
    #expect(nobody.missing == ["user1", "user3"])
  }

  @Test("Links and whole texts are requested with every batch") func lookupForms() async throws {
    let recorder = Recorder { request throws(TransportError) in try await Self.lookup(request) }
    _ = try await recorder.v1.users(ids: ["2"], includeEntities: false, tweetMode: .extended)
    _ = try await recorder.v1.users(screenNames: ["user2"], includeEntities: true, tweetMode: .compat)
    #expect(
      try await recorder.lines() == [
        "POST api.twitter.com/1.1/users/lookup.json user_id=2&include_entities=false&tweet_mode=extended",
        "POST api.twitter.com/1.1/users/lookup.json screen_name=user2&include_entities=true&tweet_mode=compat",
      ])
  }

  @Test("Any error except for no match ends the look-up")
  func lookupFails() async {
    let failed = await Recorder.failure(#"{"errors":[{"code":131,"message":"m"}]}"#, status: .internalServerError) {
      v1 throws(CallError) in _ = try await v1.users(ids: (0..<250).map(String.init))
    }
    #expect(failed.error?.v1Codes == [.internalError])
    #expect(failed.count == 1)
  }

  // MARK: Profile images

  @Test(
    "Profile images have addresses in each size",
    arguments: [
      "https://pbs.twimg.com/profile_images/1/a_normal_b_normal.jpg",
      "https://pbs.twimg.com/profile_images/1/a_normal_b.jpg",
      "https://pbs.twimg.com/profile_images/1/a_normal_b_400x400.jpg",
    ])
  func profileImages(url: String) throws {
    let user = XAPIv1.User(id: 1, idStr: "1", profileImageURLHTTPS: url)
    let sizes = XAPIv1.User.ProfileImageSize.allCases.map { user.profileImageURL($0)?.dropFirst(39) }
    #expect(
      sizes == [
        "a_normal_b_mini.jpg", "a_normal_b_normal.jpg", "a_normal_b_bigger.jpg", "a_normal_b_400x400.jpg",
        "a_normal_b.jpg",
      ])
  }

  @Test("Profile images of other forms") func profileImagesOfOtherForms() {
    #expect(XAPIv1.User(id: 1, idStr: "1").profileImageURL(.bigger) == nil)
    let plain = XAPIv1.User(id: 1, idStr: "1", profileImageURL: "http://a.example/x.y/image_normal")
    #expect(plain.profileImageURL(.mini) == "http://a.example/x.y/image_mini")
    #expect(XAPIv1.User(id: 1, idStr: "1", profileImageURL: "").profileImageURL(.original) == "")
  }

  // MARK: Links

  private func redirecting(to location: String?, _ status: HTTPResponse.Status = .movedPermanently) -> Recorder {
    Recorder(auth: [OAuth1(consumerKey: "k", consumerSecret: "s")]) { _ in
      TransportResponse(status: status, headerFields: location.map { [.location: $0] } ?? [:])
    }
  }

  @Test(
    "A t.co link is expanded by one HEAD request without credentials, and nothing else is requested",
    arguments: ["https://other.example/page?x=1", "https://t.co/further", "http://127.0.0.1/private"])
  func expansion(location: String) async throws {
    let recorder = redirecting(to: location)
    #expect(try await recorder.v1.expand("http://t.co/abc123") == location)
    #expect(try await recorder.lines() == ["HEAD t.co/abc123"])
    let head = try #require(recorder.transport.requests.first).head
    #expect(head.scheme == "https")
    #expect(head.headerFields[.authorization] == nil)
  }

  @Test("Links that lead nowhere") func linksThatLeadNowhere() async throws {
    #expect(try await redirecting(to: nil, .ok).v1.expand("https://t.co/abc") == nil)
    let unknown = redirecting(to: nil, .notFound)
    await #expect(throws: CallError.self) { try await unknown.v1.expand("https://t.co/abc") }
    #expect(unknown.transport.requests.count == 1)
  }

  @Test(
    "A link that is not t.co's is not requested",
    arguments: [
      "https://t.co.evil.example/a", "https://evil.example/t.co/a", "t.co/a", "https://t.co/", "", "https://u@t.co/a",
    ])
  func otherLinks(link: String) async {
    let recorder = redirecting(to: "https://other.example/")
    do throws(CallError) {
      _ = try await recorder.v1.expand(link)
      Issue.record("it was sent")
    } catch {
      guard case .invalidCall = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(recorder.transport.requests.isEmpty)
  }
}
