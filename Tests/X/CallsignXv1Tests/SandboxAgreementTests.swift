import CallsignTesting
import CallsignXv1
import Foundation
import Testing

@testable import XSandbox

/// The generated methods against the sandbox, which was written from the same facts but shares no code: what one sends, the
/// other understands.
@Suite struct SandboxAgreementTests {
  /// Runs calls against a sandbox. A request that it refuses is a mistake of the client here.
  private func withAlice(_ body: (XAPIv1, Sandbox) async throws -> Void) async throws {
    let sandbox = try await Sandbox.start()
    let v1 = XAPIv1(
      auth: .oauth1(
        OAuth1(
          consumerKey: sandbox.app.consumerKey, consumerSecret: Secret(sandbox.app.consumerSecret),
          token: sandbox.users.alice.accessToken, tokenSecret: Secret(sandbox.users.alice.accessTokenSecret))),
      configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))
    do {
      try await body(v1, sandbox)
    } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
  }

  @Test("Everything that the sandbox implements of v1.1 is in the catalogue")
  func names() {
    let catalogue = Set(XAPIv1.endpoints.map { "\($0.method) \($0.path)" })
    #expect(OperationTable.v1.count > 60)
    for operation in OperationTable.v1 { #expect(catalogue.contains(operation.key)) }
  }

  @available(*, deprecated)
  @Test("Tweets, likes and timelines")
  func tweets() async throws {
    try await withAlice { v1, sandbox in
      let text = "über & unter, a+b=c 100% ~*'()! 東京 👩‍👩‍👧"
      let tweet = try await v1.postStatusesUpdate(status: text, tweetMode: .extended).value
      #expect(tweet.fullText == text.replacing("&", with: "&amp;"))
      #expect(abs(tweet.createdAt.timeIntervalSinceNow) < 60)
      #expect(try await v1.getStatusesShow(id: tweet.idStr, trimUser: true).user?.screenName == nil)
      #expect(try await v1.getStatusesLookup(id: [tweet.idStr, "7"]).value.map(\.id) == [tweet.id])
      #expect(try await v1.postStatusesLookup(id: [tweet.idStr]).value.count == 1)
      #expect(try await v1.postFavoritesCreate(id: tweet.idStr).favorited == true)
      #expect(try await v1.getFavoritesList().value.map(\.id) == [tweet.id])
      #expect(try await v1.postFavoritesDestroy(id: tweet.idStr).favorited == false)
      let retweet = try await v1.postStatusesRetweet(id: tweet.idStr)
      #expect(retweet.retweetedStatus?.id == tweet.id)
      #expect(try await v1.getStatusesRetweets(id: tweet.idStr).value.map(\.id) == [retweet.id])
      #expect(try await v1.getStatusesHomeTimeline().value.count == 2)
      #expect(try await v1.getStatusesMentionsTimeline().value.isEmpty)
      #expect(try await v1.getSearchTweets(q: "unter").statuses.count == 2)
      #expect(try await v1.postStatusesUnretweet(id: tweet.idStr).id == tweet.id)
      #expect(try await v1.postStatusesDestroy(id: tweet.idStr).id == tweet.id)
      for number in 0..<7 { _ = try await sandbox.addPost("\(number)", by: sandbox.users.bob) }
      var texts: [String?] = []
      for try await tweet in v1.getStatusesUserTimelinePages(user: .screenName("bob"), count: 3).items {
        texts.append(tweet.text)
      }
      #expect(texts == (0..<7).reversed().map { "\($0)" })
    }
  }

  @available(*, deprecated)
  @Test("Users, friendships and cursors")
  func users() async throws {
    try await withAlice { v1, sandbox in
      let bob = sandbox.users.bob
      #expect(try await v1.getAccountVerifyCredentials().screenName == "alice")
      #expect(try await v1.getUsersShow(user: .id(bob.id)).screenName == "bob")
      #expect(try await v1.getUsersLookup(users: .screenNames(["bob", "carol"])).value.count == 2)
      #expect(try await v1.getUsersSearch(q: "bo").value.count == 1)
      #expect(try await v1.postFriendshipsCreate(user: .screenName("bob")).following == true)
      #expect(try await v1.getFriendshipsLookup(users: .ids([bob.id])).value.first?.connections == [.following])
      let relationship = try await v1.getFriendshipsShow(
        source: .screenName("alice"), target: .id(bob.id)
      ).relationship
      #expect(relationship.source.following)
      #expect(relationship.target.followedBy)
      #expect(try await v1.getFriendsList(user: .screenName("alice")).users.map(\.screenName) == ["bob"])
      #expect(try await v1.postFriendshipsDestroy(user: .id(bob.id)).following == false)
      _ = try await sandbox.addUser(username: "star", followers: 2_500)
      for areTexts in [false, true] {
        var ids: [Int] = []
        let pages = v1.getFollowersIdsPages(user: .screenName("star"), stringifyIDs: areTexts, count: 1_000)
        for try await id in pages.items { ids.append(id) }
        #expect(ids.count == 2_500)
        #expect(ids == ids.sorted(by: >))
      }
    }
  }

  @available(*, deprecated)
  @Test("Lists, messages, saved searches, uploads, limits and errors")
  func rest() async throws {
    try await withAlice { v1, sandbox in
      let list = try await v1.postListsCreate(name: "Swift", description: "a & b").value
      #expect(try await v1.postListsMembersCreate(list: .id(list.idStr), user: .screenName("bob")).memberCount == 1)
      #expect(try await v1.getListsMembers(list: .id(list.idStr)).users.count == 1)
      #expect(try await v1.getListsOwnerships(user: .screenName("alice")).lists.map(\.id) == [list.id])
      #expect(try await v1.postListsDestroy(list: .id(list.idStr)).id == list.id)

      let sent = try await v1.postDirectMessagesEventsNew(
        event: .init(
          type: .messageCreate,
          messageCreate: .init(target: .init(recipientID: sandbox.users.bob.id), messageData: .init(text: "hi")))
      ).event
      #expect(try await v1.getDirectMessagesEventsList().events.map(\.id) == [sent.id])
      _ = try await v1.deleteDirectMessagesEventsDestroy(id: sent.id)
      #expect(try await v1.getDirectMessagesEventsList().events.isEmpty)

      let search = try await v1.postSavedSearchesCreate(query: "#a b").value
      #expect(try await v1.getSavedSearchesList().value == [search])
      #expect(try await v1.postSavedSearchesDestroy(id: search.idStr).value == search)

      let media = try await v1.postMediaUploadInit(totalBytes: 3, mediaType: "image/png").value
      _ = try await v1.postMediaUploadAppend(
        mediaID: media.mediaIDString, segmentIndex: 0, media: FilePart(Data([1, 2, 3]), fileName: "a"))
      _ = try await v1.postMediaUploadFinalize(mediaID: media.mediaIDString)
      #expect(try await v1.getMediaUpload(mediaID: media.mediaIDString).size == 3)
      _ = try await v1.postMediaMetadataCreate(mediaID: media.mediaIDString, altText: .init(text: "A picture"))

      let status = try await v1.getApplicationRateLimitStatus(resources: ["lists", "saved_searches"])
      #expect(Set(status.resources.keys) == ["lists", "saved_searches"])
      #expect(status.resources["saved_searches"]?["/saved_searches/list"]?.remaining == 14)
      do throws(CallError) {
        _ = try await v1.getUsersShow(user: .screenName("nobody"))
        Issue.record("there is no such user")
      } catch {
        #expect(error.v1Codes == [.userNotFound])
      }
    }
  }
}
