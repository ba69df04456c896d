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

  @Test("Options may come before the command or the operation") func optionsFirst() async throws {
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
      (["xapi", "get", "users"], "'users' is not a path"),
      (["xapi", "getUsersMe", "--json"], "write -o json"), (["xapi", "getUsersMe", "--jsn"], "-o json?"),
      (["xapi", "getUsersMe", "--verbos"], "--verbose?"), (["xapi", "whoamy"], "whoami?"),
      (["callsign", "impot-openapi", "a.yaml"], "did you mean import-openapi?"),
      (["xapi", "createPosts", "-d", "{}", "--body", "-"], "the body is given twice"),
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
  }

  @Test("Operations are listed in every form") func list() async throws {
    let json = try await Run("xapi", ["endpoints", "delete", "like", "-o", "json"])
    #expect(json.status == 0 && json.output.hasPrefix("[") && json.output.contains(#""name":"unlikePost""#))
    let csv = try await Run("xapi", ["endpoints", "delete", "like", "-o", "csv"])
    #expect(csv.output.hasPrefix("name,method,path,summary\r\n") && csv.output.contains("unlikePost,DELETE,"))
  }
}
