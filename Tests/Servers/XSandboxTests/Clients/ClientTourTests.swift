import Foundation
import TestSupport
import Testing

@testable import XSandbox

/// Programs that people wrote for X, with the client libraries that they use. `tour.py` says how their requests get here.
/// Takes minutes, so only `Scripts/nightly` runs it.
@Suite("Other clients of X", .enabled(if: ProcessInfo.processInfo.environment["CALLSIGN_CLIENTS"] != nil))
struct ClientTourTests {
  /// Runs the clients one after the other.
  ///
  /// - Returns: By client and step, what went wrong; "ok" for a step that succeeded.
  private func tour(_ sandbox: Sandbox) async throws -> [String: [String: String]] {
    let alice = sandbox.users.alice
    let input: JSON = [
      "url": .string(sandbox.url.absoluteString), "bob": .string(sandbox.users.bob.id),
      "app": [
        "consumer_key": .string(sandbox.app.consumerKey), "consumer_secret": .string(sandbox.app.consumerSecret),
        "bearer": .string(sandbox.app.bearerToken), "client_id": .string(sandbox.app.clientID),
        "client_secret": .string(sandbox.app.clientSecret ?? ""),
      ],
      "alice": [
        "id": .string(alice.id), "token": .string(alice.accessToken), "token_secret": .string(alice.accessTokenSecret),
        "password": .string(alice.password),
      ],
    ]
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("tour.py")
    let program = try String(contentsOf: file, encoding: .utf8)
    let output = try await onThread { try Python.run(program, input: input.bytes) }
    return try JSONDecoder().decode([String: [String: String]].self, from: output)
  }

  @Test(
    "tweepy, requests-oauthlib, twarc and TwitterAPI work as at X",
    .needs(
      .python(with: "tweepy"), .python(with: "requests_oauthlib"), .python(with: "twarc"), .python(with: "TwitterAPI")))
  func clients() async throws {
    var configuration = generousConfiguration()
    configuration.publicURLs = ["https://api.x.com", "https://api.twitter.com", "https://upload.twitter.com"]
      .compactMap(
        URL.init(string:))
    try await withSandbox(configuration) { (sandbox) async throws in
      let results = try await tour(sandbox)
      #expect(results.count == 5)
      for (client, steps) in results.sorted(by: { $0.key < $1.key }) {
        #expect(!steps.isEmpty)
        for (step, result) in steps.sorted(by: { $0.key < $1.key }) {
          #expect(result == "ok", "\(client): \(step)")
        }
      }
    }
  }
}
