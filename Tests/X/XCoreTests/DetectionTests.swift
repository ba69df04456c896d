import Callsign
import Foundation
import TestSupport
import Testing

@testable import XCore

/// The format of a file, by its first bytes, and by its name where they tell nothing.
@Suite struct DetectionTests {
  private func format(_ head: [UInt8]) -> MediaFormat? { MediaFormat.format(ofHead: head) }
  private static func brand(_ name: String) -> [UInt8] { [0, 0, 0, 24] + Array("ftyp\(name)".utf8) + [0, 0, 2, 0] }

  private static let transportStream = (0..<400).map { UInt8($0 % 188 == 0 ? 0x47 : 1) }

  private static let formats: [(head: [UInt8], format: MediaFormat?)] = [
    ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
    (Array("GIF89a".utf8), .gif),
    (Array("RIFF0000WEBPVP8 ".utf8), .webP),
    (Array("RIFF0000WAVEfmt ".utf8), nil),
    ([0x49, 0x49, 0x2A, 0], .tiff),
    (Array("BM".utf8) + [9, 9, 9, 9, 0, 0, 0, 0, 54, 0], .bmp),
    (Array("BMW is a maker of cars".utf8), nil),
    (brand("isom"), .mp4),
    (brand("qt  "), .quickTime),
    (brand("heic"), MediaFormat(rawValue: "image/heic")),
    (brand("M4A "), MediaFormat(rawValue: "audio/mp4")),
    ([0x1A, 0x45, 0xDF, 0xA3, 0x93, 0x42, 0x82, 0x84] + Array("webm".utf8), .webM),
    (
      [0x1A, 0x45, 0xDF, 0xA3, 0x93, 0x42, 0x82, 0x88] + Array("matroska".utf8),
      MediaFormat(rawValue: "video/x-matroska")
    ),
    (transportStream, .mpegTransportStream),
    (Array("glTF".utf8), .gltf),
    ([0xEF, 0xBB, 0xBF] + Array("WEBVTT\n".utf8), .webVTT),
    (Array("1\r\n00:00:01,000 --> 00:00:02,000\r\nHi".utf8), .subRip),
    (Array("1\nis a number".utf8), nil),
    ([], nil),
  ]

  @Test("First bytes", arguments: formats)
  func heads(head: [UInt8], expected: MediaFormat?) {
    #expect(format(head) == expected)
  }

  @Test("The start of a file never makes it crash, whatever its length")
  func anyHead() throws {
    var generator = SeededGenerator(seed: 1)
    func next() -> UInt8 { UInt8.random(in: 0...255, using: &generator) }
    var recognized = 0
    let starts: [[UInt8]] = [[], Array("GIF89a".utf8), Array("BM".utf8), [0x47], Array("RIFF".utf8), Self.brand("")]
    for round in 0..<3000 {
      let head = starts[round % starts.count] + (0..<Int(next())).map { _ in next() }
      if format(head) != nil { recognized += 1 }
      if !head.isEmpty { _ = try GIFFrames.isAnimated(UploadContent(data: Data(head))) }
    }
    #expect(recognized >= 500)  // Every sixth begins as a GIF does.
  }

  @Test("By name if the bytes say nothing; the bytes take precedence")
  func names() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("names-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func item(_ name: String, _ bytes: Data = Data([1, 2, 3])) throws -> MediaItem {
      let url = folder.appendingPathComponent(name)
      try bytes.write(to: url)
      return try MediaItem(UploadContent(file: url))
    }
    #expect(try item("a.MOV").format == .quickTime)
    #expect(try item("a.usdz", Data("PK\u{3}\u{4}".utf8)).format == .usdz)
    #expect(try item("a.usdz", Data("PK\u{3}\u{4}".utf8)).category == nil)
    #expect(try item("a.srt").category == "subtitles")
    #expect(try item("a.gif", Data([0xFF, 0xD8, 0xFF])).format == .jpeg)
    #expect(throws: UploadError.self) { try item("a.txt") }
    #expect(throws: UploadError.self) { try item("a.heic") }
    #expect(throws: UploadError.self) { try item("a.mkv") }
  }
}
