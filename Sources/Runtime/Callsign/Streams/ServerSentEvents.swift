import CallsignJSON
import CallsignSupport

/// One event of an event stream, as the WHATWG HTML standard has it (§9.2).
struct ServerSentEvent: Sendable, Hashable {
  /// The event's type; `message` if the stream names none.
  var name: String
  /// The lines of `data`, with line feeds between them.
  var data: Data
  /// The id of the last event that had one, this one included; empty where none had.
  var id: String

  /// The event as JSON: an object with `event`, `id` and `data`. `data` is JSON if it can be read as JSON, else text.
  var json: Data {
    var writer = JSONWriter()
    let data = try? JSONValue(jsonData: data)
    let text = String(decoding: self.data, as: UTF8.self)
    writer.object { writer in
      writer.name("event")
      writer.string(name)
      writer.name("id")
      writer.string(id)
      writer.name("data")
      writer.value(data ?? .string(text))
    }
    return Data(writer.bytes)
  }
}

/// Splits an event stream into events, wherever the pieces begin and end (WHATWG HTML §9.2.5 and §9.2.6).
///
/// Lines end with CR LF, LF or CR. A CR at the end of a piece ends its line at once; an LF that follows is skipped.
struct ServerSentEvents: Sendable {
  /// The id to ask for after a lost connection. It outlives the connection.
  private(set) var lastID = ""
  /// The time that the server wants its clients to wait before they connect again.
  private(set) var retry: Duration?
  /// Comments that were not reported yet.
  private var comments = 0

  private let limit: Int
  private var line: [UInt8] = []
  private var endsWithCR = false
  private var isAtStart = true
  private var name = ""
  private var data: [UInt8] = []
  private var hasData = false
  /// The id as of the last line of `id`; it counts once the event is complete.
  private var id: String
  private var events: [ServerSentEvent] = []
  private var next = 0
  /// The id of an event without data behind the last of ``events``.
  private var idBehind: String?

  /// - Parameters:
  ///   - limit: The most bytes that one line, or one event's data, may have.
  ///   - lastID: The id of the last event of an earlier connection.
  init(limit: Int, lastID: String = "") {
    self.limit = limit
    self.lastID = lastID
    id = lastID
  }

  /// Takes the next piece of the stream.
  mutating func append(_ piece: Data) throws(RecordFraming.Violation) {
    if next == events.count {
      events.removeAll(keepingCapacity: true)
      next = 0
      idBehind = nil
    }
    var rest = piece[...]
    if endsWithCR, let first = rest.first {
      endsWithCR = false
      if first == UInt8(ascii: "\n") { rest = rest.dropFirst() }
    }
    while !rest.isEmpty {
      guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
        line += rest
        // The end of the line may be far away.
        if line.count > limit { throw RecordFraming.Violation() }
        return
      }
      line += rest[..<end]
      if line.count > limit { throw RecordFraming.Violation() }
      let isCR = rest[end] == UInt8(ascii: "\r")
      rest = rest[(end + 1)...]
      if isCR {
        if rest.first == UInt8(ascii: "\n") { rest = rest.dropFirst() } else { endsWithCR = rest.isEmpty }
      }
      try read()
      line.removeAll(keepingCapacity: true)
    }
  }

  /// The next complete event; `nil` if more bytes are needed. An event that is incomplete when the stream ends does not
  /// count.
  mutating func nextEvent() -> ServerSentEvent? {
    guard next < events.count else { return nil }
    defer { next += 1 }
    lastID = (next == events.count - 1 ? idBehind : nil) ?? events[next].id
    return events[next]
  }

  /// Takes the number of comments that have gone by since the last time, which keep the connection alive.
  mutating func takeComments() -> Int {
    defer { comments = 0 }
    return comments
  }

  /// Reads a whole line.
  private mutating func read() throws(RecordFraming.Violation) {
    if isAtStart {
      isAtStart = false
      line = Array(line.withoutByteOrderMark)
    }
    guard !line.isEmpty else { return dispatch() }
    guard line.first != UInt8(ascii: ":") else {
      comments += 1
      return
    }
    let field = line.prefix { $0 != UInt8(ascii: ":") }
    var value = line.dropFirst(field.count + 1)
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: field, as: UTF8.self) {
    case "data":
      if hasData { data.append(UInt8(ascii: "\n")) }
      hasData = true
      data += value
      if data.count > limit { throw RecordFraming.Violation() }
    case "event": name = String(decoding: value, as: UTF8.self)
    case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry":
      if !value.isEmpty, value.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let milliseconds = Int(String(decoding: value, as: UTF8.self)).flatMap(Int32.init(exactly:))
      {
        retry = .milliseconds(Int(milliseconds))
      }
    default: break
    }
  }

  /// The end of an event. One without data only sets the id.
  private mutating func dispatch() {
    defer {
      name = ""
      data.removeAll(keepingCapacity: true)
      hasData = false
    }
    guard hasData else {
      if events.isEmpty { lastID = id } else { idBehind = id }
      return
    }
    idBehind = nil
    events.append(ServerSentEvent(name: name.isEmpty ? "message" : name, data: Data(data), id: id))
  }
}
