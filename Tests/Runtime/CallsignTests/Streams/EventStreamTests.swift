import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

/// Hands out pieces one by one, then ends or fails.
private actor Pieces {
  private var pieces: [Data]
  private let failure: TransportError?
  private(set) var handedOut = 0

  init(_ pieces: [Data], failure: TransportError?) {
    self.pieces = pieces
    self.failure = failure
  }

  func next() throws(TransportError) -> Data? {
    guard !pieces.isEmpty else {
      if let failure { throw failure }
      return nil
    }
    handedOut += 1
    return pieces.removeFirst()
  }
}

private final class PieceSource: ResponseBodySource {
  let pieces: Pieces
  init(_ pieces: Pieces) { self.pieces = pieces }
  func next() async throws(TransportError) -> Data? { try await pieces.next() }
}

private func transport(_ pieces: Pieces, status: HTTPResponse.Status = .ok) -> InMemoryTransport {
  InMemoryTransport { _ in
    TransportResponse(head: HTTPResponse(status: status), body: ResponseBody(PieceSource(pieces)))
  }
}

extension StreamFraming {
  fileprivate static let allKinds: [StreamFraming] = [.lines, .length, .events, .array]
}

@Suite struct EventStreamTests {
  /// Reads a stream of these pieces: texts, `!` before what could not be decoded, and the error at the end.
  private func read(
    _ pieces: [Data], _ framing: StreamFraming, failure: TransportError? = nil, recordLimit: Int = 1 << 20
  ) async -> ([String], CallError?) {
    let transport = transport(Pieces(pieces, failure: failure))
    let client = Client(auth: [], configuration: ClientConfiguration(transport: transport, recordLimit: recordLimit))
    let stream: EventStream<String> = client.stream(Call(endpoint(stream: framing)))
    let ending = stream.reconnecting(.never)
    var result: [String] = []
    var iterator = ending.makeAsyncIterator()
    do throws(CallError) {
      while let element = try await iterator.next() {
        switch element {
        case .value(let text): result.append(text)
        case .undecodable(let record): result.append("!" + String(decoding: record.bytes, as: UTF8.self))
        }
      }
      return (result, nil)
    } catch {
      do throws(CallError) { #expect(try await iterator.next() == nil) } catch { Issue.record("a second error") }
      return (result, error)
    }
  }

  /// All ways to cut the bytes in two, and into single bytes.
  private func cuts(_ bytes: Data) -> [[Data]] {
    (0...bytes.count).map { [bytes.prefix($0), bytes.dropFirst($0)].filter { !$0.isEmpty } } + [
      bytes.map { Data([$0]) }
    ]
  }

  private let texts = ["a", "é漢😀", "\u{2028}", "with \"quotes\"", ""]
  private var records: [String] { texts.compactMap { try? $0.jsonString() } }

  @Test("Lines cut at every byte", arguments: ["\r\n", "\n"])
  func linesCutAtEveryByte(end: String) async {
    let bytes = Data((end + records.map { $0 + end }.joined(separator: end + end) + end).utf8)
    for pieces in cuts(bytes) {
      let (read, error) = await read(pieces, .lines)
      #expect(error == nil)
      #expect(read == texts)
    }
  }

  @Test("Lengths cut at every byte", arguments: ["\r\n", "\n"])
  func lengthsCutAtEveryByte(end: String) async {
    let framed = records.map { "\($0.utf8.count + end.utf8.count)\(end)\($0)\(end)" }
    let bytes = Data((end + framed.joined(separator: end) + end).utf8)
    for pieces in cuts(bytes) {
      let (read, error) = await read(pieces, .length)
      #expect(error == nil)
      #expect(read == texts)
    }
  }

  @Test("A length counts line breaks too") func aLengthCountsLineBreaksToo() async {
    let (read, error) = await read([Data("14\r\n\n[1,\r\n \"b\"]\r\n\n3\r\n\"x\"".utf8)], .length)
    #expect(error == nil)
    #expect(read == ["![1,\r\n \"b\"]", "x"])
  }

  @Test("A record that cannot be decoded does not end the stream") func whatCannotBeDecodedIsNotTheEnd() async throws {
    let bytes = Data("\"a\"\n{\"limit\":1}\nnonsense\n\"b\"\n".utf8)
    #expect(await read([bytes], .lines).0 == ["a", #"!{"limit":1}"#, "!nonsense", "b"])
    let stream: EventStream<String> = client([], transport(Pieces([bytes], failure: nil)))
      .stream(Call(endpoint(stream: .lines)))
    var values: [String] = []
    for try await value in stream.reconnecting(.never).values { values.append(value) }
    #expect(values == ["a", "b"])
  }

  @Test("The last record needs no end") func theLastRecordNeedsNoEnd() async {
    #expect(await read([Data("\"a\"\n\"b\"".utf8)], .lines).0 == ["a", "b"])
  }

  @Test("A last record that is cut off is reported, and the stream is not complete") func cutOff() async {
    let (read, error) = await read([Data("\"a\"\n\"b".utf8)], .lines)
    #expect(read == ["a", "!\"b"])
    guard case .unexpectedContent(let content) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(content.kind == .truncated && content.description.contains("the stream ends within a record"))
  }

  @Test("An HTML page is not a stream, and is not requested again", arguments: StreamFraming.allKinds)
  func pagesOfHTML(framing: StreamFraming) async {
    let transport = InMemoryTransport { _ in
      TransportResponse(
        status: .ok, headerFields: [.contentType: "text/html; charset=utf-8"],
        body: Data("<html>Maintenance</html>\n".utf8))
    }
    let stream: EventStream<String> = client([], transport).stream(Call(endpoint(stream: framing)))
    var found: CallError?
    do throws(CallError) { for try await _ in stream {} } catch { found = error }
    guard case .unexpectedContent(let content) = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(content.kind == .html && transport.requests.count == 1)
  }

  @Test("A lost connection is an error after the received records") func aLostConnectionIsAnErrorAfterWhatCame() async {
    let lost = TransportError(.connectionLost, delivery: .delivered)
    let (read, error) = await read([Data("\"a\"\n\"b".utf8)], .lines, failure: lost)
    #expect(read == ["a"])
    guard case .transport(let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause == lost)
  }

  @Test("Records beyond the limit") func recordsBeyondTheLimit() async {
    for (framing, text) in [
      (StreamFraming.lines, "\"123456789\"\n"), (.lines, "\"1234567890"), (.length, "11\n\"123456789\""),
      (.length, "99999999999999999999999\n"), (.length, "x\n"), (.length, "-1\n"), (.length, "12345678901"),
    ] {
      let (read, error) = await read([Data(text.utf8)], framing, recordLimit: 10)
      #expect(read.isEmpty)
      guard case .unexpectedContent(let content) = error else {
        Issue.record("\(text)")
        return
      }
      #expect(content.kind == .framing)
    }
    #expect(await read([Data("\"12345678\"\n".utf8)], .lines, recordLimit: 10).0 == ["12345678"])
  }

  @Test("It connects when asked and reads no further than asked") func itConnectsWhenAskedAndReadsNoFurtherThanAsked()
    async throws
  {
    let pieces = Pieces((0..<100).map { Data("\"\($0)\"\n".utf8) }, failure: nil)
    let transport = transport(pieces)
    let stream: EventStream<String> = client([], transport).stream(Call(endpoint(stream: .lines)))
    var iterator = stream.makeAsyncIterator()
    #expect(transport.requests.isEmpty)
    #expect(try await iterator.next()?.value == "0")
    #expect(try await iterator.next()?.value == "1")
    #expect(transport.requests.count == 1)
    #expect(await pieces.handedOut == 2)
  }

  @Test("A refused stream is an error like any other") func aRefusedStreamIsAnErrorLikeAnyOther() async {
    let transport = transport(
      Pieces([Data(#"{"errors":[{"code":32,"message":"m"}]}"#.utf8)], failure: nil), status: .unauthorized)
    let stream: EventStream<String> = client([], transport).stream(Call(endpoint(stream: .lines)))
    var iterator = stream.makeAsyncIterator()
    do throws(CallError) {
      _ = try await iterator.next()
      Issue.record("no error")
    } catch {
      guard case .authorization(let problem) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(problem.response?.codes == [32])
    }
  }
}
