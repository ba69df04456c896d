import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing

/// The refusals of the store of files, each with advice.
@Suite struct RefusalTests {
  private let folder: TestFolder

  init() async throws {
    folder = try TestFolder()
    try await folder.store.save(sampleToken(), for: .sample)
  }

  private func loadError() async -> TokenStoreError? {
    await storeError { _ = try await folder.store.load(.sample) }
  }

  @Test("Files that others can use", arguments: [0o640, 0o604, 0o620, 0o602, 0o644, 0o666, 0o610])
  func filesThatOthersCanUse(mode: Int) async throws {
    let file = try folder.tokenFile()
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    let error = await loadError()
    #expect(error?.reason == .readableByOthers)
    #expect(error?.advice.contains("`chmod 600 \(file.path)`") == true)
    // A new save is safe.
    try await folder.store.save(sampleToken("two"), for: .sample)
    #expect(try TestFolder.mode(file) == 0o600)
    #expect(try await folder.store.token(for: .sample) == sampleToken("two"))
  }

  @Test("Folders that others can use", arguments: [0o750, 0o705, 0o755, 0o770, 0o701])
  func foldersThatOthersCanUse(mode: Int) async throws {
    let (store, path) = (folder.store, folder.tokens.path)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    let errors = [
      await loadError(), await storeError { try await store.save(sampleToken(), for: .sample) },
      await storeError { try await store.delete(.sample) }, await storeError { _ = try await store.keys(service: nil) },
      await storeError { _ = try await store.lease(.sample, lasting: .seconds(60)) },
    ]
    for error in errors {
      #expect(error?.reason == .readableByOthers)
      #expect(error?.advice.contains("`chmod 700 \(path)`") == true)
    }
  }

  @Test("Files of other users", .needs(.root))
  func whatBelongsToOthers() async throws {
    let file = try folder.tokenFile()
    #expect(chown(file.path, 12_345, 12_345) == 0)
    #expect(await loadError()?.reason == .unsafePlace)
    #expect(chown(file.path, 0, 0) == 0)
    #expect(await loadError() == nil)
    #expect(chown(folder.tokens.path, 12_345, 12_345) == 0)
    #expect(await loadError()?.reason == .unsafePlace)
    #expect(await loadError()?.advice.contains("belongs to another user") == true)
  }

  @Test("Symbolic links are refused") func symbolicLinks() async throws {
    let file = try folder.tokenFile()
    let elsewhere = folder.url.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: file, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
    #expect(await loadError()?.reason == .unsafePlace)
    #expect(await loadError()?.advice.contains("is a symbolic link") == true)
    // Saving replaces the link and does not change its target.
    let before = try Data(contentsOf: elsewhere)
    try await folder.store.save(sampleToken("two"), for: .sample)
    #expect(try Data(contentsOf: elsewhere) == before)
    #expect(try await folder.store.token(for: .sample) == sampleToken("two"))

    let link = folder.url.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.tokens)
    let linked = FileTokenStore(folder: link)
    let error = await storeError { try await linked.save(sampleToken(), for: .sample) }
    #expect(error?.reason == .unsafePlace)
  }

  @Test("Links in place of leases", arguments: ["lock", "held"]) func linksInPlaceOfLeases(suffix: String) async throws
  {
    let target = folder.url.appendingPathComponent("target")
    let lock = folder.tokens.appendingPathComponent("api.example,ann.\(suffix)")
    try FileManager.default.createSymbolicLink(at: lock, withDestinationURL: target)
    let error = await storeError { _ = try await folder.store.lease(.sample, lasting: .seconds(60)) }
    #expect(error?.reason == .unsafePlace)
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  @Test("Things that are not files") func whatIsNoFile() async throws {
    let file = try folder.tokenFile()
    try FileManager.default.removeItem(at: file)
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(await loadError()?.reason == .unsafePlace)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(await loadError()?.reason == .unsafePlace)

    let plain = folder.url.appendingPathComponent("plain")
    try Data().write(to: plain)
    let error = await storeError { try await FileTokenStore(folder: plain).save(sampleToken(), for: .sample) }
    #expect(error?.reason == .unsafePlace)
  }

  @Test("Files that hold something else") func filesThatHoldSomethingElse() async throws {
    let file = try folder.tokenFile()
    func write(_ text: String) throws {
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
    }
    for text in ["", "{}", "no JSON", #"{"service":"api.example","account":"ann","token":{}}"#] {
      try write(text)
      #expect(await loadError()?.reason == .damaged, "\(text)")
    }
    try write(
      #"{"service":"api.example","account":"bob","token":{"version":1,"kind":"bearer","access_token":"s3cr3t"}}"#)
    #expect(await loadError()?.advice.contains("another service or account") == true)
    try write(#"{"service":"api.example","account":"ann","token":{"version":7}}"#)
    #expect(await loadError()?.reason == .newerVersion)
    try write(String(repeating: " ", count: 2 << 20))
    #expect(await loadError()?.reason == .damaged)
    try await folder.store.delete(.sample)
    #expect(await loadError() == nil)
  }

  @Test("Places that cannot be") func placesThatCannotBe() async throws {
    let paths = [folder.url.path + "/file/tokens", "/proc/1/nowhere", "/dev/null/tokens"]
    try Data().write(to: folder.url.appendingPathComponent("file"))
    for path in paths {
      let store = FileTokenStore(folder: URL(fileURLWithPath: path))
      let error = await storeError { try await store.save(sampleToken(), for: .sample) }
      #expect(error?.reason == .system || error?.reason == .unsafePlace, "\(path)")
      #expect(error?.advice.isEmpty == false)
    }
  }
}
