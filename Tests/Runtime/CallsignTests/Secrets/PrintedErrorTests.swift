import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The texts that a program prints of its configuration and its errors.
@Suite struct PrintedErrorTests {
  private func printed(_ value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return
      "\(value) \(String(reflecting: value)) \(dumped) \(Mirror(reflecting: value).children.map { "\($0)" }) \([value])"
  }

  @Test("Neither configuration nor options show header fields, query items or bodies") func configuration() {
    var configuration = ClientConfiguration(headers: ["X-Key": "s3cr3t"], query: ["tenant": "s3cr3t"])
    configuration.hostVariables = ["tenant": "s3cr3t"]
    configuration.hosts = .all(to: "https://user:s3cr3t@api.test")
    var options = CallOptions(headers: ["X-Key": "s3cr3t"])
    options.query["key"] = "s3cr3t"
    options.body["password"] = "s3cr3t"
    options.idempotencyKey = "s3cr3t"
    let client = Client(auth: [], configuration: configuration)
    for value in [configuration, options, client, Optional(configuration) as Any, (options, 1)] as [Any] {
      #expect(!printed(value).contains("s3cr3t"), "\(type(of: value))")
    }
    #expect("\(configuration)".contains("X-Key"))
    #expect("\(configuration)".contains("tenant"))
    #expect("\(options)".contains("X-Key"))
  }

  /// One error of each kind, with a secret in its response and request.
  private func errors() async -> [any Error] {
    let bodies = [
      (200, "{\"password\":\"s3cr3t\""), (200, "<html>s3cr3t"), (401, #"{"errors":[{"secret":"s3cr3t"}]}"#),
      (403, #"{"token":"s3cr3t"}"#), (429, #"{"token":"s3cr3t"}"#), (500, #"{"token":"s3cr3t"}"#),
      (200, #"{"x":["s3cr3t"]"#),
    ]
    var errors: [any Error] = []
    for (status, body) in bodies {
      for method in [HTTPRequest.Method.get, .post] {
        let transport = InMemoryTransport { _ in
          TransportResponse(
            head: HTTPResponse(status: .init(code: status), headerFields: [.setCookie: "s3cr3t", .location: "s3cr3t"]),
            body: ResponseBody(Data(body.utf8)))
        }
        let client = Client(auth: [], configuration: ClientConfiguration(transport: transport, retry: .never))
        do throws(CallError) {
          _ = try await client.call(method, "https://api.test/?key=s3cr3t", auth: .none)
        } catch {
          errors.append(error)
          switch error {
          case .api(let error): errors.append(error)
          case .authorization(let error): errors.append(error)
          case .decoding(let error): errors.append(error)
          case .unexpectedContent(let error): errors.append(error)
          case .unreadableResult(let error): errors.append(error)
          default: break
          }
        }
      }
    }
    return errors
  }

  @Test("No error shows header fields, query items or bodies") func callErrors() async {
    let errors = await errors()
    #expect(errors.count > 20)
    for error in errors { #expect(!printed(error).contains("s3cr3t"), "\(type(of: error))") }
  }

  @Test("Every public error is a CallsignError, so its advice is available for any error") func advice() async {
    let errors: [any Error] =
      await errors() + [
        TransportError(.tls, delivery: .notSent), FileProblem(.missing, fileName: "a"), LoginError.expired,
        TokenStoreError(.system, advice: "do this"), OAuth1TokenStringError.unreadable,
        UploadError(.cancelled), JSONError(.unexpectedEnd, offset: 0),
        WebhookVerificationError.stale, ProcessingFailure(), InvalidCall(endpoint: "a", reason: .url("b")),
      ] as [any Error]
    var advised = 0
    for error in errors {
      do { throw error } catch let error as any CallsignError {
        #expect(error.localizedDescription == error.description)
        #expect(error.recoverySuggestion == error.advice)
        #expect(!printed(error).isEmpty)
        if error.advice != nil { advised += 1 }
      } catch {
        Issue.record("\(type(of: error)) is no CallsignError")
      }
    }
    #expect(advised > 10)
  }

  /// Initializers of authenticators that take a text, and the same with a secret.
  private static let identities: [(CredentialIdentity, CredentialIdentity)] = {
    let (text, secret) = (String("token"), Secret("token"))
    func identity(_ authenticator: some Authenticator) -> CredentialIdentity { authenticator.identity }
    return [
      (UserToken(text).identity, UserToken(secret).identity),
      (Bearer(text).identity, Bearer(secret).identity),
      (HTTPBasic(username: "u", password: text).identity, HTTPBasic(username: "u", password: secret).identity),
      (APIKey(text, in: .header("X")).identity, APIKey(secret, in: .header("X")).identity),
      (identity(.userToken(text)), identity(.userToken(secret))),
      (identity(.bearer(text)), identity(.bearer(secret))),
      (identity(.apiKey(text, in: .header("X"))), identity(.apiKey(secret, in: .header("X")))),
      (identity(.basic(username: "u", password: text)), identity(.basic(username: "u", password: secret))),
      (identity(.digest(username: "u", password: text)), identity(.digest(username: "u", password: secret))),
    ]
  }()

  @Test("An authenticator takes a text for a secret", arguments: identities)
  func textsOfAuthenticators(ofText: CredentialIdentity, ofSecret: CredentialIdentity) {
    #expect(ofText == ofSecret)
  }

  @Test("A text is accepted wherever a secret is wanted") func texts() throws {
    let text = String("token")
    let secret = Secret("token")
    _ = OAuth1(consumerKey: "k", consumerSecret: text, token: "t", tokenSecret: text)
    #expect(OAuth1Token(token: text, secret: text) == OAuth1Token(token: secret, secret: secret))
    #expect(try OAuth1Token(tokenString: String("oauth_token=t&oauth_token_secret=s")).secret == "s")
    #expect(
      StoredToken(kind: .oauth2, accessToken: text, refreshToken: text)
        == StoredToken(kind: .oauth2, accessToken: secret, refreshToken: secret))
    #expect(AccessToken(text).value == secret)
    let provider = OAuth2Provider(authorizeURL: "https://id.test/a", tokenURL: "https://id.test/t")
    let none: String? = nil
    for clientSecret in [text, none] {
      _ = OAuth2(clientID: "c", clientSecret: clientSecret, store: MemoryTokenStore(), provider: provider)
    }
    _ = OAuth2(clientID: "c", clientSecret: secret, store: MemoryTokenStore(), provider: provider)
    _ = AppOnly(
      consumerKey: "k", consumerSecret: text, provider: AppOnly.Provider(tokenURL: "https://id.test/t"))
    _ = WebhookVerifier(.standard, secret: text, previousSecrets: [text, text])
    _ = try SealingKey(String(repeating: "a", count: 32))
    _ = OAuth2SubjectToken(text, kind: .jwt, parameters: ["actor_token": text])
    _ = ProxySettings.http("proxy.test", port: 1, username: "u", password: text)
  }
}
