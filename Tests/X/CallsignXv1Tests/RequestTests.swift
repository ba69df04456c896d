import CallsignTesting
import CallsignXv1
import Foundation
import Testing

/// Requests as they are sent: names and places that follow from method and path, and where other clients went wrong.
@Suite struct RequestTests {
  private func sent(_ call: (XAPIv1) async throws -> Void) async throws -> String { try await Recorder.sent(call) }

  @available(*, deprecated)
  @Test("A method's name is its endpoint's method and path")
  func names() async throws {
    #expect(
      try await sent { _ = try await $0.getStatusesShow(id: "20", trimUser: false) }
        == "GET api.twitter.com/1.1/statuses/show/20.json?trim_user=false")
    #expect(
      try await sent { _ = try await $0.postListsMembersCreateAll(list: .id("7"), users: .screenNames(["a", "b"])) }
        == "POST api.twitter.com/1.1/lists/members/create_all.json list_id=7&screen_name=a,b")
    #expect(
      try await sent { _ = try await $0.deleteDirectMessagesEventsDestroy(id: "5") }
        == "DELETE api.twitter.com/1.1/direct_messages/events/destroy.json?id=5")
    #expect(
      try await sent { _ = try await $0.postStatusesRetweet(id: "20") }
        == "POST api.twitter.com/1.1/statuses/retweet/20.json")
  }

  @available(*, deprecated)
  @Test("Mistakes of other clients are not repeated: paths and methods")
  func paths() async throws {
    #expect(
      try await sent { _ = try await $0.getGeoSearch(lat: 37.5, long: -122.25) }
        == "GET api.twitter.com/1.1/geo/search.json?lat=37.5&long=-122.25")
    #expect(
      try await sent { _ = try await $0.getGeoSimilarPlaces(lat: 1.5, long: 2.5, name: "Café") }
        == "GET api.twitter.com/1.1/geo/similar_places.json?lat=1.5&long=2.5&name=Caf%C3%A9")
    #expect(
      try await sent {
        _ = try await $0.postGeoPlace(name: "N", containedWithin: "abc", token: "t", lat: 1.5, long: 2.5)
      } == "POST api.twitter.com/1.1/geo/place.json name=N&contained_within=abc&token=t&lat=1.5&long=2.5")
    #expect(
      try await sent { _ = try await $0.getUsersSuggestionsBySlug(slug: "staff-picks") }
        == "GET api.twitter.com/1.1/users/suggestions/staff-picks.json")
    #expect(
      try await sent { _ = try await $0.getFriendshipsOutgoing() }
        == "GET api.twitter.com/1.1/friendships/outgoing.json")
    #expect(
      try await sent { _ = try await $0.getTrendsPlace(id: 1) } == "GET api.twitter.com/1.1/trends/place.json?id=1")
    #expect(
      try await sent { _ = try await $0.getStatusesOembed(tweet: .id("20")) }
        == "GET api.twitter.com/1.1/statuses/oembed.json?id=20")
    #expect(
      try await sent { _ = try await $0.getListsStatuses(list: .id("7")) }
        == "GET api.twitter.com/1.1/lists/statuses.json?list_id=7")
    #expect(
      try await sent { _ = try await $0.getListsStatuses(list: .id("7"), includeRts: false) }
        == "GET api.twitter.com/1.1/lists/statuses.json?list_id=7&include_rts=false")
  }

  @available(*, deprecated)
  @Test("Mistakes of other clients are not repeated: parameters of a post")
  func update() async throws {
    let line = try await sent {
      _ = try await $0.postStatusesUpdate(
        status: "hi there & bye", mediaIDs: ["1", "2"], displayCoordinates: true, lat: 1.5, trimUser: true, long: -2.5)
    }
    let parts = line.split(separator: " ").map(String.init)
    #expect(parts.prefix(2) == ["POST", "api.twitter.com/1.1/statuses/update.json"])
    #expect(
      Set(try #require(parts.last).split(separator: "&"))
        == [
          "media_ids=1,2", "display_coordinates=true", "lat=1.5", "status=hi%20there%20%26%20bye", "trim_user=true",
          "long=-2.5",
        ])
  }

  @Test("A flag is true, false or not sent, in queries and in forms")
  func flags() async throws {
    let path = "POST api.twitter.com/1.1/friendships/update.json"
    #expect(
      try await sent { _ = try await $0.postFriendshipsUpdate(user: .id("12")) } == "\(path) user_id=12")
    #expect(
      try await sent { _ = try await $0.postFriendshipsUpdate(user: .id("12"), device: false) }
        == "\(path) user_id=12&device=false")
    #expect(
      try await sent { _ = try await $0.postFriendshipsUpdate(user: .id("12"), device: true, retweets: false) }
        == "\(path) user_id=12&device=true&retweets=false")
    let query = "GET api.twitter.com/1.1/account/verify_credentials.json"
    #expect(try await sent { _ = try await $0.getAccountVerifyCredentials() } == query)
    #expect(
      try await sent { _ = try await $0.getAccountVerifyCredentials(includeEntities: false, skipStatus: true) }
        == "\(query)?include_entities=false&skip_status=true")
  }

  @Test("A user is meant by id or by name, as are several, and a list by id or by slug and owner")
  func references() async throws {
    let show = "GET api.twitter.com/1.1/users/show.json"
    #expect(try await sent { _ = try await $0.getUsersShow(user: .id("12")) } == "\(show)?user_id=12")
    #expect(try await sent { _ = try await $0.getUsersShow(user: .screenName("jack")) } == "\(show)?screen_name=jack")
    #expect(
      try await sent { _ = try await $0.getFriendshipsShow(source: .id("1"), target: .screenName("b")) }
        == "GET api.twitter.com/1.1/friendships/show.json?source_id=1&target_screen_name=b")
    #expect(
      try await sent { _ = try await $0.getFriendshipsLookup(users: .ids(["1", "2"])) }
        == "GET api.twitter.com/1.1/friendships/lookup.json?user_id=1,2")
    let list = "GET api.twitter.com/1.1/lists/show.json"
    #expect(try await sent { _ = try await $0.getListsShow(list: .id("7")) } == "\(list)?list_id=7")
    #expect(
      try await sent { _ = try await $0.getListsShow(list: .slug("news", owner: .screenName("jack"))) }
        == "\(list)?slug=news&owner_screen_name=jack")
    #expect(
      try await sent { _ = try await $0.getListsShow(list: .slug("news", owner: .id("12"))) }
        == "\(list)?slug=news&owner_id=12")
  }

  @available(*, deprecated)
  @Test("Values that no type can express are refused before anything is sent")
  func rules() async throws {
    func reason(_ call: (XAPIv1) async throws(CallError) -> Void) async -> InvalidCall.Reason? {
      let (error, count) = await Recorder.failure("{}", status: .ok, call)
      guard count == 0, case .invalidCall(let problem) = error else { return nil }
      return problem.reason
    }
    #expect(
      await reason { v1 throws(CallError) in _ = try await v1.postStatusesUpdate(status: "hi", lat: 1.5) }
        == .notAll(of: ["lat", "long"]))
    #expect(
      await reason { v1 throws(CallError) in _ = try await v1.getGeoSearch(long: 1.5) }
        == .notAll(of: ["lat", "long"]))
    #expect(
      await reason { v1 throws(CallError) in
        _ = try await v1.postAccountUpdateProfileBanner(banner: FilePart(Data([1]), fileName: "b.png"), width: 1500)
      } == .notAll(of: ["width", "height", "offset_left", "offset_top"]))
    #expect(
      await reason { v1 throws(CallError) in
        var messages = v1.postStatusesFilter(stallWarnings: true).makeAsyncIterator()
        _ = try await messages.next()
      } == InvalidCall.Reason.none(of: ["follow", "track", "locations"]))
  }

  @Test("Ids come as 64 bits and as text, and cursored pages end at 0")
  func pages() async throws {
    let recorder = Recorder { request in
      .json(
        request.head.path?.contains("cursor=77") == true
          ? #"{"ids":["3"],"next_cursor_str":"0"}"#
          : #"{"ids":[9007199254740993,2],"next_cursor":77,"next_cursor_str":"77"}"#)
    }
    var ids: [Int] = []
    for try await id in recorder.v1.getFollowersIdsPages(user: .id("12")).items { ids.append(id) }
    #expect(ids == [9_007_199_254_740_993, 2, 3])
    #expect(recorder.transport.requests.count == 2)
  }

  @Test("A collection is paged by position, until nothing is left of it")
  func collection() async throws {
    let recorder = Recorder { request in
      .json(
        request.head.path?.contains("max_position=40") == true
          ? #"{"response":{"timeline":[{"tweet":{"id":"1"}}],"position":{"min_position":"10","was_truncated":false}}}"#
          : #"{"response":{"timeline":[{"tweet":{"id":"3"}},{"tweet":{"id":"2"}}],"#
            + #""position":{"max_position":"60","min_position":"40","was_truncated":true}}}"#)
    }
    var ids: [String?] = []
    for try await entry in recorder.v1.getCollectionsEntriesPages(id: "custom-5", count: 2).items {
      ids.append(entry.tweet?.id)
    }
    #expect(ids == ["3", "2", "1"])
    #expect(recorder.transport.requests.count == 2)
    #expect(try await recorder.lines().last?.contains("max_position=40") == true)
  }

  @Test("A timeline is paged by the smallest id seen")
  func timeline() async throws {
    let recorder = Recorder { request in
      .json(request.head.path?.contains("max_id=19") == true ? "[]" : "[\(Sample.tweet)]")
    }
    var count = 0
    for try await _ in recorder.v1.getFavoritesListPages(user: .screenName("jack"), count: 1).items { count += 1 }
    #expect(count == 1)
    #expect(try await recorder.lines().last?.contains("max_id=19") == true)
  }
}
