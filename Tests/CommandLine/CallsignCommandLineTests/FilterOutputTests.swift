import Foundation
import TestSupport
import Testing
import XSandbox

@Suite("Filter results, and the owner of credentials") struct FilterOutputTests {
  @Test("A filter without a result gives no row, and chosen members are those of objects")
  func nothing() async throws {
    try await withSandbox { sandbox in
      func me(_ words: String...) async throws -> Run {
        try await Run(
          "xapi", ["getUsersMe", "--base-url", sandbox.url.absoluteString] + words,
          environment: ["X_OAUTH2_ACCESS_TOKEN": sandbox.users.alice.oauth2AccessToken])
      }
      for format in ["csv", "table", "lines"] {
        let none = try await me("--filter", "nothing", "-o", format)
        #expect(none.status == 0 && none.output.isEmpty, "\(format): \(none.output) \(none.error)")
      }
      #expect(try await me("--filter", "nothing", "-o", "csv", "--fields", "id").output == "id\r\n")
      #expect(try await me("--filter", "nothing").output == "null\n")
      let text = try await me("--filter", "data.username", "--fields", "id")
      #expect(text.output == "\"alice\"\n", "\(text.output) \(text.error)")
      #expect(try await me("--filter", "data.username", "--fields", "id", "-o", "csv").output == "value\r\nalice\r\n")
    }
  }

  @Test("With app-only credentials, whoami says that it is the app, after X accepts it")
  func app() async throws {
    let home = try TemporaryFolder()
    try await withSandbox { sandbox in
      let login = try await Run(
        "xapi",
        [
          "login", "--app-only", "--consumer-key", sandbox.app.consumerKey, "--base-url", sandbox.url.absoluteString,
        ], environment: ["HOME": home.path, "X_CONSUMER_SECRET": sandbox.app.consumerSecret])
      #expect(login.status == 0, "\(login.error)")
      let who = try await Run("xapi", ["whoami"], environment: ["HOME": home.path])
      #expect(who.status == 0 && who.output == "{\"app\":true}\n", "\(who.output) \(who.error)")
      #expect(who.error.contains("credentials of the app"), "\(who.error)")
      let token = try await Run(
        "xapi", ["whoami", "--base-url", sandbox.url.absoluteString, "-o", "csv"],
        environment: ["X_BEARER_TOKEN": sandbox.app.bearerToken])
      #expect(token.status == 0 && token.output == "app\r\ntrue\r\n", "\(token.output) \(token.error)")
      let wrong = try await Run(
        "xapi", ["whoami", "--base-url", sandbox.url.absoluteString], environment: ["X_BEARER_TOKEN": "wrong"])
      #expect(wrong.status == 77 && wrong.output.isEmpty, "\(wrong.status) \(wrong.error)")
    }
  }
}
