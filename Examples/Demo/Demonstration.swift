import Callsign
import CallsignX
import XSandbox

/// The main job, through the generated methods and a real socket. The tests run the same steps.
struct Demonstration: Sendable {
  let sandbox: Sandbox
  let report: Report
  /// The API as Alice, signed with OAuth 1.0a.
  let x: XAPI

  /// Reads of one post that the sandbox allows in a window, few enough to reach the limit quickly.
  static let readLimit = 8

  static func startSandbox() async throws -> Sandbox {
    var configuration = Sandbox.Configuration()
    configuration.limits = ["GET /2/tweets/{id}": .init(user: readLimit, app: readLimit)]
    return try await Sandbox.start(configuration)
  }

  init(sandbox: Sandbox, report: Report) {
    self.sandbox = sandbox
    self.report = report
    x = Self.api(of: sandbox, secret: sandbox.users.alice.accessTokenSecret)
  }

  func run() async throws {
    try await write()
    try await showTriState()
    try await page()
    try await (self as any RetiredCalls).callVersion1()
    try await fail()
  }

  static func api(of sandbox: Sandbox, secret: String) -> XAPI {
    XAPI(
      auth: .oauth1(
        OAuth1(
          consumerKey: sandbox.app.consumerKey, consumerSecret: Secret(sandbox.app.consumerSecret),
          token: sandbox.users.alice.accessToken, tokenSecret: Secret(secret))),
      configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))
  }
}
