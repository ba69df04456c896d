import CallsignHTTP
import Foundation
import TestSupport
import Testing
import XSandbox

@testable import XAPITool

@Suite("xapi get, post, put and delete") struct PathCommandTests {
  /// Runs `xapi` with all of alice's credentials, and the app's.
  private func xapi(_ sandbox: Sandbox, _ arguments: String...) async throws -> Run {
    try await Run(
      "xapi", arguments + ["--base-url", sandbox.url.absoluteString], environment: environment(sandbox))
  }

  private func environment(_ sandbox: Sandbox) -> [String: String] {
    let alice = sandbox.users.alice
    return [
      "X_CONSUMER_KEY": sandbox.app.consumerKey, "X_CONSUMER_SECRET": sandbox.app.consumerSecret,
      "X_OAUTH1_TOKEN": alice.accessToken, "X_OAUTH1_TOKEN_SECRET": alice.accessTokenSecret,
      "X_OAUTH2_ACCESS_TOKEN": alice.oauth2AccessToken, "X_BEARER_TOKEN": sandbox.app.bearerToken,
    ]
  }

  @Test("A path gets the credentials in the catalogue, or those given with --auth")
  func credentials() async throws {
    try await withSandbox { sandbox in
      let old = try await xapi(sandbox, "get", "1.1/account/verify_credentials.json", "--fields", "screen_name")
      #expect(old.output == "{\"screen_name\":\"alice\"}\n", "\(old.error)")
      let rules = try await xapi(sandbox, "get", "2/tweets/search/stream/rules")
      #expect(rules.status == 0, "\(rules.error)")
      let signed = try await xapi(sandbox, "get", "2/users/me", "--auth", "oauth1", "--filter", "data.username", "-r")
      #expect(signed.output == "alice\n", "\(signed.error)")
      let app = try await xapi(sandbox, "get", "2/users/me", "--auth", "bearer")
      #expect(app.status != 0 && app.status != 64, "\(app.output) \(app.error)")
      let unknown = try await xapi(sandbox, "get", "2/users/me", "--auth", "none")
      #expect(unknown.status == 64, "\(unknown.error)")
    }
  }

  @Test(
    "The records of a stream's path are written as they arrive",
    arguments: [
      ["get", "2/tweets/sample/stream", "--filter", "data.text"],
      ["post", "1.1/statuses/filter.json", "track=hello", "--filter", "text"],
      ["get", "1.1/statuses/sample.json", "delimited=length", "--filter", "text"],
      ["get", "1.1/statuses/sample.json?delimited=length", "--filter", "text"],
    ])
  func streams(words: [String]) async throws {
    try await withSandbox { sandbox in
      let home = try TemporaryFolder()
      let program = try LiveProgram(
        "xapi", words + ["--raw", "--base-url", sandbox.url.absoluteString], home: home,
        environment: environment(sandbox))
      try await eventually("the stream is not open") { sandbox.openStreams == 1 }
      for number in 1...2 {
        try await sandbox.addPost("hello \(number)", by: sandbox.users.bob)
        try await eventually("nothing was written") { program.output.contains("hello \(number)\n") }
      }
      #expect(program.output == "hello 1\nhello 2\n")
      #expect(program.error.contains("connected"), "\(program.error)")
      program.signal(SIGINT)
      #expect(await program.status() == 130, "\(program.error)")
    }
  }

  @Test(
    "Paths are found in the catalogues, with values for their placeholders",
    arguments: [
      ("GET", "/2/tweets/search/stream", "bearer"), ("GET", "/1.1/account/verify_credentials.json", "oauth1"),
      ("GET", "/2/nothing/here", ""), ("PUT", "/2/users/me", ""),
    ])
  func catalogued(method: String, path: String, accepted: String) {
    #expect(PathCredentials.accepted(method, path) == accepted)
  }

  @Test("Paths that a user's login may call", arguments: ["/2/users/7", "/2/users/me"])
  func userPaths(path: String) {
    #expect(PathCredentials.accepted("GET", path).contains("oauth2("))
  }

  @Test("A path's last part may end like a file") func pathWithSuffix() {
    #expect(!PathCredentials.accepted("GET", "/1.1/statuses/retweets/7.json").isEmpty)
  }

  @Test(
    "A URL below the base URL is a path",
    arguments: [
      ("http://127.0.0.1:80/2/users?a=b", "http://127.0.0.1:80/", "/2/users?a=b"),
      ("http://127.0.0.1:8080/2", "http://127.0.0.1:80", "http://127.0.0.1:8080/2"),
      ("2/users", "http://127.0.0.1:80", "2/users"),
    ])
  func below(text: String, base: String, path: String) {
    #expect(PathCall.path(text, below: base) == path)
  }

  @Test("A URL of the sandbox whose keys are used is a path below it; the keys may come through a pipe")
  func ownAddress() async throws {
    let home = try TemporaryFolder()
    let file = home.url.appendingPathComponent("sandbox.json").path
    let server = try LiveProgram("xapi", ["sandbox", "--credentials", file], home: home)
    try await eventually("the sandbox has not started") { server.output.contains("http://127.0.0.1:") }
    let url = server.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let me = try await Run(
      "xapi", ["get", url + "/2/users/me", "--credentials", file, "--filter", "data.username", "-r"])
    #expect(me.output == "alice\n", "\(me.error)")
    let piped = try await Run(
      "/bin/sh",
      ["-c", "cat \"$1\" | xapi whoami --credentials /dev/fd/0 --filter data.username --raw", "sh", file])
    #expect(piped.output == "alice\n", "\(piped.error)")
    server.signal(SIGINT)
    #expect(await server.status() == 0)
  }

  /// Responses by the target: without content, with text, with bytes.
  private func server() throws -> ScriptedServer {
    try ScriptedServer.responding { request, peer in
      switch request.target {
      case "/2/none": try peer.send("HTTP/1.1 204 No Content\r\n\r\n")
      case "/2/text": try peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello")
      case "/2/blank", "/2/null":
        let body = request.target == "/2/null" ? "null" : " \r\n "
        try peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n" + body)
      case "/2/marked":
        try peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n\u{FEFF}null")
      case "/2/page": try peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>")
      default: try peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
      }
    }
  }

  @Test("An empty response is reported, one that is not JSON is written unchanged, and an HTML page is refused")
  func responses() async throws {
    let server = try server()
    defer { server.stop() }
    let place = ["--base-url", "http://127.0.0.1:\(server.port)"]
    func run(_ method: String, _ path: String, _ options: String...) async throws -> Run {
      try await Run("xapi", [method, path] + options + place, environment: ["X_BEARER_TOKEN": "a"])
    }
    let none = try await run("delete", "2/none")
    #expect(none.status == 0 && none.output.isEmpty && none.error == "204: done\n", "\(none.output) \(none.error)")
    let text = try await run("get", "2/text")
    #expect(text.status == 0 && text.output == "hello", "\(text.error)")
    #expect(try await run("get", "2/page").status == 76)
    let blank = try await run("get", "2/blank")
    #expect(blank.status == 0 && blank.output.isEmpty && blank.error == "200: done\n", "\(blank.output) \(blank.error)")
    let null = try await run("get", "2/null")
    #expect(null.status == 0 && null.output == "null\n", "\(null.output) \(null.error)")
    // A byte order mark before it changes nothing.
    let marked = try await run("get", "2/marked")
    #expect(marked.status == 0 && marked.output == "null\n", "\(marked.output) \(marked.error)")
    let rows = try await run("get", "2/null", "--output", "csv")
    #expect(rows.status == 0 && rows.output.isEmpty, "\(rows.output) \(rows.error)")
    let signed = try await run("get", "2/things", "--auth", "oauth1")
    #expect(
      signed.status == 77 && signed.error.contains("--auth oauth1 asks for credentials that are missing"),
      "\(signed.error)")
  }

  @Test("Bodies come from files and pipes; mistakes in them are reported with their place")
  func bodies() async throws {
    let server = try server()
    defer { server.stop() }
    let folder = try TemporaryFolder()
    try folder.write(#"{"a": }"#, to: "bad.json")
    let words = "--base-url http://127.0.0.1:\(server.port)"
    func run(_ script: String) async throws -> Run {
      try await Run("/bin/sh", ["-c", script], environment: ["X_BEARER_TOKEN": "a"])
    }
    let piped = try await run(#"printf '{"a":1}' | xapi post 2/things --body /dev/fd/0 "# + words)
    #expect(piped.status == 0 && piped.output == "{}\n", "\(piped.error)")
    let bad = try await run("xapi put 2/things --body \(folder.path)/bad.json \(words)")
    #expect(
      bad.status == 65 && bad.error.contains("the body is not JSON") && bad.error.contains("(byte "), "\(bad.error)")
    let empty = try await run("xapi post 2/things --body - \(words) </dev/null")
    #expect(empty.status == 65 && empty.error.contains("the body is not JSON"), "\(empty.error)")
    let nothing = try await run("xapi post 2/things --body /dev/null \(words)")
    #expect(nothing.status == 65 && nothing.error.contains("the body is not JSON"), "\(nothing.error)")
    let closed = try await run("xapi post 2/things --body - \(words) <&-")
    #expect(closed.status == 66 && closed.error.contains("standard input cannot be read"), "\(closed.error)")
    let directory = try await run("xapi post 2/things --body \(folder.path) \(words)")
    #expect(directory.status == 66 && directory.error.contains("it is a folder"), "\(directory.error)")
  }
}
