import Callsign
import CallsignTesting
import CallsignX
import Foundation
import TestSupport
import Testing
import XSandbox

/// Collects the values that progress closures receive.
///
/// `@unchecked Sendable`: `steps` is touched only while `lock` is held.
private final class Steps: @unchecked Sendable {
  private let lock = NSLock()
  private var steps: [TransferProgress] = []

  func add(_ step: TransferProgress) { lock.withLock { steps.append(step) } }

  func all(_ direction: TransferProgress.Direction) -> [TransferProgress] {
    lock.withLock { steps.filter { $0.direction == direction } }
  }
}

@Suite("Progress and downloads, over sockets", .timeLimit(.minutes(10))) struct TransferTests {
  private static let me = "GET /2/users/me"

  @Test("A download arrives in a file and reports its progress", arguments: [true, false])
  func download(inChunks: Bool) async throws {
    let files = try MediaFiles()
    defer { files.remove() }
    let file = try files.write("me.json", Data("what was there before".utf8))
    try await withSession { (session) async throws in
      if inChunks { await session.sandbox.inject(.splitBody(into: 10), for: Self.me) }
      let steps = Steps()
      let response = try await session.x.download("2/users/me", to: file, options: CallOptions { steps.add($0) })
      let body = try Data(contentsOf: file)
      #expect(try JSONValue(jsonData: body)["data"]?["username"] == "alice")
      #expect(response.value == body.count && response.status == .ok)
      let told = steps.all(.download)
      #expect(told.last?.bytes == body.count)
      #expect(told.map(\.bytes) == told.map(\.bytes).sorted())
      // Chunks do not say how many bytes there will be.
      #expect(told.allSatisfy { $0.total == (inChunks ? nil : body.count) })
    }
  }

  @Test("A download that breaks off leaves the file as it was")
  func cut() async throws {
    let files = try MediaFiles()
    defer { files.remove() }
    let file = try files.write("me.json", Data("before".utf8))
    try await withSession { (session) async throws in
      await session.sandbox.inject(.cutInBody(after: 5), for: Self.me)
      let error = await failure { () throws(CallError) in try await session.x.download("2/users/me", to: file) }
      guard case .transport? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try Data(contentsOf: file) == Data("before".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.path) == ["me.json"])
    }
  }

  @Test("An upload reports its progress to the last byte, and from zero if it is sent again")
  func upload() async throws {
    try await withSession { (session) async throws in
      let x = XAPI(
        auth: .alice(of: session.sandbox),
        configuration: ClientConfiguration(
          hosts: .all(to: session.sandbox.url.absoluteString), time: TestTime(.moves, at: Date())))
      let picture = MediaFiles.png + Data(count: 400_000)
      let body = MultipartBody(parts: [
        .text(name: "media_category", value: "tweet_image"),
        .file(name: "media", FilePart(picture, fileName: "a.png")),
      ])
      let steps = Steps()
      let media = try await x.call(
        .post, "2/media/upload", body: .multipart(body), options: CallOptions { steps.add($0) })
      let told = steps.all(.upload)
      let total = try #require(told.last?.total)
      #expect(total > picture.count)
      #expect(told.first?.bytes == 0 && told.last?.bytes == total && told.count > 2)
      #expect(told.map(\.bytes) == told.map(\.bytes).sorted())
      #expect(steps.all(.download).last?.bytes == media.body.count)
      let id = try #require(media.value["data"]?["id"]?.string)
      #expect(await session.sandbox.media(id)?.sha256 == MediaFiles.hash(picture))

      let again = Steps()
      await session.sandbox.inject(.cutBeforeResponse, for: "*")
      _ = await failure { () throws(CallError) in
        try await x.call(
          .put, "2/tweets/1/hidden", body: .json(["hidden": true]), options: CallOptions { again.add($0) })
      }
      #expect(again.all(.upload).map(\.bytes) == [0, 15, 0, 15])
    }
  }

  @Test("Progress as a sequence, which ends with the call")
  func sequence() async throws {
    let files = try MediaFiles()
    defer { files.remove() }
    let file = files.folder.appendingPathComponent("me.json")
    try await withSession { (session) async throws in
      await session.sandbox.inject(.splitBody(into: 10, pause: .milliseconds(5)), for: Self.me)
      let x = session.x
      let transfer = Transfer { (progress) async throws(CallError) in
        try await x.download("2/users/me", to: file, options: CallOptions(progress: progress))
      }
      var last: TransferProgress?
      for await step in transfer.progress { last = step }
      let response = try await transfer.value
      #expect(last == TransferProgress(.download, bytes: response.value, total: nil))

      await session.sandbox.inject(.delay(.seconds(600)), for: Self.me)
      let slow = Transfer { (progress) async throws(CallError) in
        try await x.download("2/users/me", to: file, options: CallOptions(progress: progress))
      }
      try await eventually { await session.sandbox.faultCount == 2 }
      slow.cancel()
      for await _ in slow.progress {}
      guard case .cancelled? = await failure({ () throws(CallError) in try await slow.value }) else {
        Issue.record("it was not cancelled")
        return
      }
    }
  }
}
