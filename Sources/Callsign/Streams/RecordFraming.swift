import Foundation

/// Cuts a stream of bytes into records, wherever the pieces begin and end.
struct RecordFraming: Sendable {
  /// Why a stream cannot be cut any further.
  struct Violation: Error {}

  /// How many empty lines have gone by, which keep the connection alive.
  private(set) var keepAlives = 0

  private let style: StreamFraming
  private let limit: Int
  private var buffer: [UInt8] = []
  /// Where the first record that has not been handed out begins.
  private var start = 0
  /// Up to where the buffer has been searched for a line's end.
  private var searched = 0
  /// The size of the record that begins at `start`, once its count has been read.
  private var expected: Int?

  /// - Parameters:
  ///   - style: How records are told apart.
  ///   - limit: The most bytes that one record may have.
  init(_ style: StreamFraming, limit: Int) {
    self.style = style
    self.limit = limit
  }

  /// Takes the next piece of the stream.
  mutating func append(_ piece: Data) {
    if start > 0 {
      buffer.removeFirst(start)
      searched -= start
      start = 0
    }
    buffer.append(contentsOf: piece)
  }

  /// The next whole record, without its framing; `nil` when more bytes are needed. Keep-alives are passed over.
  mutating func next() throws(Violation) -> Data? {
    switch style {
    case .lines:
      while let line = try takeLine() {
        if !line.isEmpty { return Data(buffer[line]) }
        keepAlives += 1
      }
      return nil
    case .length:
      while true {
        if let size = expected {
          guard buffer.count - start >= size else { return nil }
          let record = start..<(start + size)
          expected = nil
          start += size
          searched = start
          let trimmed = trim(record)
          if !trimmed.isEmpty { return Data(buffer[trimmed]) }
        }
        guard let line = try takeLine() else { return nil }
        if line.isEmpty {
          keepAlives += 1
          continue
        }
        let digits = buffer[trim(line)]
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
          let size = Int(String(decoding: digits, as: UTF8.self)), size <= limit
        else { throw Violation() }
        expected = size
      }
    }
  }

  /// The rest when the stream has ended: a last record without its end, if anything.
  mutating func rest() -> Data? {
    let rest = trim(start..<buffer.count)
    start = buffer.count
    searched = start
    expected = nil
    return rest.isEmpty ? nil : Data(buffer[rest])
  }

  /// The next line without its end, LF or CR LF.
  private mutating func takeLine() throws(Violation) -> Range<Int>? {
    guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      // The last byte may be the CR of the line's end.
      let count = searched - start - (buffer.last == UInt8(ascii: "\r") ? 1 : 0)
      if count > limit { throw Violation() }
      return nil
    }
    var line = start..<end
    if let last = buffer[line].last, last == UInt8(ascii: "\r") { line = start..<(end - 1) }
    start = end + 1
    searched = start
    if line.count > limit { throw Violation() }
    return line
  }

  /// A range without the white space at its ends.
  private func trim(_ range: Range<Int>) -> Range<Int> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = range.first(where: { !isBlank(buffer[$0]) }),
      let last = range.last(where: { !isBlank(buffer[$0]) })
    else { return range.lowerBound..<range.lowerBound }
    return first..<(last + 1)
  }
}
