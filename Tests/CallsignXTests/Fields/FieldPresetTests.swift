import CallsignTesting
import CallsignX
import Testing

@Suite("Field presets") struct FieldPresetTests {
  @Test("The sandbox, which checks the names against the catalogue, takes them all") func onTheSandbox() async throws {
    try await withSession { (session) async throws in
      let id = try await session.sandbox.addPost("hello", by: session.bob)
      for fields in [[XAPI.PostField].standard, .allPublic] {
        let answer = try await session.x.getPostsById(
          id: id, postFields: fields, expansions: .standard, userFields: .standard,
          mediaFields: .allPublic, pollFields: .all, placeFields: .all)
        #expect(answer.data.publicMetrics != nil && answer.data.createdAt != nil)
        #expect(answer.data.author(in: answer.includes)?.name != nil)
      }
      let user = try await session.x.getUsersById(id: session.bob.id, userFields: .allPublic)
      #expect(user.data.publicMetrics != nil)
    }
  }

  @Test("What takes permission is left out") func whatTakesPermissionIsLeftOut() {
    let permitted: [XAPI.PostField] = [.nonPublicMetrics, .organicMetrics, .promotedMetrics]
    #expect(
      permitted.allSatisfy { ![XAPI.PostField].allPublic.contains($0) && ![XAPI.PostField].standard.contains($0) })
    #expect([XAPI.PostField].allPublic.count + 3 == [XAPI.PostField].allOwn.count)
    #expect(![XAPI.UserField].allPublic.contains(.confirmedEmail))
    #expect([XAPI.MediaField].allPublic.contains(.altText))
    #expect(![XAPI.MediaField].allPublic.contains(.organicMetrics))
    #expect(Set([XAPI.PostField].standard).isSubset(of: [XAPI.PostField].allPublic))
    #expect(Set([XAPI.UserField].standard).isSubset(of: [XAPI.UserField].allPublic))
    #expect(Set([XAPI.MediaField].standard).isSubset(of: [XAPI.MediaField].allPublic))
  }
}
