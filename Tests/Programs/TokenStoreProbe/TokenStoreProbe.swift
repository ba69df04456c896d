import Callsign
import CallsignAuth
import Foundation

#if CALLSIGN_POSTGRES
  import CallsignPostgres
#endif

/// Another process that uses a store of files, or one in a database: `TokenStoreProbe FOLDER|URL#SCHEMA COMMAND NUMBER`.
/// The database's password and the sealing key are in its environment.
@main struct TokenStoreProbe {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 3, let number = Int(arguments[3]) else {
      print("usage: TokenStoreProbe FOLDER|URL#SCHEMA save|increment|hold|stall|churn|ask NUMBER")
      return
    }
    let store = try store(at: arguments[1])
    let key = TokenKey(service: "api.example", account: "probe")
    switch arguments[2] {
    case "save": try await save(from: number, in: store, key)
    case "increment": try await increment(number, in: store, key)
    case "stall": try await stall(.milliseconds(number), in: store, key)
    case "churn": try await churn(.milliseconds(number), in: store, key)
    case "ask": try await ask(.seconds(number), in: store)
    default:
      let lease = try await store.lease(key, lasting: .seconds(number))
      say("leased")
      try await Task.sleep(for: .seconds(number))
      await lease.release()
    }
  }

  private static func store(at place: String) throws -> any TokenStore {
    #if CALLSIGN_POSTGRES
      let parts = place.split(separator: "#").map(String.init)
      if place.hasPrefix("postgresql:"), parts.count == 2 {
        func secret(_ name: String) -> Secret { Secret(ProcessInfo.processInfo.environment[name] ?? "") }
        let database = try PostgresDatabase(
          PostgresConfiguration(parts[0], password: secret("PROBE_PASSWORD")), schema: PostgresSchema(parts[1]))
        return PostgresTokenStore(database, keys: try SealingKeys(SealingKey(secret("PROBE_SEALING_KEY"))))
      }
    #endif
    return FileTokenStore(folder: URL(fileURLWithPath: place))
  }

  /// Says that it uses up the refresh token of an account, and gets no response.
  private static func ask(_ duration: Duration, in store: any TokenStore) async throws {
    let key = TokenKey(service: "api.test", scheme: .oauth2, clientID: "public", account: "probe")
    let lease = try await store.lease(key, lasting: .seconds(2))
    if let version = try await store.load(key)?.version {
      try await lease.announceRequest(using: version, lasting: duration)
      say("asked")
    }
    try await Task.sleep(for: duration)
    await lease.release()
  }

  /// Takes a short lease, and saves under it at each line that it is given, however late: once with what it has loaded as
  /// the precondition, then with none.
  private static func stall(_ duration: Duration, in store: any TokenStore, _ key: TokenKey) async throws {
    let lease = try await store.lease(key, lasting: duration)
    let loaded = try await store.load(key)
    say("leased")
    for precondition in [TokenPrecondition(loaded), .any] {
      guard readLine() != nil else { return }
      do throws(TokenStoreError) {
        _ = try await store.save(
          StoredToken(kind: .oauth2, accessToken: "stale-s3cr3t", username: "stale"), replacing: precondition,
          under: lease)
        say("saved")
      } catch { say("\(error.reason)") }
    }
  }

  /// Counts on in the token under short leases, and says of each which it replaced.
  private static func churn(_ duration: Duration, in store: any TokenStore, _ key: TokenKey) async throws {
    for number in 1... {
      do throws(TokenStoreError) {
        let lease = try await store.lease(key, lasting: duration)
        let loaded = try await store.load(key)
        let token = StoredToken(kind: .oauth2, accessToken: "probe-s3cr3t", username: "churn \(number)")
        _ = try await store.save(token, replacing: TokenPrecondition(loaded), under: lease)
        await lease.release()
        let name = loaded?.token.username ?? "nothing"
        say(name.hasPrefix("churn") ? "on" : "over \(name)")
      } catch { say("\(error.reason)") }
    }
  }

  /// Saves tokens one after another until it is killed, or nobody reads what it says any more: after each, that it is on
  /// the disk. They are of very different lengths, so that a mixture of two would be no JSON.
  private static func save(from first: Int, in store: any TokenStore, _ key: TokenKey) async throws {
    for number in first... {
      let filler = String(repeating: "\(number) ", count: number % 7 == 0 ? 20_000 : number % 3)
      try await store.save(
        StoredToken(kind: .oauth2, accessToken: "probe-s3cr3t", userID: String(number), username: filler), for: key)
      say(String(number))
    }
  }

  /// Adds to the number that the token holds.
  private static func increment(_ count: Int, in store: any TokenStore, _ key: TokenKey) async throws {
    for _ in 0..<count {
      let lease = try await store.lease(key, lasting: .seconds(60))
      let loaded = try await store.load(key)
      var token = loaded?.token ?? StoredToken(kind: .oauth2, accessToken: "probe-s3cr3t", userID: "0")
      token.userID = String((token.userID.flatMap(Int.init) ?? 0) + 1)
      _ = try await store.save(token, replacing: TokenPrecondition(loaded), under: lease)
      await lease.release()
    }
  }

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
