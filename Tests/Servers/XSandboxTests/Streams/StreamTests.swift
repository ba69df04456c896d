import Foundation
import TestSupport
import Testing

@testable import XSandbox

@Suite("Streams")
struct StreamTests {
  private func withStreams(
    _ configure: (inout Sandbox.Configuration) -> Void = { _ in },
    _ body: (TestClient, Sandbox) async throws -> Void
  ) async throws {
    var configuration = generousConfiguration()
    configure(&configuration)
    try await withSandbox(configuration) { (sandbox) async throws in
      try await body(TestClient(sandbox, .bearer(sandbox.app.bearerToken)), sandbox)
    }
  }

  private func lines(_ body: Data) -> [JSON] {
    String(decoding: body, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
      .map { (try? JSON(parsing: Data($0.utf8))) ?? .null }
  }

  private func texts(_ body: Data) -> [String?] { lines(body).map { $0["data"]?["text"]?.string } }

  /// Waits until so many streams are open.
  private func open(_ count: Int, _ sandbox: Sandbox) async throws {
    try await eventually { sandbox.openStreams == count }
  }

  private func raw(_ target: String, _ sandbox: Sandbox, _ fields: String = "") -> String {
    "GET \(target) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(sandbox.app.bearerToken)\r\n\(fields)\r\n"
  }

  @Test(
    "The filtered stream has new posts that match a rule, with the rules",
    arguments: [true, false])
  func filtered(isCompressed: Bool) async throws {
    try await withStreams {
      $0.compressesStreams = isCompressed
    } _: { (client, sandbox) async throws in
      let rules = try await client.post(
        "/2/tweets/search/stream/rules", #"{"add":[{"value":"swift","tag":"s"},{"value":"from:bob"}]}"#)
      let ids = rules.elements.map { $0["id"] ?? .null }
      sandbox.injectStream(.end(afterRecords: 3))
      async let stream = client.get("/2/tweets/search/stream?tweet.fields=author_id,created_at&expansions=author_id")
      try await open(1, sandbox)
      let alice = TestClient.alice(sandbox)
      for text in ["swift é漢😀", "nothing", "SWIFT again"] {
        #expect(try await alice.post("/2/tweets", #"{"text":"\#(text)"}"#).status == 201)
      }
      try await sandbox.addPost("by Bob, on swift", by: sandbox.users.bob)
      let response = try await stream
      #expect(response.status == 200)
      let records = lines(response.body)
      #expect(records.map { $0["data"]?["text"] } == ["swift é漢😀", "SWIFT again", "by Bob, on swift"])
      #expect(records.first?["data"]?["author_id"]?.string == sandbox.users.alice.id)
      #expect(records.first?["includes"]?["users"] != nil)
      #expect(records.first?["matching_rules"] == [["id": ids[0], "tag": "s"]])
      #expect(records.last?["matching_rules"] == [["id": ids[0], "tag": "s"], ["id": ids[1], "tag": ""]])
    }
  }

  @Test("A stream is compressed for clients that accept it")
  func compression() async throws {
    try await withStreams { (_, sandbox) async throws in
      for (fields, isCompressed) in [
        ("", false), ("Accept-Encoding: gzip\r\n", true), ("Accept-Encoding: br, GZIP;q=1\r\n", true),
        ("Accept-Encoding: gzip;q=0\r\n", false), ("Accept-Encoding: deflate\r\n", false),
      ] {
        sandbox.injectStream(.end())
        let response = try await RawConnection.exchange(
          Array(raw("/2/tweets/sample/stream", sandbox, fields).utf8), with: sandbox)
        let text = String(decoding: response, as: UTF8.self)
        #expect(text.contains("Content-Encoding: gzip") == isCompressed)
        #expect(response.firstRange(of: [0x1F, 0x8B, 8]) != nil || !isCompressed)
      }
    }
  }

  @Test("The compressed bytes of a stream are a gzip file", .needs(.python))
  func gzip() async throws {
    let compressor = try #require(Compressor(.gzip))
    var file = Data()
    var plain = Data()
    for size in [0, 1, 65_535, 65_536, 200_000] {
      let piece = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      file += compressor.compress(piece, .piece)
      plain += piece
    }
    // Each piece can be unpacked on arrival: a reader does not wait for the next.
    let pieces = file.count
    file += compressor.compress([], .end)
    let program = """
      import gzip, sys, zlib
      file = sys.stdin.buffer.read()
      assert zlib.decompressobj(31).decompress(file[:\(pieces)]) == gzip.decompress(file)
      sys.stdout.buffer.write(gzip.decompress(file))
      """
    let decoded = try await onThread { [file] in
      // The program reads all before it writes.
      try Python.run(program, input: file)
    }
    #expect(decoded == plain)
  }

  @Test("Keep-alives are sent when nothing else is")
  func keepAlives() async throws {
    try await withStreams {
      $0.streamKeepAlive = .milliseconds(5)
    } _: { (_, sandbox) async throws in
      sandbox.injectStream(.cut(afterBytes: 12))
      let response = try await RawConnection.exchange(raw("/2/tweets/sample/stream", sandbox), with: sandbox)
      let body = response.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
      #expect(body == String(repeating: "2\r\n\r\n\r\n", count: 6))
    }
  }

  @Test("A keep-alive comes an interval after the last record, not later")
  func keepAliveAfterRecord() async throws {
    let interval = Duration.seconds(2)
    try await withStreams {
      $0.streamKeepAlive = interval
    } _: { (_, sandbox) async throws in
      let descriptor = try #require(RawConnection.open(sandbox))
      let lines = try await RawConnection.times(
        of: raw("/2/tweets/sample/stream", sandbox, "X: y\r\n"), on: descriptor, pieces: 3
      ) {
        try await open(1, sandbox)
        try await Task.sleep(for: interval * 0.6)
        try await sandbox.addPost("late", by: sandbox.users.bob)
      }
      // Head, record, keep-alive.
      let wait = lines[1].duration(to: lines[2])
      #expect(wait >= interval * 0.8)
      #expect(wait < interval * 1.45)
    }
  }

  @Test("Backfill sends the posts of the last minutes before new ones")
  func backfill() async throws {
    let clock = Sandbox.ManualClock()
    try await withStreams {
      $0.clock = clock
    } _: { (client, sandbox) async throws in
      for text in ["old", "older than two minutes"] { try await sandbox.addPost(text, by: sandbox.users.bob) }
      clock.advance(by: 200)
      for text in ["a", "b"] { try await sandbox.addPost(text, by: sandbox.users.bob) }
      clock.advance(by: 30)
      for (query, expected) in [
        ("?backfill_minutes=2", ["a", "b", "new"]), ("?backfill_minutes=5", ["old", "older than two minutes", "a"]),
      ] {
        sandbox.injectStream(.end(afterRecords: 3))
        async let stream = client.get("/2/tweets/sample/stream" + query)
        if expected.last == "new" {
          try await open(1, sandbox)
          try await sandbox.addPost("new", by: sandbox.users.bob)
        }
        let body = try await stream.body
        #expect(texts(body) == expected)
        try await open(0, sandbox)
      }
      #expect(try await client.get("/2/tweets/sample/stream?backfill_minutes=6").status == 400)
      #expect(try await client.get("/2/tweets/sample/stream?start_time=2026-01-01T00:00:00Z").status == 400)
    }
  }

  @Test("Two partitions have all posts between them")
  func partitions() async throws {
    try await withStreams { (client, sandbox) async throws in
      #expect(try await client.get("/2/tweets/sample10/stream").status == 400)
      var all: [String?] = []
      for partition in 1...2 {
        sandbox.injectStream(.end(afterRecords: 5))
        async let stream = client.get("/2/tweets/sample10/stream?partition=\(partition)")
        try await open(1, sandbox)
        for number in 0..<10 { try await sandbox.addPost("\(number)", by: sandbox.users.bob) }
        let part = texts(try await stream.body)
        #expect(part.count == 5)
        all += part
        try await open(0, sandbox)
      }
      #expect(Set(all.compactMap { $0 }) == Set((0..<10).map(String.init)))
    }
  }

  @Test("The filtered stream wants a rule before it is opened, and not while it is open")
  func withoutRules() async throws {
    try await withStreams { (client, sandbox) async throws in
      let (stream, rules) = ("/2/tweets/search/stream", "/2/tweets/search/stream/rules")
      let refused = try await client.get(stream)
      #expect(refused.status == 409)
      #expect(refused.json["type"]?.string == Problem.typePrefix + "streaming-connection")
      #expect(refused.json["connection_issue"] == "RuleConfigurationIssue")
      let rule = try await client.post(rules, #"{"add":[{"value":"swift"}]}"#)
      let id = try #require(rule.elements.first?["id"]?.string)
      sandbox.injectStream(.end(afterRecords: 1))
      async let reading = client.get(stream)
      try await open(1, sandbox)
      #expect(try await client.post(rules, #"{"delete":{"ids":["\#(id)"]}}"#).status == 200)
      #expect(try await client.post(rules, #"{"add":[{"value":"linux"}]}"#).status == 201)
      try await sandbox.addPost("linux", by: sandbox.users.bob)
      let body = try await reading.body
      #expect(texts(body) == ["linux"])
    }
  }

  @Test("An app has one connection to the filtered stream; a closed one no longer counts")
  func oneConnection() async throws {
    try await withStreams { (client, sandbox) async throws in
      _ = try await client.post("/2/tweets/search/stream/rules", #"{"add":[{"value":"swift"}]}"#)
      let descriptor = try #require(RawConnection.open(sandbox))
      try await onThread {
        let request = Array(raw("/2/tweets/search/stream", sandbox).utf8)
        _ = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
      }
      try await open(1, sandbox)
      let refused = try await client.get("/2/tweets/search/stream")
      #expect(refused.status == 429)
      #expect(refused.json["type"]?.string == Problem.typePrefix + "streaming-connection")
      #expect(refused.json["connection_issue"] == "TooManyConnections")
      // Nothing is written for 20 seconds, so only looking at the connection shows that it is closed.
      // A process that another test starts just now may hold a copy of the descriptor for a moment.
      shutdown(descriptor, Int32(SHUT_RDWR))
      close(descriptor)
      sandbox.injectStream(.end())
      #expect(try await client.get("/2/tweets/search/stream").status == 200)
    }
  }

  @Test("v1.1 streams have sizes and notices of deleted tweets, and a user has one connection")
  func v1() async throws {
    try await withStreams { (_, sandbox) async throws in
      let client = TestClient(sandbox, .oauth1(sandbox.users.alice))
      sandbox.injectStream(.end(afterRecords: 3))
      async let stream = client.send(
        "POST", "/1.1/statuses/filter.json", form: "track=swift%20lang%2Clinux&delimited=length")
      try await open(1, sandbox)
      for text in ["the swift 漢 lang", "swift alone", "Linux"] {
        try await sandbox.addPost(text, by: sandbox.users.bob)
      }
      let own = try await TestClient.bob(sandbox).post("/2/tweets", #"{"text":"linux, soon gone"}"#)
      _ = try await TestClient.bob(sandbox).delete("/2/tweets/\(own.data?["id"]?.string ?? "")")
      var body = try await stream.body
      var records: [JSON] = []
      while let end = body.firstRange(of: Data("\r\n".utf8)) {
        let size = try #require(Int(String(decoding: body[..<end.lowerBound], as: UTF8.self)))
        let record = body[end.upperBound...].prefix(size)
        #expect(record.suffix(2) == Data("\r\n".utf8))
        records.append(try JSON(parsing: Data(record)))
        body = Data(body[end.upperBound...].dropFirst(size))
      }
      #expect(records.map { $0["text"]?.string } == ["the swift 漢 lang", "Linux", "linux, soon gone"])
      try await open(0, sandbox)

      async let first = client.get("/1.1/statuses/sample.json")
      try await open(1, sandbox)
      sandbox.injectStream(.end(afterRecords: 1))
      async let second = client.get("/1.1/statuses/sample.json")
      let farewell = try await first.body
      #expect(lines(farewell).map { $0["disconnect"]?["code"] } == [7])
      try await sandbox.addPost("x", by: sandbox.users.bob)
      let rest = try await second.body
      #expect(lines(rest).count == 1)
    }
  }

  @Test("v1.1 filters by places, languages and levels, and all levels are low")
  func v1Places() async throws {
    let seed = try SandboxSeed(yaml: "posts: [{by: bob, text: before}]")
    let sandbox = try await Sandbox.start(seed: seed)
    let (alice, bob) = (TestClient.aliceV1(sandbox), TestClient.bobV1(sandbox))
    sandbox.injectStream(.end(afterRecords: 2))
    async let stream = alice.send(
      "POST", "/1.1/statuses/filter.json", form: "locations=-122.75,36.8,-121.75,37.8&filter_level=low&language=und")
    try await open(1, sandbox)
    _ = try await bob.postV1("statuses/update", ["status": "nowhere"])
    _ = try await bob.postV1("statuses/update", ["status": "far", "place_id": "01a9a39529b27f36"])
    _ = try await bob.postV1("statuses/update", ["status": "tagged", "place_id": "5a110d312052166f"])
    _ = try await bob.postV1(
      "statuses/update", ["status": "exact", "lat": "37.75", "long": "-122.4", "display_coordinates": "true"])
    let records = lines(try await stream.body)
    #expect(records.map { $0["text"]?.string } == ["tagged", "exact"])
    #expect(records.first?["filter_level"] == "low")
    await sandbox.stop()
  }

  @Test(
    "v1.1's user stream starts with the accounts that the user follows, and has events of the user and of them",
    arguments: [
      ("track=swift", ["from bob", "hi @alice", "swift news", "own"]),
      ("with=user&stringify_friend_ids=true", ["hi @alice", "own"]),
      ("replies=all", ["from bob", "hi @alice", "to carol", "own"]),
    ])
  func v1User(parameters: String, expected: [String]) async throws {
    try await withStreams { (_, sandbox) async throws in
      let (alice, bob, carol) = (sandbox.users.alice, sandbox.users.bob, sandbox.users.carol)
      try await sandbox.follow(bob, by: alice)
      sandbox.injectStream(.end(afterRecords: expected.count + 1))
      async let stream = TestClient(sandbox, .oauth1(alice)).get("/1.1/user.json?\(parameters)")
      try await open(1, sandbox)
      let first = try await sandbox.addPost("from carol", by: carol)
      try await sandbox.addPost("from bob", by: bob)
      try await sandbox.addPost("hi @alice", by: carol)
      try await sandbox.addPost("to carol", by: bob, replyingTo: first)
      try await sandbox.addPost("swift news", by: carol)
      try await sandbox.addPost("own", by: alice)
      let records = lines(try await stream.body)
      if parameters.contains("stringify") {
        #expect(records.first?["friends_str"] == .array([.string(bob.id)]))
      } else {
        #expect(records.first?["friends"] == .array([.integer(Int(bob.id) ?? 0)]))
      }
      #expect(records.dropFirst().map { $0["text"]?.string } == expected)
    }
  }

  @Test("v1.1 refuses a filter that filters nothing")
  func v1Refusals() async throws {
    try await withStreams { (_, sandbox) async throws in
      let client = TestClient(sandbox, .oauth1(sandbox.users.alice))
      #expect(try await client.send("POST", "/1.1/statuses/filter.json", form: "stall_warnings=true").status == 406)
      #expect(try await client.send("POST", "/1.1/statuses/filter.json", form: "follow=bob").status == 400)
      #expect(try await client.send("POST", "/1.1/statuses/filter.json", form: "track=a&delimited=x").status == 400)
      #expect(try await client.send("POST", "/1.1/statuses/filter.json", form: "locations=1,2,3").status == 400)
      #expect(try await client.send("POST", "/1.1/statuses/filter.json", form: "locations=9,2,3,4").status == 400)
      #expect(try await client.send("POST", "/1.1/statuses/filter.json", form: "track=a&count=5").status == 416)
      #expect(try await client.send("POST", "/1.1/statuses/filter.json", form: "track=a&filter_level=x").status == 400)
      #expect(try await client.get("/1.1/user.json?with=x").status == 400)
      #expect(try await client.get("/1.1/user.json?replies=some").status == 400)
    }
  }

  @Test("Faults cut, split and end a stream, and send malformed records and disconnect messages")
  func faults() async throws {
    try await withStreams {
      // However long the test takes, what is cut is a record.
      $0.streamKeepAlive = .seconds(3600)
    } _: { (client, sandbox) async throws in
      sandbox.injectStream(.split(every: 3), .cut(afterBytes: 20), connections: 1)
      async let cut = RawConnection.exchange(raw("/2/tweets/sample/stream", sandbox), with: sandbox)
      try await open(1, sandbox)
      try await sandbox.addPost("a", by: sandbox.users.bob)
      let body = try await cut.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
      // Sizes and pieces in turns, and nothing after the last one, not even the end of a chunked body.
      let parts = body.components(separatedBy: "\r\n")
      let pieces = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
      #expect(pieces.map(\.utf8.count) == [3, 3, 3, 3, 3, 3, 2])
      #expect(pieces.joined().hasPrefix(#"{"data":{""#))
      #expect(parts.indices.filter { $0 % 2 == 0 }.map { parts[$0] } == ["3", "3", "3", "3", "3", "3", "2", ""])

      for version in ["/2/tweets/sample/stream", "/1.1/statuses/sample.json"] {
        for message in Sandbox.StreamDisconnection.allCases {
          sandbox.injectStream(.send("nonsense"), .disconnect(message, afterRecords: 1))
          let client = version.hasPrefix("/2") ? client : TestClient(sandbox, .oauth1(sandbox.users.alice))
          async let stream = client.get(version)
          try await open(1, sandbox)
          try await sandbox.addPost("b", by: sandbox.users.bob)
          let records = lines(try await stream.body)
          #expect(records.count == 3)
          #expect(records.first == .null)
          #expect(records.last?["errors"] != nil || records.last?["disconnect"] != nil)
          try await open(0, sandbox)
        }
      }
      sandbox.injectStream(.end(), connections: 100)
      sandbox.removeStreamFaults()
      async let interrupted = client.get("/2/tweets/sample/stream")
      try await open(1, sandbox)
      sandbox.interruptStreams(.end())
      let nothing = try await interrupted.body
      #expect(nothing.isEmpty)
    }
  }

  @Test("A slow reader gets a message and is disconnected")
  func slowReader() async throws {
    try await withStreams {
      $0.streamBacklogLimit = 10
    } _: { (client, sandbox) async throws in
      // About 350 ms a record: slower than a busy machine adds posts.
      sandbox.injectStream(.slow(.milliseconds(5)))
      async let stream = client.get("/2/tweets/sample/stream")
      try await open(1, sandbox)
      for number in 0..<50 { try await sandbox.addPost("\(number)", by: sandbox.users.bob) }
      let body = try await stream.body
      guard case .array(let errors)? = lines(body).last?["errors"] else {
        Issue.record("no message")
        return
      }
      #expect(errors.first?["disconnect_type"] == "SlowReader")
    }
  }

  @Test("A stalled stream is silent, and ends with the sandbox")
  func stall() async throws {
    let sandbox = try await Sandbox.start()
    sandbox.injectStream(.stall())
    let client = TestClient(sandbox, .bearer(sandbox.app.bearerToken))
    let stream = Task { try await client.get("/2/tweets/sample/stream") }
    try await open(1, sandbox)
    try await sandbox.addPost("x", by: sandbox.users.bob)
    await sandbox.stop()
    _ = await stream.result
    #expect(sandbox.openStreams == 0)
  }
}
