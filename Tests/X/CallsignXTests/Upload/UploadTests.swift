import CallsignHTTP
import CallsignSupport
import CallsignTesting
import CallsignX
import Foundation
import TestSupport
import Testing
import XSandbox

/// Uploads by v2, over sockets. The sandbox verifies the OAuth 1.0a signature of every request; no part of a multipart body may be
/// signed.
@Suite struct UploadTests {
  private static let append = "POST /2/media/upload/{id}/append"
  private let time = TestTime(.moves, at: Date())

  private func withUpload(_ body: (Session, XAPI, MediaFiles) async throws -> Void) async throws {
    let files = try MediaFiles()
    defer { files.remove() }
    try await withSession { (session) async throws in
      let x = XAPI(
        auth: .alice(of: session.sandbox),
        configuration: ClientConfiguration(hosts: .all(to: session.sandbox.url.absoluteString), time: time))
      try await body(session, x, files)
    }
  }

  private func failure(_ upload: () async throws(UploadError) -> XAPI.MediaUpload) async -> UploadError? {
    do throws(UploadError) {
      _ = try await upload()
      return nil
    } catch { return error }
  }

  @Test("A video arrives whole, in chunks, and the client waits for its processing as X says")
  func video() async throws {
    try await withUpload { session, x, files in
      let bytes = MediaFiles.video(1_000_000)
      let url = try files.write("clip.bin", bytes)
      await session.sandbox.setMediaProcessing(.afterChecks(2, checkAfter: 7))
      let media = try await x.upload(file: url, options: UploadOptions(chunkSize: 100_000))
      let arrived = try #require(await session.sandbox.media(media.id))
      #expect(arrived.sha256 == MediaFiles.hash(bytes))
      #expect(arrived.segments == 10)
      #expect(arrived.size == 1_000_000)
      #expect((arrived.mediaType, arrived.category) == ("video/mp4", "tweet_video"))
      #expect(media.processingInfo?.state == .succeeded)
      #expect(time.sleeps == [.seconds(7), .seconds(7), .seconds(7)])
      let requests = await session.sandbox.requests()
      #expect(requests.allSatisfy { (200..<300).contains($0.status) })
      #expect(requests.count { $0.path.hasSuffix("/append") } == 10)
      #expect(requests.count { $0.method == "GET" } == 3)
      // The name of the user's file stays private.
      #expect(requests.allSatisfy { !$0.bodyText.contains("clip.bin") })
      let post = try await x.createPosts(text: "look", media: .init(mediaIDs: [media.id]))
      #expect(post.status == .created)
    }
  }

  @Test("A picture in memory, with alternative text, by OAuth 2")
  func picture() async throws {
    try await withUpload { session, _, _ in
      let x = session.api(.bearer(session.alice.oauth2AccessToken, scopes: ["media.write"]))
      let media = try await x.upload(data: MediaFiles.png, altText: "Ein Bild 🖼")
      let arrived = try #require(await session.sandbox.media(media.id))
      #expect((arrived.category, arrived.altText) == ("tweet_image", "Ein Bild 🖼"))
      #expect(arrived.sha256 == MediaFiles.hash(MediaFiles.png))
      #expect(media.processingInfo == nil)
      try await x.setAltText("Another", of: media.id)
      #expect(await session.sandbox.media(media.id)?.altText == "Another")
    }
  }

  @Test("Chunks survive server errors, cut connections, cut responses and delays; progress counts no byte twice")
  func faults() async throws {
    try await withUpload { session, x, files in
      let bytes = MediaFiles.video(600_000)
      let url = try files.write("clip.mp4", bytes)
      let faults: [Sandbox.Fault] = [
        .status(503), .cutBeforeResponse, .delay(.milliseconds(50)), .cutInBody(after: 3), .status(500),
        .cutBeforeResponse,
        .status(502, body: Data("<html>".utf8)),
      ]
      for fault in faults { await session.sandbox.inject(fault, for: Self.append) }
      await session.sandbox.inject(.status(503), for: "POST /2/media/upload/initialize")
      await session.sandbox.inject(.status(503), for: "GET /2/media/upload")
      let log = ProgressLog()
      let media = try await x.upload(
        file: url, options: UploadOptions(chunkSize: 50_000, retry: RetryPolicy(attempts: 8))
      ) {
        log.append($0)
      }
      #expect(await session.sandbox.media(media.id)?.sha256 == MediaFiles.hash(bytes))
      let sent = log.all.map(\.sentBytes)
      #expect(sent == sent.sorted())
      #expect(sent.last == 600_000)
      #expect(log.all.allSatisfy { $0.totalBytes == 600_000 })
      #expect(log.all.last?.phase == .finished)
      #expect(await session.sandbox.requests().count { $0.path.hasSuffix("/append") } == 18)
    }
  }

  @Test("The response to FINALIZE is lost after it was done, or before")
  func lostFinish() async throws {
    try await withUpload { session, x, files in
      let bytes = MediaFiles.video(300_000)
      for fault in [Sandbox.Fault.cutInBody(after: 5), .cutBeforeResponse, .status(503)] {
        await session.sandbox.inject(fault, for: "POST /2/media/upload/{id}/finalize")
        let media = try await x.upload(data: bytes, options: UploadOptions(chunkSize: 100_000))
        #expect(await session.sandbox.media(media.id)?.sha256 == MediaFiles.hash(bytes))
      }
      await session.sandbox.inject(.cutInBody(after: 5), for: "POST /2/media/upload/{id}/finalize")
      let picture = try await x.upload(data: MediaFiles.png)
      #expect(await session.sandbox.media(picture.id)?.sha256 != nil)
    }
  }

  @Test("If the response to FINALIZE is lost and X cannot say whether it worked, the upload can be resumed")
  func unknownFinish() async throws {
    try await withUpload { session, x, files in
      let bytes = MediaFiles.video(300_000)
      let options = UploadOptions(chunkSize: 100_000, retry: RetryPolicy(attempts: 2, baseDelay: .milliseconds(1)))
      await session.sandbox.inject(.cutInBody(after: 5), for: "POST /2/media/upload/{id}/finalize")
      await session.sandbox.inject(.status(503), for: "GET /2/media/upload", times: 2)
      let error = await failure { () throws(UploadError) in try await x.upload(data: bytes, options: options) }
      #expect(error?.callError?.rawResponse?.status == .serviceUnavailable)
      let resumption = try #require(error?.resumption)
      #expect(resumption.finishedChunks == [0, 1, 2])
      let media = try await x.upload(data: bytes, resuming: resumption, options: options)
      #expect(await session.sandbox.media(media.id)?.sha256 == MediaFiles.hash(bytes))
    }
  }

  @Test("A chunk that is refused ends the upload with X's response; it can be resumed")
  func refusal() async throws {
    try await withUpload { session, x, files in
      let bytes = MediaFiles.video(500_000)
      let url = try files.write("clip.mp4", bytes)
      let options = UploadOptions(chunkSize: 50_000, concurrency: 1)
      await session.sandbox.inject(.delay(.zero), for: Self.append, times: 4)
      await session.sandbox.inject(.status(400), for: Self.append, times: 100)
      let failed = await failure { () throws(UploadError) in try await x.upload(file: url, options: options) }
      let error = try #require(failed)
      #expect(error.callError?.rawResponse?.status.code == 400)
      let resumption = try #require(error.resumption)
      #expect(resumption.finishedChunks == [0, 1, 2, 3])
      await session.sandbox.removeFaults()
      await session.sandbox.forgetRequests()
      let media = try await x.upload(file: url, resuming: resumption)
      #expect(media.id == error.uploadID)
      #expect(await session.sandbox.media(media.id)?.sha256 == MediaFiles.hash(bytes))
      #expect(await session.sandbox.requests().count { $0.path.hasSuffix("/append") } == 6)
      // Another file is not mistaken for it.
      try (bytes + Data([1])).write(to: url)
      let other = await failure { () throws(UploadError) in try await x.upload(file: url, resuming: resumption) }
      guard case .cannotResume? = other?.cause else {
        Issue.record("\(String(describing: other))")
        return
      }
    }
  }

  @Test("X could not process it")
  func processingFailure() async throws {
    try await withUpload { session, x, _ in
      await session.sandbox.setMediaProcessing(
        .afterChecks(1, failure: .init(code: 3, name: "UnsupportedMedia", message: "file is invalid")))
      let error = await failure { () throws(UploadError) in try await x.upload(data: MediaFiles.video(1000)) }
      guard case .processingFailed(let reason)? = error?.cause else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(reason == ProcessingFailure(code: 3, name: "UnsupportedMedia", message: "file is invalid"))
      #expect(error?.uploadID != nil)
      #expect("\(reason)".contains("UnsupportedMedia"))
    }
  }

  @Test("Processing that takes longer than the bound continues, and can be waited for again")
  func processingBound() async throws {
    try await withUpload { session, x, files in
      let url = try files.write("clip.mp4", MediaFiles.video(1000))
      await session.sandbox.setMediaProcessing(.afterChecks(9, checkAfter: 10))
      let options = UploadOptions(processingTimeout: .seconds(30))
      let error = await failure { () throws(UploadError) in try await x.upload(file: url, options: options) }
      guard case .processingTimedOut? = error?.cause, let resumption = error?.resumption else {
        Issue.record("\(String(describing: error))")
        return
      }
      await session.sandbox.forgetRequests()
      #expect(try await x.upload(file: url, resuming: resumption).processingInfo?.state == .succeeded)
      #expect(await session.sandbox.requests().allSatisfy { $0.method == "GET" })
    }
  }

  @Test("Cancelling ends the transfers and closes the file; the upload can be resumed after the part that arrived")
  func cancellation() async throws {
    try await withUpload { session, x, files in
      let bytes = MediaFiles.video(400_000)
      let url = try files.write("clip.mp4", bytes)
      await session.sandbox.inject(.delay(.zero), for: Self.append)
      await session.sandbox.inject(.delay(.seconds(600)), for: Self.append, times: 3)
      let upload = x.startUpload(file: url, options: UploadOptions(chunkSize: 100_000, concurrency: 1))
      for await progress in upload.progress where progress.sentBytes > 150_000 { break }
      upload.cancel()
      let error = await failure { () throws(UploadError) in try await upload.value }
      guard case .cancelled? = error?.cause else {
        Issue.record("\(String(describing: error))")
        return
      }
      #if os(Linux)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == url.path
        }
        #expect(open == 0)
      #endif
      await session.sandbox.removeFaults()
      let resumption = try #require(error?.resumption)
      let media = try await x.upload(file: url, resuming: resumption)
      #expect(await session.sandbox.media(media.id)?.sha256 == MediaFiles.hash(bytes))
    }
  }

  @Test("Subtitles are uploaded and added to the video")
  func subtitles() async throws {
    try await withUpload { session, x, files in
      let english = SubtitleFile(
        try files.write("a.srt", MediaFiles.subtitles), language: "en", displayName: "English")
      let german = SubtitleFile(
        try files.write("b.vtt", Data("WEBVTT\n\n".utf8)), language: "DE", displayName: "Deutsch")
      let media = try await x.upload(
        data: MediaFiles.video(2000), altText: "A clip", subtitles: [english])
      try await x.addSubtitles(german, to: media.id)
      let arrived = try #require(await session.sandbox.media(media.id))
      #expect(arrived.subtitles.keys.sorted() == ["DE", "EN"])
      let track = try #require(await session.sandbox.media(arrived.subtitles["EN"] ?? ""))
      #expect((track.category, track.mediaType) == ("subtitles", "text/srt"))
      #expect(track.sha256 == MediaFiles.hash(MediaFiles.subtitles))
      #expect(arrived.altText == "A clip")
    }
  }

  @Test("The checkpoints of an upload are those of the video, not of its subtitles, and so is its limit")
  func checkpoints() async throws {
    try await withUpload { session, x, files in
      let points = Locked<[UploadResumption]>([])
      let track = SubtitleFile(try files.write("a.srt", MediaFiles.subtitles), language: "en", displayName: "English")
      let video = MediaFiles.video(20)
      let options = UploadOptions(sizeLimit: video.count) { point in points.withLock { $0.append(point) } }
      #expect(MediaFiles.subtitles.count > video.count)
      let media = try await x.upload(data: video, subtitles: [track], options: options)
      #expect(points.withLock { Set($0.map(\.uploadID)) } == [media.id])
      #expect(points.withLock { $0.last?.isFinished } == true)
    }
  }

  @Test(
    "Additions to an uploaded file can be made later",
    arguments: ["POST /2/media/metadata", "POST /2/media/subtitles", "subtitles"])
  func belongings(refused: String) async throws {
    try await withUpload { session, x, files in
      let track = SubtitleFile(try files.write("a.srt", MediaFiles.subtitles), language: "en", displayName: "English")
      let video = MediaFiles.video(2000)
      if refused == "subtitles" {
        let begin = "POST /2/media/upload/initialize"
        await session.sandbox.inject(.delay(.zero), for: begin)
        await session.sandbox.inject(.status(400), for: begin)
      } else {
        await session.sandbox.inject(.status(400), for: refused)
      }
      let failed = await failure { () throws(UploadError) in
        try await x.upload(data: video, altText: "A clip", subtitles: [track])
      }
      let error = try #require(failed)
      guard case .call(_, .describe) = error.cause else {
        Issue.record("\(error)")
        return
      }
      let id = try #require(error.uploadID)
      #expect("\(error)".contains(id), "\(error)")
      let resumption = try #require(error.resumption)
      #expect(resumption.isFinished && resumption.uploadID == id)
      await session.sandbox.forgetRequests()
      let media = try await x.upload(data: video, altText: "A clip", subtitles: [track], resuming: resumption)
      #expect(media.id == id)
      let arrived = try #require(await session.sandbox.media(id))
      #expect(arrived.altText == "A clip" && arrived.subtitles.keys.sorted() == ["EN"])
      #expect(arrived.sha256 == MediaFiles.hash(video))
    }
  }

  @Test(
    "A rate limit or a server error does not end an upload at its alternative text or subtitles either",
    arguments: ["POST /2/media/metadata", "POST /2/media/subtitles"])
  func repeatedBelongings(refused: String) async throws {
    try await withUpload { session, x, files in
      let track = SubtitleFile(try files.write("a.srt", MediaFiles.subtitles), language: "en", displayName: "English")
      await session.sandbox.inject(.status(429, headers: ["Retry-After": "1"]), for: refused)
      await session.sandbox.inject(.status(503), for: refused)
      let media = try await x.upload(data: MediaFiles.video(2000), altText: "A clip", subtitles: [track])
      let arrived = try #require(await session.sandbox.media(media.id))
      #expect(arrived.altText == "A clip" && arrived.subtitles.keys.sorted() == ["EN"])
      #expect(await session.requests().count { $0 == refused } == 3)

      // The limits in the upload's options apply to them, too.
      await session.sandbox.inject(.status(429, headers: ["Retry-After": "30"]), for: refused)
      let error = await failure { () throws(UploadError) in
        try await x.upload(
          data: MediaFiles.video(2000), altText: "A clip", subtitles: [track],
          options: UploadOptions(rateLimitWait: .seconds(10)))
      }
      guard case .call(.rateLimited, .describe)? = error?.cause else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(error?.resumption?.isFinished == true)
    }
  }

  @Test("A used-up cap is not waited for, though it has a rate limit's status")
  func usageCapped() async throws {
    try await withUpload { session, x, _ in
      await session.sandbox.inject(.refused(.usageCapped), for: Self.append, times: 100)
      let error = await failure { () throws(UploadError) in try await x.upload(data: MediaFiles.video(2000)) }
      guard case .call(.api(let refusal), .append)? = error?.cause else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.status == .tooManyRequests)
      #expect(await session.sandbox.requests().count { $0.path.hasSuffix("/append") } == 1)
      #expect(time.sleeps.isEmpty)
    }
  }

  @Test("An uploaded file is not lost if X cannot process its subtitles")
  func unprocessedSubtitles() throws {
    let resumption = try JSONDecoder().decode(
      UploadResumption.self,
      from: Data(#"{"uploadID":"77","chunkSize":5,"finishedChunks":[0],"isFinished":true,"size":5}"#.utf8))
    let failure = ProcessingFailure(code: nil, name: "InvalidMedia", message: nil)
    let error = UploadError(.processingFailed(failure), resumption: resumption)
    #expect("\(error)".contains("uploaded") && "\(error)".contains("77"), "\(error)")
    #expect(!"\(UploadError(.processingFailed(failure), uploadID: "77"))".contains("is uploaded"))
  }

  @Test("A file that X would refuse is refused before anything is sent")
  func misuse() async throws {
    try await withUpload { session, x, files in
      func problem(_ upload: () async throws(UploadError) -> XAPI.MediaUpload) async -> ContentProblem? {
        guard case .content(let problem)? = await failure(upload)?.cause else { return nil }
        return problem
      }
      let large = MediaFiles.png + Data(count: 5 << 20)
      #expect(
        await problem { () throws(UploadError) in try await x.upload(data: large) }
          == .tooLarge(size: large.count, limit: 5 << 20, category: "tweet_image"))
      #expect(await problem { () throws(UploadError) in try await x.upload(data: Data("?".utf8)) } == .unknownType)
      #expect(
        await problem { () throws(UploadError) in try await x.upload(data: MediaFiles.png, category: .tweetVideo) }
          == .wrongCategory("tweet_video", type: "image/png"))
      #expect(
        await problem { () throws(UploadError) in
          try await x.upload(data: MediaFiles.png, altText: String(repeating: "a", count: 1001))
        } == .textTooLong(count: 1001, limit: 1000))
      let track = SubtitleFile(try files.write("a.srt", MediaFiles.subtitles), language: "EN", displayName: "English")
      #expect(
        await problem { () throws(UploadError) in try await x.upload(data: MediaFiles.png, subtitles: [track]) }
          == .noSubtitles(category: "tweet_image"))
      let missing = SubtitleFile(files.folder.appendingPathComponent("no.srt"), language: "EN", displayName: "English")
      let error = await failure { () throws(UploadError) in
        try await x.upload(data: MediaFiles.video(100), subtitles: [missing])
      }
      guard case .file(let cause)? = error?.cause else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(cause.kind == .missing)
      #expect(await session.sandbox.requests().isEmpty)
      // The limit can be raised, and then X decides.
      let refused = await failure { () throws(UploadError) in
        try await x.upload(data: large, options: UploadOptions(sizeLimit: .max))
      }
      #expect(refused?.callError?.rawResponse?.status == .badRequest)
    }
  }

  @Test("For direct messages and advertisements the categories differ; both can be named")
  func categories() async throws {
    try await withUpload { session, x, _ in
      func category(_ media: XAPI.MediaUpload) async -> String? { await session.sandbox.media(media.id)?.category }
      #expect(await category(try await x.upload(data: MediaFiles.png, for: .directMessage)) == "dm_image")
      #expect(await category(try await x.upload(data: MediaFiles.video(99), for: .directMessage)) == "dm_video")
      #expect(await category(try await x.upload(data: MediaFiles.video(99), for: .advertisement)) == "amplify_video")
      #expect(await category(try await x.upload(data: MediaFiles.video(99), category: .dmVideo)) == "dm_video")
      let named = try await x.upload(data: Data("anything".utf8), type: .quickTime)
      #expect(await session.sandbox.media(named.id)?.mediaType == "video/quicktime")
    }
  }

  @Test("The token lacks the scope: typed, nothing is retried")
  func scope() async throws {
    try await withUpload { session, x, _ in
      let other = session.api(.bearer(session.sandbox.app.bearerToken))
      let error = await failure { () throws(UploadError) in try await other.upload(data: MediaFiles.png) }
      guard case .authorization? = error?.callError else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(error?.uploadID == nil)
    }
  }
}
