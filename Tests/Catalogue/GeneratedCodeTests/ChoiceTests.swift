import Callsign
import Foundation
import Testing

@Suite struct ChoiceTests {
  @Test("A nested choice is sent with its choice; one that is left out sends nothing; constants are always sent")
  func choices() async throws {
    let recorder = Recorder("")
    _ = try await recorder.petstore.findShelter(shelter: .id("7"))
    #expect(try await recorder.body() == "command=FIND&exact=true&shelter_id=7")
    _ = try await recorder.petstore.findShelter(shelter: .town("Rome", owner: .name("Ann")), visitor: .id("3"))
    #expect(try await recorder.body() == "command=FIND&exact=true&town=Rome&owner_name=Ann&visitor_id=3")
    _ = try await recorder.petstore.findShelter(shelter: .town("Rome", owner: .id("1")), visitor: .name("Bo"))
    #expect(try await recorder.body() == "command=FIND&exact=true&town=Rome&owner_id=1&visitor_name=Bo")
  }
}
