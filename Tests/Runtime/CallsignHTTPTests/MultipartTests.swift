import CallsignSupport
import Foundation
import TestSupport
import Testing

@testable import Callsign
@testable import CallsignAuth
@testable import CallsignHTTP

@Suite struct MultipartTests {
  static func temporaryFile(_ bytes: Data) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-\(UUID().uuidString).bin")
    try bytes.write(to: url)
    return url
  }

  @Test("Parts are written as RFC 7578 requires") func asRFC7578Says() async throws {
    let file = FilePart(Data([0xff, 0x00, 0x0d, 0x0a]), fileName: "a \"b\"\r\n.png", mediaType: "image/png")
    let body = MultipartBody(
      parts: [.text(name: "na\"me", value: "grün\r\n"), .file(name: "media", file)], boundary: "frontier")
    #expect(body.contentType == "multipart/form-data; boundary=frontier")
    let requestBody = try body.requestBody()
    var expected = Data(
      """
      --frontier\r\nContent-Disposition: form-data; name="na%22me"\r\n\r\ngrün\r\n\r\n\
      --frontier\r\nContent-Disposition: form-data; name="media"; filename="a %22b%22%0D%0A.png"\r\n\
      Content-Type: image/png\r\n\r\n
      """.utf8)
    expected += Data([0xff, 0x00, 0x0d, 0x0a]) + Data("\r\n--frontier--\r\n".utf8)
    #expect(try await requestBody.collect() == expected)
    #expect(requestBody.length == expected.count)
    // Each attempt reads it again.
    #expect(try await requestBody.collect() == expected)
  }

  /// Reads `multipart/form-data` with Python's own reader of messages. That reader accepts no field with bytes that are not ASCII,
  /// so it gets them as text.
  private static let reader = """
    import base64, email, json, sys
    from email.message import Message

    def parts(body):
        head = "Content-Type: " + body["type"] + "\\r\\n\\r\\n"
        message = email.message_from_bytes(head.encode() + base64.b64decode(body["bytes"]))
        for part in message.get_payload():
            fields = {
                name.lower(): value.encode("ascii", "surrogateescape").decode("utf-8")
                for name, value in part.raw_items()
            }
            found = Message()
            found["Content-Disposition"] = fields.pop("content-disposition")
            name, file = (found.get_param(word, header="Content-Disposition") for word in ("name", "filename"))
            content = base64.b64encode(part.get_payload(decode=True)).decode()
            yield [name, file, fields.pop("content-type", None), content, len(fields)]

    print(json.dumps([list(parts(body)) for body in json.load(sys.stdin)]))
    """

  @Test("Any parts are read by Python as they were given", .needs(.python)) func anyParts() async throws {
    var generator = SeededGenerator(seed: 23)
    var (bodies, expected): ([JSONValue], [JSONValue]) = ([], [])
    let mediaTypes = ["image/png", "application/json", "application/octet-stream", "text/plain; charset=utf-8"]
    let url = try Self.temporaryFile(Data(pattern(10_000)))
    defer { try? FileManager.default.removeItem(at: url) }
    for _ in 0..<150 {
      var (parts, found): ([MultipartBody.Part], [JSONValue]) = ([], [])
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        let name = Self.name(&generator)
        let fileName = Self.name(&generator)
        let mediaType = mediaTypes.randomElement(using: &generator) ?? ""
        let size = Int.random(in: 0...300, using: &generator)
        // Line breaks and hyphens, as around a boundary, are many among the bytes.
        let bytes = (0..<size).map { _ in
          [0x0D, 0x0A, 0x2D, UInt8.random(in: 0...255, using: &generator)].randomElement(using: &generator) ?? 0
        }
        let data = Data(bytes)
        let field = JSONValue.string(Self.escaped(name))
        let file = JSONValue.string(Self.escaped(fileName))
        switch Int.random(in: 0...3, using: &generator) {
        case 0:
          let value = generator.text(length: 0...40)
          parts.append(.text(name: name, value: value))
          found.append([field, nil, nil, .string(Data(value.utf8).base64EncodedString()), 0])
        case 1:
          parts.append(.value(name: name, data, mediaType: mediaType))
          found.append([field, nil, .string(mediaType), .string(data.base64EncodedString()), 0])
        case 2:
          parts.append(.file(name: name, FilePart(data, fileName: fileName, mediaType: mediaType)))
          found.append([field, file, .string(mediaType), .string(data.base64EncodedString()), 0])
        default:
          parts.append(.file(name: name, FilePart(.file(url), fileName: fileName, mediaType: mediaType)))
          let content = Data(pattern(10_000)).base64EncodedString()
          found.append([field, file, .string(mediaType), .string(content), 0])
        }
      }
      let body = MultipartBody(parts: parts)
      let bytes = try await body.requestBody().collect()
      bodies.append(["type": .string(body.contentType), "bytes": .string(bytes.base64EncodedString())])
      expected.append(.array(found))
    }
    let input = try JSONValue.array(bodies).jsonData()
    let output = try await onThread { try Python.run(Self.reader, input: input) }
    let read = try JSONValue(jsonData: output).array ?? []
    #expect(read.count == expected.count)
    for (found, wanted) in zip(read, expected) {
      #expect(Array(found.description.utf8) == Array(wanted.description.utf8))
    }
  }

  /// A random name without backslashes: browsers send them unchanged, and readers by RFC 2045 treat them as escapes.
  private static func name(_ generator: inout SeededGenerator) -> String {
    let scalars = generator.text(length: 0...20).unicodeScalars.map { $0 == "\\" ? "/" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  /// As browsers escape a name.
  private static func escaped(_ name: String) -> String {
    let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A"]
    return name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }

  @Test("A body without parts is its closing boundary") func noParts() async throws {
    let body = MultipartBody(parts: [], boundary: "b")
    #expect(try await body.requestBody().collect() == Data("--b--\r\n".utf8))
  }

  @Test("Boundaries differ") func boundariesDiffer() {
    let boundaries = (0..<1000).map { _ in MultipartBody(parts: []).boundary }
    #expect(Set(boundaries).count == 1000)
    #expect(boundaries.allSatisfy { $0.count <= 70 && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } })
  }

  @Test("A file from disk", arguments: TransportKind.allCases, [0, 1, 65_535, 65_536, 300_000])
  func aFileFromDisk(kind: TransportKind, size: Int) async throws {
    let bytes = Data(pattern(size))
    let url = try Self.temporaryFile(bytes)
    defer { try? FileManager.default.removeItem(at: url) }
    let received = Locked<[ReceivedRequest]>([])
    let server = try ScriptedServer.responding { request, peer in
      received.withLock { $0.append(request) }
      try peer.respond()
    }
    let body = MultipartBody(parts: [.text(name: "a", value: "b"), .file(name: "media", FilePart(file: url))])
    _ = try await kind.make().send(
      TransportRequest(.post, server.url(), fields: ["Content-Type": body.contentType], body: body.requestBody()))
    let request = try #require(received.withLock { $0.first })
    #expect(request["Content-Type"] == body.contentType)
    #expect(Data(request.body) == (try await body.requestBody().collect()))
    #expect(request["Content-Length"] == "\(request.body.count)")
    #expect(Data(request.body).range(of: bytes + Data("\r\n--\(body.boundary)--\r\n".utf8)) != nil)
  }

  #if os(Linux)
    /// In a separate process, so that nothing else takes memory in between.
    @Test("A large file needs little memory", .needs(.plainMemory)) func aLargeFileNeedsLittleMemory() async {
      await #expect(processExitsWith: .success) {
        let url = try MultipartTests.temporaryFile(Data())
        defer { try? FileManager.default.removeItem(at: url) }
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: 500 << 20)
        try handle.close()
        let body = try MultipartBody(parts: [.file(name: "media", FilePart(file: url))]).requestBody()
        #expect(try #require(body.length) > 500 << 20)
        let source = try #require(try body.openStream())
        let before = try #require(ProcessCounts.residentBytes)
        var (read, largest) = (0, 0)
        while let piece = try await source.next(limit: 64 * 1024) {
          largest = max(largest, piece.count)
          read += piece.count
        }
        #expect(read == body.length)
        #expect(largest <= 64 * 1024)
        #expect(try #require(ProcessCounts.residentBytes) - before < 100 << 20)
      }
    }
  #endif

  @Test("Only the announced length of a growing file is sent") func filesThatChange() async throws {
    let url = try Self.temporaryFile(Data(repeating: 1, count: 1000))
    defer { try? FileManager.default.removeItem(at: url) }
    let body = try MultipartBody(parts: [.file(name: "media", FilePart(file: url))]).requestBody()
    try Data(repeating: 1, count: 2000).write(to: url)
    #expect(try await body.collect().count == body.length)
    try Data(repeating: 1, count: 500).write(to: url)
    #expect(try await transportError { try await body.collect() }.kind == .bodySource)
    try FileManager.default.removeItem(at: url)
    #expect(try await transportError { try await body.collect() }.kind == .bodySource)
  }

  @Test("Parts that cannot be sent") func whatCannotBeSent() async throws {
    let missing = MultipartBody(parts: [.file(name: "a", FilePart(file: URL(fileURLWithPath: "/nonexistent")))])
    #expect(try await transportError { try missing.requestBody() }.kind == .bodySource)
    let folder = MultipartBody(parts: [.file(name: "a", FilePart(file: FileManager.default.temporaryDirectory))])
    #expect(try await transportError { try folder.requestBody() }.kind == .bodySource)
    for mediaType in ["", "a\r\nX: y", "grün"] {
      let body = MultipartBody(parts: [.file(name: "a", FilePart(Data(), fileName: "f", mediaType: mediaType))])
      let error = try await transportError { try body.requestBody() }
      guard case .invalidRequest = error.kind else { Issue.record("\(error)"); continue }
    }
  }
}
