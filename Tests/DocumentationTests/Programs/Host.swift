// The sandbox that the documents' programs call, for `Scripts/internal/check-documents`. It prints the values that a reader would
// put into the examples' placeholders, then answers each login whose address arrives on standard input. Not part of the tests'
// target: the script copies it into a separate package.

import Foundation
import XSandbox

@main
struct Host {
  static func main() async throws {
    var configuration = Sandbox.Configuration()
    configuration.app.isConfidential = false
    configuration.app.isEntitledToXAuth = true
    // The port of the login's redirect: a port that was free a moment ago.
    let probe = try await Sandbox.start(configuration)
    await probe.stop()
    let port = String(probe.url.port ?? 0)
    configuration.app.callbacks = [
      "myapp://login", "https://app.example/callback", "http://127.0.0.1:\(port)/callback",
    ]
    let sandbox = try await Sandbox.start(configuration)
    let alice = sandbox.users.alice
    let ann = try await sandbox.addUser(username: "ann")
    try await sandbox.addFollowers(3, to: alice)
    let post = try await sandbox.addPost("just setting up", by: alice)
    let list = try await sandbox.addList("friends", owner: alice)
    // The data of the streams.
    let posting = Task {
      while !Task.isCancelled {
        _ = try await sandbox.addPost("another one, @alice", by: sandbox.users.bob)
        try await Task.sleep(for: .milliseconds(300))
      }
    }
    say([
      "url": sandbox.url.absoluteString, "consumerKey": sandbox.app.consumerKey,
      "consumerSecret": sandbox.app.consumerSecret, "bearer": sandbox.app.bearerToken, "clientID": sandbox.app.clientID,
      "user": alice.id, "token": alice.accessToken, "tokenSecret": alice.accessTokenSecret,
      "oauth2Token": alice.oauth2AccessToken, "password": ann.password, "post": post, "list": list,
      "port": port,
    ])
    while let line = await Task.detached(operation: { readLine() }).value {
      guard let url = URL(string: line) else { continue }
      do {
        let approval = try await sandbox.approve(url, as: alice)
        say(["response": approval.pin ?? approval.url?.absoluteString ?? ""])
      } catch { say(["error": "\(error)"]) }
    }
    posting.cancel()
    await sandbox.stop()
  }

  private static func say(_ members: [String: String]) {
    guard let line = try? JSONEncoder().encode(members) else { return }
    FileHandle.standardOutput.write(line + [UInt8(ascii: "\n")])
  }
}
