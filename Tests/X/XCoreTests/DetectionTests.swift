import Callsign
import Foundation
import TestSupport
import Testing

@testable import XCore

/// The format of a file, by its first bytes, and by its name where they tell nothing.
@Suite struct DetectionTests {
  private func format(_ head: [UInt8]) -> MediaFormat? { MediaFormat.format(ofHead: head) }
  private func brand(_ name: String) -> [UInt8] { [0, 0, 0, 24] + Array("ftyp\(name)".utf8) + [0, 0, 2, 0] }

  @Test("First bytes")
  func heads() {
    #expect(format([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(format([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == .png)
    #expect(format(Array("GIF89a".utf8)) == .gif)
    #expect(format(Array("RIFF0000WEBPVP8 ".utf8)) == .webP)
    #expect(format(Array("RIFF0000WAVEfmt ".utf8)) == nil)
    #expect(format([0x49, 0x49, 0x2A, 0]) == .tiff)
    #expect(format(Array("BM".utf8) + [9, 9, 9, 9, 0, 0, 0, 0, 54, 0]) == .bmp)
    #expect(format(Array("BMW is a maker of cars".utf8)) == nil)
    #expect(format(brand("isom")) == .mp4)
    #expect(format(brand("qt  ")) == .quickTime)
    #expect(format(brand("heic")) == MediaFormat(rawValue: "image/heic"))
    #expect(format(brand("M4A ")) == MediaFormat(rawValue: "audio/mp4"))
    #expect(format([0x1A, 0x45, 0xDF, 0xA3, 0x93, 0x42, 0x82, 0x84] + Array("webm".utf8)) == .webM)
    #expect(
      format([0x1A, 0x45, 0xDF, 0xA3, 0x93, 0x42, 0x82, 0x88] + Array("matroska".utf8))?.rawValue == "video/x-matroska")
    var stream = [UInt8](repeating: 1, count: 400)
    for index in [0, 188, 376] { stream[index] = 0x47 }
    #expect(format(stream) == .mpegTransportStream)
    #expect(format(Array("glTF".utf8)) == .gltf)
    #expect(format([0xEF, 0xBB, 0xBF] + Array("WEBVTT\n".utf8)) == .webVTT)
    #expect(format(Array("1\r\n00:00:01,000 --> 00:00:02,000\r\nHi".utf8)) == .subRip)
    #expect(format(Array("1\nis a number".utf8)) == nil)
    #expect(format([]) == nil)
  }

  @Test("The start of a file never makes it crash, whatever its length")
  func anyHead() throws {
    var generator = SeededGenerator(seed: 1)
    func next() -> UInt8 { UInt8.random(in: 0...255, using: &generator) }
    var recognized = 0
    let starts: [[UInt8]] = [[], Array("GIF89a".utf8), Array("BM".utf8), [0x47], Array("RIFF".utf8), brand("")]
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
