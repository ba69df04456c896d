import Callsign
import Foundation
import Testing

@testable import XCore

/// Categories, their limits, and what is refused.
@Suite struct CategoryTests {
  private static let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
  private static let control: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]

  private func gif(_ blocks: [UInt8]..., table: Bool = false) -> Data {
    let screen: [UInt8] = [1, 0, 1, 0, table ? 0x81 : 0, 0, 0] + (table ? [UInt8](repeating: 0x2C, count: 12) : [])
    return Data(Array("GIF89a".utf8) + screen + blocks.flatMap { $0 } + [0x3B])
  }

  private func category(_ data: Data, _ use: UploadPurpose = .post) throws -> String? {
    try MediaItem(UploadContent(data: data), for: use).category
  }

  @Test("A GIF is animated when it has two images")
  func animation() throws {
    #expect(try category(gif(Self.frame)) == "tweet_image")
    #expect(try category(gif(Self.control, Self.frame, table: true)) == "tweet_image")
    #expect(try category(gif(Self.control, Self.frame, Self.control, Self.frame, table: true)) == "tweet_gif")
    #expect(try category(gif(Self.frame, Self.frame), .directMessage) == "dm_gif")
    // Cut short in the first image, and without an end.
    #expect(try category(gif(Self.frame).prefix(22)) == "tweet_image")
    // A local colour table, and an image longer than what is read at once.
    let local: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x80] + [UInt8](repeating: 0x2C, count: 6) + [2]
    let block: [UInt8] = [255] + [UInt8](repeating: 0x2C, count: 255)
    let blocks: [UInt8] = Array([[UInt8]](repeating: block, count: 600).joined()) + [0]
    #expect(try category(gif(local + blocks)) == "tweet_image")
    #expect(try category(gif(local + blocks, local + blocks)) == "tweet_gif")
  }

  @Test("The use decides on the category")
  func uses() throws {
    let video = Data([0, 0, 0, 24] + Array("ftypisom".utf8))
    #expect(try category(video) == "tweet_video")
    #expect(try category(video, .directMessage) == "dm_video")
    #expect(try category(video, .advertisement) == "amplify_video")
    let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(try category(png, .advertisement) == "tweet_image")
    #expect(try category(png, .directMessage) == "dm_image")
  }

  private func problem(_ make: () throws(UploadError) -> MediaItem) -> ContentProblem? {
    do throws(UploadError) {
      _ = try make()
      return nil
    } catch {
      guard case .content(let problem) = error.cause else { return nil }
      #expect("\(error)".count > 30)
      return problem
    }
  }

  @Test("Limits, by category, to the byte; a caller's own limit wins")
  func limits() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("limits-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a")
    // Of a file with a hole nothing is stored.
    func sparse(_ size: Int, _ type: MediaFormat, _ category: String, limit: Int? = nil) throws -> ContentProblem? {
      _ = FileManager.default.createFile(atPath: url.path, contents: nil)
      let handle = try FileHandle(forWritingTo: url)
      try handle.truncate(atOffset: UInt64(size))
      try handle.close()
      return problem { () throws(UploadError) in
        try MediaItem(UploadContent(file: url), format: type, category: category, sizeLimit: limit)
      }
    }
    let limits: [(String, MediaFormat, Int)] = [
      ("tweet_image", .png, 5 << 20), ("dm_image", .jpeg, 5 << 20), ("tweet_gif", .gif, 15 << 20),
      ("dm_gif", .gif, 15 << 20), ("dm_video", .mp4, 1 << 30), ("tweet_video", .mp4, 16 << 30),
      ("amplify_video", .quickTime, 16 << 30),
    ]
    for (category, type, limit) in limits {
      #expect(try sparse(limit, type, category) == nil)
      #expect(
        try sparse(limit + 1, type, category) == .tooLarge(size: limit + 1, limit: limit, category: category))
      #expect(try sparse(limit + 1, type, category, limit: limit + 1) == nil)
    }
    #expect(try sparse(10, .gif, "tweet_video") == .wrongCategory("tweet_video", type: "image/gif"))
    #expect(try sparse(10, .png, "tweet_gif") == .wrongCategory("tweet_gif", type: "image/png"))
    #expect(try sparse(10, .mp4, "subtitles") == .wrongCategory("subtitles", type: "video/mp4"))
    // One that is newer than this table is X's business.
    #expect(try sparse(10, .mp4, "tweet_hologram") == nil)
    #expect(try sparse(10, MediaFormat(rawValue: "IMAGE/JXL"), "tweet_image") == nil)
  }
}
