import ChildProcesses
import Foundation
import TestSupport
import Testing
import XSandbox

/// A built program, run as a user runs it, without the credentials of the machine, in an empty home unless it is given one.
struct Run: Sendable {
  let status: Int32
  let output: String
  let error: String

  init(
    _ program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) async throws {
    self = try await onThread {
      let home = try TemporaryFolder()
      defer { withExtendedLifetime(home) {} }
      let process = Process()
      process.executableURL =
        program.hasPrefix("/") ? URL(fileURLWithPath: program) : Program.products.appendingPathComponent(program)
      process.arguments = arguments
      process.environment = [
        "PATH": "\(Program.products.path):/usr/bin:/bin", "HOME": home.path,
      ].merging(Program.sanitizerOptions) { $1 }.merging(environment) { $1 }
      let (standardInput, output, error) = (Pipe.forChildProcess(), Pipe.forChildProcess(), Pipe.forChildProcess())
      process.standardInput = standardInput
      process.standardOutput = output
      process.standardError = error
      try process.start()
      try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try standardInput.fileHandleForWriting.close()
      let printed = try output.fileHandleForReading.readToEnd() ?? Data()
      let complained = try error.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return Run(
        status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
        error: String(decoding: complained, as: UTF8.self))
    }
  }

  private init(status: Int32, output: String, error: String) {
    self.status = status
    self.output = output
    self.error = error
  }
}

/// `xapi OPERATION`, against the sandbox.
@Suite("xapi OPERATION") struct CallTests {
  /// Runs `xapi` with alice's credentials.
  private func xapi(_ sandbox: Sandbox, _ arguments: String..., input: String = "") async throws -> Run {
    let alice = sandbox.users.alice
    let environment = [
      "X_CONSUMER_KEY": sandbox.app.consumerKey, "X_CONSUMER_SECRET": sandbox.app.consumerSecret,
      "X_OAUTH1_TOKEN": alice.accessToken, "X_OAUTH1_TOKEN_SECRET": alice.accessTokenSecret,
      "X_OAUTH2_ACCESS_TOKEN": alice.oauth2AccessToken, "X_BEARER_TOKEN": sandbox.app.bearerToken,
    ]
    return try await Run(
      "xapi", arguments + ["--base-url", sandbox.url.absoluteString], input: input, environment: environment)
  }

  private func withSandbox(_ body: (Sandbox) async throws -> Void) async throws {
    let sandbox = try await Sandbox.start()
    do { try await body(sandbox) } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
  }

  @Test("a call of either version is made, and its response is one line of JSON in a pipe")
  func call() async throws {
    try await withSandbox { sandbox in
      let post = try await xapi(sandbox, "createPosts", "--text", "hi from a shell")
      #expect(post.status == 0, "\(post.error)")
      #expect(post.output.split(separator: "\n").count == 1)
      #expect(post.output.contains("hi from a shell"))
      let me = try await xapi(sandbox, "getUsersMe", "--fields", "username", "-o", "csv")
      #expect(me.output == "username\r\nalice\r\n", "\(me.error)")
      let old = try await xapi(sandbox, "getAccountVerifyCredentials", "skip_status=true", "--fields", "screen_name")
      #expect(old.output == "{\"screen_name\":\"alice\"}\n", "\(old.error)")
      let who = try await xapi(sandbox, "whoami", "--output", "yaml", "--fields", "username")
      #expect(who.output == "- username: alice\n", "\(who.error)")
    }
  }

  @Test("the keys that a sandbox wrote are used at that sandbox, without its address")
  func sandboxFile() async throws {
    let home = try TemporaryFolder()
    let file = home.url.appendingPathComponent("sandbox.json").path
    let server = try LiveProgram("xapi", ["sandbox", "--credentials", file], home: home)
    try await eventually("the sandbox has not started") { server.output.contains("http://127.0.0.1:") }
    let who = try await Run("xapi", ["whoami", "--credentials", file, "--account", "bob", "--filter", "data.username"])
    #expect(who.output == "\"bob\"\n", "\(who.error)")
    let tried = try await Run("xapi", ["getUsersMe", "--credentials", file, "--dry-run"])
    #expect(tried.output.hasPrefix("GET http://127.0.0.1:"), "\(tried.output)")
    let elsewhere = try await Run(
      "xapi", ["getUsersMe", "--credentials", file, "--dry-run", "--base-url", "http://127.0.0.1:9"])
    #expect(elsewhere.output.hasPrefix("GET http://127.0.0.1:9/2/users/me"), "\(elsewhere.output)")
    server.signal(SIGINT)
    #expect(await server.status() == 0)
  }

  @Test("a body comes from standard input, in addition to parameters")
  func body() async throws {
    try await withSandbox { sandbox in
      let post = try await xapi(sandbox, "createPosts", "--body", "-", input: #"{"text":"from a file"}"#)
      #expect(post.status == 0 && post.output.contains("from a file"), "\(post.error)")
      let broken = try await xapi(sandbox, "createPosts", "--body", "-", input: "{")
      #expect(broken.status == 65)
      let missing = try await xapi(sandbox, "createPosts", "--body", "/no/such/file")
      #expect(missing.status == 66)
    }
  }

  @Test("--all reads page after page, an element a line")
  func pages() async throws {
    try await withSandbox { sandbox in
      for number in 1...7 {
        let post = try await xapi(sandbox, "createPosts", "--text", "post \(number)")
        #expect(post.status == 0, "\(post.error)")
      }
      let id = sandbox.users.alice.id
      let all = try await xapi(sandbox, "getUsersPosts", "--id", id, "--max_results", "5", "--all")
      #expect(all.status == 0, "\(all.error)")
      #expect(all.output.split(separator: "\n").count >= 7, "\(all.output)")
      #expect(all.error.contains("elements on"))
      let some = try await xapi(
        sandbox, "getUsersPosts", "--id", id, "--max_results", "5", "--all", "--max-items", "6", "-o", "table",
        "--fields", "text")
      #expect(some.output.split(separator: "\n").count == 7, "\(some.output)")
      let none = try await xapi(sandbox, "getUsersMe", "--all")
      #expect(none.status == 64 && none.error.contains("has no pages"))
    }
  }

  @Test("wrong arguments are all named, and nothing is sent: status 64")
  func wrongArguments() async throws {
    let run = try await Run(
      "xapi", ["getUsersFollowers", "--max_results", "5000", "--user_fields", "created_at", "--bogus", "1"])
    #expect(run.status == 64)
    #expect(run.output == "")
    #expect(run.error.contains("id: is required"))
    #expect(run.error.contains("max_results: must be a whole number from 1 to 1000"))
    #expect(run.error.contains("bogus: unknown name"))
    #expect(!run.error.contains("user.fields"))
    let misspelt = try await Run("xapi", ["creatPosts"])
    #expect(misspelt.status == 64 && misspelt.error.contains("did you mean createPosts?"))
    let ambiguous = try await Run("xapi", ["getListsMembers"])
    #expect(ambiguous.status == 64 && ambiguous.error.contains("XAPIv1.getListsMembers"))
  }

  @Test("A list inside an object is given element by element, and nothing else twice") func repeated() async throws {
    let poll = ["createPosts", "--text", "q", "--poll.duration_minutes", "60", "--dry-run"]
    let post = try await Run("xapi", poll + ["--poll.options", "yes", "--poll.options", "no"])
    #expect(post.output.contains(#""options":["yes","no"]"#), "\(post.output) \(post.error)")
    let twice = try await Run("xapi", poll + ["--poll.options", "yes,no", "--poll.duration_minutes", "5"])
    #expect(twice.status == 64 && twice.error.contains("poll.duration_minutes is given twice"), "\(twice.error)")
    let some = try await Run("xapi", ["getUsersMe", "--max-items", "3"])
    #expect(some.status == 64 && some.error.contains("goes with --all"), "\(some.error)")
  }

  @Test("JSON is given with hyphens and without") func jsonArguments() async throws {
    for words in [["--reply:={\"in_reply_to_tweet_id\":\"20\"}"], ["reply:={\"in_reply_to_tweet_id\":\"20\"}"]] {
      let post = try await Run("xapi", ["createPosts", "--text", "hi", "--dry-run"] + words)
      #expect(post.status == 0 && post.output.contains(#""reply":{"in_reply_to_tweet_id":"20"}"#), "\(post.error)")
    }
  }

  @Test("A value can begin with an accent, which is one character with the sign before it")
  func accents() async throws {
    for word in ["text=\u{301}a=b", "--text=\u{301}a=b", "text:=\"\u{301}a=b\""] {
      let post = try await Run("xapi", ["createPosts", word, "--dry-run"])
      #expect(post.output.contains("{\"text\":\"\u{301}a=b\"}"), "\(word): \(post.output) \(post.error)")
    }
  }

  @Test("--dry-run prints the request and --curl a command, without credentials")
  func dryRun() async throws {
    let environment = ["X_OAUTH2_ACCESS_TOKEN": "SECRET"]
    let run = try await Run(
      "xapi", ["createPosts", "--text", "hi", "--reply.in_reply_to_tweet_id", "20", "--dry-run"],
      environment: environment)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.hasPrefix("POST https://api.x.com/2/tweets\n"), "\(run.output)")
    #expect(
      run.output.hasSuffix("\n\n{\"text\":\"hi\",\"reply\":{\"in_reply_to_tweet_id\":\"20\"}}\n"), "\(run.output)")
    let curl = try await Run("xapi", ["createPosts", "--text", "it's", "--curl"], environment: environment)
    #expect(curl.status == 0 && curl.output.hasPrefix("curl ") && curl.output.hasSuffix("https://api.x.com/2/tweets\n"))
    let path = try await Run("xapi", ["get", "2/users/me", "user.fields=id", "--curl"], environment: environment)
    #expect(path.status == 0 && path.output.contains("2/users/me?user.fields=id"), "\(path.error)")
    for text in [run.output, run.error, curl.output, curl.error, path.output] { #expect(!text.contains("SECRET")) }
  }

  @Test("A hyphen also means standard input where a text is expected", arguments: ["", "-"])
  func text(argument: String) async throws {
    let count = try await Run("/bin/sh", ["-c", "printf 'four\\n' | xapi text count \(argument)"])
    #expect(count.status == 0 && count.output.contains(#""weightedLength":4"#), "\(count.output) \(count.error)")
    let link = try await Run("/bin/sh", ["-c", "printf '#tag' | xapi text link \(argument)"])
    #expect(link.output.contains("search?q=%23tag"), "\(link.output) \(link.error)")
  }

  @Test("Places that cannot be written to end no command in another way than it would have ended")
  func closedPlaces() async throws {
    func status(_ script: String) async throws -> Int32 { try await Run("/bin/sh", ["-c", script]).status }
    for place in ["2>&-", "2>/dev/full"] {
      #expect(try await status("xapi getUserById \(place)") == 64)
      #expect(try await status("xapi getUsersById \(place)") == 64)
      #expect(try await status("callsign check /no/such/folder \(place)") == 1)
    }
    let full = try await Run("/bin/sh", ["-c", "xapi endpoints >/dev/full"])
    #expect(full.status == 74 && full.error.contains("the result cannot be written: No space left"))
    // More than a pipe holds, to a reader who leaves after the first line.
    let left = try await Run("/bin/sh", ["-c", "(xapi endpoints; echo $? >&2) | head -n 1 >/dev/null"])
    #expect(left.error == "0\n")
  }

  @Test("failures have separate statuses, and --verbose shows no secret")
  func failures() async throws {
    try await withSandbox { sandbox in
      let missing = try await xapi(sandbox, "getPostsById", "--id", "1")
      #expect(missing.status == 1, "\(missing.output) \(missing.error)")
      let verbose = try await xapi(sandbox, "getUsersMe", "--verbose")
      #expect(verbose.error.contains("> GET ") && verbose.error.contains("< 200"))
      #expect(!verbose.error.contains(sandbox.users.alice.oauth2AccessToken))
      let refused = try await Run(
        "xapi", ["getUsersMe", "--base-url", sandbox.url.absoluteString],
        environment: ["X_OAUTH2_ACCESS_TOKEN": "wrong"])
      #expect(refused.status == 77, "\(refused.error)")
      await sandbox.inject(try Sandbox.FaultSpecification("GET /2/users/me=429 retry-after=900"))
      let limited = try await xapi(sandbox, "getUsersMe", "--timeout", "60")
      #expect(limited.status == 75, "\(limited.error)")
      await sandbox.inject(try Sandbox.FaultSpecification("GET /2/users/me=usage-capped"))
      let capped = try await xapi(sandbox, "getUsersMe", "--timeout", "60")
      #expect(capped.status == 1, "\(capped.error)")
    }
    let unreachable = try await Run(
      "xapi", ["getUsersMe", "--base-url", "http://127.0.0.1:1", "--timeout", "5"],
      environment: ["X_OAUTH2_ACCESS_TOKEN": "a"])
    #expect(unreachable.status == 69, "\(unreachable.error)")
  }

  @Test("paths that the catalogue lacks can be called too")
  func paths() async throws {
    try await withSandbox { sandbox in
      let me = try await xapi(sandbox, "get", "2/users/me", "--fields", "username")
      #expect(me.output == "{\"username\":\"alice\"}\n", "\(me.error)")
      let post = try await xapi(sandbox, "post", "2/tweets", "--body", "-", input: #"{"text":"by path"}"#)
      #expect(post.status == 0 && post.output.contains("by path"), "\(post.error)")
    }
  }

  @Test("operations are found by words, and one is described")
  func endpoints() async throws {
    let found = try await Run("xapi", ["endpoints", "followers"])
    #expect(found.status == 0 && found.output.contains("getUsersFollowers "))
    let one = try await Run("xapi", ["endpoints", "getUsersFollowers"])
    #expect(
      one.output.contains("--max_results") && one.output.contains("Credentials: ") && one.output.contains("--all"))
    let help = try await Run("xapi", ["getUsersFollowers", "--help"])
    #expect(help.output.hasPrefix(one.output))
    #expect(try await Run("xapi", ["endpoints", "nosuchword"]).status == 1)
  }
}

/// `callsign call`, with a catalogue and with a document.
@Suite("callsign call") struct CatalogueCallTests {
  private static let document = """
    {"openapi":"3.0.3","info":{"title":"Pets","version":"1"},"servers":[{"url":"https://api.pets.example"}],
     "components":{"securitySchemes":{"app_key":{"type":"apiKey","in":"header","name":"X-App-Key"}}},
     "security":[{"app_key":[]}],
     "paths":{"/pets/{id}":{"get":{"operationId":"getPet","parameters":[{"name":"id","in":"path","required":true,
      "schema":{"type":"integer","minimum":1}}],"responses":{"200":{"description":"ok","content":{"application/json":
      {"schema":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}}}}}}}}}
    """

  @Test("an OpenAPI document is called without an import, with credentials of the environment")
  func document() async throws {
    let server = try ScriptedServer.responding { request, peer in
      let isRight = request.method == "GET" && request.target == "/pets/7" && request["X-App-Key"] == "SECRET-KEY"
      let body = isRight ? "{\"id\":7}" : "{}"
      try peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    try folder.write(Self.document, to: "pets.json")
    let file = folder.url.appendingPathComponent("pets.json")
    let environment = ["CALLSIGN_KEY_APP_KEY": "SECRET-KEY"]
    let run = try await Run(
      "callsign", ["call", file.path, "getPet", "--id", "7", "--base-url", "http://127.0.0.1:\(server.port)"],
      environment: environment)
    #expect(run.status == 0 && run.output == "{\"id\":7}\n", "\(run.error)")
    let wrong = try await Run("callsign", ["call", file.path, "getPet", "--id", "0"])
    #expect(wrong.status == 64 && wrong.error.contains("id: must be a whole number from 1 on"), "\(wrong.error)")
    let list = try await Run("callsign", ["call", file.path])
    #expect(list.output.hasPrefix("getPet  GET /pets/{id}"), "\(list.error)")
    #expect(try await Run("callsign", ["call", "/no/such/folder", "getPet"]).status == 66)
  }

  @Test("callsign mock responds to callsign call, both with the overlay next to the document, and ends on an interrupt")
  func mock() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.document, to: "pets.json")
    try folder.write("endpoints: {getPet: {summary: Finds one.}}\n", to: "pets.overlay.yaml")
    let script = """
      cd "$1" && callsign mock pets.json >address 2>requests & mock=$!
      cd "$1" && while kill -0 $mock && ! grep -q http address; do sleep 0.1; done 2>/dev/null
      callsign call pets.json
      callsign call pets.json getPet --id 7 --base-url "$(cat address)"
      callsign call pets.json getPet --id 0 --no-check --base-url "$(cat address)" 2>refused; echo "status $?"
      kill -INT $mock; wait $mock; echo "status $?"
      cat requests
      """
    let run = try await Run(
      "/bin/sh", ["-c", script, "sh", folder.path],
      environment: ["CALLSIGN_KEY_APP_KEY": "SECRET-KEY"])
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasSuffix("Finds one.") == true, "\(run.output) \(run.error)")
    #expect(Array(lines.dropFirst().prefix(4)) == ["{\"id\":7}", "status 1", "status 0", "GET /pets/7 → 200 getPet"])
    #expect(lines.dropFirst(5).first == "GET /pets/0 → 400 getPet")
    #expect(!run.output.contains("SECRET-KEY"))
  }
}
