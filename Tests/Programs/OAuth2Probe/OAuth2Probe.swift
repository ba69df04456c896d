import Callsign
import CallsignAuth
import Foundation

/// One of several processes that share a token: `OAuth2Probe FOLDER URL TASKS`, or
/// `OAuth2Probe FOLDER URL REFRESHES FAILING [LEASE]`.
///
/// It says `ready`, waits for a line, lets that many tasks make a call each, and says how many succeeded. With a fourth argument it
/// refreshes the token that many times instead, one after the other. Every FAILING-th save of its store fails; 0 means that none
/// fails. With LEASE, a lease ends after that many milliseconds. Failures are reported on standard error.
@main
struct OAuth2Probe {
  struct API: APIClient {
    let client: Client
    static let baseURLs: [StaticString] = ["https://api.test"]
  }

  static func main() async throws {
    let arguments = CommandLine.arguments
    let failing = arguments.count >= 5 ? Int(arguments[4]) : nil
    let lease = arguments.count == 6 ? Int(arguments[5]) : nil
    guard arguments.count == 4 || failing != nil, let tasks = Int(arguments[3]) else {
      FileHandle.standardError.write(Data("usage: OAuth2Probe FOLDER URL TASKS [FAILING [LEASE]]\n".utf8))
      exit(64)
    }
    let provider = OAuth2Provider(
      authorizeURL: "https://api.test/authorize", tokenURL: "https://api.test/token", revokeURL: nil)
    let store = FailingStore(
      FileTokenStore(folder: URL(fileURLWithPath: arguments[1])), every: failing ?? 0,
      longestLease: lease.map { .milliseconds($0) })
    let oauth2 = OAuth2(clientID: "public", store: store, provider: provider)
    let configuration = ClientConfiguration(hosts: .all(to: arguments[2]))
    let api = API(client: Client(auth: .oauth2(oauth2), configuration: configuration))

    print("ready")
    fflush(nil)
    await line()
    if failing != nil {
      print(await refresh(oauth2, tasks, configuration))
      return
    }
    let successes = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          do throws(CallError) {
            return try await api.call(.get, "me", auth: .accepting("oauth2")).value["user"] == "alice"
          } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return false
          }
        }
      }
      var successes = 0
      for await isSuccess in group where isSuccess { successes += 1 }
      return successes
    }
    print(successes)
  }

  /// Refreshes repeatedly, and waits at the end until every token is stored.
  ///
  /// - Returns: The number of refreshes that succeeded.
  private static func refresh(_ oauth2: OAuth2, _ times: Int, _ configuration: ClientConfiguration) async -> Int {
    var successes = 0
    for _ in 0..<times {
      do throws(CallError) {
        try await oauth2.refresh(configuration: configuration)
        successes += 1
      } catch { complain(error) }
    }
    for _ in 0..<200 {
      do throws(CallError) {
        _ = try await oauth2.token(configuration: configuration)
        return successes
      } catch {
        guard "\(error)".contains("only in memory") else { return successes }
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
    return successes
  }

  private static func complain(_ error: CallError) {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
  }

  /// Waits for a line on a separate thread.
  private static func line() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = readLine()
        continuation.resume()
      }
    }
  }
}
