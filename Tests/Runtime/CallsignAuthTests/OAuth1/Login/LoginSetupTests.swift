import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing
import XCore

/// Tests that need no provider: nothing is sent, or the response is written here.
@Suite struct LoginSetupTests {
  private func login(
    _ provider: OAuth1Provider = .x, hosts: BaseURLOverrides = .identity, response: String = ""
  ) -> (OAuth1App, InMemoryTransport) {
    let transport = InMemoryTransport { _ in TransportResponse(body: Data(response.utf8)) }
    let login = OAuth1App(
      provider, key: "k", secret: "s", configuration: ClientConfiguration(transport: transport, hosts: hosts))
    return (login, transport)
  }

  /// A login at a provider that takes a request by a method.
  private func login(
    _ request: WritableKeyPath<OAuth1Provider, OAuth1Provider.TokenRequestMethod>,
    _ method: OAuth1Provider.TokenRequestMethod
  ) -> (OAuth1App, InMemoryTransport) {
    var provider = OAuth1Provider.x
    provider[keyPath: request] = method
    return login(provider, response: "oauth_callback_confirmed=true&oauth_token=t&oauth_token_secret=s")
  }

  @Test("A login that cannot start sends nothing") func whatCannotBeBegunIsNotSent() async {
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

  @Test(
    "Responses that deviate from RFC 5849 are accepted",
    arguments: [
      "oauth_callback_confirmed=True&oauth_token=t&oauth_token_secret=s",
      "oauth_callback_confirmed=1&oauth_token=t&oauth_token_secret=",
      "oauth_callback_confirmed=true&x=%E9&oauth_token=t&oauth_token_secret=s&y=%&z=a b",
    ])
  func unusualResponses(response: String) async throws {
    let (app, transport) = login(response: response)
    let authorization = try await app.callback("my-app://login")
    for other in ["x=%E9", "x=%", "%E9=x"] {
      let redirect = "my-app://login?\(other)&oauth_token=t&oauth_verifier=v"
      #expect(authorization.isCompleted(by: try #require(URL(string: redirect))))
    }
    let token = try await authorization.complete(
      redirect: "my-app://login?x=%E9&y=\u{E9} z&oauth_token=t&oauth_verifier=v")
    #expect(token.token == "t")
    #expect(transport.requests.count == 2)
    let (unconfirmed, _) = login(response: "oauth_callback_confirmed=false&oauth_token=t&oauth_token_secret=s")
    let error = await failure { () throws(LoginError) in try await unconfirmed.callback("my-app://login") }
    #expect(error.name == "callbackNotConfirmed")
  }

  @Test("The providers that ship") func theProvidersThatShip() async throws {
    for (provider, host, service) in [
      (OAuth1Provider.x, "api.x.com", "api.x.com"), (.flickr, "www.flickr.com", "www.flickr.com"),
    ] {
      let (login, transport) = login(
        provider, response: "oauth_callback_confirmed=true&oauth_token=t&oauth_token_secret=s")
      let authorization = try await login.callback("my-app://x", options: .init(parameters: ["perms": "read"]))
      #expect(authorization.url.host == host)
      #expect(authorization.url.query == "oauth_token=t&perms=read")
      #expect(provider.service == service)
      let request = try #require(transport.requests.first)
      #expect(request.head.authority == host)
      #expect(request.head.headerFields[.authorization]?.contains("oauth_callback=\"my-app%3A%2F%2Fx\"") == true)
    }
  }

  @Test("The first request's method, scope and further parameters") func requestParameters() async throws {
    for method in [OAuth1Provider.TokenRequestMethod.get, .post] {
      let (login, transport) = login(\.requestTokenMethod, method)
      var options = OAuth1AuthorizationOptions.x(accessType: .read)
      options.scope = "photos read"
      options.requestParameters["display"] = "a&b"
      _ = try await login.pin(options: options)
      let request = try #require(transport.requests.first)
      let fields = "display=a%26b&scope=photos%20read&x_auth_access_type=read"
      #expect(request.method == (method == .get ? .get : .post))
      #expect(request.head.path == "/oauth/request_token" + (method == .get ? "?\(fields)" : ""))
      let body = String(decoding: try await request.body.collect(), as: UTF8.self)
      #expect(body == (method == .get ? "" : fields))
    }
  }

  @Test("The token is requested with the provider's method") func accessTokenMethod() async throws {
    for method in [OAuth1Provider.TokenRequestMethod.get, .post] {
      let (login, transport) = login(\.accessTokenMethod, method)
      _ = try await login.pin().complete(pin: "1")
      #expect(transport.requests.map(\.method) == [.post, method == .get ? .get : .post])
      #expect(transport.requests.last?.head.headerFields[.authorization]?.contains("oauth_verifier=\"1\"") == true)
    }
  }

  @Test("A signed request does not travel unencrypted, whatever the method") func unencrypted() async {
    let transport = InMemoryTransport { _ in .json("{}") }
    for method in [OAuth1SignatureMethod.hmacSHA1, .hmacSHA256, .plaintext] {
      let credentials = OAuth1(
        consumerKey: "k", consumerSecret: "s", signatureMethod: method, hosts: ["api.example", "127.0.0.1"])
      let client = Client(auth: credentials, configuration: ClientConfiguration(transport: transport))
      let error = await callFailure { () throws(CallError) in try await client.call(.get, "http://api.example/") }
      guard case .authorization(let problem) = error, case .insecure = problem.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
      _ = try? await client.call(.get, "http://127.0.0.1/")
    }
    #expect(transport.requests.count == 3)
  }

  @Test("White space around a key or secret is said, and nothing is sent") func copiedKeys() async {
    let transport = InMemoryTransport { _ in .json("{}") }
    let configuration = ClientConfiguration(transport: transport)
    for (key, secret) in [("k ", "s"), ("k", "s\n"), ("\tk", "s")] {
      let app = OAuth1App(.x, key: key, secret: Secret(secret), configuration: configuration)
      let error = await failure { () throws(LoginError) in try await app.pin() }
      #expect(error.text.contains("white space or a line break around it"))
      let client = Client(auth: app.credentials(hosts: ["api.example"]), configuration: configuration)
      let refused = await callFailure { () throws(CallError) in try await client.call(.get, "https://api.example/") }
      #expect("\(refused.map { "\($0)" } ?? "")".contains("white space or a line break around it"))
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("Reverse auth leaves nothing in cassettes, curl commands and logs") func reverseAuthIsHidden() async throws {
    let signed = #"OAuth oauth_consumer_key="k",oauth_nonce="n-s3cr3t",oauth_timestamp="1",oauth_signature="a-s3cr3t""#
    let transport = InMemoryTransport { request in
      request.head.path == "/oauth/request_token"
        ? TransportResponse(headerFields: [.contentType: "text/html;charset=utf-8"], body: Data(signed.utf8))
        : TransportResponse(body: Data("oauth_token=t-s3cr3t&oauth_token_secret=u-s3cr3t".utf8))
    }
    let (collector, recorder) = (LogCollector(), CassetteRecorder())
    var logger = Logger(label: "test") { _ in collector }
    logger.logLevel = .trace
    let app = OAuth1App(
      .x, key: "k", secret: "s",
      configuration: ClientConfiguration(transport: transport, middleware: [recorder], logger: logger))
    let request = try await app.reverseAuthRequest()
    // It goes to the process that has the account, and back comes the response.
    let sent = try JSONDecoder().decode(DeviceAccountRequest.self, from: JSONEncoder().encode(request))
    #expect(sent.url == request.url && sent.form.map(\.value) == request.form.map(\.value))
    let made = DeviceAccountRequest(url: request.url, form: request.form)
    let device = SigningAccount(app, token: OAuth1Token(token: "d", secret: "ds"))
    _ = try await app.reverseAuth(made, with: device)

    let file = FileManager.default.temporaryDirectory.appendingPathComponent("reverse-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try recorder.save(to: file)
    let client = Client(auth: [], configuration: ClientConfiguration(transport: transport))
    let command = try client.curlCommand(
      .post, request.url, body: .form(Dictionary(uniqueKeysWithValues: request.form.map { ($0.name, $0.value) })))
    for text in [try String(contentsOf: file, encoding: .utf8), command, collector.text] {
      #expect(!text.isEmpty && !text.contains("s3cr3t"), "\(text)")
    }
  }

  @Test("An account signs for a third party and reports its states") func accountEcho() async throws {
    let account = OAuth1App(.x, key: "k", secret: "s").account(store: MemoryTokenStore())
    var states = account.states.makeAsyncIterator()
    guard case .signedOut = await states.next() else { Issue.record("not signed out"); return }
    #expect(await callFailure { () throws(CallError) in try await account.echo() } != nil)
    let nobody = account.identity
    try await account.save(OAuth1Token(token: "t", secret: "ts"))
    guard case .valid = await states.next() else { Issue.record("not valid"); return }
    let echo = try await account.echo()
    #expect(echo.serviceProvider == OAuthEcho.verifyCredentialsOnX)
    #expect(echo.headers["X-Verify-Credentials-Authorization"]?.contains("oauth_token=\"t\"") == true)
    let first = account.identity
    try await account.save(OAuth1Token(token: "t2", secret: "ts"))
    #expect(Set([nobody, first, account.identity]).count == 3)
    try await account.deauthorize()
    #expect(account.identity == nobody)
    guard case .signedOut = await states.next() else { Issue.record("not signed out again"); return }
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
