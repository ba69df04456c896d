import Foundation
import TestSupport
import Testing

@testable import Callsign

/// The examples and rules of WHATWG HTML §9.2, and arrays that arrive in pieces.
@Suite struct ServerSentEventTests {
  /// The events of a stream, which is cut into pieces of each size.
  private func events(_ text: String, lastID: String = "") throws -> [ServerSentEvent] {
    let bytes = Data(text.utf8)
    var all: [[ServerSentEvent]] = []
    for size in [1, 2, 3, 7, bytes.count] {
      var parser = ServerSentEvents(limit: 1000, lastID: lastID)
      var found: [ServerSentEvent] = []
      for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
        try parser.append(Data(bytes[start..<min(start + max(1, size), bytes.count)]))
        while let event = parser.nextEvent() { found.append(event) }
      }
      all.append(found)
    }
    for found in all { #expect(found == all[0]) }
    return all[0]
  }

  private func event(_ data: String, _ name: String = "message", id: String = "") -> ServerSentEvent {
    ServerSentEvent(name: name, data: Data(data.utf8), id: id)
  }

  @Test("Lines of data are one event") func lines() throws {
    #expect(try events("data: YHOO\ndata: +2\ndata: 10\n\n") == [event("YHOO\n+2\n10")])
  }

  @Test("A comment is not an event, an id lasts until it is emptied, and an unfinished event does not count") func ids()
    throws
  {
    let text = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n"
    #expect(try events(text) == [event("first event", id: "1"), event("second event")])
    #expect(
      try events("data: a\n\nid: a\u{0}b\ndata: b\n\n", lastID: "7") == [event("a", id: "7"), event("b", id: "7")])
  }

  @Test("Empty data is an event, and without data there is none") func empty() throws {
    #expect(try events("data\n\ndata\ndata\n\ndata:") == [event(""), event("\n")])
    #expect(try events("event: ping\n\ndata: x\n\n") == [event("x")])
  }

  @Test("One space after the colon is left out, whatever ends the lines") func spaces() throws {
    #expect(
      try events("data:test\r\n\r\ndata: test\r\rdata:  test\n\n") == [event("test"), event("test"), event(" test")])
  }

  @Test("A byte order mark is left out, other fields are skipped, and names count once") func names() throws {
    #expect(
      try events("\u{FEFF}event: add\ndata: 1\nwhat: ever\nDATA: 2\n\ndata: 3\n\n") == [event("1", "add"), event("3")])
  }

  @Test("The server may say how long to wait") func retry() throws {
    var parser = ServerSentEvents(limit: 100)
    try parser.append(Data("retry: 1500\nretry: x\nretry:\nretry: 99999999999999999999\n".utf8))
    #expect(parser.retry == .milliseconds(1500))
  }

  @Test("An id without data behind an event counts once that is taken, wherever the pieces end") func idBehind() throws
  {
    let bytes = Data("data: a\nid: 1\n\nid: 2\n\n".utf8)
    for cut in 0...bytes.count {
      var parser = ServerSentEvents(limit: 100)
      for piece in [bytes.prefix(cut), bytes.dropFirst(cut)] {
        try parser.append(piece)
        while parser.nextEvent() != nil {}
      }
      #expect(parser.lastID == "2")
    }
    var parser = ServerSentEvents(limit: 100)
    try parser.append(bytes + Data("data: b\nid: 3\n\n".utf8))
    for id in ["1", "3"] {
      #expect(parser.nextEvent()?.id == id)
      #expect(parser.lastID == id)
    }
  }

  @Test("A line or an event's data that is too long ends the stream, whether or not it ends itself") func limits()
    throws
  {
    for text in ["data: \(String(repeating: "x", count: 100))", String(repeating: "data: 123456\n", count: 20)] {
      var parser = ServerSentEvents(limit: 50)
      #expect(throws: RecordFraming.Violation.self) { try parser.append(Data(text.utf8)) }
    }
  }

  @Test("The whole event is JSON, and so is its data if it contains JSON") func json() throws {
    #expect(
      try events("event: a\nid: 1\ndata: {\"b\": [1]}\n\ndata: {\n\n").map { String(decoding: $0.json, as: UTF8.self) }
        == [
          #"{"event":"a","id":"1","data":{"b":[1]}}"#, #"{"event":"message","id":"1","data":"{"}"#,
        ])
  }

  @Test("Elements of an array are found however it is cut") func arrays() throws {
    let text = " [ {\"a\":\"],[\\\"\"} ,[1,[2]],-1.5e3,\"x\",null , true]\n "
    for size in 1...text.utf8.count {
      var parser = JSONArrayFraming(limit: 100)
      var found: [String] = []
      let bytes = Data(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        try parser.append(Data(bytes[start..<min(start + size, bytes.count)]))
        while let element = parser.nextElement() { found.append(String(decoding: element, as: UTF8.self)) }
      }
      #expect(found == ["{\"a\":\"],[\\\"\"}", "[1,[2]]", "-1.5e3", "\"x\"", "null", "true"])
      #expect(parser.isComplete)
    }
  }

  @Test("A response that is not an array is refused", arguments: ["{}", "[1 2]", "[,1]", "[1,]", "[1]]", "[}", "x"])
  func noArrays(text: String) {
    var parser = JSONArrayFraming(limit: 100)
    #expect(throws: RecordFraming.Violation.self) { try parser.append(Data(text.utf8)) }
  }
}

/// `Link` fields of RFC 8288.
@Suite struct LinkHeaderTests {
  @Test(
    "The next page's link is found among others",
    arguments: [
      "<https://a.example/x?page=2>; rel=\"next\", <https://a.example/x?page=9>; rel=\"last\"",
      "<https://a.example/first>; rel=first; title=\"a; rel=next, <b>\",<https://a.example/x?page=2>;rel=next",
      "<https://a.example/x?page=2> ; type=\"x\\\"y\" ; REL = \"Next up\"",
      "<a,b>;rel=x;;, <https://a.example/x?page=2>; rel=next",
    ])
  func next(value: String) {
    #expect(LinkHeader(value).target(["next"]) == "https://a.example/x?page=2")
  }

  @Test(
    "No other link is mistaken for one to the next page",
    arguments: [
      "", "<x>", "<x>; rel", "<x>; rel=prev; rel=next", "<x; rel=next", "x; rel=next", "<x>; rel=\"nextish\"",
    ])
  func none(value: String) {
    #expect(LinkHeader(value).target(["next"]) == nil)
  }
}
