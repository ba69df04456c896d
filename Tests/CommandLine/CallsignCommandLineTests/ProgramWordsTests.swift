import CallsignCommandLine
import Foundation
import TestSupport
import Testing
import XSandbox

@Suite("Words before and in place of a command") struct ProgramWordsTests {
  @Test("Both programs print their version", arguments: ["xapi", "callsign"]) func version(program: String) async throws
  {
    let run = try await Run(program, ["--version"])
    #expect(run.status == 0)
    #expect(run.output.split(separator: ".").count == 2, "\(run.output)")
  }

  @Test("Options can come before the command or the operation") func optionsFirst() async throws {
    try await withSandbox { sandbox in
      let place = sandbox.url.absoluteString
      let environment = ["X_OAUTH2_ACCESS_TOKEN": sandbox.users.alice.oauth2AccessToken]
      for command in ["getUsersMe", "whoami"] {
        let usual = try await Run("xapi", [command, "--base-url", place, "-o", "csv"], environment: environment)
        #expect(usual.status == 0 && !usual.output.isEmpty, "\(usual.error)")
        let first = try await Run("xapi", ["-o", "csv", "--base-url=\(place)", command], environment: environment)
        #expect(first.status == 0 && first.output == usual.output, "\(first.error)")
      }
    }
  }

  @Test("An option before the command does not become the value of a parameter") func optionsBeforeParameters()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      api: {name: Pets, hosts: {api: "https://p.example"}, schemes: {none: null}, auth: [none]}
      endpoints: {getPet: {call: GET /pet, params: {id: int, x: string?}, returns: json}}

      """, to: "catalogue/api.yaml")
    let words = ["call", folder.path + "/catalogue", "getPet", "--id", "7", "--dry-run", "--x"]
    let environment = ["CALLSIGN_NO_CACHE": "1"]
    let usual = try await Run("callsign", words, environment: environment)
    let first = try await Run("callsign", ["-v"] + words, environment: environment)
    #expect(usual.status == 64 && usual.error.contains("--x needs a value"), "\(usual.error)")
    #expect(first.status == 64 && first.error == usual.error, "\(first.error) \(first.output)")
  }

  @Test("Options before the command go behind the command's own words") func movedOptions() {
    func moved(_ words: String) -> String {
      CallWords.commandFirst(words.split(separator: " ").map(String.init), leading: ["--auth"]).joined(separator: " ")
    }
    #expect(moved("-o csv call --auth bearer - getPet --auth x") == "call --auth bearer - getPet -o csv --auth x")
    #expect(moved("-v call --auth=bearer p getPet id=7 --x") == "call --auth=bearer p getPet id=7 -v --x")
    #expect(moved("-v call --help") == "call --help -v")
    #expect(moved("-v whoami") == "whoami -v")
    #expect(moved("call p getPet --x") == "call p getPet --x")
  }

  @Test("An option that has no command behind it is refused") func withoutCommand() async throws {
    for words in [["-o"], ["-o", "table"], ["--unknown", "whoami"], ["-o", "table", "--help"]] {
      let run = try await Run("xapi", words)
      #expect(run.status == 64 || words.last == "--help", "\(words)")
    }
  }

  @Test("help takes an operation too") func help() async throws {
    let help = try await Run("xapi", ["help", "createPosts"])
    let usual = try await Run("xapi", ["createPosts", "--help"])
    #expect(help.status == 0 && help.output == usual.output)
    #expect(try await Run("xapi", ["help", "whoami"]).output.contains("USAGE: xapi whoami"))
  }

  @Test(
    "A slip gets a suggestion",
    arguments: [
      (["xapi", "post", "hello you"], "xapi createPosts --text 'hello you'"),
      (["xapi", "get", "users"], "`users` is not a path"),
      (["xapi", "getUsersMe", "--json"], "write -o json"), (["xapi", "getUsersMe", "--jsn"], "-o json?"),
      (["xapi", "getUsersMe", "--verbos"], "--verbose?"), (["xapi", "whoamy"], "whoami?"),
      (["callsign", "impot-openapi", "a.yaml"], "did you mean import-openapi?"),
      (["xapi", "createPosts", "-d", "{}", "--body", "-"], "the body is given twice"),
      (["xapi", "post", "2/tweets", "-d", "{}", "--body", "-"], "error: the body is given twice\n"),
      (["xapi", "whoami", "--outptu", "json"], "outptu: unknown name; did you mean --output?"),
      (["xapi", "createPosts", "-d", #"{"txt":"x"}"#], "txt (did you mean text?)"),
      (["xapi", "doctor", "--jsn"], "Did you mean '--json'?"),
      (["xapi", "endpoints", "--json"], "To get the result as json, write -o json"),
    ])
  func slips(words: [String], suggestion: String) async throws {
    let run = try await Run(words[0], Array(words.dropFirst()))
    #expect(run.status == 64 && run.output.isEmpty, "\(run.status) \(run.output)")
    #expect(run.error.contains(suggestion), "\(run.error)")
  }

  @Test("A body is given as curl has it") func data() async throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"text":"from a file"}"#, to: "body.json")
    for (data, text) in [(#"{"text":"hello"}"#, "hello"), ("@\(folder.path)/body.json", "from a file")] {
      for option in ["-d", "--data"] {
        let run = try await Run("xapi", ["createPosts", option, data, "--dry-run"])
        #expect(run.status == 0 && run.output.contains(#""text":"\#(text)""#), "\(run.output) \(run.error)")
      }
    }
    let bad = try await Run("xapi", ["createPosts", "-d", "{", "--dry-run"])
    #expect(bad.status == 65 && bad.error.contains("the body is not JSON"), "\(bad.error)")
    for data in [#"{"text":"hello"}"#, "@\(folder.path)/body.json"] {
      let path = try await Run("xapi", ["post", "2/tweets", "-d", data, "--curl"])
      #expect(path.status == 0 && path.output.contains(#""text":"#), "\(path.output) \(path.error)")
    }
  }

  @Test("Every error begins with `error:`") func errors() async throws {
    let folder = try TemporaryFolder()
    for words in [
      ["xapi", "accounts"], ["xapi", "accounts", "--nothing"], ["xapi", "get", "users"], ["xapi", "nothing"],
      ["xapi", "createPosts", "nothing"], ["xapi", "text", "count", "--configuration", "9", "a"],
      ["callsign", "nothing"], ["callsign", "check"], ["callsign", "call", "--nothing"],
    ] {
      let run = try await Run(words[0], Array(words.dropFirst()), environment: ["HOME": folder.path])
      #expect(run.status != 0 && run.error.hasPrefix("error: ") && run.output.isEmpty, "\(words): \(run.error)")
    }
    let help = try await Run("callsign", ["check", "--help"])
    #expect(help.status == 0 && help.output.hasPrefix("OVERVIEW: ") && help.error.isEmpty, "\(help.error)")
  }

  @Test("Operations are listed in every form") func list() async throws {
    let json = try await Run("xapi", ["endpoints", "delete", "like", "-o", "json"])
    #expect(json.status == 0 && json.output.hasPrefix("[") && json.output.contains(#""name":"unlikePost""#))
    let csv = try await Run("xapi", ["endpoints", "delete", "like", "-o", "csv"])
    #expect(csv.output.hasPrefix("name,method,path,summary\r\n") && csv.output.contains("unlikePost,DELETE,"))
    let plain = try await Run("xapi", ["endpoints", "delete", "like"])
    #expect(plain.output.hasPrefix("unlikePost  DELETE /2/users/{id}/likes/{tweet_id}"), "\(plain.output)")
    let exact = try await Run("xapi", ["endpoints", "unlikePost"])
    #expect(exact.output.contains("Parameters:"), "\(exact.output)")

    let folder = try TemporaryFolder()
    let pets = folder.path + "/Pets"
    #expect(try await Run("callsign", ["new", pets]).status == 0)
    let call = try await Run("callsign", ["call", pets, "-o", "json"])
    #expect(call.status == 0 && call.output.contains(#""name":"getPet""#), "\(call.error)")
    let lines = try await Run("callsign", ["-o", "csv", "call", pets])
    #expect(lines.output.contains("getPet,GET,/pets/{id},"), "\(lines.error)")
  }

  @Test("Accounts and the doctor's findings have every form too") func forms() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let environment = [
        "HOME": folder.path, "X_OAUTH2_ACCESS_TOKEN": sandbox.users.alice.oauth2AccessToken,
      ]
      let none = try await Run("xapi", ["accounts", "-o", "json"], environment: environment)
      #expect(none.status == 0 && none.output == "[]\n", "\(none.output) \(none.error)")
      let place = sandbox.url.absoluteString
      let json = try await Run("xapi", ["doctor", "-o", "json", "--base-url", place], environment: environment)
      let same = try await Run("xapi", ["doctor", "--json", "--base-url", place], environment: environment)
      #expect(json.output.hasPrefix("[{") && json.output.contains(#""subject":"network""#), "\(json.error)")
      #expect(same.output.hasPrefix("[{"), "\(same.error)")
      let csv = try await Run("xapi", ["doctor", "-o", "csv", "--base-url", place], environment: environment)
      #expect(csv.output.hasPrefix("subject,verdict,text,advice\r\nfiles,ok,"), "\(csv.output) \(csv.error)")
      let count = try await Run("xapi", ["-o", "csv", "text", "count", "hi"])
      #expect(count.output.contains("weightedLength") && count.output.contains(",2"), "\(count.output) \(count.error)")
    }
  }

  @Test("A table names the columns that it leaves out, and says when it has no rows") func tables() async throws {
    try await withSandbox { sandbox in
      let alice = sandbox.users.alice
      let environment = ["X_OAUTH2_ACCESS_TOKEN": alice.oauth2AccessToken]
      let words = ["getUsersPosts", "--id", alice.id, "--base-url", sandbox.url.absoluteString]
      for format in ["table", "csv"] {
        let empty = try await Run("xapi", words + ["-o", format], environment: environment)
        #expect(empty.status == 0 && empty.output.isEmpty && empty.error == "no rows\n", "\(format): \(empty.error)")
      }
      try await sandbox.addPost("hello", by: alice)
      for format in ["table", "csv"] {
        let full = try await Run(
          "xapi", words + ["-o", format, "--post.fields", "public_metrics"], environment: environment)
        #expect(full.output.contains("hello"), "\(full.error)")
        #expect(full.error.hasPrefix("note: left out ") && full.error.contains("public_metrics"), "\(full.error)")
        let chosen = try await Run("xapi", words + ["-o", format, "--fields", "id,text"], environment: environment)
        #expect(chosen.error.isEmpty, "\(chosen.error)")
      }
    }
  }

  @Test("A 404 names the path, and a stream without rules says how to add one") func missing() async throws {
    try await withSandbox { sandbox in
      let environment = [
        "X_OAUTH2_ACCESS_TOKEN": sandbox.users.alice.oauth2AccessToken, "X_BEARER_TOKEN": sandbox.app.bearerToken,
      ]
      let place = ["--base-url", sandbox.url.absoluteString]
      let path = try await Run("xapi", ["get", "2/nothing/here"] + place, environment: environment)
      #expect(path.status == 1 && path.error.contains("/2/nothing/here"), "\(path.error)")
      let post = try await Run("xapi", ["deletePosts", "--id", "123"] + place, environment: environment)
      #expect(post.status == 1 && post.error.contains("/2/tweets/123"), "\(post.error)")
      let stream = try await Run("xapi", ["streamPosts"] + place, environment: environment)
      #expect(stream.status == 1, "\(stream.error)")
      let rules = try #require(stream.error.firstMatch(of: /`xapi updateRules (add:=)'([^']*)'`/))
      let rule = try await Run(
        "xapi", ["updateRules", String(rules.1 + rules.2)] + place, environment: environment)
      #expect(rule.status == 0, "\(rule.error)")
    }
  }
}
