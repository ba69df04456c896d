// Sound: the search begins within the bytes and gets the number of the rest, in the closure that gets the bytes.

import CallsignSupport

/// Cuts a stream of bytes into records, wherever the pieces begin and end.
///
/// With line and count framing, records are slices of the received pieces; only a record that spans two pieces is
/// copied. To keep a record, copy it; otherwise the whole piece stays in memory.
struct RecordFraming: Sendable {
  /// The error of a stream that cannot be cut any further.
  struct Violation: Error {}

  /// The number of empty lines, comments or empty events so far, which keep the connection alive.
  private(set) var keepAlives = 0
  /// The event that the last record is, or is the data of; `nil` for records that are not events.
  private(set) var event: ServerSentEvent?
  /// Whether the stream has said that it is over: by the event that ends it, or by the end of its array.
  private(set) var isComplete = false

  private let style: StreamFraming
  private let limit: Int
  private let details: EndpointDetails
  private var events: ServerSentEvents
  private var elements: JSONArrayFraming
  /// Whether what has arrived cannot be cut any further than it is.
  private var isBroken = false
  /// The last piece, after the beginning of a record that had begun before it.
  private var buffer = Data()
  /// Whether `buffer` is this value's own copy, so that more can be appended to it.
  private var isCopy = false
  /// The place where the first record begins that has not been handed out.
  private var start = 0
  /// How far the buffer has been searched for the end of a line.
  private var searched = 0
  /// The size of the record that begins at `start`, once its count has been read.
  private var expected: Int?

  /// - Parameters:
  ///   - style: The framing of the records.
  ///   - limit: The maximum size of one record, in bytes.
  ///   - details: The end of the stream, and the part of an event that is the record.
  ///   - lastEventID: The id of the last event of an earlier connection.
  init(_ style: StreamFraming, limit: Int, details: EndpointDetails = .none, lastEventID: String = "") {
    self.style = style
    self.limit = limit
    self.details = details
    events = ServerSentEvents(limit: limit, lastID: lastEventID)
    elements = JSONArrayFraming(limit: limit)
  }

  /// The id of the last event, used to request the events after it; empty if there is none.
  var lastEventID: String { events.lastID }
  /// The time that the server wants its clients to wait before they connect again.
  var retry: Duration? { events.retry }
  /// Whether the end of the bytes would come too early.
  var isUnfinished: Bool { !isComplete && (style == .array || details.end != nil) }

  /// Whether the response should be an array but begins with something else.
  var isNoArray: Bool { elements.isOther }

  /// Takes the next piece of the stream.
  mutating func append(_ piece: Data) {
    switch style {
    case .lines, .length: break
    case .events:
      do throws(Violation) { try events.append(piece) } catch { isBroken = true }
      return
    case .array:
      do throws(Violation) { try elements.append(piece) } catch { isBroken = true }
      return
    }
    if start == buffer.endIndex {
      (buffer, isCopy) = (piece, false)
      start = piece.startIndex
      searched = start
    } else if isCopy, start == buffer.startIndex {
      buffer.append(piece)
    } else {
      // Only the rest, so that records already returned do not stay in memory with it.
      let rest = buffer[start...]
      var joined = Data(capacity: rest.count + piece.count)
      joined.append(rest)
      joined.append(piece)
      (buffer, isCopy) = (joined, true)
      (start, searched) = (joined.startIndex, joined.startIndex + searched - start)
    }
  }

  /// The next whole record, without its framing; `nil` if more bytes are needed. Keep-alives are skipped.
  mutating func next() throws(Violation) -> Data? {
    switch style {
    case .lines:
      while let line = try takeLine() {
        if !line.isEmpty { return buffer[line] }
        keepAlives += 1
      }
      return nil
    case .length:
      while true {
        if let size = expected {
          guard buffer.endIndex - start >= size else { return nil }
          let record = start..<(start + size)
          expected = nil
          start += size
          searched = start
          let trimmed = trim(record)
          if !trimmed.isEmpty { return buffer[trimmed] }
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
    case .events:
      while !isComplete, let event = events.nextEvent() {
        if let end = details.end, event.data == end {
          isComplete = true
          return nil
        }
        self.event = event
        if details.hasWholeEvents { return event.json }
        if !event.data.isEmpty { return event.data }
        keepAlives += 1
      }
      keepAlives += events.takeComments()
      if isBroken, !isComplete { throw Violation() }
      return nil
    case .array:
      if let element = elements.nextElement() { return element }
      if isBroken { throw Violation() }
      isComplete = elements.isComplete
      return nil
    }
  }

  /// The rest when the stream has ended: a last record without its end, if anything.
  mutating func rest() -> Data? {
    // An event without its empty line is not one, and an array without its bracket is cut off.
    if style == .events || style == .array { return nil }
    let rest = trim(start..<buffer.endIndex)
    start = buffer.endIndex
    searched = start
    expected = nil
    return rest.isEmpty ? nil : buffer[rest]
  }

  /// The next line without its end, LF or CR LF.
  private mutating func takeLine() throws(Violation) -> Range<Int>? {
    let first = buffer.startIndex
    let (place, hasReturn) = buffer.withUnsafeBytes { bytes -> (Int?, Bool) in
      let from = searched - first
      guard from < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + from, Int32(UInt8(ascii: "\n")), bytes.count - from)
      else { return (nil, bytes.last == UInt8(ascii: "\r")) }
      let place = UnsafeRawPointer(found) - base
      return (first + place, first + place > start && bytes[place - 1] == UInt8(ascii: "\r"))
    }
    guard let end = place else {
      // A silent stream holds no memory.
      if start == buffer.endIndex { (buffer, isCopy, start) = (Data(), false, 0) }
      searched = buffer.endIndex
      // The last byte may be the CR of the line's end.
      let count = searched - start - (hasReturn ? 1 : 0)
      if count > limit { throw Violation() }
      return nil
    }
    let line = start..<(hasReturn ? end - 1 : end)
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
