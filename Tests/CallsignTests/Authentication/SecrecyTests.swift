import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import Logging
import Testing
import XCore

/// Everything that a type can be made to print.
private func everythingPrinted(_ value: Any) -> String {
  var dumped = ""
  dump(value, to: &dumped)
  return "\(value) \(String(reflecting: value)) \(dumped) \(Mirror(reflecting: value).children.map { "\($0)" })"
}

/// Keeps all that is logged.
private final class LogCollector: LogHandler, @unchecked Sendable {
  // Reason for `@unchecked`: every access to `lines` holds the lock.
  private let lock = NSLock()
  private var lines: [String] = []
  var logLevel = Logger.Level.trace
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    lock.withLock { lines.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
  }

  var text: String { lock.withLock { lines.joined(separator: "\n") } }
}

@Suite struct SecrecyTests {
  private let secrets = ["s3cr3t"]

  @Test("Secret types print nothing") func secretTypesPrintNothing() async throws {
    for value in try await SecretHolders.all() {
      let text = everythingPrinted(value)
      for secret in secrets + ["state=", "oauth_signature"] {
        #expect(!text.contains(secret), "\(type(of: value)) prints a secret")
      }
    }
    #expect("\(Secret("a"))" == "‹redacted›")
    #expect(Secret("a").debugDescription == "‹redacted›")
    #expect(Secret("a").reveal() == "a")
  }

  @Test("Secrets are compared by what they hold") func secretsAreCompared() {
    #expect(Secret("a") == Secret("a"))
    #expect(Secret("a") != Secret("b"))
    #expect(Secret("a") != Secret("ab"))
    #expect(Secret("") == Secret(""))
    // Unlike texts, by their bytes.
    #expect(Secret("\u{E9}") != Secret("e\u{301}"))
  }

  @Test("Neither errors nor logs name secrets") func neitherErrorsNorLogsNameSecrets() async throws {
    let collector = LogCollector()
    var logger = Logger(label: "test") { _ in collector }
    logger.logLevel = .trace
    let echo: @Sendable (TransportRequest) -> String = { request in
      let detail = "\(request.authorization ?? "") \(request.head.path ?? "")".replacingOccurrences(of: "\"", with: "'")
      return #"{"errors":[{"code":32,"message":"\#(detail)"}],"detail":"\#(detail)","data":{"text":5}}"#
    }
    let statuses: [HTTPResponse.Status] = [.ok, .badRequest, .unauthorized, .forbidden, .tooManyRequests, .badGateway]
    let authenticators: [any Authenticator] = [
      OAuth1(
        consumerKey: "k", consumerSecret: "consumer-s3cr3t", token: "oauth-s3cr3t", tokenSecret: "token-s3cr3t"),
      Bearer("bearer-s3cr3t"),
    ]
    for authenticator in authenticators {
      for status in statuses {
        let transport = InMemoryTransport { request in .json(echo(request), status: status) }
        let client = Client(
          auth: [authenticator], configuration: ClientConfiguration(transport: transport, retry: .never, logger: logger)
        )
        var call = Call(endpoint("POST", auth: "oauth1 | bearer", body: .json))
        call.query("text", "post-s3cr3t")
        call.json("text", "post-s3cr3t")
        do throws(CallError) {
          let _: Response<[String]> = try await client.send(call)
          Issue.record("no error")
        } catch {
          for text in ["\(error)", error.localizedDescription, String(reflecting: error)] {
            for secret in secrets { #expect(!text.contains(secret), "\(status): \(text)") }
            #expect(!text.contains("\n"))
          }
        }
      }
    }
    #expect(collector.text.contains("testCall"))
    for secret in secrets { #expect(!collector.text.contains(secret)) }
  }
}
