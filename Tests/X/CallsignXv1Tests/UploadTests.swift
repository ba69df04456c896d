import Callsign
import CallsignTesting
import CallsignXv1
import Foundation
import TestSupport
import Testing

@testable import XSandbox

/// Uploads by REST v1.1, over sockets: signed by OAuth 1.0a, which no multipart body is part of.
@Suite struct UploadTests {
  private static let upload = "POST /1.1/media/upload.json"

  private func withUpload(_ body: (Sandbox, XAPIv1) async throws -> Void) async throws {
    let sandbox = try await Sandbox.start()
    let v1 = XAPIv1(
      auth: .oauth1(
        OAuth1(
          consumerKey: sandbox.app.consumerKey, consumerSecret: Secret(sandbox.app.consumerSecret),
          token: sandbox.users.alice.accessToken, tokenSecret: Secret(sandbox.users.alice.accessTokenSecret))),
      configuration: ClientConfiguration(
        hosts: .all(to: sandbox.url.absoluteString), time: TestTime(.moves, at: Date())))
    do { try await body(sandbox, v1) } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
  }

  private static let video =
    Data([0, 0, 0, 0x18]) + Data("ftypmp42".utf8) + Data((0..<300_000).map { UInt8($0 % 251) })
  private static let gif =
    Data("GIF89a".utf8) + Data([1, 0, 1, 0, 0, 0, 0]) + frame + frame + Data([0x3B])
  private static let frame = Data([0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0])

  @available(*, deprecated)
  @Test("A video with faults on the way, alternative text and subtitles, in a status")
  func video() async throws {
    try await withUpload { sandbox, v1 in
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString).srt")
      try Data("1\n00:00:00,000 --> 00:00:01,000\nHi\n".utf8).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      for fault in [
        Sandbox.Fault.status(503), .delay(.zero), .cutBeforeResponse, .status(500), .delay(.milliseconds(20)),
      ] {
        await sandbox.inject(fault, for: Self.upload)
      }
      let media = try await v1.upload(
        data: Self.video, altText: "A clip", subtitles: [SubtitleFile(file, language: "en", displayName: "English")],
        options: UploadOptions(chunkSize: 40_000, retry: RetryPolicy(attempts: 6)))
      let arrived = try #require(await sandbox.media(media.mediaIDString))
      #expect(arrived.sha256 == SHA256Hash.hexadecimalDigest(of: Self.video))
      #expect(arrived.segments == 8)
      #expect((arrived.category, arrived.altText) == ("tweet_video", "A clip"))
      #expect(arrived.subtitles.keys.sorted() == ["EN"])
      #expect(media.processingInfo?.state == .succeeded)
      let status = try await v1.postStatusesUpdate(status: "look", mediaIDs: [media.mediaIDString])
      #expect(status.status == .ok)
    }
  }

  @Test("Animated and still GIFs, failed processing, and media of other users")
  func rest() async throws {
    try await withUpload { sandbox, v1 in
      let animated = try await v1.upload(data: Self.gif)
      #expect(await sandbox.media(animated.mediaIDString)?.category == "tweet_gif")
      let still = try await v1.upload(data: Self.gif.prefix(13) + Self.frame + Data([0x3B]), for: .directMessage)
      #expect(await sandbox.media(still.mediaIDString)?.category == "dm_image")

      await sandbox.setMediaProcessing(.afterChecks(0, failure: .init()))
      do throws(UploadError) {
        try await v1.upload(data: Self.video)
        Issue.record("it succeeded")
      } catch {
        guard case .processingFailed(let reason) = error.cause else {
          Issue.record("\(error)")
          return
        }
        #expect(reason.name == "InvalidMedia")
      }
      do throws(UploadError) {
        try await v1.setAltText("x", of: "5")
        Issue.record("it succeeded")
      } catch {
        #expect(error.callError?.problems.first?.code == 325)
        guard case .call(_, .describe) = error.cause else {
          Issue.record("\(error)")
          return
        }
      }
    }
  }
}
