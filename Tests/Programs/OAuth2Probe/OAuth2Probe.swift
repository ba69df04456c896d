import Callsign
import CallsignAuth
import Foundation

/// One of several processes that share a token: `OAuth2Probe FOLDER URL TASKS`.
///
/// It says `ready`, waits for a line, lets that many tasks make a call each, and says how many succeeded. What fails is
/// said on standard error.
@main
struct OAuth2Probe {
  struct API: APIClient {
    let client: Client
    static let baseURLs: [StaticString] = ["https://api.test"]
  }

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let tasks = Int(arguments[3]) else {
      FileHandle.standardError.write(Data("usage: OAuth2Probe FOLDER URL TASKS\n".utf8))
      exit(64)
    }
    let provider = OAuth2Provider(
      authorizeURL: "https://api.test/authorize", tokenURL: "https://api.test/token", revokeURL: nil)
    let oauth2 = OAuth2(
      clientID: "public", store: FileTokenStore(folder: URL(fileURLWithPath: arguments[1])), provider: provider)
    let api = API(
      client: Client(auth: .oauth2(oauth2), configuration: ClientConfiguration(hosts: .all(to: arguments[2]))))

    print("ready")
    fflush(nil)
    await line()
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

  /// Waits for a line on a thread of its own.
  private static func line() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = readLine()
        continuation.resume()
      }
    }
  }
}
