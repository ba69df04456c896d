import Foundation
import TestSupport
import Testing
import XSandbox

@Suite("xapi login") struct LoginTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Runs `xapi` in the test's home folder.
  private func xapi(_ arguments: String..., environment: [String: String] = [:]) async throws -> Run {
    try await Run("xapi", arguments, environment: ["HOME": home.path].merging(environment) { $1 })
  }

  /// Starts a login at a sandbox.
  private func login(_ sandbox: Sandbox, _ arguments: String..., environment: [String: String] = [:]) throws
    -> LiveProgram
  {
    try LiveProgram(
      "xapi", ["login", "--base-url", sandbox.url.absoluteString] + arguments, home: home, environment: environment)
  }

  private func secrets(_ sandbox: Sandbox) -> [String: String] {
    ["X_CLIENT_SECRET": sandbox.app.clientSecret ?? "", "X_CONSUMER_SECRET": sandbox.app.consumerSecret]
  }

  private var profile: String { home.path + "/.local/share/callsign/profiles/x/default.json" }

  @Test("A browser login is stored for its owner only, used by later calls, and revoked by logout")
  func browser() async throws {
    try await withSandbox { sandbox in
      let run = try login(
        sandbox, "--client-id", sandbox.app.clientID, "--port", "0", environment: secrets(sandbox))
      let redirect = try #require(try await sandbox.approve(try await run.page(), as: sandbox.users.alice).url)
      try await browse(redirect)
      #expect(await run.status() == 0, "\(run.error)")
      #expect(run.error.contains("Logged in as @alice, profile default (OAuth 2.0)"))
      #expect(!run.error.contains(sandbox.app.clientSecret ?? "?"))
      #expect(try permissions(profile) == 0o600)
      #expect(try permissions(home.path + "/.local/share/callsign/profiles/x") == 0o700)

      let who = try await xapi("whoami", "--filter", "data.username", "--raw")
      #expect(who.output == "alice\n", "\(who.error)")
      let path = try await xapi("get", "2/users/me", "--filter", "data.username", "-r", "--profile", "default")
      #expect(path.output == "alice\n", "\(path.error)")
      let accounts = try await xapi("accounts")
      #expect(accounts.output.hasPrefix("* default: @alice, OAuth 2.0 (renews itself), at http://127.0.0.1"))
      let dry = try await xapi("createPosts", "--text", "hi", "--dry-run")
      #expect(dry.output.hasPrefix("POST \(sandbox.url.absoluteString)/2/tweets"), "\(dry.output)")

      // To no other host.
      let elsewhere = try await xapi("whoami", "--profile", "default", "--base-url", "http://127.0.0.1:1")
      #expect(elsewhere.status == 64 && elsewhere.error.contains("go nowhere else"), "\(elsewhere.error)")

      let out = try await xapi("logout")
      #expect(out.status == 0 && out.error.contains("Logged out: profile default (@alice)"), "\(out.error)")
      #expect(!FileManager.default.fileExists(atPath: profile))
      let after = try await xapi("accounts")
      #expect(after.status == 77 && after.error.contains("`xapi login`"))
      #expect(await sandbox.requests().contains { $0.path == "/2/oauth2/revoke" })
    }
  }

  @Test("Without a browser, the redirect is pasted, and a paste that is not for this login is requested again")
  func pasted() async throws {
    try await withSandbox { sandbox in
      let run = try login(
        sandbox, "--no-browser", "--profile", "work", "--client-id", sandbox.app.clientID, "--scopes",
        "tweet.read,users.read,users.email,offline.access", environment: secrets(sandbox))
      let redirect = try await sandbox.approve(try await run.page(), as: sandbox.users.bob).url
      try run.type("http://127.0.0.1:8765/callback?state=other&code=x")
      try run.type(redirect?.absoluteString ?? "")
      #expect(await run.status() == 0, "\(run.error)")
      #expect(run.error.contains("not the response to this login"))
      let who = try await xapi("whoami", "-o", "csv", "--fields", "username", environment: ["X_PROFILE": "work"])
      #expect(who.output == "username\r\nbob\r\n", "\(who.error)")
      // There is no `default`, and the program guesses none.
      let none = try await xapi("whoami", "--profile", "other")
      #expect(none.status == 64 && none.error.contains("there are: work"), "\(none.error)")
    }
  }

  @Test("A person who refuses, an unknown scope and a port that is taken end the login with a reason")
  func refusals() async throws {
    try await withSandbox { sandbox in
      let run = try login(sandbox, "--client-id", sandbox.app.clientID, "--port", "0", environment: secrets(sandbox))
      try await browse(try #require(try await sandbox.deny(try await run.page())))
      #expect(await run.status() == 77 && run.error.contains("did not allow"), "\(run.error)")
      #expect(!FileManager.default.fileExists(atPath: profile))
      let scope = try await xapi(
        "login", "--client-id", "c", "--scopes", "no.such", environment: ["X_CLIENT_SECRET": "s"])
      #expect(scope.status == 64 && scope.error.contains("unknown scope no.such"), "\(scope.error)")
      let taken = try await xapi(
        "login", "--client-id", "c", "--port", "\(sandbox.url.port ?? 0)", environment: ["X_CLIENT_SECRET": "s"])
      #expect(taken.status == 64 && taken.error.contains("cannot be listened on"), "\(taken.error)")
    }
  }

  @Test("A login without a browser says that nothing was pasted when standard input ends")
  func nothingPasted() async throws {
    let run = try await xapi("login", "--client-id", "c", "--no-browser", environment: ["X_CLIENT_SECRET": "s"])
    #expect(run.status == 77, "\(run.error)")
    #expect(run.error.contains("error: standard input ended before the address; run the login where"), "\(run.error)")
    #expect(!run.error.contains("in time"))
  }

  @Test("An interrupt ends a login that waits")
  func interrupt() async throws {
    try await withSandbox { sandbox in
      let run = try login(sandbox, "--client-id", sandbox.app.clientID, "--port", "0", environment: secrets(sandbox))
      _ = try await run.page()
      run.signal(SIGINT)
      #expect(await run.status() == 130, "\(run.error)")
    }
  }

  @Test("The PIN login is for both versions, and an app-only login goes into the same profile")
  func pin() async throws {
    try await withSandbox { sandbox in
      let run = try login(sandbox, "--pin", "--consumer-key", sandbox.app.consumerKey, environment: secrets(sandbox))
      let pin = try #require(try await sandbox.approve(try await run.page(), as: sandbox.users.carol).pin)
      try run.type(pin)
      #expect(await run.status() == 0, "\(run.error)")
      #expect(run.error.contains("Logged in as @carol"))
      let old = try await xapi("getAccountVerifyCredentials", "--filter", "screen_name", "--raw")
      #expect(old.output == "carol\n", "\(old.error)")
      // Key and secret are known now.
      let app = try await xapi("login", "--app-only")
      #expect(app.status == 0 && app.error.contains("(OAuth 1.0a, app only)"), "\(app.error)")
      let both = try await xapi("accounts")
      #expect(both.output.contains("@carol, OAuth 1.0a, app only"), "\(both.output)")
      let user = try await xapi("getUsersByUsername", "--username", "bob", "--filter", "data.username", "-r")
      #expect(user.output == "bob\n", "\(user.error)")
      let out = try await xapi("logout", "--all")
      #expect(out.status == 0, "\(out.error)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: home.path + "/.local/share/callsign/tokens").filter {
          $0.hasSuffix(".json")
        }.isEmpty)
    }
  }

  @Test("An OAuth 1.0a login is exchanged for an OAuth 2.0 login and stays; so is a token from the environment")
  func exchange() async throws {
    try await withSandbox { sandbox in
      let (alice, bob) = (sandbox.users.alice, sandbox.users.bob)
      let place = sandbox.url.absoluteString
      func exchange(_ more: String..., environment: [String: String] = [:]) async throws -> Run {
        try await Run(
          "xapi", ["login", "--exchange"] + more,
          environment: ["HOME": home.path].merging(secrets(sandbox)) { $1 }.merging(environment) { $1 })
      }
      let client = sandbox.app.clientID
      let none = try await exchange("--client-id", client, "--base-url", place)
      #expect(none.status == 64 && none.error.contains("no login by OAuth 1.0a"), "\(none.error)")
      let first = try await xapi(
        "login", "--xauth", "--consumer-key", sandbox.app.consumerKey, "--username", "alice", "--base-url", place,
        environment: secrets(sandbox).merging(["X_PASSWORD": alice.password]) { $1 })
      #expect(first.status == 0, "\(first.error)")
      let exchanged = try await exchange("--client-id", client)
      #expect(exchanged.status == 0, "\(exchanged.error)")
      #expect(exchanged.error.contains("Logged in as @alice, profile default (OAuth 2.0, OAuth 1.0a)"))
      #expect(await sandbox.authorizationCounts().tokensExchanged == 1)
      let accounts = try await xapi("accounts")
      #expect(accounts.output.contains("OAuth 2.0 (renews itself)"), "\(accounts.output)")
      for auth in ["oauth2", "oauth1"] {
        let me = try await xapi("get", "2/users/me", "--auth", auth, "--filter", "data.username", "-r")
        #expect(me.output == "alice\n", "\(auth): \(me.error)")
      }

      func token(_ secret: String) -> [String: String] {
        ["X_OAUTH1_TOKEN": bob.accessToken, "X_OAUTH1_TOKEN_SECRET": secret]
      }
      let another = try await exchange(environment: token(bob.accessTokenSecret))
      #expect(another.status == 64 && another.error.contains("--profile"), "\(another.error)")
      let bobs = try await exchange(
        "--profile", "bob", "--client-id", client, "--base-url", place, "--scopes", "users.read,tweet.read",
        environment: token(bob.accessTokenSecret))
      #expect(bobs.status == 0, "\(bobs.error)")
      #expect(bobs.error.contains("Logged in as @bob, profile bob (OAuth 2.0)") && !bobs.error.contains("note:"))
      let wrong = try await exchange(
        "--profile", "bob", "--client-id", client, "--base-url", place, environment: token("WRONG-SECRET"))
      #expect(wrong.status == 77 && wrong.error.contains("does not accept the token"), "\(wrong.error)")
      #expect(!wrong.error.contains("WRONG-SECRET") && !wrong.error.contains(bob.accessToken))
      let half = try await exchange(environment: ["X_OAUTH1_TOKEN": bob.accessToken])
      #expect(half.status == 64 && half.error.contains("set both"), "\(half.error)")
      #expect(try await exchange("--read-only").status == 64)
    }
  }

  @Test("A profile is one person's: the login of another by another kind is refused, and leaves it as it was")
  func another() async throws {
    try await withSandbox { sandbox in
      func approved(_ user: Sandbox.User, _ more: String..., environment: [String: String]) async throws -> LiveProgram
      {
        let place = ["login", "--base-url", sandbox.url.absoluteString]
        let run = try LiveProgram("xapi", place + more, home: home, environment: environment)
        let approval = try await sandbox.approve(try await run.page(), as: user)
        if let pin = approval.pin { try run.type(pin) }
        if let url = approval.url { try await browse(url) }
        return run
      }
      let (alice, bob) = (sandbox.users.alice, sandbox.users.bob)
      let secrets = secrets(sandbox)
      let client = ["--client-id", sandbox.app.clientID, "--port", "0"]
      let first = try await approved(alice, client[0], client[1], client[2], client[3], environment: secrets)
      #expect(await first.status() == 0, "\(first.error)")
      let kept = try Data(contentsOf: URL(fileURLWithPath: profile))

      let other = try await approved(
        bob, "--pin", "--consumer-key", sandbox.app.consumerKey, environment: secrets)
      #expect(await other.status() == 64, "\(other.error)")
      #expect(other.error.contains("@alice") && other.error.contains("--profile"), "\(other.error)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: profile)) == kept)
      let tokens = home.path + "/.local/share/callsign/tokens"
      func tokenCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: tokens).count { $0.hasSuffix(".json") }
      }
      #expect(try tokenCount() == 1)

      // An account of the same person is added, and then the first kind is not replaced by another person's either.
      let same = try await approved(
        alice, "--pin", "--consumer-key", sandbox.app.consumerKey, environment: secrets)
      #expect(await same.status() == 0, "\(same.error)")
      await sandbox.forgetRequests()
      let again = try await approved(bob, "--port", "0", environment: secrets)
      #expect(await again.status() == 64 && again.error.contains("--profile"), "\(again.error)")
      #expect(await sandbox.requests().contains { $0.path == "/2/oauth2/revoke" })
      #expect(try tokenCount() == 2)
      let who = try await xapi("whoami", "--filter", "data.username", "--raw")
      #expect(who.output == "alice\n", "\(who.error)")
      let renewed = try await approved(alice, "--port", "0", environment: secrets)
      #expect(await renewed.status() == 0, "\(renewed.error)")
      #expect(try await xapi("whoami", "--filter", "data.username", "--raw").output == "alice\n")
    }
  }

  @Test("A password comes from the environment or a file of one's own, never from an argument")
  func password() async throws {
    try await withSandbox { sandbox in
      let base = [
        "login", "--xauth", "--consumer-key", sandbox.app.consumerKey, "--base-url", sandbox.url.absoluteString,
      ]
      let alice = sandbox.users.alice
      func run(_ more: [String], _ environment: [String: String] = [:]) async throws -> Run {
        try await Run(
          "xapi", base + ["--username", "alice"] + more,
          environment: ["HOME": home.path, "X_CONSUMER_SECRET": sandbox.app.consumerSecret].merging(environment) { $1 })
      }
      let wrong = try await run([], ["X_PASSWORD": "WRONG-PASSWORD"])
      #expect(wrong.status == 77 && !wrong.error.contains("WRONG-PASSWORD"), "\(wrong.error)")
      let argument = try await run(["--password", "PASSWORD-IN-ARGUMENT"])
      #expect(argument.status == 64)
      let missing = try await run([])
      #expect(missing.status == 64 && missing.error.contains("set X_PASSWORD"), "\(missing.error)")
      try home.write(alice.password + "\n", to: "password")
      let file = home.path + "/password"
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
      let open = try await run(["--password-file", file])
      #expect(open.status == 64 && open.error.contains("chmod 600"), "\(open.error)")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let right = try await run(["--password-file", file])
      #expect(right.status == 0 && right.error.contains("@alice"), "\(right.error)")
      // A profile that others can read is not used.
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: profile)
      let refused = try await xapi("whoami")
      #expect(refused.status == 64 && refused.error.contains("chmod 600"), "\(refused.error)")
    }
  }

  @Test(
    "A damaged profile is named, replaced by a login, and forgotten by a logout",
    arguments: ["{", "{}", "{\"version\":9}"])
  func damaged(_ text: String) async throws {
    try await withSandbox { sandbox in
      func damage() throws {
        try home.write(text, to: ".local/share/callsign/profiles/x/default.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: profile)
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o700], ofItemAtPath: (profile as NSString).deletingLastPathComponent)
      }
      try damage()
      let who = try await xapi("whoami")
      #expect(who.status == 64 && who.error.contains("the profile default"), "\(who.error)")
      #expect(try await xapi("accounts").output.hasPrefix("* default: cannot be used"))
      let login = try await xapi(
        "login", "--app-only", "--consumer-key", sandbox.app.consumerKey, "--base-url", sandbox.url.absoluteString,
        environment: secrets(sandbox))
      #expect(login.status == 0 && login.error.contains("is replaced"), "\(login.error)")
      #expect(try await xapi("accounts").output.hasPrefix("* default: the app"))
      try damage()
      let out = try await xapi("logout")
      #expect(out.status == 0 && !FileManager.default.fileExists(atPath: profile), "\(out.error)")
    }
  }

  @Test("The accounts of xurl keep working, together with logins, and before them if they are named")
  func xurl() async throws {
    try await withSandbox { sandbox in
      let token = sandbox.users.bob.oauth2AccessToken
      try home.write(
        "apps:\n  a:\n    client_id: c\n    oauth2_tokens:\n      bob: {type: oauth2, oauth2: {access_token: \(token)}}\n",
        to: ".xurl")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: home.path + "/.xurl")
      let place = ["--base-url", sandbox.url.absoluteString]
      let before = try await Run(
        "xapi", ["whoami", "--filter", "data.username", "-r"] + place, environment: ["HOME": home.path])
      #expect(before.output == "bob\n", "\(before.error)")
      let login = try await Run(
        "xapi", ["login", "--xauth", "--consumer-key", sandbox.app.consumerKey, "--username", "alice"] + place,
        environment: [
          "HOME": home.path, "X_CONSUMER_SECRET": sandbox.app.consumerSecret,
          "X_PASSWORD": sandbox.users.alice.password,
        ])
      #expect(login.status == 0, "\(login.error)")
      #expect(try await xapi("whoami", "--filter", "data.username", "-r").output == "alice\n")
      let named = try await Run(
        "xapi", ["whoami", "--filter", "data.username", "-r", "--account", "bob"] + place,
        environment: ["HOME": home.path])
      #expect(named.output == "bob\n", "\(named.error)")
      let accounts = try await xapi("accounts")
      #expect(accounts.output.contains("* default: @alice") && accounts.output.contains("  @bob (xurl, app a)"))
    }
  }

  /// Runs `xapi` on its own terminal, types answers to prompts, and prints the terminal's output, the exit status and whether the
  /// terminal echoes again.
  private static let terminal = #"""
    import os, pty, select, sys, termios
    program, home, prompt, response = sys.argv[1:5]
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.clear()
        os.execve(program, ["xapi"] + sys.argv[5:], {"HOME": home, "PATH": "/usr/bin:/bin", "TERM": "xterm"})
    shown = b""
    hidden = None
    typed = False
    while True:
        ready, _, _ = select.select([terminal], [], [], 120)
        if not ready: sys.exit("nothing happened: " + shown.decode())
        try: data = os.read(terminal, 4096)
        except OSError: break
        if not data: break
        shown += data
        if not typed and prompt.encode() in shown:
            hidden = not termios.tcgetattr(terminal)[3] & termios.ECHO
            os.write(terminal, response.encode().decode("unicode_escape").encode("latin-1"))
            typed = True
    _, status = os.waitpid(pid, 0)
    echoes = "?"
    try: echoes = bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
    except termios.error: pass
    print(shown.decode())
    print("status", os.waitstatus_to_exitcode(status), "hidden", hidden, "echoes", echoes)
    """#

  @Test(
    "A secret is typed on the terminal without being shown, and an interrupt restores the terminal",
    .needs(.python))
  func prompt() async throws {
    try await withSandbox { sandbox in
      func run(_ response: String) async throws -> String {
        let arguments = [
          Program.products.appendingPathComponent("xapi").path, home.path, "Consumer secret: ", response, "login",
          "--app-only",
          "--consumer-key", sandbox.app.consumerKey, "--base-url", sandbox.url.absoluteString,
        ]
        return try await onThread {
          String(decoding: try Python.run(Self.terminal, arguments: arguments), as: UTF8.self)
        }
      }
      let interrupted = try await run("abc\\x03")
      #expect(interrupted.contains("status 130 hidden True echoes"), "\(interrupted)")
      #expect(!interrupted.contains("abc") && !interrupted.contains("echoes False"), "\(interrupted)")
      // A slip, and its removal by the key for that.
      let right = try await run(sandbox.app.consumerSecret + "x\\x7f\\r")
      #expect(right.contains("Logged in as the app") && right.contains("status 0 hidden True"), "\(right)")
      #expect(!right.contains(sandbox.app.consumerSecret))
    }
  }
}
