import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import HTTPTypes
import Logging
import Testing
import XCore

/// Tests that need no provider: nothing is sent, or the answer is written here.
@Suite struct LoginSetupTests {
  private func login(
    _ provider: OAuth1Provider = .x, hosts: BaseURLOverrides = .identity, answer: String = ""
  ) -> (OAuth1App, InMemoryTransport) {
    let transport = InMemoryTransport { _ in TransportResponse(body: Data(answer.utf8)) }
    let login = OAuth1App(
      provider, key: "k", secret: "s", configuration: ClientConfiguration(transport: transport, hosts: hosts))
    return (login, transport)
  }

  @Test("What cannot be begun is not sent") func whatCannotBeBegunIsNotSent() async {
    let plain = OAuth1Provider(
      requestTokenURL: "http://api.example/r", authorizeURL: "https://api.example/a",
      accessTokenURL: "https://api.example/t")
    let plainPage = OAuth1Provider(
      requestTokenURL: "https://api.example/r", authorizeURL: "http://api.example/a",
      accessTokenURL: "https://api.example/t")
    let relative = OAuth1Provider(requestTokenURL: "/r", authorizeURL: "https://api.example/a", accessTokenURL: "/t")
    let attempts: [(OAuth1Provider, BaseURLOverrides, String?, OAuth1AuthorizationOptions)] = [
      (plain, .identity, nil, .init()), (plainPage, .identity, nil, .init()), (relative, .identity, nil, .init()),
      (.x, .all(to: "http://api.example"), nil, .init()), (.x, .all(to: "nonsense"), nil, .init()),
      (.x, .identity, nil, .init(page: .authenticate)),
      (.flickr, .identity, "a://b", .init(page: .authenticate)),
      (.x, .identity, "no url", .init()), (.x, .identity, "a://b#c", .init()),
      (.x, .identity, "", .init()),
    ]
    for (provider, hosts, callback, options) in attempts {
      let (login, transport) = login(provider, hosts: hosts)
      let error = await failure { () throws(LoginError) in
        if let callback {
          try await login.callback(callback, options: options)
        } else {
          try await login.pin(options: options)
        }
      }
      #expect(error.name == "invalidSetup")
      #expect(transport.requests.isEmpty)
    }
  }

  @Test("The providers that ship") func theProvidersThatShip() async throws {
    for (provider, host, service) in [
      (OAuth1Provider.x, "api.x.com", "api.x.com"), (.flickr, "www.flickr.com", "www.flickr.com"),
    ] {
      let (login, transport) = login(
        provider, answer: "oauth_callback_confirmed=true&oauth_token=t&oauth_token_secret=s")
      let authorization = try await login.callback("my-app://x", options: .init(parameters: ["perms": "read"]))
      #expect(authorization.url.host == host)
      #expect(authorization.url.query == "oauth_token=t&perms=read")
      #expect(provider.service == service)
      let request = try #require(transport.requests.first)
      #expect(request.head.authority == host)
      #expect(request.head.headerFields[.authorization]?.contains("oauth_callback=\"my-app%3A%2F%2Fx\"") == true)
    }
  }

  @Test("Nothing prints secrets") func nothingPrintsSecrets() async throws {
    let collector = LogCollector()
    let transport = InMemoryTransport { request in
      let isFirst = request.head.path?.contains("request_token") == true
      return TransportResponse(
        status: isFirst ? .ok : .unauthorized,
        body: Data(
          (isFirst
            ? "oauth_callback_confirmed=true&oauth_token=t&oauth_token_secret=request-secret-1"
            : #"{"errors":[{"code":32,"message":"oauth_verifier pin-2 consumer-secret-3 request-secret-1"}]}"#).utf8))
    }
    var logger = Logger(label: "test") { _ in collector }
    logger.logLevel = .trace
    let login = OAuth1App(
      .x, key: "k", secret: "consumer-secret-3",
      configuration: ClientConfiguration(transport: transport, logger: logger))
    let authorization = try await login.pin()
    let error = await failure { () throws(LoginError) in try await authorization.complete(pin: "pin-2") }
    let token = try OAuth1Token(tokenString: "oauth_token=t-5&oauth_token_secret=token-secret-4&other=5-6")
    let stored = token.stored(consumerKey: "k")
    let account = login.account(store: MemoryTokenStore())
    try await account.save(token)
    let device = SigningAccount(login, token: token)
    let echo = try await OAuth1(consumerKey: "k", consumerSecret: "consumer-secret-3", token: token).echo()
    let values: [Any] = [login, authorization, error as Any, token, stored, account, device, echo]
    #expect(error.name == "wrongPIN")
    for value in values {
      let text = everythingPrinted(value)
      for secret in [
        "request-secret-1", "pin-2", "consumer-secret-3", "token-secret-4", "t-5", "5-6", "oauth_signature",
      ] {
        #expect(!text.contains(secret), "\(type(of: value)) prints \(secret)")
      }
    }
    #expect(!authorization.url.absoluteString.contains("secret"))
    #expect(collector.text.contains("oauth/request_token"))
    for secret in ["request-secret-1", "pin-2", "consumer-secret-3"] { #expect(!collector.text.contains(secret)) }
  }
}
