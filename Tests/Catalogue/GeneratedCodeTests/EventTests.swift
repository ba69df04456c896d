import Callsign
import Foundation
import TestSupport
import Testing

/// Server-sent events, and arrays that arrive slowly, over sockets.
@Suite struct EventTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

  @Test("Events are records, their end is the stream's, and a write is not sent again") func sentinel() async throws {
    let server = try ShopServer { _, peer, _ in
      try peer.send(Self.head + ": hello\n\ndata: {\"text\":\"one\"}\r\n\r\ndata:{\"te")
      try peer.send("xt\":\ndata: \"two\"}\n\nevent: ping\ndata\n\ndata: [DONE]\n\ndata: {\"text\":\"late\"}\n\n")
      peer.end()
    }
    defer { server.stop() }
    var texts: [String] = []
    for try await chunk in server.petstore().completeText(prompt: "x").values { texts.append(chunk.text) }
    #expect(texts == ["one", "two"])
    let request = try #require(server.requests.first)
    #expect(request["Accept"] == "text/event-stream")
    #expect(request.text == #"{"prompt":"x"}"#)
    #expect(server.requests.count == 1)
  }

  @Test("A stream that is cut off before its end is an error if it cannot be restarted") func cutOff() async throws {
    let server = try ShopServer { _, peer, _ in
      try peer.send(Self.head + "data: {\"text\":\"one\"}\n\n")
      peer.end()
    }
    defer { server.stop() }
    var count = 0
    do {
      for try await _ in server.petstore().completeText(prompt: "x") { count += 1 }
      Issue.record("no error")
    } catch {
      guard case .unexpectedContent(let content) = error else { throw error }
      #expect(content.kind == .truncated)
    }
    #expect(count == 1)
    #expect(server.requests.count == 1)
  }

  @Test("A lost stream continues after its last event, typed by name") func resumption() async throws {
    let server = try ShopServer { _, peer, number in
      switch number {
      case 1:
        try peer.send(Self.head + "retry: 5\nid: 1\nevent: opened\ndata: at nine\n\nid: 2\ndata: {}\nevent: sold\n")
      case 2: try peer.send(Self.head + "event: sold\nid: 2\ndata: {\"id\":\"t1\"}\n\nevent: other\ndata: {}\n\n")
      default: try peer.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
      }
      peer.end()
    }
    defer { server.stop() }
    var records: [StreamRecord<Petstore.ShopEvent>] = []
    let stream = server.petstore().watchShop().reconnecting(
      ReconnectPolicy(afterEnd: .linear(from: .zero, step: .zero, to: .zero)))
    for try await record in stream.records { records.append(record) }
    guard records.count == 3, case .shopOpened(let opened)? = records[0].value,
      case .shopSale(let sold)? = records[1].value,
      case .unknown? = records[2].value
    else {
      Issue.record("\(records)")
      return
    }
    #expect(opened.data == "at nine")
    #expect(sold.data.id == "t1")
    #expect(records.map(\.eventName) == ["opened", "sold", "other"])
    #expect(records.map(\.eventID) == ["1", "2", "2"])
    #expect(server.requests.map { $0["Last-Event-ID"] } == [nil, "1", "2"])
  }

  @Test("An error that comes as JSON in place of the events is an error") func notEvents() async throws {
    let server = try ShopServer(#"{"ok":false,"error":"no_prompt"}"#)
    defer { server.stop() }
    do {
      for try await _ in server.petstore().completeText(prompt: "x") {}
      Issue.record("no error")
    } catch {
      #expect(error.problems.first?.detail == "no_prompt")
    }
  }

  @Test("An event that reports a failed call is that error, not a record", arguments: [false, true])
  func failedEvent(isInOnePiece: Bool) async throws {
    let server = try ShopServer { _, peer, _ in
      try peer.send(Self.head + "data: {\"text\":\"one\"}\n\n" + (isInOnePiece ? "" : "data:"))
      try peer.send((isInOnePiece ? "data:" : "") + "{\"text\":\"\",\"ok\":false,\"error\":\"overloaded\"}\n\n")
      try peer.send("data: {\"text\":\"two\"}\n\ndata: [DONE]\n\n")
      peer.end()
    }
    defer { server.stop() }
    var texts: [String] = []
    do {
      for try await chunk in server.petstore().orderText(prompt: "x").values { texts.append(chunk.text) }
      Issue.record("no error")
    } catch {
      guard case .api(let failure) = error else { throw error }
      #expect(failure.problems.first?.detail == "overloaded" && failure.status == .ok)
    }
    #expect(texts == ["one"])
    #expect(server.requests.count == 1)
  }

  @Test("The data of a whole event, a line and a last line can report it too; an element of an array cannot")
  func failedRecords()
    async throws
  {
    let failed = #"{"id":"a","ok":false,"data":{"id":"b"}}"#
    let server = try ShopServer { request, peer, _ in
      let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
      switch request.target {
      case "/v1/watch": try peer.send(Self.head + "event: sold\ndata: \(failed)\n\n")
      case "/v1/export": try peer.send(head + "[\(failed)]")
      case "/v1/events/stream": try peer.send(head + "\(failed)\n")
      default: try peer.send(head + failed)
      }
      peer.end()
    }
    defer { server.stop() }
    let petstore = server.petstore()
    await #expect(throws: CallError.self) { for try await _ in petstore.watchShop() { Issue.record("a record") } }
    await #expect(throws: CallError.self) { for try await _ in petstore.streamEvents() { Issue.record("a record") } }
    var count = 0
    for try await _ in petstore.exportToys() { count += 1 }
    #expect(count == 1)
  }

  @Test("All connections of a stream with an idempotency key use the same key") func key() async throws {
    let server = try ShopServer { _, peer, number in
      try peer.send(
        Self.head + "id: \(number)\ndata: {\"text\":\"\(number)\"}\n\n" + (number > 1 ? "data: [DONE]\n\n" : ""))
      peer.end()
    }
    defer { server.stop() }
    let stream = server.petstore().orderText(prompt: "x")
    var texts: [String] = []
    for try await chunk in stream.values { texts.append(chunk.text) }
    #expect(texts == ["1", "2"])
    for try await chunk in stream.values { texts.append(chunk.text) }
    let keys = server.requests.map { $0["Idempotency-Key"] }
    #expect(keys.count == 3 && keys[0] != nil && keys[0] == keys[1])
    // Read once more, it is another call.
    #expect(keys[2] != keys[0])
  }

  @Test("A download whose response reports a failure replaces no file") func failedDownload() async throws {
    let server = try ShopServer { _, peer, number in
      let body = number == 1 ? "[1]" : #"{"ok":false}"#
      try peer.respond("200 OK", ["Content-Type: application/json"], Array(body.utf8))
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("response")
    #expect(try await server.petstore().download("response", to: file).value == 3)
    await #expect(throws: CallError.self) { try await server.petstore().download("response", to: file) }
    #expect(try String(contentsOf: file, encoding: .utf8) == "[1]")
  }

  @Test("A stream of a write that breaks off may have been carried out if the caller does not know its key")
  func lostStreamsOfWrites() async throws {
    let server = try ShopServer { _, peer, number in
      guard number > 1 else { throw CancellationError() }
      try peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 1000\r\n\r\ndata: {")
      throw CancellationError()
    }
    defer { server.stop() }
    var policy = ReconnectPolicy()
    policy.attemptLimit = 1
    var options = CallOptions()
    for (key, isKnown) in [(nil, false), (nil, false), ("mine", true)] as [(String?, Bool)] {
      options.idempotencyKey = key
      do throws(CallError) {
        for try await _ in server.petstore().orderText(prompt: "x", options: options).reconnecting(policy) {}
        Issue.record("it ended")
      } catch {
        #expect(error.mayHaveBeenCarriedOut)
        if case .mayHaveSucceeded = error { #expect(!isKnown) } else { #expect(isKnown) }
      }
    }
  }

  @Test("A response instead of an array reports the error, and a byte order mark is ignored") func noArray()
    async throws
  {
    let server = try ShopServer { _, peer, number in
      let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
      switch number {
      case 1:
        try peer.send(head + " {\"ok\":fal")
        try peer.send("se,\"error\":\"no_export\"}")
      case 2: try peer.send(head + "{\"data\":[]}")
      default: try peer.send(head + "\u{FEFF}[{\"id\":\"a\"}]")
      }
      peer.end()
    }
    defer { server.stop() }
    do {
      for try await _ in server.petstore().exportToys() {}
      Issue.record("no error")
    } catch {
      #expect(error.problems.first?.detail == "no_export")
      #expect("\(error)".contains("200 OK: no_export"))
    }
    do {
      for try await _ in server.petstore().exportToys() {}
      Issue.record("no error")
    } catch {
      guard case .unexpectedContent(let content) = error else { throw error }
      #expect(content.kind == .framing && content.body == Data("{\"data\":[]}".utf8))
      #expect("\(error)".contains("not the stream that was expected"))
    }
    var ids: [String] = []
    for try await toy in server.petstore().exportToys().values { ids.append(toy.id) }
    #expect(ids == ["a"])
  }

  @Test("The elements of an array come one by one, while it arrives") func array() async throws {
    let gate = Gate()
    let server = try ShopServer { _, peer, _ in
      try peer.send(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n [ {\"id\":\"a,]\\\"\"} ,{\"i")
      gate.wait()
      try peer.send("d\":\"b\"}\n]\n")
      peer.end()
    }
    defer { server.stop() }
    var ids: [String] = []
    for try await toy in server.petstore().exportToys().stallTimeout(.seconds(600)).values {
      ids.append(toy.id)
      gate.open()
    }
    #expect(ids == ["a,]\"", "b"])
    #expect(server.requests.count == 1)
  }

  @Test("An array that is cut off is an error") func cutArray() async throws {
    let server = try ShopServer { _, peer, _ in
      try peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[{\"id\":\"a\"},")
      peer.end()
    }
    defer { server.stop() }
    await #expect(throws: CallError.self) { for try await _ in server.petstore().exportToys() {} }
    #expect(server.requests.count == 1)
  }
}

/// Holds a thread until it is opened.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() { semaphore.wait() }
  func open() { semaphore.signal() }
}
