import Foundation
import Testing

@testable import Callsign
@testable import CallsignAuth
@testable import CallsignHTTP
@testable import CallsignJSON
@testable import CallsignTesting
@testable import XCore

/// The records that a stream remembers.
@Suite struct SeenRecordsTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// `#expect` cannot change what it looks at.
  private final class Memory {
    private var seen: RecordDeduplicator
    init(window: TimeInterval, limit: Int = RecordDeduplicator.limit) {
      seen = RecordDeduplicator(window: window, limit: limit)
    }
    var count: Int { seen.count }
    func isRepeated(id: String?, _ record: Data, connection: Int, at now: Date) -> Bool {
      seen.isRepeated(id: id, record, connection: connection, at: now)
    }
  }

  @Test("Ids are the same only if they are spelled alike") func spelling() {
    let seen = Memory(window: 360)
    for id in ["7", "07", "+7", "7 ", "", "0", "00", "18446744073709551616", "a"] {
      #expect(!seen.isRepeated(id: id, Data(), connection: 1, at: now))
    }
    for id in ["7", "07", "+7", "7 ", "", "0", "00", "18446744073709551616", "a"] {
      #expect(seen.isRepeated(id: id, Data(), connection: 1, at: now))
    }
  }

  @Test("Long records are compared by all of their bytes") func longRecords() {
    let seen = Memory(window: 360)
    let beginning = Data(repeating: 1, count: 4096)
    #expect(!seen.isRepeated(id: nil, beginning + [1], connection: 1, at: now))
    #expect(!seen.isRepeated(id: nil, beginning + [2], connection: 2, at: now))
    #expect(seen.isRepeated(id: nil, beginning + [1], connection: 2, at: now))
  }

  @Test("No more is remembered than the bound, and for no longer than the window") func bounds() {
    let seen = Memory(window: 360, limit: 5000)
    for id in 0..<20_000 { #expect(!seen.isRepeated(id: "\(id)", Data(), connection: 1, at: now)) }
    #expect(seen.count == 5000)
    #expect(seen.isRepeated(id: "15000", Data(), connection: 2, at: now))
    #expect(!seen.isRepeated(id: "14999", Data(), connection: 2, at: now))
    #expect(!seen.isRepeated(id: "19999", Data(), connection: 2, at: now.addingTimeInterval(361)))
    #expect(seen.count == 1)
  }

  @Test(
    "The id is found wherever the record has it",
    arguments: [
      (#"{"data":{"id":"1","x":[1]}}"#, "1"), (#"{"x":{"id":"2"},"data":{"y":{"id":"3"},"id":4}}"#, "4"),
      (#"{"data":{"id":"5"}"#, nil), (#"{"data":{"id":null}}"#, nil), (#"{"data":[{"id":"1"}]}"#, nil),
      (#"{"x":"}\"{","y":[{"data":1},"]"],"d\u0061ta":{"i":-1e5,"\u0069d":"6"}}"#, "6"),
      (#"{"data":1,"data":{"x":0},"data":{"id":"7"}}"#, "7"), (#" { "data" : { "id" : "8" } } "#, "8"),
      (#"{"dat":{"id":"1"},"data2":{"id":"1"}}"#, nil), (#"{"data":{"x":"\"#, nil), (#"{"data":{"id":"9"#, nil),
      (#"{"errors":[]}"#, nil), ("[1]", nil), ("", nil), ("x", nil), (#"{"data":{"id":1.5}}"#, nil),
    ] as [(String, String?)])
  func ids(record: String, id: String?) {
    #expect(RecordIDPath("data.id").id(in: Data(record.utf8)) == id)
  }
}
