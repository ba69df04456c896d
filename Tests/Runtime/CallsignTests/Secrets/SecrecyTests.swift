import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing
import XCore

/// Every text that a type can be made to print.
private func everythingPrinted(_ value: Any) -> String {
  var dumped = ""
  dump(value, to: &dumped)
  return "\(value) \(String(reflecting: value)) \(dumped) \(Mirror(reflecting: value).children.map { "\($0)" })"
}

/// Keeps everything that is logged.
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

  @Test("Secrets are compared by their contents") func secretsAreCompared() {
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
        call.add("client_secret", "post-s3cr3t", in: .query)
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

  private var credentials: [any Authenticator] {
    [
      Bearer("bearer-s3cr3t"), APIKey("key-s3cr3t", in: .header("X-Key"), prefix: "Key ", scheme: "bearer"),
      APIKey("key s3cr3t/", in: .query("k"), scheme: "bearer"),
      APIKey("key-s3cr3t", in: .cookie("c"), scheme: "bearer"),
      OAuth1(consumerKey: "k", consumerSecret: "c", token: "token-s3cr3t", tokenSecret: "t"),
      HTTPBasic(username: "me", password: "pass:s3cr3t"),
    ]
  }

  @Test("An error's words lack the credentials that the response repeats", arguments: [400, 401, 403, 429, 500, 200])
  func repeatedCredentials(code: Int) async throws {
    let collector = LogCollector()
    var logger = Logger(label: "test") { _ in collector }
    logger.logLevel = .trace
    for authenticator in credentials {
      let transport = InMemoryTransport { request in
        let key = ["token-s3cr3t", "bearer-s3cr3t", "key s3cr3t/", "key-s3cr3t"].first { secret in
          let written = secret.replacingOccurrences(of: " ", with: "%20").replacingOccurrences(of: "/", with: "%2F")
          return "\(request.headerFields.map(\.value)) \(request.url.query ?? "")".contains(written)
        }
        let words = "Invalid token \(key ?? "pass:s3cr3t")\u{301}, see /2/things of Bearer"
        var response = TransportResponse.json(
          "{\"ok\":false,\"title\":\"\(words)\",\"detail\":\"\(String(repeating: "x", count: 390))\(words)\"}",
          status: HTTPResponse.Status(code: code, reasonPhrase: code == 401 ? words : "Error"))
        response.head.headerFields[.retryAfter] = "0"
        return response
      }
      let client = Client(
        auth: [authenticator],
        configuration: ClientConfiguration(transport: transport, retry: RetryPolicy(attempts: 2), logger: logger)
      ).with(conventions: .standard, defaults: APIDefaults(failures: [FailureSign("ok", is: "false")]))
      do throws(CallError) {
        let _: Response<[String]> = try await client.send(Call(endpoint(auth: "bearer|oauth1|basic")))
        Issue.record("no error")
      } catch {
        let problem = try #require(error.problems.first)
        let texts = ["\(error)", error.localizedDescription, String(reflecting: error), problem.title, problem.detail]
        for text in texts.compactMap(\.self) {
          #expect(text.utf8.firstRange(of: "s3cr3t".utf8) == nil, "\(code): \(text)")
        }
        // A text that is not a secret stays.
        #expect(problem.title?.hasPrefix("Invalid token REDACTE") == true)
        #expect(problem.title?.hasSuffix(", see /2/things of Bearer") == true)
        #expect(error.rawResponse.map { $0.body.firstRange(of: Data("s3cr3t".utf8)) != nil } == true)
      }
    }
    #expect(!collector.text.contains("s3cr3t"))
  }

  @Test("Nor are they in the failures of successful responses: with data or without, of an operation, in a stream")
  func repeatedCredentialsOfSuccesses() async throws {
    let key = "bearer-s3cr3t"
    func client(_ body: String, _ defaults: APIDefaults = .none) -> Client {
      Client(
        auth: [Bearer(Secret(key))],
        configuration: ClientConfiguration(transport: InMemoryTransport { _ in .json(body) }, retry: .never)
      ).with(conventions: .standard, defaults: defaults)
    }
    func expectHidden(_ error: CallError?) throws {
      let problem = try #require(error?.problems.first)
      for text in ["\(try #require(error))", problem.title, problem.detail].compactMap(\.self) {
        #expect(!text.contains("s3cr3t"), "\(text)")
      }
      #expect(problem.title == "token REDACTED refused")
    }
    let problem = #"{"title":"token \#(key) refused","detail":"by \#(key)"}"#
    let call = Call(endpoint(auth: "bearer"))

    let partly =
      try await client(#"{"data":[],"errors":[\#(problem)]}"#).send(call) as Response<API.TolerantUsersResponse>
    #expect(partly.errors.map(\.title) == ["token REDACTED refused"])
    await #expect {
      _ =
        try await client(#"{"errors":[\#(problem)]}"#).with(conventions: .x).send(call)
        as Response<API.TolerantUsersResponse>
    } throws: {
      try expectHidden($0 as? CallError)
      return true
    }

    let failing = client(#"{"state":"failed","title":"token \#(key) refused"}"#)
    let operation = LongRunningOperation<JSONValue, JSONValue>(
      failing, try await failing.send(call), every: .seconds(1), done: [FailureSign("state", is: "done")],
      failed: [FailureSign("state", is: "failed")]
    ) { () async throws(CallError) in try await failing.send(call) }
    await #expect { _ = try await operation.result() } throws: {
      try expectHidden($0 as? CallError)
      return true
    }

    let streaming = client(
      #"{"ok":false,"title":"token \#(key) refused"}"# + "\n", APIDefaults(failures: [FailureSign("ok", is: "false")]))
    let stream: EventStream<JSONValue> = streaming.stream(Call(endpoint(auth: "bearer", stream: .lines)))
    await #expect { for try await _ in stream.reconnecting(.never) {} } throws: {
      try expectHidden($0 as? CallError)
      return true
    }
  }
}
