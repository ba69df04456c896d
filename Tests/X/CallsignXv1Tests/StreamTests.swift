import Callsign
import CallsignTesting
import CallsignXv1
import Foundation
import Testing

/// The kinds of message of a stream, and how to distinguish them on the wire.
@Suite struct StreamTests {
  private static let event =
    #"{"event":"favorite","created_at":"Sat Sep 04 16:10:54 +0000 2010","source":\#(Sample.user),"target":\#(Sample.user),"target_object":\#(Sample.tweet)}"#
  private static let directMessage =
    #"{"direct_message":{"id":1,"id_str":"1","text":"hi","created_at":"Sat Sep 04 16:10:54 +0000 2010","sender":\#(Sample.user),"sender_id":12,"recipient_id":12,"recipient":\#(Sample.user)}}"#

  /// The case that a message became.
  private static func kind(_ message: XAPIv1.StreamMessage) -> String {
    switch message {
    case .tweet(let tweet): "tweet \(tweet.idStr)"
    case .delete(let message): "delete \(message.delete.status?.id ?? 0)"
    case .scrubGeo(let message): "scrubGeo \(message.scrubGeo.upToStatusID)"
    case .limit(let message): "limit \(message.limit.track)"
    case .statusWithheld(let message): "statusWithheld \(message.statusWithheld.withheldInCountries)"
    case .userWithheld(let message): "userWithheld \(message.userWithheld.withheldInCountries)"
    case .disconnect(let message): "disconnect \(message.disconnect.code)"
    case .warning(let message): "warning \(message.warning.code.rawValue)"
    case .friends(let message): "friends \(message.friends)"
    case .friendsStr(let message): "friendsStr \(message.friendsStr)"
    case .event(let message): "event \(message.event.rawValue)"
    case .directMessage(let message): "directMessage \(message.directMessage.idStr)"
    case .control(let message): "control \(message.control.controlURI)"
    case .envelope(let envelope): "envelope \(envelope.forUser) \(kind(envelope.message))"
    case .unknown: "unknown"
    }
  }

  private static let messages: [(json: String, kind: String)] = [
    (Sample.tweet, "tweet 20"),
    (#"{"delete":{"status":{"id":1234,"id_str":"1234","user_id":3,"user_id_str":"3"}}}"#, "delete 1234"),
    (
      #"{"scrub_geo":{"user_id":14,"user_id_str":"14","up_to_status_id":23,"up_to_status_id_str":"23"}}"#, "scrubGeo 23"
    ),
    (#"{"limit":{"track":1234,"timestamp_ms":"1490396134000"}}"#, "limit 1234"),
    (
      #"{"status_withheld":{"id":1,"user_id":2,"withheld_in_countries":["DE","AR"]}}"#, #"statusWithheld ["DE", "AR"]"#
    ),
    (#"{"user_withheld":{"id":1,"withheld_in_countries":["XX"]}}"#, #"userWithheld ["XX"]"#),
    (#"{"disconnect":{"code":4,"stream_name":"","reason":"stall"}}"#, "disconnect 4"),
    (
      #"{"warning":{"code":"FALLING_BEHIND","message":"Your connection is falling behind","percent_full":60}}"#,
      "warning FALLING_BEHIND"
    ),
    (#"{"warning":{"code":"FOLLOWS_OVER_LIMIT","message":"m","user_id":1}}"#, "warning FOLLOWS_OVER_LIMIT"),
    (#"{"warning":{"code":"NEW_ONE","message":"m"}}"#, "warning NEW_ONE"),
    (#"{"friends":[1497,169686021]}"#, "friends [1497, 169686021]"),
    (#"{"friends_str":["1497"]}"#, #"friendsStr ["1497"]"#),
    (event, "event favorite"), (directMessage, "directMessage 1"),
    (#"{"control":{"control_uri":"/1.1/site/c/01_225167"}}"#, "control /1.1/site/c/01_225167"),
    (#"{"for_user":1888,"message":{"friends":[]}}"#, "envelope 1888 friends []"),
    (#"{"for_user":1888,"message":\#(Sample.tweet)}"#, "envelope 1888 tweet 20"),
    (#"{"something_new":{"x":1}}"#, "unknown"), ("[1]", "unknown"),
  ]

  @Test("Every kind of message is recognised by its contents; a new one is kept", arguments: messages)
  func kinds(json: String, kind: String) throws {
    let message = try XAPIv1.StreamMessage(jsonString: json)
    #expect(Self.kind(message) == kind)
    if kind == "unknown" { #expect(try message.jsonString() == json) }
  }

  private func recorder(_ body: String, pieces: Int) -> Recorder {
    Recorder { _ in
      let bytes = Data(body.utf8)
      let cuts = stride(from: 0, to: bytes.count, by: pieces).map { bytes[$0..<min($0 + pieces, bytes.count)] }
      return TransportResponse(head: .init(status: .ok), body: ResponseBody(Pieces(cuts.map { Data($0) })))
    }
  }

  @available(*, deprecated)
  @Test(
    "Records end with CR LF, empty lines keep the connection alive, wherever the pieces are cut",
    arguments: [1, 7, 4096])
  func lines(pieces: Int) async throws {
    let body = Self.messages.map { "\($0.json)\r\n\r\n" }.joined()
    let recorder = recorder(body, pieces: pieces)
    var kinds: [String] = []
    for try await message in recorder.v1.postStatusesFilter(track: ["swift"]).reconnecting(.never).values {
      kinds.append(Self.kind(message))
    }
    #expect(kinds == Self.messages.map(\.kind))
    #expect(try await recorder.lines() == ["POST stream.twitter.com/1.1/statuses/filter.json track=swift"])
  }

  @available(*, deprecated)
  @Test("With delimited=length the byte count comes before each record", arguments: [1, 7, 4096])
  func length(pieces: Int) async throws {
    // A record may contain line ends if its length says so.
    let records = Self.messages.map { $0.json.replacingOccurrences(of: ",\"", with: ",\r\n\"") + "\r\n" }
    let recorder = recorder(records.map { "\($0.utf8.count)\r\n\($0)" }.joined(separator: "\r\n"), pieces: pieces)
    var kinds: [String] = []
    for try await message in recorder.v1.getStatusesSample(delimited: .length).reconnecting(.never).values {
      kinds.append(Self.kind(message))
    }
    #expect(kinds == Self.messages.map(\.kind))
    #expect(try await recorder.lines() == ["GET stream.twitter.com/1.1/statuses/sample.json?delimited=length"])
  }

  @available(*, deprecated)
  @Test("A record that is not a message is yielded unchanged, and the stream continues")
  func undecodable() async throws {
    let recorder = recorder(
      "{\"delete\":{\"status\":{\"id\":tru,\"user_id\":1}}}\r\n{\"friends\":[1]}\r\n", pieces: 9)
    var elements: [String] = []
    for try await element in recorder.v1.getUser().reconnecting(.never) {
      switch element {
      case .value(let message): elements.append(Self.kind(message))
      case .undecodable(let record): elements.append(record.error.path)
      }
    }
    #expect(elements == ["", "friends [1]"])
  }
}

/// A body that arrives in given pieces.
private final class Pieces: ResponseBodySource {
  private let rest: Rest

  init(_ pieces: [Data]) { rest = Rest(pieces[...]) }

  func next() async throws(TransportError) -> Data? { await rest.next() }

  private actor Rest {
    private var pieces: ArraySlice<Data>

    init(_ pieces: ArraySlice<Data>) { self.pieces = pieces }

    func next() -> Data? { pieces.popFirst() }
  }
}
