import Callsign
import Foundation
import Testing

/// Pages of each style, and streams.
@Suite struct SequenceTests {
  private func pet(_ id: Int) -> String { #"{"id":"\#(id)","name":"n","motto":null}"# }

  @Test("Pages continue with a token") func tokenPages() async throws {
    let recorder = Recorder(
      #"{"data":[\#(pet(1)),\#(pet(2))],"meta":{"next_token":"t2"}}"#, #"{"meta":{"next_token":"t3"}}"#,
      #"{"data":[\#(pet(3))],"meta":{"previous_token":"t2"}}"#)
    var ids: [String] = []
    for try await pet in recorder.petstore.searchPetsPages(q: "a", limit: 2).items { ids.append(pet.id) }
    #expect(ids == ["1", "2", "3"])
    #expect(
      recorder.lines.map { $0.split(separator: "?").last.map(String.init) } == [
        "q=a&limit=2", "q=a&limit=2&page_token=t2", "q=a&limit=2&page_token=t3",
      ])
  }

  @Test("Pages continue with a cursor in a JSON body") func cursorPagesInAJSONBody() async throws {
    let recorder = Recorder(
      #"{"events":[{"type":"x"}],"next_cursor":5}"#, #"{"events":[{"type":"y"}],"next_cursor":0}"#)
    var count = 0
    for try await page in recorder.petstore.listEventsPages(kinds: ["a"]) { count += page.events.count }
    #expect(count == 2)
    #expect(recorder.count == 2)
    #expect(try await recorder.body() == #"{"kinds":["a"],"cursor":"5"}"#)
  }

  @Test("Pages continue with the smallest ID") func maxIDPages() async throws {
    let recorder = Recorder(#"[{"id":9},{"id":7}]"#, #"[{"id":5},{"id":3}]"#, "[]")
    var ids: [Int] = []
    for try await visit in recorder.petstore.listVisitsPages(count: 2).items { ids.append(visit.id) }
    #expect(ids == [9, 7, 5, 3])
    #expect(
      recorder.lines.map { $0.split(separator: "?").last.map(String.init) } == [
        "count=2", "count=2&max_id=6", "count=2&max_id=2",
      ])
  }

  @Test("An element without an ID is skipped when the next page is requested") func maxIDPagesOfOptionalIDs()
    async throws
  {
    let recorder = Recorder(#"[{"id":9},{"name":"a"},{"id":7}]"#, #"[{"name":"b"}]"#)
    var names: [String?] = []
    for try await sighting in recorder.petstore.listSightingsPages().items { names.append(sighting.name) }
    #expect(names == [nil, "a", nil, "b"])
    #expect(recorder.lines.map { $0.hasSuffix("/sightings?max_id=6") } == [false, true])
  }

  @Test("Pages continue with a number") func numberedPages() async throws {
    let recorder = Recorder(#"[{"id":1},{"id":2}]"#, #"[{"id":3}]"#)
    var ids: [Int] = []
    for try await visit in recorder.petstore.listSalesPages(perPage: 2).items { ids.append(visit.id) }
    #expect(ids == [1, 2, 3])
    // A short page need not be the last; the third is the second again.
    #expect(recorder.count == 3)
  }

  @Test("A stream brings records") func streams() async throws {
    let recorder = Recorder(
      #"{"type":"moved","to":"a"}"# + "\r\n\r\n" + #"{"type":"sold","pet":\#(petJSON)}"# + "\r\n")
    let stream = recorder.petstore.streamEvents(backfill: 2)
    #expect(recorder.count == 0)
    var events: [Petstore.Event] = []
    for try await event in stream.values {
      events.append(event)
      if events.count == 2 { break }
    }
    #expect(
      events.map { if case .move = $0 { "move" } else if case .sale = $0 { "sale" } else { "unknown" } } == [
        "move", "sale",
      ])
    #expect(try recorder.path() == "/v1/events/stream?backfill=2")
  }

  @Test("Records that a lost connection missed are requested as the catalogue states") func backfill() {
    let endpoints = [Petstore.streamEventsEndpoint, Petstore.streamAnythingEndpoint].map(\.backfill)
    #expect(endpoints.map { $0?.parameter.description } == ["backfill", "minutes"])
    #expect(endpoints.map { $0?.limit } == [5, 3])
    #expect(endpoints.map { $0?.id?.description } == [nil, "data.id"])
  }

  @Test("A stream brings records by length") func lengthDelimitedStreams() async throws {
    let recorder = Recorder("7\r\n{\"a\":1}\r\n")
    for try await value in recorder.petstore.streamAnything().values {
      #expect(value["a"] != nil)
      break
    }
  }
}
