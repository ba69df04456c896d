import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import ChildProcesses
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Calls as curl commands", .timeLimit(.minutes(10)))
struct CurlCommandTests {
  /// Runs a command in a real shell, and returns the arguments of `curl` and its standard input.
  private func run(_ command: String) async throws -> (words: [String], input: Data) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "curl() { printf '%s\\0' \"$@\"; printf '\\0'; case \"$*\" in *@-*) cat;; esac; }; \(command)",
    ]
    let output = Pipe.forChildProcess()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    let data: Data = try await withCheckedThrowingContinuation { continuation in
      // Reading blocks until the shell has ended, on a separate thread.
      Thread.detachNewThread {
        do {
          try process.start()
          continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile())
        } catch { continuation.resume(throwing: error) }
      }
    }
    let end = try #require(data.range(of: Data([0, 0])))
    let words = data[..<end.lowerBound].split(separator: 0, omittingEmptySubsequences: false)
    return (words.map { String(decoding: $0, as: UTF8.self) }, data[end.upperBound...])
  }

  private let client = Client(auth: [])

  @Test("Whatever the command contains, the shell passes the request to curl unchanged")
  func quoting() async throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<40 {
      let text = generator.text(length: 0...40).replacingOccurrences(of: "\u{0}", with: "")
      let command = try client.curlCommand(
        .post, "https://api.example/a'b;$(id)`id`?q='x'", query: ["t": text],
        body: .data(Data(("'" + text).utf8), contentType: "text/plain"), options: CallOptions(headers: ["X-Empty": ""]))
      let (words, _) = try await run(command)
      let raw = try #require(words.firstIndex(of: "--data-raw"))
      #expect(words[raw + 1] == "'" + text)
      #expect(words.contains("POST"))
      #expect(words.last?.hasPrefix("https://api.example/a'b;$(id)%60id%60?q='x'&t=") == true)
    }
  }

  @Test(
    "A quote with an accent, which is one character, does not end the shell's word",
    arguments: ["\u{301}", "\u{FE0F}", "\u{200D}"])
  func accentedQuotes(mark: String) async throws {
    let text = "'\(mark); echo theirs #"
    let command = try client.curlCommand(
      .post, "https://api.example/x", body: .data(Data(text.utf8), contentType: "text/plain"))
    let words = try await run(command).words
    #expect(words.contains(text), "\(command)")
  }

  @Test("A body that is not text")
  func bytes() async throws {
    let body = Data((0...255).map { UInt8($0) })
    let command = try client.curlCommand(
      .put, "https://api.example/x", body: .data(body, contentType: "application/octet-stream"))
    let (words, input) = try await run(command)
    #expect(words.contains("@-"))
    #expect(Data(input) == body)
  }

  @Test("A generated call, and a read without a body")
  func calls() async throws {
    var call = Call(endpoint())
    call.add("q", "a b", in: .query)
    let (words, _) = try await run(try client.curlCommand(for: call))
    #expect(words.last == "https://api.example/2/things?q=a%20b")
    #expect(words.contains("Accept: application/json"))
    #expect(!words.contains("--request"))
  }

  @Test("Secrets are redacted")
  func secrets() async throws {
    var request = TransportRequest(
      head: HTTPRequest(
        method: .post, scheme: "https", authority: "api.example",
        path: "/x?oauth_signature=8431&code=8431&state=8431&a=1",
        headerFields: [
          .authorization: "Bearer 8431", .cookie: "s=8431", .contentType: "application/x-www-form-urlencoded",
        ]), body: .data(Data("client_secret=8431&code=\u{301}8431&oauth_token=8431&b=2".utf8)))
    var command = request.curlCommand()
    #expect(!command.contains("8431"))
    #expect(command.contains("a=1") && command.contains("b=2"))
    request.head.headerFields[.contentType] = "application/json"
    request.body = .data(Data(#"{"refresh_token":"8431","c":3}"#.utf8))
    command = request.curlCommand()
    #expect(!command.contains("8431"))
    #expect(command.contains(#""c":3"#))
  }
}
