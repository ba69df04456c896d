import Foundation
import TestSupport
import Testing

@Suite("The catalogues that `callsign call` keeps in excerpts") struct CatalogueCacheTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID().uuidString)")
  private let document = PackageFolder.url("Tests/CommandLine/CallsignToolTests/Documents/photos.yaml")

  private func run(_ arguments: String..., cache: String? = nil) throws -> Tool.Outcome {
    try Tool.run(
      ["call"] + arguments,
      environment: ["CALLSIGN_NO_CACHE": "", "XDG_CACHE_HOME": cache ?? folder.appendingPathComponent("cache").path])
  }

  private var kept: [URL] {
    let place = folder.appendingPathComponent("cache/callsign/catalogues")
    return (try? FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)) ?? []
  }

  private func copy() throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appendingPathComponent("photos.yaml")
    try FileManager.default.copyItem(at: document, to: copy)
    return copy.path
  }

  @Test("A kept catalogue gives the same list, help and requests as the document, for every operation")
  func sameResponses() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try copy()
    let plain = try Tool.run("call", path)
    #expect(try run(path).output == plain.output)
    #expect(kept.count == 1)
    let names = plain.output.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    try #require(!names.isEmpty)
    for name in names {
      for word in ["--help", "--dry-run"] {
        let (first, second) = (try Tool.run("call", path, name, word), try run(path, name, word))
        #expect((first.status, first.output, first.error) == (second.status, second.output, second.error), "\(name)")
      }
    }
    #expect(try run(path, "noSuchOperation").error == Tool.run("call", path, "noSuchOperation").error)
    #expect(kept.count == 1)
  }

  @Test(
    "A cached catalogue knows alternatives and optional parts",
    arguments: [
      ["spec/x-v1.1", "getListsList"], ["spec/x-v1.1", "getListsList", "--user_id", "7"],
      ["spec/x-v1.1", "getListsList", "--user_id", "7", "--screen_name", "jack"],
      ["spec/x-v1.1", "getListsShow", "--slug", "swift", "--owner_screen_name", "jack"],
      ["spec/x-v1.1", "getListsShow", "--list_id", "7"], ["spec/x-v1.1", "getListsShow", "--slug", "swift"],
      ["spec/x-v1.1", "getListsShow"], ["spec/x-v2", "getUsersByUsername", "--username", "jack"],
      ["spec/x-v2", "createPosts", "--text", "hi"], ["spec/x-v2", "createPosts"],
    ])
  func choices(words: [String]) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = PackageFolder.url(words[0]).path
    let arguments = ["call", path] + words.dropFirst() + ["--dry-run"]
    let plain = try Tool.run(arguments)
    let cache = ["CALLSIGN_NO_CACHE": "", "XDG_CACHE_HOME": folder.appendingPathComponent("cache").path]
    for _ in 0..<2 {
      let run = try Tool.run(arguments, environment: cache)
      #expect((run.status, run.output, run.error) == (plain.status, plain.output, plain.error))
    }
    #expect(kept.count == 1)
  }

  @Test("Changes in the document or its overlay are seen at once, and only the owner can read the cache")
  func changes() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try copy()
    let before = try run(path)
    let name = try #require(before.output.split(separator: " ").first.map(String.init))
    let overlay = "endpoints:\n  \(name):\n    summary: Quite another sentence.\n"
    try Data(overlay.utf8).write(to: folder.appendingPathComponent("photos.overlay.yaml"))
    let after = try run(path)
    #expect(after.output.contains("Quite another sentence."))
    #expect(kept.count == 2)
    for file in kept {
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("A damaged, shortened or foreign file is skipped and written again")
  func damage() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try copy()
    let expected = try run(path)
    let file = try #require(kept.first)
    let whole = try Data(contentsOf: file)
    var flipped = whole
    flipped[flipped.count / 2] ^= 1
    for bytes in [flipped, whole.prefix(whole.count / 2), Data(), Data("callsign excerpts 1\n".utf8)] {
      try bytes.write(to: file)
      #expect(try run(path).output == expected.output)
      #expect(try Data(contentsOf: file) == whole)
    }
    // One that others may write counts as missing, whatever is in it.
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
    #expect(try run(path).output == expected.output)
    let mended = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(mended[.posixPermissions] as? Int == 0o600)
  }

  @Test("Calls also work if nothing can be cached, or nobody wants it")
  func withoutCache() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try copy()
    let expected = try Tool.run("call", path)
    #expect(kept.isEmpty)
    #expect(try run(path, cache: "/dev/null/cache").output == expected.output)
  }

  @Test("Programs that start at the same time neither wait for each other nor read half of a file")
  func races() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try copy()
    let expected = try Tool.run("call", path).output
    let outputs = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<6 { group.addTask { try? await onThread { try run(path).output } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outputs == Array(repeating: expected, count: 6))
    #expect(kept.count == 1)
  }
}
