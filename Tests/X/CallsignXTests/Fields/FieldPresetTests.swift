import CallsignTesting
import CallsignX
import TestSupport
import Testing
import XSandbox

@Suite("Field presets") struct FieldPresetTests {
  @Test("The sandbox, which checks the names against the catalogue, takes them all") func onTheSandbox() async throws {
    try await withSession { (session) async throws in
      let id = try await session.sandbox.addPost("hello", by: session.bob)
      for fields in [[XAPI.PostField].standard, .allPublic] {
        let response = try await session.x.getPostsById(
          id: id, postFields: fields, expansions: .standard, userFields: .standard,
          mediaFields: .allPublic, pollFields: .all, placeFields: .all)
        #expect(response.data.publicMetrics != nil && response.data.createdAt != nil)
        #expect(response.data.author(in: response.includes)?.name != nil)
      }
      let user = try await session.x.getUsersById(id: session.bob.id, userFields: .allPublic)
      #expect(user.data.publicMetrics != nil)
    }
  }

  @Test("The same is true of streams, whose fields have other types") func inStreams() async throws {
    try await withStreams { x, sandbox in
      try await x.updateRules(add: [.init(value: "hello")])
      for fields in [[XAPI.TweetField].standard, .allPublic] {
        let reading = read(
          1,
          of: x.streamPosts(
            tweetFields: fields, expansions: .standard, mediaFields: .standard, pollFields: .all,
            userFields: .standard, placeFields: .all))
        try await eventually { sandbox.openStreams == 1 }
        try await sandbox.addPost("hello", by: sandbox.users.bob)
        let record = try await reading.value.first?.value
        #expect(record?.data.publicMetrics != nil && record?.data.createdAt != nil)
        #expect(record?.data.author(in: record?.includes)?.publicMetrics != nil)
        try await eventually { sandbox.openStreams == 0 }
      }
    }
  }

  @Test("Messages, lists and Spaces have presets, too") func messagesListsAndSpaces() async throws {
    try await withSession { (session) async throws in
      let sent = try await session.x.createDirectMessagesByParticipantId(participantID: session.bob.id, text: "hello")
      let message = try await session.x.getDirectMessagesEventsById(
        eventID: try #require(sent.data.dmEventID), dmEventFields: .standard, expansions: .standard,
        userFields: .standard, postFields: .standard, mediaFields: .standard)
      #expect(message.data.text == "hello" && message.data.createdAt != nil)
      #expect(message.data.sender(in: message.includes)?.username == "alice")
      let id = try await session.sandbox.addList("Friends", owner: session.alice)
      let list = try await session.x.getListsById(
        id: id, listFields: .standard, expansions: .standard, userFields: .standard)
      #expect(list.data.memberCount == 0 && list.includes?.users.map(\.username) == ["alice"])
    }
    let seed = try SandboxSeed(
      yaml: "spaces: [{id: abc1, title: Swift at night, host: alice, starts: \"2026-03-01T10:00:00Z\"}]")
    let sandbox = try await Sandbox.start(seed: seed)
    do {
      let x = Session(sandbox).api(Bearer(Secret(sandbox.app.bearerToken)))
      for fields in [[XAPI.SpaceField].standard, .all] {
        let space = try await x.getSpacesById(
          id: "abc1", spaceFields: fields, expansions: .standard, userFields: .standard, topicFields: .all)
        #expect(space.data.title == "Swift at night" && space.data.scheduledStart != nil)
        #expect(space.includes?.users.map(\.username) == ["alice"])
      }
    } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
  }

  @Test(
    "Fields that need permission are left out",
    arguments: [.nonPublicMetrics, .organicMetrics, .promotedMetrics] as [XAPI.PostField])
  func whatTakesPermissionIsLeftOut(field: XAPI.PostField) {
    #expect(![XAPI.PostField].allPublic.contains(field) && ![XAPI.PostField].standard.contains(field))
  }

  @Test("Fields that need permission are left out of other presets") func otherFieldsWithPermission() {
    #expect([XAPI.PostField].allPublic.count + 3 == [XAPI.PostField].allOwn.count)
    #expect(![XAPI.UserField].allPublic.contains(.confirmedEmail))
    #expect([XAPI.MediaField].allPublic.contains(.altText))
    #expect(![XAPI.MediaField].allPublic.contains(.organicMetrics))
    #expect([XAPI.TweetField].allPublic.count + 3 == XAPI.TweetField.knownCases.count)
    #expect(![XAPI.StreamUserField].allPublic.contains(.confirmedEmail))
  }

  @Test("The standard fields are public") func standardFieldsArePublic() {
    #expect(Set([XAPI.TweetField].standard).isSubset(of: [XAPI.TweetField].allPublic))
    #expect(Set([XAPI.StreamUserField].standard).isSubset(of: [XAPI.StreamUserField].allPublic))
    #expect(Set([XAPI.PostField].standard).isSubset(of: [XAPI.PostField].allPublic))
    #expect(Set([XAPI.UserField].standard).isSubset(of: [XAPI.UserField].allPublic))
    #expect(Set([XAPI.MediaField].standard).isSubset(of: [XAPI.MediaField].allPublic))
  }
}
