import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

/// Existing files, missing files, and files that change.
@Suite struct UploadFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")

  private func withFolder(_ body: () async throws -> Void) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body()
  }

  private func file(_ name: String, _ data: Data) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try data.write(to: url)
    return url
  }

  private func upload(_ url: URL, _ api: ScriptedAPI) async throws(UploadError) -> String {
    try await ChunkedUpload(
      UploadContent(file: url), by: api, options: UploadOptions(chunkSize: 5000, concurrency: 2),
      time: TestTime(.moves, at: Date())
    ).run(.silent)
  }

  private func problem(_ url: URL, _ api: ScriptedAPI = ScriptedAPI()) async -> FileProblem.Kind? {
    do throws(UploadError) {
      _ = try await upload(url, api)
      return nil
    } catch {
      guard case .file(let problem) = error.cause else { return nil }
      #expect(!"\(error)".contains(folder.path))
      #expect(error.resumption == nil)
      return problem.kind
    }
  }

  /// This process's open descriptors of a file.
  private func descriptors(of url: URL) throws -> Int {
    let path = url.resolvingSymlinksInPath().path
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
  }

  @Test("A file that cannot be uploaded is refused before anything is sent")
  func unreadable() async throws {
    try await withFolder {
      let api = ScriptedAPI()
      #expect(await problem(folder.appendingPathComponent("nothing"), api) == .missing)
      #expect(await problem(folder, api) == .directory)
      let empty = try file("empty", Data())
      #expect(await problem(empty, api) == .empty)
      let page = try #require(URL(string: "https://x.com/a.png"))
      #expect(await problem(page, api) == .notAFileURL)
      let pipe = folder.appendingPathComponent("pipe")
      #expect(mkfifo(pipe.path, 0o600) == 0)
      #expect(await problem(pipe, api) == .notARegularFile)
      #expect(throws: UploadError.self) { try UploadContent(data: Data()) }
      #expect(api.seen.size == 0)
    }
  }

  @Test("A file that may not be read cannot be uploaded", .needs(.ordinaryUser))
  func forbidden() async throws {
    try await withFolder {
      let secret = try file("secret", Data([1]))
      #expect(chmod(secret.path, 0) == 0)
      let api = ScriptedAPI()
      #expect(await problem(secret, api) == .unreadable)
      #expect(api.seen.size == 0)
    }
  }

  @Test("A file that grows, is rewritten or is cut short while it is sent", arguments: 0..<3)
  func changes(_ kind: Int) async throws {
    try await withFolder {
      let url = try file("video", Data(repeating: 7, count: 30_000))
      let api = ScriptedAPI { (chunk, _, count) throws(CallError) in
        guard chunk == 2, count == 1000, let handle = try? FileHandle(forUpdating: url) else { return }
        // Later than the first time stamp, however coarse the file system's clock is.
        try? FileManager.default.setAttributes([.modificationDate: Date() + 5], ofItemAtPath: url.path)
        switch kind {
        case 0:
          _ = try? handle.seekToEnd()
          try? handle.write(contentsOf: Data([1]))
        case 1: try? FileManager.default.setAttributes([.modificationDate: Date() + 9], ofItemAtPath: url.path)
        default: try? handle.truncate(atOffset: 100)
        }
        try? handle.close()
      }
      #expect(await problem(url, api) == .changed)
      #expect(api.seen.finishes == 0)
      #expect(api.seen.inFlight == 0)
      // It is not tried again with the changed contents.
      #expect(api.seen.attempts[2] == 1)
    }
  }

  @Test("A file that is replaced under its name is sent as it was")
  func replaced() async throws {
    try await withFolder {
      let old = Data(repeating: 7, count: 30_000)
      let url = try file("video", old)
      let api = ScriptedAPI { (chunk, _, count) throws(CallError) in
        if chunk == 0, count == 1000 { try? Data(repeating: 8, count: 30_000).write(to: url, options: .atomic) }
      }
      _ = try await upload(url, api)
      #expect(api.content == old)
    }
  }

  #if os(Linux)
    @Test("The file is closed after success, failure and cancellation")
    func descriptors() async throws {
      try await withFolder {
        let url = try file("video", Data(repeating: 7, count: 30_000))
        let open = ScriptedAPI { (_, _, count) throws(CallError) in
          if count == 1000 { #expect((try? self.descriptors(of: url)) == 1) }
        }
        _ = try await upload(url, open)
        #expect(try descriptors(of: url) == 0)
        let refusal = await CallError.status(400)
        let refusing = ScriptedAPI { (chunk, _, count) throws(CallError) in if chunk == 3, count > 0 { throw refusal } }
        _ = await problem(url, refusing)
        #expect(try descriptors(of: url) == 0)
        let hanging = ScriptedAPI { (_, _, count) throws(CallError) in
          guard count > 0 else { return }
          while !Task.isCancelled { await Task.yield() }
          throw .cancelled
        }
        let task = Task { await problem(url, hanging) }
        while hanging.seen.inFlight < 2 { await Task.yield() }
        task.cancel()
        _ = await task.value
        #expect(try descriptors(of: url) == 0)
      }
    }
  #endif
}
