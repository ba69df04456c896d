import ArgumentParser
import Callsign
import CallsignCommandLine
import Foundation

/// `callsign sign --jsonl`
struct Sign: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Signs described requests with OAuth 1.0a, to compare with another library.",
    discussion: """
      Reads one JSON object a line from standard input:

        {"method": "POST", "url": "https://api.example/x?a=1", "form": [["status", "hi"]],
         "consumer_key": "…", "consumer_secret": "…", "token": "…", "token_secret": "…",
         "nonce": "…", "timestamp": "1318622958", "signature_method": "HMAC-SHA1"}

      and writes {"base_string": …, "signature": …, "authorization": …} for each. Further members: realm; \
      oauth_version (1.0 unless given, none if null); extra_oauth_params, pairs like form; rsa_private_key_pem for \
      RSA-SHA1. The methods are HMAC-SHA1, HMAC-SHA256, RSA-SHA1 and PLAINTEXT. Without nonce or timestamp, fresh ones \
      are used.

      Secrets that a line leaves out come from CALLSIGN_CONSUMER_SECRET, CALLSIGN_TOKEN_SECRET and \
      CALLSIGN_RSA_PRIVATE_KEY in the environment. No option takes them, because other users can read arguments.

      A line that cannot be signed gets {"error": …, "line": …}, and the exit status is 1 in the end.
      """)

  @Flag(name: .customLong("jsonl"), help: "One JSON object a line, in and out; so far the only form.")
  var isJSONLines = false

  func validate() throws {
    if !isJSONLines { throw ValidationError("Say --jsonl: one JSON object a line is the only form so far.") }
  }

  func run() throws {
    let terminal = Terminal()
    let environment = ProcessInfo.processInfo.environment
    var hasFailed = false
    var number = 0
    while let line = readLine() {
      number += 1
      if line.allSatisfy(\.isWhitespace) { continue }
      let response: JSONLine
      do throws(SigningRequest.Problem) {
        let signature = try SigningRequest(line: line, environment: environment).sign()
        response = JSONLine([
          ("base_string", .string(signature.baseString)), ("signature", .string(signature.signature)),
          ("authorization", .string(signature.authorization)),
        ])
      } catch {
        hasFailed = true
        response = JSONLine([("error", .string(error.message)), ("line", .integer(number))])
      }
      try terminal.write(response.bytes)
    }
    if hasFailed { throw ExitCode.failure }
  }
}

/// An object with its members in a given order, followed by a line break.
private struct JSONLine {
  let bytes: Data

  init(_ members: [(String, JSONValue)]) {
    var writer = JSONWriter()
    writer.object { writer in for (name, value) in members { writer.member(name, value) } }
    bytes = Data(writer.bytes + [UInt8(ascii: "\n")])
  }
}
