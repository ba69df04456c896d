import Foundation
import TestSupport
import Testing

@testable import CallsignCommandLine

@Suite("Completions") struct CompletionTests {
  /// The words that a program offers for a line.
  private func words(_ line: String, environment: [String: String] = [:]) async throws -> [String] {
    let program = String(line.prefix { $0 != " " })
    let run = try await Run(program, ["__complete", line], environment: environment)
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
    return run.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  @Test(
    "Commands, operations, parameters and enum values, also within lists",
    arguments: [
      ("xapi getUsersFollowers", ["getUsersFollowers"]), ("xapi logi", ["login"]),
      ("xapi getUsersFollowers --id 7 --i", []), ("xapi createPosts --reply_set", ["--reply_settings"]),
      ("xapi createPosts --reply_settings f", ["following"]),
      ("xapi createPosts --reply_settings=f", ["--reply_settings=following"]),
      ("xapi createPosts reply_set", ["reply_settings=", ":goes-on"]),
      ("xapi createPosts reply_settings=f", ["reply_settings=following"]),
      ("xapi getUsersMe --user.fields created_at,usern", ["created_at,username", ":goes-on"]),
      ("xapi getUsersMe --user.fields username,usern", []),
      (
        "xapi createPosts --text hi --reply.",
        [
          "--reply.auto_populate_reply_metadata", "--reply.exclude_reply_user_ids", "--reply.in_reply_to_tweet_id",
        ]
      ),
      ("xapi createPosts --poll.reply_settings f", ["following"]), ("xapi getUsersMe -o y", ["yaml"]),
      ("xapi getUsersMe --body ", [":files"]),
      ("xapi getAccountVerifyCredentials --skip_status=", ["--skip_status=true", "--skip_status=false"]),
      ("xapi sandbox --credentials", ["--credentials"]), ("xapi sandbox --credentials ", [":files"]),
      ("xapi completions ", ["bash", "zsh", "fish"]), ("xapi nothing --", []), ("xapi getUsersMe 'unfinished", []),
    ] as [(String, [String])])
  func responses(line: String, expected: [String]) async throws {
    #expect(try await words(line) == expected)
  }

  @Test("All parameters of an operation, and the options of each call") func parameters() async throws {
    let parameters = try await words("xapi getUsersFollowers --")
    #expect(["--id", "--max_results", "--user.fields", "--output", "--profile"].allSatisfy(parameters.contains))
  }

  @Test("Words with control characters are not completed, and summaries contain none")
  func controlCharacters() {
    let response = CompletionResponse([.init("a\u{1B}[2Jb"), .init("c\nd"), .init("e", "f\u{9B}\tg\nh"), .init("i")])
    #expect(response.text == "e\tf  g h\ni\n")
  }

  @Test("The names of logins") func profiles() async throws {
    let home = try TemporaryFolder()
    try home.write("{}", to: ".local/share/callsign/profiles/x/work.json")
    #expect(try await words("xapi getUsersMe --profile ", environment: ["HOME": home.path]) == ["work"])
    #expect(try await words("xapi upload --profile w", environment: ["HOME": home.path]) == ["work"])
  }

  @Test("Lines are taken apart as shells do, up to the cursor")
  func lines() {
    func request(_ line: String) -> [String] {
      let request = CompletionRequest(line: line)
      return request.words + ["|", request.current]
    }
    #expect(request("xapi a b") == ["a", "|", "b"])
    #expect(request("xapi a b ") == ["a", "b", "|", ""])
    #expect(request("xapi 'a b' \"c \\\" d\" e\\ f g") == ["a b", "c \" d", "e f", "|", "g"])
    #expect(request("cat x | xapi a") == ["|", "a"])
    #expect(request("") == ["|", ""])
  }

  /// The words that bash offers for a line, by the script.
  private func bash(_ program: String, _ line: String) async throws -> [String] {
    let script = #"""
      source <("$1" completions bash)
      COMP_LINE="$2" COMP_POINT=${#2} COMP_WORDS=($2) COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
      COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
      _"$1" 2>/dev/null
      printf '%s\n' "${COMPREPLY[@]}"
      """#
    let run = try await Run("/bin/bash", ["-c", script, "bash", program, line])
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test("bash gets the part after its word breaks", .needs(.program("bash"))) func bashScript() async throws {
    #expect(try await bash("xapi", "xapi getUsersFollowers") == ["getUsersFollowers"])
    #expect(try await bash("xapi", "xapi createPosts --reply_settings=f") == ["following"])
    #expect(try await bash("xapi", "xapi createPosts --reply_settings f") == ["following"])
    #expect(try await bash("xapi", "xapi getUsersMe --user.fields created_at,usern") == ["created_at,username"])
    // A word from the document that bash would execute.
    let files = try TemporaryFolder()
    let document = files.url.appendingPathComponent("pets.json")
    try Data(
      #"""
      {"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"servers":[{"url":"https://pets.example"}],
       "paths":{"/pet":{"get":{"operationId":"getPet","responses":{"200":{"description":"A pet."}},"parameters":[
         {"name":"kind","in":"query","schema":{"type":"string","enum":["$(touch${IFS}pwned)","plain"]}}]}}}}
      """#.utf8
    ).write(to: document)
    let words = try await bash("callsign", "callsign call \(document.path) getPet --kind ")
    #expect(Set(words) == [#"\$\(touch\$\{IFS\}pwned\)"#, "plain"])
    for shell in CompletionScript.allCases {
      let script = try await Run("xapi", ["completions", shell.rawValue])
      #expect(script.status == 0 && script.output.contains("__complete"))
    }
  }

  /// A shell on its own terminal. A line with tab characters is typed into it and executed.
  private static let terminal = #"""
    import fcntl, os, pty, re, select, struct, sys, termios, time
    home, products, line, *command = sys.argv[1:]
    process, screen = pty.fork()
    if process == 0:
        os.environ.update(HOME=home, PATH=products + ":/usr/bin:/bin", TERM="dumb" if "bash" in command[0] else "xterm")
        os.execv(command[0], command)
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
    shown = b""
    def read(seconds):
        global shown
        if not select.select([screen], [], [], seconds)[0]: return False
        try: data = os.read(screen, 65536)
        except OSError: sys.exit(shown.decode(errors="replace"))
        shown += data
        # A terminal responds with what it is asked about itself.
        if b"\x1b[c" in data or b"\x1b[0c" in data: os.write(screen, b"\x1b[?62;22c")
        if b"\x1b[6n" in data: os.write(screen, b"\x1b[1;1R")
        return True
    def settle():
        while read(0.5): pass
    def wait(text, seconds=60):
        end = time.time() + seconds
        while text not in re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", shown) and time.time() < end: read(1)
    for setup in sys.stdin.read().splitlines():
        os.write(screen, setup.encode() + b"\r")
    wait(b"ready-42")
    settle()
    for part in re.split("(\t)", line):
        os.write(screen, part.encode())
        if part == "\t": read(60)
        settle()
    os.write(screen, b"\r")
    wait(b"not sent; it takes")
    os.write(screen, b"exit\r")
    print(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode(errors="replace")))
    """#

  @Test("bash on a terminal", .needs(.python, .program("bash"))) func bashTerminal() async throws {
    try await completes(in: "bash", options: ["--norc", "--noprofile", "-i"], begin: "source ~/script")
  }

  @Test("zsh on a terminal", .needs(.python, .program("zsh"))) func zshTerminal() async throws {
    try await completes(
      in: "zsh", options: ["-f", "-i"], begin: "autoload -U compinit; compinit -u -D; source ~/script")
  }

  @Test("fish on a terminal", .needs(.python, .program("fish"))) func fishTerminal() async throws {
    try await completes(in: "fish", options: ["--no-config", "-i"], begin: "source ~/script")
  }

  /// A shell on a terminal completes an operation, a value and a member of an object when the user presses Tab.
  private func completes(in shell: String, options: [String], begin: String) async throws {
    let path = try #require(Program.path(of: shell)?.path)
    let script = try await Run("xapi", ["completions", shell])
    let home = try TemporaryFolder()
    try home.write(script.output, to: "script")
    let sum = shell == "fish" ? "(math 40 + 2)" : "$((40 + 2))"
    let command = [path] + options
    let line = "xapi createPo\t--text hi --reply_settings foll\t--reply.in\t20 --dry-run --base-url http://127.0.0.1:9"
    let shown = try await onThread {
      String(
        decoding: try Python.run(
          Self.terminal, arguments: [home.path, Program.products.path, line] + command,
          input: Data("\(begin); echo ready-\(sum)\n".utf8)),
        as: UTF8.self)
    }
    #expect(shown.contains("POST http://127.0.0.1:9/2/tweets"), "\(shown)")
    #expect(shown.contains(#""reply_settings":"following""#), "\(shown)")
    #expect(shown.contains(#""in_reply_to_tweet_id":"20""#), "\(shown)")
  }
}

@Suite("--filter") struct FilterOptionTests {
  @Test("A line of progress fits the terminal") func progress() {
    let line = ProgressLine(done: 41, total: 64, words: "41 of 64")
    #expect(
      line.text(width: 80) == String(repeating: "█", count: 19) + String(repeating: "░", count: 11)
        + "   64 %  41 of 64")
    for width in 1...100 { #expect(line.text(width: width).count < max(2, width)) }
    #expect(ProgressLine(done: 5, total: nil, words: "5 elements …").text(width: 80) == "5 elements …")
    #expect(ProgressLine(done: 9, total: 3, words: "x").text(width: 40).contains("100 %"))
    #expect(ProgressLine.bytes(999) == "999 B" && ProgressLine.bytes(41_250_000) == "41.2 MB")
  }
}
