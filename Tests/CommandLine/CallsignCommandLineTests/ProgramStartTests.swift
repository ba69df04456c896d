import Foundation
import TestSupport
import Testing

@testable import CallsignCommandLine

@Suite("How the programs start") struct ProgramStartTests {
  @Test("An argument that is not UTF-8 is refused by its place and name, and not shown")
  func arguments() async throws {
    let bad: [UInt8] = [0x73, 0x65, 0xFF]
    #expect(ProgramStart.problem(of: [Array("a".utf8), Array("é".utf8)]) == nil)
    #expect(ProgramStart.problem(of: [Array("--text".utf8), bad])?.hasPrefix("argument 2, of --text, is not") == true)
    #expect(ProgramStart.problem(of: [Array("--text=".utf8) + bad])?.hasPrefix("argument 1, of --text, is not") == true)
    #expect(ProgramStart.problem(of: [bad])?.hasPrefix("argument 1 is not UTF-8") == true)
    let key = ProgramStart.problem(of: [Array("c2VjcmV0=".utf8) + bad])
    #expect(key?.hasPrefix("argument 1 is not UTF-8") == true, "\(key ?? "")")
    for program in ["xapi createPosts", "callsign call /nowhere createPosts"] {
      let run = try await Run("/bin/sh", ["-c", #"\#(program) --text "$(printf 'hi\377')" --dry-run"#])
      #expect(run.status == 64 && run.error.contains("of --text, is not UTF-8"), "\(run.status) \(run.error)")
      #expect(run.output.isEmpty)
    }
  }

  @Test("Closed standard streams are not reused: results fail, and messages go nowhere")
  func closedStreams() async throws {
    let server = try ScriptedServer.responding { _, peer in
      try peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
    }
    defer { server.stop() }
    let call = "xapi get 2/users/me --base-url http://127.0.0.1:\(server.port)"
    let environment = ["X_OAUTH2_ACCESS_TOKEN": "a"]
    func run(_ script: String) async throws -> Run {
      try await Run("/bin/sh", ["-c", script], environment: environment)
    }
    let silent = try await run(call + " >&-")
    #expect(silent.status == 74 && silent.error.contains("cannot be written"), "\(silent.status) \(silent.error)")
    let quiet = try await run(call + " --verbose <&- 2>&-")
    #expect(quiet.status == 0 && quiet.output == "{}\n", "\(quiet.output)")
    let unread = try await run("xapi post 2/tweets --body - --curl <&-")
    #expect(unread.status == 66 && unread.error.contains("standard input cannot be read"), "\(unread.error)")
    #expect(try await run("xapi mcp --only users <&-").status == 0)
  }
}
