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

/// `@unchecked Sendable`: `steps` is touched only while `lock` is held.
private final class Steps: @unchecked Sendable {
  private let lock = NSLock()
  private var steps: [TransferProgress] = []

  func add(_ step: TransferProgress) { lock.withLock { steps.append(step) } }

  func bytes(_ direction: TransferProgress.Direction) -> [Int] {
    lock.withLock { steps.filter { $0.direction == direction }.map(\.bytes) }
  }

  var totals: Set<Int?> { lock.withLock { Set(steps.map(\.total)) } }
}

@Suite("Progress and downloads")
struct TransferTests {
  @Test("Bytes up and down, from the start again with each attempt")
  func progress() async throws {
    let steps = Steps()
    let counter = Counter()
    let transport = InMemoryTransport { request throws(TransportError) in
      let body = try await request.body.collect()
      #expect(body.count == 100_000)
      if counter.next() == 0 { return .json("{}", status: .badGateway) }
      return .json("\"\(String(repeating: "a", count: 998))\"", headerFields: [.contentLength: "1000"])
    }
    let client = Client(
      auth: [], configuration: ClientConfiguration(transport: transport, time: TestTime(.moves)))
    _ = try await client.call(
      .put, "https://api.example/x", body: .data(Data(count: 100_000), contentType: "application/octet-stream"),
      options: CallOptions(progress: { steps.add($0) }))
    let once = [0, 65_536, 100_000]
    #expect(steps.bytes(.upload) == once + once)
    #expect(steps.bytes(.download) == [1000])
    #expect(steps.totals == [100_000, 1000])
  }

  @Test("A download replaces the file when all of it has arrived")
  func download() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("download-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("video.mp4")
    try Data("old".utf8).write(to: file)
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: InMemoryTransport { request in
          request.head.path == "/cut"
            ? TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(BrokenBody()))
            : TransportResponse(body: Data("new".utf8))
        }, retry: .never))
    await #expect(throws: CallError.self) { try await client.download("https://api.example/cut", to: file) }
    #expect(try Data(contentsOf: file) == Data("old".utf8))
    #expect(try await client.download("https://api.example/whole", to: file).value == 3)
    #expect(try Data(contentsOf: file) == Data("new".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["video.mp4"])
  }

  @Test("A file that cannot be made costs no request, and a call that fails leaves no file")
  func fileFirst() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("file", isDirectory: false)
    let transport = InMemoryTransport { _ in .json("{}", status: .notFound) }
    let client = client([], transport)
    let missing = await #expect(throws: CallError.self) {
      try await client.download("https://api.example/x", to: folder.url.appendingPathComponent("none/file"))
    }
    guard case .invalidCall? = missing else {
      Issue.record("\(String(describing: missing))")
      return
    }
    #expect(transport.requests.isEmpty)
    let refused = await #expect(throws: CallError.self) {
      try await client.download("https://api.example/x", to: file)
    }
    guard case .api? = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(transport.requests.count == 1)
    #expect(try folder.names() == [])
  }

  @Test("A folder in the file's place costs no request, and a name may be as long as the system allows")
  func placeAndName() async throws {
    let folder = try TemporaryFolder()
    try folder.write("here", to: "file/other")
    let transport = InMemoryTransport { _ in TransportResponse(body: Data("new".utf8)) }
    let client = client([], transport)
    let error = await #expect(throws: CallError.self) {
      try await client.download("https://api.example/x", to: folder.url.appendingPathComponent("file"))
    }
    guard case .invalidCall(let call)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(call)".contains("it is a folder") && transport.requests.isEmpty)
    let name = String(repeating: "n", count: 255)
    _ = try await client.download("https://api.example/x", to: folder.url.appendingPathComponent(name))
    #expect(try folder.names() == ["file", name])
  }

  @Test("If a file cannot be moved into place, the call still counts as sent")
  func fileInTheWay() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("file", isDirectory: false)
    let client = client(
      [],
      InMemoryTransport { _ in
        // A folder that is not empty is not replaced by a file.
        try? folder.write("here", to: "file/other")
        return TransportResponse(body: Data("new".utf8))
      })
    let error = await #expect(throws: CallError.self) {
      try await client.download("https://api.example/x", to: file)
    }
    guard case .transport(let cause)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.delivery == .delivered)
    #expect(cause.detail?.contains("put in its place") == true)
    #expect(try folder.names() == ["file"])
  }

  @Test("An empty body reports no progress, and a HEAD request stays one without a body")
  func progressOfNothing() async throws {
    let transport = InMemoryTransport { _ in TransportResponse() }
    let client = client([], transport)
    for body in [CallBody.data(Data(), contentType: "text/plain"), nil] {
      _ = try await client.call(
        .head, "https://api.example/x", body: body, options: CallOptions(progress: { _ in }))
    }
    #expect(transport.requests.count == 2)
    for request in transport.requests {
      if case .stream = request.body { Issue.record("the body is a stream") }
    }
  }
}

private final class BrokenBody: ResponseBodySource {
  private let counter = Counter()

  func next() async throws(TransportError) -> Data? {
    if counter.next() == 0 { return Data("half".utf8) }
    throw TransportError(.connectionLost, delivery: .delivered)
  }

  @Test("A HEAD of something large gets a response, since nothing of it is sent")
  func headOfSomethingLarge() async throws {
    let transport = InMemoryTransport { _ in TransportResponse(headerFields: [.contentLength: "1099511627776"]) }
    let client = client([], transport)
    #expect(try await client.call(.head, "https://api.example/film").headers[.contentLength] == "1099511627776")
    await #expect(throws: CallError.self) { try await client.call(.get, "https://api.example/film") }
  }
}
