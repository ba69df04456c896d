import Foundation
import Testing

@testable import Callsign
@testable import CallsignAuth
@testable import CallsignHTTP

@Suite struct FileTokenStoreTests {
  @Test("Tokens are kept, listed and deleted") func keepsListsAndDeletes() async throws {
    let folder = try TestFolder()
    let store = folder.store
    #expect(try await store.token(for: .sample) == nil)
    #expect(try await store.keys(service: nil).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.tokens.path))
    try await store.delete(.sample)

    let other = TokenKey(service: "other.example")
    try await store.save(sampleToken("one"), for: .sample)
    try await store.save(sampleToken("two"), for: other)
    #expect(try await folder.store.token(for: .sample) == sampleToken("one"))
    #expect(try await folder.store.token(for: other) == sampleToken("two"))
    #expect(try await store.keys(service: nil) == [.sample, other])
    #expect(try await store.keys(service: "other.example") == [other])
    #expect(try await store.keys(service: "third.example").isEmpty)

    try await store.save(sampleToken("three"), for: .sample)
    #expect(try await store.token(for: .sample) == sampleToken("three"))
    await (try await store.lease(.sample, lasting: .seconds(60))).release()
    try await store.delete(.sample)
    #expect(try await store.token(for: .sample) == nil)
    #expect(try await store.keys(service: nil) == [other])
    // Nothing is left that names the account.
    #expect(try folder.names() == ["other.example,default.json"])
  }

  @Test("Only the owner can read its files") func onlyTheOwnerCanReadWhatItMakes() async throws {
    let folder = try TestFolder()
    let store = FileTokenStore(folder: folder.url.appendingPathComponent("a/b/tokens"))
    let lease = try await store.lease(.sample, lasting: .seconds(60))
    _ = try await store.save(sampleToken(), replacing: .absent, under: lease)
    for path in ["a", "a/b", "a/b/tokens"] {
      #expect(try TestFolder.mode(folder.url.appendingPathComponent(path)) == 0o700)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.path) {
      #expect(try TestFolder.mode(store.folder.appendingPathComponent(name)) == 0o600, "\(name)")
    }
    await lease.release()
  }

  @Test("Names of all kinds are kept apart") func namesOfAllKindsAreKeptApart() async throws {
    let folder = try TestFolder()
    let store = folder.store
    let names = [
      "", ".", "..", "../../etc/passwd", "/etc/passwd", "a\u{0}b", "a", "A", "aé", "AÉ", "👩‍👩‍👧", "a,b", "a%2cb", "~",
      "a b",
      "a\nb", "a.json", "-rf", ".new-1", String(repeating: "x", count: 300), String(repeating: "x", count: 301),
      String(repeating: "👩‍👩‍👧", count: 300), String(repeating: "%", count: 300),
    ]
    let all = names.flatMap {
      [
        TokenKey(service: $0, account: "a"), TokenKey(service: "s", account: $0),
        TokenKey(service: "s", scheme: .oauth2, clientID: $0, account: "a"),
        TokenKey(service: "s", scheme: .oauth2, clientID: "a", account: $0),
        TokenKey(service: "s", scheme: .oauth1, clientID: "a", account: $0),
      ]
    }
    let keys = Set(all).sorted()
    for (number, key) in keys.enumerated() { try await store.save(sampleToken("\(number)"), for: key) }
    for (number, key) in keys.enumerated() { #expect(try await store.token(for: key)?.username == "\(number)") }
    #expect(try await store.keys(service: nil) == keys)
    // Names that differ only in case would be one file on some systems.
    let files = try folder.names().filter { $0.hasSuffix(".json") }
    #expect(Set(files.map { $0.lowercased() }).count == keys.count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["tokens"])
    for key in keys { try await store.delete(key) }
    #expect(try folder.names().isEmpty)
  }

  /// Swift takes a letter with an accent for the same text, whether it is written with one scalar or two.
  @Test("Equal keys are one file") func equalKeysAreOneFile() async throws {
    let folder = try TestFolder()
    try await folder.store.save(sampleToken("one"), for: TokenKey(service: "caf\u{E9}"))
    #expect(try await folder.store.token(for: TokenKey(service: "caf\u{E9}")) == sampleToken("one"))
    #expect(try await folder.store.token(for: TokenKey(service: "cafe\u{301}")) == nil)
  }

  @Test("Other files in the folder are not changed") func foreignFilesAreLeftAlone() async throws {
    let folder = try TestFolder()
    try await folder.store.save(sampleToken(), for: .sample)
    for name in ["notes.txt", "Notes.json", "a,b,c.json", "%zz,a.json", "A,b.json"] {
      try Data().write(to: folder.tokens.appendingPathComponent(name))
    }
    #expect(try await folder.store.keys(service: nil) == [.sample])
  }

  @Test(
    "A file whose key cannot be found does not hide the others in the list",
    arguments: [
      "no JSON", "{}", #"{"service":"a","account":"b","scheme":"oauth9","token":{}}"#,
    ])
  func unreadableKeys(content: String) async throws {
    let folder = try TestFolder()
    let long = TokenKey(service: "api.example", account: String(repeating: "a", count: 300))
    try await folder.store.save(sampleToken(), for: .sample)
    try await folder.store.save(sampleToken(), for: long)
    // A foreign one need not even be private.
    try Data(content.utf8).write(to: folder.tokens.appendingPathComponent("~backup.json"))
    let bad = folder.tokens.appendingPathComponent("~" + String(repeating: "0", count: 64) + ".json")
    try Data(content.utf8).write(to: bad)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: bad.path)
    #expect(try await folder.store.keys(service: nil) == [.sample, long].sorted())
  }

  @Test("Leftovers of dead processes are removed") func leftoversOfDeadProcessesAreRemoved() async throws {
    let folder = try TestFolder()
    try await folder.store.save(sampleToken(), for: .sample)
    let leftover = folder.tokens.appendingPathComponent(".new-0123456789abcdef")
    try Data("half a tok".utf8).write(to: leftover)
    try await folder.store.save(sampleToken(), for: .sample)
    #expect(try folder.names() == ["api.example,ann.json"])
  }

  /// Each value cleans up when it first saves, while others are at work.
  @Test("Cleaning up does not touch files in use") func cleaningUpLeavesThoseAtWorkAlone() async throws {
    let folder = try TestFolder()
    let keys = (0..<200).map { TokenKey(service: "api.example", account: "\($0)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for key in keys { group.addTask { try await folder.store.save(sampleToken(key.account), for: key) } }
      try await group.waitForAll()
    }
    #expect(try await folder.store.keys(service: nil) == keys.sorted())
    #expect(try folder.names().count == keys.count)
  }

  @Test("The default place follows the directory specification") func theDefaultPlaceFollowsTheDirectorySpecification()
  {
    func place(_ environment: [String: String]) -> String {
      FileTokenStore.defaultFolder(environment: environment).path
    }
    #expect(place(["XDG_DATA_HOME": "/data", "HOME": "/home/ann"]) == "/data/callsign/tokens")
    #expect(place(["HOME": "/home/ann"]) == "/home/ann/.local/share/callsign/tokens")
    #expect(place(["XDG_DATA_HOME": "", "HOME": "/home/ann"]) == "/home/ann/.local/share/callsign/tokens")
    #expect(place(["XDG_DATA_HOME": "data", "HOME": "/home/ann"]) == "/home/ann/.local/share/callsign/tokens")
    #expect(place([:]) == NSHomeDirectory() + "/.local/share/callsign/tokens")
    #expect(FileTokenStore().folder == FileTokenStore.defaultFolder)
  }

  @Test("Stores are named after their location") func storesAreNamedByWhereTheyAre() {
    func folder(_ store: any TokenStore) -> URL? { (store as? FileTokenStore)?.folder }
    func isMemory(_ store: any TokenStore) -> Bool { store is MemoryTokenStore }
    #if !canImport(Darwin)
      #expect(folder(.default) == FileTokenStore.defaultFolder)
    #endif
    #expect(folder(.file(URL(fileURLWithPath: "/a"))) == URL(fileURLWithPath: "/a"))
    #expect(isMemory(.memory))
  }
}
