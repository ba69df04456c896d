import Foundation
import TestSupport
import Testing
import XSandbox

@Suite("xapi doctor") struct DoctorTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func doctor(_ arguments: String..., environment: [String: String] = [:]) async throws -> Run {
    try await Run("xapi", ["doctor"] + arguments, environment: ["HOME": home.path].merging(environment) { $1 })
  }

  @Test("If everything is fine, it says so for each check, shows no secret, and ends with 0")
  func healthy() async throws {
    try await withSandbox { sandbox in
      let token = sandbox.users.alice.oauth2AccessToken
      let run = try await doctor(
        "--base-url", sandbox.url.absoluteString, environment: ["X_OAUTH2_ACCESS_TOKEN": token])
      #expect(run.status == 0, "\(run.output) \(run.error)")
      for line in [
        "ok       files        ", "ok       environment  X_OAUTH2_ACCESS_TOKEN", "ok       proxy        none",
        "ok       network      127.0.0.1 responds in ", "ok       clock        right to ",
        "ok       login        the environment",
        "ok       X            accepts the credentials: @alice", "ok       limits       ",
      ] { #expect(run.output.contains(line), "\(line) is not in\n\(run.output)") }
      #expect(!run.output.contains(token))
      let json = try await doctor(
        "--json", "--base-url", sandbox.url.absoluteString, environment: ["X_OAUTH2_ACCESS_TOKEN": token])
      #expect(json.output.hasPrefix("[{") && json.output.contains(#""subject":"clock""#))
    }
  }

  @Test("A stored login: its end, its scopes, and the missing ones")
  func stored() async throws {
    try await withSandbox { sandbox in
      let login = try LiveProgram(
        "xapi",
        [
          "login", "--client-id", sandbox.app.clientID, "--port", "0", "--base-url", sandbox.url.absoluteString,
          "--scopes",
          "tweet.read,users.read,offline.access",
        ], home: home, environment: ["X_CLIENT_SECRET": sandbox.app.clientSecret ?? ""])
      try await browse(try #require(try await sandbox.approve(try await login.page(), as: sandbox.users.alice).url))
      #expect(await login.status() == 0, "\(login.error)")
      let run = try await doctor()
      #expect(run.status == 0, "\(run.output) \(run.error)")
      #expect(run.output.contains("profile default: @alice, OAuth 2.0"))
      #expect(run.output.contains("and renews itself"), "\(run.output)")
      #expect(run.output.contains("warning  scopes       3 of 24; without block.read"), "\(run.output)")
      let folder = home.path + "/.local/share/callsign/tokens"
      let file = try #require(
        try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".json") })
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder + "/" + file)
      let open = try await doctor()
      #expect(
        open.status == 1 && open.output.contains("problem  files") && open.output.contains("→ run `chmod 600 "),
        "\(open.output)")
    }
  }

  @Test("A wrong clock, refused credentials, a used-up limit: the problem, and what to do")
  func problems() async throws {
    try await withSandbox { sandbox in
      let token = sandbox.users.alice.oauth2AccessToken
      let place = ["--base-url", sandbox.url.absoluteString]
      func run(_ environment: [String: String]) async throws -> Run {
        try await Run("xapi", ["doctor"] + place, environment: ["HOME": home.path].merging(environment) { $1 })
      }
      let refused = try await run(["X_OAUTH2_ACCESS_TOKEN": "WRONG-TOKEN"])
      #expect(refused.status == 1 && refused.output.contains("problem  X"), "\(refused.output)")
      #expect(!(refused.output + refused.error).contains("WRONG-TOKEN"))
      sandbox.setClockOffset(3600)
      let late = try await run(["X_OAUTH2_ACCESS_TOKEN": token])
      #expect(
        late.status == 1 && late.output.contains("s behind") && late.output.contains("timedatectl"), "\(late.output)")
      sandbox.setClockOffset(0)
      await sandbox.inject(try Sandbox.FaultSpecification("GET /2/users/me=429 retry-after=900 after=1"))
      let limited = try await run(["X_OAUTH2_ACCESS_TOKEN": token])
      #expect(limited.output.contains("warning  limits       used up"), "\(limited.output)")
      await sandbox.inject(try Sandbox.FaultSpecification("GET /2/users/me=usage-capped after=1"))
      let capped = try await run(["X_OAUTH2_ACCESS_TOKEN": token])
      #expect(
        capped.status == 1 && capped.output.contains("accepts the credentials")
          && capped.output.contains("problem  plan"), "\(capped.output)")
      let half = try await run(["X_CONSUMER_KEY": "key"])
      #expect(half.output.contains("X_CONSUMER_KEY is set, X_CONSUMER_SECRET is not"), "\(half.output)")
      let blank = try await run(["X_OAUTH2_ACCESS_TOKEN": token + "\n"])
      #expect(blank.output.contains("begins or ends with white space"))
    }
  }

  @Test("An app's token in a file is tried as one") func fileOfApp() async throws {
    try await withSandbox { sandbox in
      try home.write(#"{"bearer_token":"\#(sandbox.app.bearerToken)"}"#, to: "bearer.json")
      let file = home.path + "/bearer.json"
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let run = try await doctor("--credentials", file, "--base-url", sandbox.url.absoluteString)
      #expect(run.status == 0 && run.output.contains("accepts the credentials: the app"), "\(run.output)")
    }
  }

  @Test("A host that does not respond is a problem of the network, and a proxy's password is not shown")
  func network() async throws {
    let dead = try await doctor("--base-url", "http://127.0.0.1:1", environment: ["X_BEARER_TOKEN": "b"])
    #expect(dead.status == 1 && dead.output.contains("problem  network      127.0.0.1"), "\(dead.output)")
    #expect(dead.output.contains("check that something listens there"))
    let proxy = try await doctor(
      "--base-url", "http://127.0.0.1:1", environment: ["https_proxy": "http://ann:PROXY-PASSWORD@127.0.0.1:9"])
    #expect(proxy.output.contains("https_proxy: 127.0.0.1:9"), "\(proxy.output)")
    #expect(!proxy.output.contains("PROXY-PASSWORD"))
    #expect(
      proxy.output.contains("nobody is logged in") && proxy.output.contains("→ run `xapi login`"), "\(proxy.output)")
  }
}
