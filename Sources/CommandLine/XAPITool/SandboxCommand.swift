import ArgumentParser
import CallsignCommandLine
import Dispatch
import Foundation
import XSandbox

/// `xapi sandbox`
struct SandboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sandbox",
    abstract: "Runs a local X for trying things out, until it is interrupted.",
    discussion: """
      The sandbox listens on 127.0.0.1. It serves versions 2 and 1.1 of the API, with the users alice, bob and carol. \
      Its address is the first line of the output; in a browser it is a console. It keeps everything in memory.

        xapi sandbox --port 8080 --credentials sandbox.json
        xapi sandbox --seed birds.yaml
        xapi sandbox --fault "GET /2/users/me=429 x3 retry-after=2"
        xapi sandbox --fault "*=random:0.05 seed=7"

      Commands go over HTTP, with the header field x-sandbox-control:

        url=http://127.0.0.1:8080/sandbox
        curl -X POST -H "x-sandbox-control: 1" "$url/reset"
        curl -X POST -H "x-sandbox-control: 1" "$url/clock?advance=900"
        curl -H "x-sandbox-control: 1" "$url/state" > saved.yaml

      A fault is OPERATION=WHAT [xTIMES] [after=COUNT]. OPERATION is a method and a path as in X's document, or *. \
      It happens once unless you give xTIMES. WHAT is one of

        429                a status from 400 to 599 [retry-after=SECONDS]
                           [reset=SECONDS] [user-day=N] [app-day=N]
        delay:250ms        wait, then respond
        cut                close the connection without a response
        lose-response      do what was asked, then close the connection
        cut-in-body:20     close the connection after 20 bytes of the body
        truncate:20        send 20 bytes as if that were all; empty: none
        split:7            send the body in chunks of 7 bytes [pause=50ms]
        slow:100           send 100 bytes a second
        type:text/html     call the body something else
        errors             say, besides the data, that a part was not found
        proxy:502          a proxy's page; blank:400: a problem without words
        clock              refuse the timestamp
        client-not-enrolled, unsupported-authentication, missing-scope,
        wrong-permissions, suspended-account, locked-account, usage-capped,
        credits-depleted, spend-cap-reached,
        duplicate-post     refuse as X does
        random:0.1         any of the usual ones, for one request in ten
                           [seed=NUMBER]
      """)

  @Option(help: "The port; any free one unless it is given.")
  var port: UInt16 = 0

  @Option(
    help: ArgumentHelp(
      "Begin with the users, posts, lists and messages of this YAML file; Documentation/Sandbox.md has the keys.",
      valueName: "file"))
  var seed: String?

  @Option(help: "The number that determines keys and tokens.")
  var credentialSeed: UInt64 = 1

  @Option(
    help:
      "How many seconds the sandbox's clock is ahead; negative: behind. Beyond 300, OAuth 1.0a needs clients that sign with its time."
  )
  var clockOffset: Double = 0

  @Option(
    help: ArgumentHelp(
      "An address that logins may return to, besides sandbox:// and http://127.0.0.1:8765/callback; can be given several times.",
      valueName: "url"))
  var callback: [String] = []

  @Option(
    help: ArgumentHelp(
      "An address that clients may sign their requests for, such as https://api.x.com; can be given several times.",
      valueName: "url"))
  var publicURL: [String] = []

  @Option(help: "A fault to cause, as above; can be given several times.")
  var fault: [String] = []

  @Option(
    help: ArgumentHelp("Write keys, tokens and passwords to this file, readable only by its owner.", valueName: "file"))
  var credentials: String?

  @Flag(help: "Print keys, tokens and passwords.")
  var showCredentials = false

  @Flag(help: "Compress responses for clients that accept it.")
  var compress = false

  @Flag(help: "Respond to version 2 with the older names, such as referenced_tweets.")
  var olderNames = false

  func validate() throws {
    guard clockOffset.isFinite, abs(clockOffset) <= 3_153_600_000 else {
      throw ValidationError("--clock-offset must be less than a hundred years.")
    }
    for text in fault { _ = try specification(text) }
    for text in callback where URL(string: text)?.scheme == nil {
      throw ValidationError("--callback must be a URL, such as http://127.0.0.1:9000/back, not \(text)")
    }
    _ = try publicURLs()
  }

  private func publicURLs() throws -> [URL] {
    try publicURL.map { text in
      guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil else {
        throw ValidationError("--public-url must be an origin, such as https://api.x.com, not \(text)")
      }
      return url
    }
  }

  func run() async throws {
    let end = Interrupts()
    var configuration = Sandbox.Configuration()
    configuration.port = port
    configuration.credentialSeed = credentialSeed
    configuration.compressesResponses = compress
    configuration.dialect = olderNames ? .older : .document
    configuration.app.callbacks += callback
    configuration.publicURLs = try publicURLs()
    let sandbox: Sandbox
    do {
      let beginning = try seed.map { try Self.beginning(of: $0) } ?? SandboxSeed()
      sandbox = try await Sandbox.start(configuration, seed: beginning)
    } catch {
      StandardError.write("error: \(error)")
      throw Self.status(of: error)
    }
    sandbox.setClockOffset(clockOffset)
    do {
      for text in fault { await sandbox.inject(try specification(text)) }
      try await announce(sandbox)
      await end.wait()
    } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
  }

  private func specification(_ text: String) throws -> Sandbox.FaultSpecification {
    do throws(FaultSpecificationError) { return try Sandbox.FaultSpecification(text) } catch {
      throw ValidationError("--fault \(error)")
    }
  }

  private static func beginning(of path: String) throws -> SandboxSeed {
    let data = try StandardInput.contents(of: path, as: "the seed's file")
    guard let text = String(data: data, encoding: .utf8) else {
      throw SandboxError.invalidSeed("\(path) is not UTF-8", line: 0)
    }
    return try SandboxSeed(yaml: text)
  }

  private static func status(of error: any Error) -> ExitStatus {
    switch error {
    case let error as CommandLineError: error.status
    case SandboxError.couldNotListen: .unavailable
    // Everything else that prevents a start is a mistake in the seed.
    default: .invalidInput
    }
  }

  private func announce(_ sandbox: Sandbox) async throws {
    let document = try SandboxCredentials(sandbox).document()
    if let credentials {
      do {
        try PrivateFile.write(document, to: credentials)
      } catch {
        StandardError.write("error: could not write \(credentials): \(error.localizedDescription)")
        throw ExitStatus.cannotWrite
      }
    }
    var output = Data((sandbox.url.absoluteString + "\n").utf8)
    if showCredentials { output += document + [UInt8(ascii: "\n")] }
    try Terminal().write(output)
    for line in await sandbox.guide() { StandardError.write(line) }
    if !showCredentials && credentials == nil {
      StandardError.write("Keys and tokens: --credentials FILE writes them to a file, --show-credentials prints them.")
    }
  }
}
