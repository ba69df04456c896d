import Foundation
import TestSupport
import Testing

@testable import Callsign
@testable import CallsignAuth
@testable import CallsignCore
@testable import CallsignHTTP

@Suite struct MultipartTests {
  static func temporaryFile(_ bytes: Data) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-\(UUID().uuidString).bin")
    try bytes.write(to: url)
    return url
  }

  @Test("Parts are written as RFC 7578 says") func asRFC7578Says() async throws {
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
    // Each attempt reads it anew.
    #expect(try await requestBody.collect() == expected)
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
    let server = try ScriptedServer.answering { request, peer in
      received.withLock { $0.append(request) }
      try peer.answer()
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

  @Test("A large file needs little memory") func aLargeFileNeedsLittleMemory() async throws {
    let url = try Self.temporaryFile(Data())
    defer { try? FileManager.default.removeItem(at: url) }
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 500 << 20)
    try handle.close()
    let body = try MultipartBody(parts: [.file(name: "media", FilePart(file: url))]).requestBody()
    #expect(try #require(body.length) > 500 << 20)
    let source = try #require(try body.openStream())
    let before = ProcessCounts.residentBytes
    var read = 0
    while let piece = try await source.next(limit: 64 * 1024) {
      #expect(piece.count <= 64 * 1024)
      read += piece.count
    }
    #expect(read == body.length)
    // Other tests run meanwhile, hence a bound that only says that the file is not in memory.
    if let before, let after = ProcessCounts.residentBytes { #expect(after - before < 400 << 20) }
  }

  @Test("Of a file that grows meanwhile only the announced length is sent") func filesThatChange() async throws {
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

  @Test("What cannot be sent") func whatCannotBeSent() async throws {
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
