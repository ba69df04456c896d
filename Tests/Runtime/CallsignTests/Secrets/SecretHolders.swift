import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import XCore

/// A value of every type that holds secrets. If you add such a type, add it here; the secrets contain `s3cr3t`.
enum SecretHolders {
  static func all() async throws -> [Any] {
    let secret = Secret("some-s3cr3t")
    let configuration = ClientConfiguration(transport: InMemoryTransport { _ in .json("{}") })
    let stored = StoredToken(
      kind: .oauth2, accessToken: "access-s3cr3t", tokenSecret: "token-s3cr3t", refreshToken: "refresh-s3cr3t")
    let key = TokenKey(service: "api.example")
    let memory = MemoryTokenStore([key: stored])
    let token = OAuth1Token(token: "oauth-s3cr3t", secret: "token-s3cr3t", fields: ["session": "field-s3cr3t"])
    let oauth1 = OAuth1(consumerKey: "k", consumerSecret: secret, token: token)
    let plaintext = OAuth1(consumerKey: "k", consumerSecret: secret, signatureMethod: .plaintext)
    let signer = OAuth1Signer(
      consumerKey: "k", consumerSecret: secret, token: "oauth-s3cr3t", tokenSecret: "token-s3cr3t",
      signatureMethod: .plaintext)
    let signature = try signer.sign(method: "GET", url: "https://api.example", nonce: "n", timestamp: "1")
    let account = OAuth1App(.x, key: "k", secret: secret).account(store: memory)
    let oauth2 = OAuth2(clientID: "c", clientSecret: secret, store: memory)
    let appOnly = AppOnly(consumerKey: "k", consumerSecret: secret, store: memory)
    let basic = HTTPBasic(username: "ann", password: secret)
    let digest = HTTPDigest(username: "ann", password: secret)
    let authenticators: [any Authenticator] = [
      oauth1, plaintext, account, oauth2, appOnly, basic, digest, Bearer("bearer-s3cr3t"), UserToken("user-s3cr3t"),
      Bearer { "closure-s3cr3t" },
    ]
    var request = TransportRequest(
      head: HTTPRequest(
        method: .post, scheme: "https", authority: "api.example", path: "/a?oauth_token=query-s3cr3t",
        headerFields: [.authorization: "Bearer header-s3cr3t", .cookie: "session=cookie-s3cr3t"]))
    request.body = .data(Data("password=body-s3cr3t".utf8))
    let started = InMemoryTransport { _ in
      .json("oauth_token=request-s3cr3t&oauth_token_secret=request-s3cr3t&oauth_callback_confirmed=true")
    }
    let login = OAuth1App(
      .x, key: "k", secret: secret, configuration: ClientConfiguration(transport: started))
    let parameters = InMemoryTransport { _ in
      .json(#"OAuth oauth_consumer_key="k",oauth_nonce="n",oauth_timestamp="1",oauth_signature="a-s3cr3t""#)
    }
    let reverse = OAuth1App(
      .x, key: "k", secret: secret, configuration: ClientConfiguration(transport: parameters))
    return try await middleware() + [
      reverse, try await reverse.reverseAuthRequest(), login, try await login.pin(),
      try oauth2.beginLogin(scopes: [], redirectURI: "app://login"), try await login.pin().pending,
      try SealingKey("some-s3cr3t of more than thirty-two characters"),
      VersionedToken(stored, version: TokenVersion(rawValue: "1")),
      OAuth2SubjectToken("subject-s3cr3t", kind: .jwt, parameters: ["actor_token": "actor-s3cr3t"]),
      secret, [secret], ["secret": secret], secret as Secret? as Any, stored, memory, FileTokenStore(), token,
      token.tokenString, signer, signature, try await plaintext.echo(verifying: "https://127.0.0.1/"),
      SigningAccount(login, token: token),
      request, Client(auth: authenticators, configuration: configuration),
    ] + authenticators.map { $0 as Any }
  }

  /// The middleware that keeps responses, after one was kept.
  private static func middleware() async throws -> [Any] {
    let transport = InMemoryTransport { _ in .json(#""body-s3cr3t""#, headerFields: [.cacheControl: "max-age=60"]) }
    let (cache, recorder) = (ResponseCache(), CassetteRecorder())
    let client = Client(
      auth: [], configuration: ClientConfiguration(transport: transport, middleware: [cache, recorder]))
    _ = try await client.call(.get, "https://api.example/messages")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("holder-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try recorder.save(to: file)
    return [cache, recorder, try CassettePlayer(contentsOf: file)]
  }
}
