import Foundation
import Testing

@testable import Callsign

/// However a stream is cut into pieces, its records are the same, and so is what is refused.
@Suite("Records of a stream")
struct RecordFramingTests {
  private func records(
    of text: String, pieceSize: Int, _ style: Callsign.StreamFraming, limit: Int
  ) -> [String]? {
    var framing = RecordFraming(style, limit: limit)
    var found: [Data] = []
    var rest = Data(text.utf8)
    do {
      while !rest.isEmpty {
        framing.append(Data(rest.prefix(pieceSize)))
        rest = Data(rest.dropFirst(pieceSize))
        while let record = try framing.next() { found.append(record) }
      }
    } catch { return nil }
    if let last = framing.rest() { found.append(last) }
    return found.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("A record that is as long as may be is taken wherever the stream is cut, and a longer one never")
  func limit() {
    let record = String(repeating: "a", count: 64)
    for size in 1...200 {
      #expect(records(of: "\(record)\r\n\(record)\n", pieceSize: size, .lines, limit: 64) == [record, record])
      #expect(records(of: "\(record)a\r\n\(record)\n", pieceSize: size, .lines, limit: 64) == nil)
      #expect(records(of: "\(record)a", pieceSize: size, .lines, limit: 64) == nil, "the stream's end is no excuse")
      #expect(records(of: "64\r\n\(record)\r\n", pieceSize: size, .length, limit: 64) == [record])
      #expect(records(of: "65\r\n\(record)a\r\n", pieceSize: size, .length, limit: 64) == nil)
    }
  }
}
