import Callsign
import CallsignTesting
import CallsignX
import ChildProcesses
import Foundation
import TestSupport
import Testing
import XSandbox

/// Runs commands of ``curlCommand`` with the real curl.
@Suite(
  "Calls as curl commands, run by curl", .timeLimit(.minutes(10)),
  .needs(.curl))
struct CurlCommandTests {
  @Test("Curl sends the client's request, once the credentials are put back")
  func run() async throws {
    try await withSession { (session) async throws in
      let token = session.alice.oauth2AccessToken
      let options = CallOptions(headers: ["Authorization": "Bearer \(token)"])
      let text = "it's \"quoted\", $HOME `id` \\ 100% 🎈"
      let read = try session.x.curlCommand(
        .get, "2/users/me", query: ["user.fields": "name,created_at"], options: options)
      let write = try session.x.curlCommand(
        .post, "/2/tweets", body: .json(["text": .string(text)]), options: options)
      for command in [read, write] {
        #expect(!command.contains(token) && !command.contains("s3cr3t"))
        #expect(command.contains("'Authorization: REDACTED'"))
      }
      let me = try await json(read, token)
      #expect(me["data"]?["username"] == "alice")
      #expect(me["data"]?["created_at"] != nil)
      let curl = await session.lastRequest()
      let post = try await json(write, token)
      #expect(post["data"]?["text"]?.string == text)

      // The client's own request is the same.
      _ = try await session.api(Bearer(Secret(token), scopes: ["users.read", "tweet.read"]))
        .call(.get, "2/users/me", query: ["user.fields": "name,created_at"])
      let own = await session.lastRequest()
      #expect(curl?.path == own?.path && curl?.query == own?.query && curl?.query.isEmpty == false)
      #expect(
        curl?.header("Accept") == own?.header("Accept") && curl?.header("User-Agent") == own?.header("User-Agent"))
    }
  }

  @Test("A command without its own credentials has none")
  func unauthenticated() async throws {
    try await withSession { (session) async throws in
      let command = try session.x.curlCommand(.get, "2/users/me")
      #expect(!command.lowercased().contains("authorization"))
      #expect(try await json(command)["status"]?.int == 401)
      #expect(await session.lastRequest()?.header("Authorization") == nil)
      let absolute = try session.x.curlCommand(.get, "https://api.x.com/2/users/me")
      #expect(absolute == command)
    }
  }

  private func json(_ command: String, _ token: String = "") async throws -> JSONValue {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command.replacingOccurrences(of: "REDACTED", with: "Bearer \(token)") + " --silent"]
    let output = Pipe.forChildProcess()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    let data: Data = try await withCheckedThrowingContinuation { continuation in
      // Reading blocks until curl has ended, on a separate thread.
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try process.start()
            return output.fileHandleForReading.readDataToEndOfFile()
          })
      }
    }
    return try JSONValue(jsonData: data)
  }
}
