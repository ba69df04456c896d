import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing
import XCore

/// Keeps the text of all that is logged.
private struct CollectingLog: LogHandler {
  let lines: Guarded<[String]>
  var logLevel = Logger.Level.trace
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { lines.with { $0.append("\(event.message) \(event.metadata ?? [:])") } }
}

/// A provider that repeats the request in any form brings no secret into an error or a log.
@Suite struct RepeatedSecretTests {
  private static let secret = "cl/ient+s3cr3t&\"é"
  private static let refresh = "r3fresh/t0ken+=&<x>"

  /// The forms that a server may use to repeat a text.
  private static func forms(of text: String) -> [String] {
    let percent = text.utf8.map { byte -> String in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
      return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
    let basic = Data("client:\(text)".utf8).base64EncodedString()
    let encodedBasic = Data("client:\(percent)".utf8).base64EncodedString()
    let plain = [
      text, percent, percent.lowercased(), percent.replacing("%", with: "%25"), percent.replacing("%20", with: "+"),
      Data(text.utf8).base64EncodedString(),
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;"),
    ]
    guard text == secret else { return plain }
    return plain + [
      "Basic \(basic)", basic.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""),
      "Basic \(encodedBasic)",
    ]
  }

  /// Whether a text contains a long enough part of a secret in any form.
  private func leaks(_ text: String, _ form: String) -> Bool {
    let form = form.hasPrefix("Basic ") ? String(form.dropFirst(6)) : form
    let characters = Array(form)
    let length = min(characters.count, 12)
    return (0...(characters.count - length)).contains { text.contains(String(characters[$0..<($0 + length)])) }
  }

  @Test("In an error's code, its words or the words of another form, with any status", arguments: [200, 400, 401, 500])
  func repeated(status: Int) async throws {
    for sent in [Self.secret, Self.refresh] {
      for form in Self.forms(of: sent) {
        let quoted = try #require(String(data: JSONEncoder().encode(form), encoding: .utf8)).dropFirst().dropLast()
        for body in [
          #"{"error":"\#(quoted)"}"#, #"{"error":"invalid_grant","error_description":"got \#(quoted)"}"#,
          #"{"error":"got \#(quoted) here","error_description":"\#(quoted)"}"#,
          #"{"errors":[{"title":"\#(quoted)","message":"\#(quoted)"}]}"#,
          #"{"access_token":"a","token_type":"\#(quoted)"}"#,
        ] {
          let lines = Guarded<[String]>([])
          let transport = InMemoryTransport { _ in
            TransportResponse(
              head: HTTPResponse(status: .init(code: status)), body: ResponseBody(Data(body.utf8)))
          }
          var provider = AuthorizationServer.provider
          provider.clientAuthentication = .basic
          let oauth2 = OAuth2(
            clientID: "client", clientSecret: Self.secret, store: MemoryTokenStore(), provider: provider)
          try await oauth2.save(
            StoredToken(
              kind: .oauth2, accessToken: "a0", refreshToken: Self.refresh, expires: Date(timeIntervalSince1970: 0)))
          let logger = Logger(label: "test") { _ in CollectingLog(lines: lines) }
          let configuration = ClientConfiguration(transport: transport, time: TestTime(.moves), logger: logger)
          do throws(CallError) {
            try await oauth2.refresh(configuration: configuration)
            Issue.record("no error for \(body)")
          } catch {
            var dumped = ""
            dump(error, to: &dumped)
            let shown = "\(error) \(error.localizedDescription) \(error.advice ?? "") \(dumped) \(lines.with { $0 })"
            #expect(!leaks(shown, form), "\(status) \(body): \(shown)")
          }
        }
      }
    }
  }

  @Test("In the error of a redirect") func redirect() async throws {
    let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
    let login = try oauth2.beginLogin(scopes: [.tweetRead], redirectURI: "myapp://login")
    let state = try #require(
      URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "state" }?.value)
    let url = try #require(
      URL(string: "myapp://login?error=bad-\(state)&error_description=state-\(state)&state=\(state)"))
    let error = await loginFailure { () throws(LoginError) in try await login.complete(redirect: url) }
    #expect(error != nil)
    #expect(!"\(String(describing: error))".contains(state))
  }
}
