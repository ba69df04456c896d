import Callsign
import CallsignAuth
import CallsignCLICredentials
import Foundation
import TestSupport
import Testing

/// Mistakes in files, each with advice.
@Suite struct BadFileTests {
  @Test("Missing files mean no accounts") func missingFiles() async throws {
    let folder = try AccountFolder()
    let error = await folder.failure()
    #expect(error?.reason == .missingFile)
    #expect(error?.advice.contains(folder.xurl.url.path) == true)
    #expect(error?.advice.contains(folder.twurl.url.path) == true)
    #expect(error?.advice.contains("xurl auth oauth2") == true)
    try folder.write("", to: "file")
    let behindFile = CLIAccountFile.xurl(folder.url.appendingPathComponent("file/.xurl"))
    #expect(await folder.failure([behindFile])?.reason == .missingFile)
  }

  @Test("Files that others can use", arguments: [0o644, 0o640, 0o660, 0o602])
  func filesThatOthersCanUse(mode: Int) async throws {
    let folder = try AccountFolder()
    try folder.write(Fixture.xurl, to: ".xurl", mode: mode)
    let error = await folder.failure()
    #expect(error?.reason == .readableByOthers)
    #expect(error?.advice.contains("chmod 600") == true)
    #expect(await folder.failure(allowingFilesOfOthers: true) == nil)
  }

  @Test("Files that cannot be read", .needs(.ordinaryUser))
  func filesThatCannotBeRead() async throws {
    let folder = try AccountFolder()
    try folder.write(Fixture.xurl, to: ".xurl", mode: 0o000)
    #expect(await folder.failure()?.reason == .unreadable)
  }

  @Test("Things that are not files") func whatIsNoFile() async throws {
    let folder = try AccountFolder()
    #expect(mkfifo(folder.twurl.url.path, 0o600) == 0)
    #expect(await folder.failure([folder.twurl])?.reason == .unreadable)
  }

  @Test(
    "Xurl files of another shape",
    arguments: [
      "a: [", "a: b: c", "\t\u{1}", "just words", "- a\n- b\n", "a: &x [1]\nb: *x", "other: 1", "a: 1\na: 2",
      "apps: []",
      "apps: {a: []}", "apps: {a: {oauth2_tokens: []}}", "apps: {a: {bearer_token: text}}",
      "apps: {a: {bearer_token: {type: oauth9, other: TOKEN}}}", "apps: {a: {oauth2_tokens: {u: {oauth2: {x: y}}}}}",
      "apps: *nowhere",
    ])
  func xurlFilesOfAnotherShape(text: String) async throws {
    let folder = try AccountFolder()
    try folder.write(text.replacing("TOKEN", with: "s3cr3t"), to: ".xurl")
    let error = await folder.failure([folder.xurl])
    #expect(error?.reason == .malformed)
    #expect(error?.advice.contains(folder.xurl.url.path) == true)
    #expect(error?.advice.contains("s3cr3t") == false)
  }

  @Test(
    "Twurl files of another shape",
    arguments: [
      "profiles: []", "profiles: {ann: []}", "profiles: {ann: {key: []}}", "bearer_tokens: [a]",
      "bearer_tokens: {key: {}}", "profiles: {}\nconfiguration: {default_profile: ann}", "something: else",
    ])
  func twurlFilesOfAnotherShape(text: String) async throws {
    let folder = try AccountFolder()
    try folder.write(text, to: ".twurlrc")
    #expect(await folder.failure([folder.twurl])?.reason == .malformed)
  }

  @Test("Documents that expand without end") func documentsThatStandForEndlessOnes() async throws {
    let folder = try AccountFolder()
    var bomb = "a0: &a0 [x, x]\n"
    for level in 1...40 { bomb += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    let bombs = [
      bomb, bomb.replacingOccurrences(of: "[", with: "\n  ["), "? &a {b: c}\n: d\n",
      "profiles: &a\n  b: &b\n    c: *b\n", "profiles: &a\n- *a\n", "x: &a key: value\n",
      String(repeating: "[", count: 900), String(repeating: "[", count: 200_000),
      String(repeating: "{a: ", count: 900) + "b" + String(repeating: "}", count: 900),
      (0..<2000).map { String(repeating: " ", count: $0) + "a:\n" }.joined().prefix(900_000).description,
      String(repeating: " ", count: 2 << 20),
    ]
    for bomb in bombs {
      try folder.write(bomb, to: ".twurlrc")
      #expect(await folder.failure([folder.twurl])?.reason == .malformed, "\(bomb.prefix(60))")
    }
    try Data([0x70, 0xFF, 0xFE, 0x3A]).write(to: folder.twurl.url)
    #expect(await folder.failure([folder.twurl])?.reason == .malformed)
  }

  /// Whatever a file holds, reading it ends with accounts or with an error that gives nothing away.
  @Test("Any bytes are read or refused") func anyBytesAreReadOrRefused() async throws {
    let folder = try AccountFolder()
    var generator = SeededGenerator(seed: 8)
    for round in 0..<400 {
      var bytes = Array((round % 2 == 0 ? Fixture.xurl : Fixture.twurl).utf8)
      for _ in 0...Int.random(in: 0...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count - 1, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes.removeSubrange(place..<min(bytes.count - 2, place + 20))
        case 1: bytes.insert(Array("\n :-&*[]{}\"'\t\u{0}".utf8).randomElement(using: &generator) ?? 0, at: place)
        default: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      let file = round % 2 == 0 ? folder.xurl : folder.twurl
      try Data(bytes).write(to: file.url)
      chmod(file.url.path, 0o600)
      let error = await folder.failure([file])
      #expect(error == nil || error?.reason == .malformed)
      #expect(error?.advice.contains("s3cr3t") != true)
    }
  }
}
