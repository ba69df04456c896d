import Callsign
import CallsignAuth
import Foundation

/// Another process that uses a store of files: `TokenStoreProbe FOLDER COMMAND ARGUMENTS`.
@main struct TokenStoreProbe {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 3, let number = Int(arguments[3]) else {
      print("usage: TokenStoreProbe FOLDER save|increment|hold NUMBER")
      return
    }
    let store = FileTokenStore(folder: URL(fileURLWithPath: arguments[1]))
    let key = TokenKey(service: "api.example", account: "probe")
    switch arguments[2] {
    case "save": try await save(from: number, in: store, key)
    case "increment": try await increment(number, in: store, key)
    default:
      let lock = try await store.lock(key)
      say("locked")
      try await Task.sleep(for: .seconds(number))
      lock.release()
    }
  }

  /// Saves tokens one after another until it is killed, or nobody reads what it says any more: after each, that it is on
  /// the disk. They are of very different lengths, so that a mixture of two would be no JSON.
  private static func save(from first: Int, in store: FileTokenStore, _ key: TokenKey) async throws {
    for number in first... {
      let filler = String(repeating: "\(number) ", count: number % 7 == 0 ? 20_000 : number % 3)
      try await store.save(
        StoredToken(kind: .oauth2, accessToken: "probe-s3cr3t", userID: String(number), username: filler), for: key)
      say(String(number))
    }
  }

  /// Adds to the number that the token holds.
  private static func increment(_ count: Int, in store: FileTokenStore, _ key: TokenKey) async throws {
    for _ in 0..<count {
      let lock = try await store.lock(key)
      var token = try await store.load(key) ?? StoredToken(kind: .oauth2, accessToken: "probe-s3cr3t", userID: "0")
      token.userID = String((token.userID.flatMap(Int.init) ?? 0) + 1)
      try await store.save(token, for: key)
      lock.release()
    }
  }

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
