import Callsign
import CallsignMock
import Foundation
import OpenAIKit
import Testing

@Suite("Files, lists and other calls") struct FileTests {
  private func file(_ id: String) -> JSONValue {
    [
      "id": .string(id), "object": "file", "bytes": 3, "created_at": 1_795_341_900, "filename": "input.jsonl",
      "purpose": "batch", "status": "processed",
    ]
  }

  @Test("A file is stored from the disk, with a date on which it goes") func upload() async throws {
    let mock = try makeMock()
    try mock.reply(to: "createFile", with: .json(file("file-1")))
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jsonl")
    try Data("{}\n".utf8).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let stored = try await makeClient(mock).createFile(
      file: FilePart(file: path, mediaType: "application/jsonl"), purpose: .batch,
      expiresAfter: OpenAI.FileExpirationAfter(seconds: 3_600))
    #expect(stored.id == "file-1" && stored.purpose == .batch && stored.value.status == .processed)
    let body = String(decoding: mock.requests.first?.body ?? Data(), as: UTF8.self)
    #expect(body.contains("filename=\"\(path.lastPathComponent)\"") && body.contains("application/jsonl"))
    #expect(body.contains(#"name="expires_after[anchor]""#) && body.contains(#"name="expires_after[seconds]""#))
  }

  @Test("The content of a file is bytes, whatever its type") func download() async throws {
    let mock = try makeMock()
    try mock.reply(to: "downloadFile", with: .data(Data([0, 255, 10]), contentType: "application/octet-stream"))
    #expect(try await makeClient(mock).downloadFile(fileID: "file-1").value == Data([0, 255, 10]))
    try mock.reply(to: "downloadFile", with: .data(Data("{}\n{}\n".utf8), contentType: "application/json"))
    #expect(try await makeClient(mock).downloadFile(fileID: "file-1").value == Data("{}\n{}\n".utf8))
  }

  @Test("A list is read element by element, and pages are asked for as they are needed") func pages() async throws {
    let mock = try makeMock()
    func page(_ ids: [String], more: Bool) -> JSONValue {
      [
        "object": "list", "data": .array(ids.map(file)), "has_more": .bool(more), "first_id": .string(ids.first ?? ""),
        "last_id": .string(ids.last ?? ""),
      ]
    }
    try mock.reply(to: "listFiles", with: .json(page(["file-1", "file-2"], more: true)), times: 1)
    try mock.reply(to: "listFiles", with: .json(page(["file-3"], more: false)), times: 1)
    let openAI = makeClient(mock)
    var ids: [String] = []
    for try await file in openAI.listFilesPages(purpose: "batch", limit: 2).items { ids.append(file.id) }
    #expect(ids == ["file-1", "file-2", "file-3"])
    #expect(mock.requests.map { $0.query("after") } == [nil, "file-2"])
    #expect(mock.requests.allSatisfy { $0.query("limit") == "2" && $0.query("purpose") == "batch" })

    try mock.reply(to: "listFiles", with: .json(page(["file-1", "file-2"], more: true)), times: 1)
    let first = try await openAI.listFiles(limit: 2)
    #expect(first.hasMore && first.data.count == 2 && first.lastID == "file-2")
    mock.forgetRequests()
    try mock.reply(to: "listFiles", with: .json(page(["file-1", "file-2"], more: true)), times: 1)
    for try await _ in openAI.listFilesPages(limit: 2).limit(2).items {}
    #expect(mock.requests.count == 1)
  }

  @Test("A large file is uploaded in parts") func parts() async throws {
    let mock = try makeMock()
    let openAI = makeClient(mock)
    let upload = try await openAI.createUpload(
      filename: "large.jsonl", purpose: .batch, bytes: 4, mimeType: "application/jsonl")
    var parts: [String] = []
    for piece in [Data([1, 2]), Data([3, 4])] {
      parts.append(try await openAI.addUploadPart(uploadID: upload.id, data: FilePart(piece, fileName: "part")).id)
    }
    try mock.reply(
      to: "completeUpload", with: .generated(with: ["status": "completed", "file": file("file-9")]))
    let done = try await openAI.completeUpload(uploadID: upload.id, partIDs: parts)
    #expect(done.value.status == .completed && done.file?.id == "file-9")
    #expect(mock.requests.last?.bodyValue?.object?["part_ids"]?.array?.count == 2)
  }

  @Test("Texts become vectors, and are checked for harm") func embeddings() async throws {
    let mock = try makeMock()
    try mock.reply(
      to: "createEmbedding",
      with: .json([
        "object": "list", "model": "text-embedding-3-small", "usage": ["prompt_tokens": 1, "total_tokens": 1],
        "data": [["object": "embedding", "index": 0, "embedding": [0.5, -0.25]]],
      ]))
    let openAI = makeClient(mock)
    let vectors = try await openAI.createEmbedding(model: .textEmbedding3Small, input: "Hello")
    #expect(vectors.data.first?.embedding == [0.5, -0.25])
    _ = try await openAI.createEmbedding(model: .textEmbedding3Small, input: .stringList(["a", "b"]))
    #expect(mock.requests.last?.bodyValue?.object?["input"] == ["a", "b"])
    try mock.reply(
      to: "createModeration", with: .generated(with: ["results": [["flagged": true]]]))
    #expect(try await openAI.createModeration(input: "…").results.first?.flagged == true)
  }
}
