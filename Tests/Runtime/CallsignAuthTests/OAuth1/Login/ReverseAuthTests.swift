import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

@Suite("Reverse auth and OAuth Echo", .needs(.python(with: "oauthlib.oauth1")))
struct ReverseAuthTests {
  private func reverse(_ provider: Provider, app: String = "app") -> OAuth1App {
    OAuth1App(.x, key: app, secret: Provider.appSecret, configuration: provider.configuration())
  }

  private func device(_ provider: Provider, token: OAuth1Token? = nil) -> SigningAccount {
    SigningAccount(reverse(provider, app: "device"), token: token ?? provider.deviceToken)
  }

  @Test("The app gets its own token, in one call or in two")
  func bothPhases() async throws {
    try await Provider.with { provider in
      let token = try await reverse(provider).reverseAuth(with: device(provider))
      #expect(token.token != provider.deviceToken.token)
      let me = try await provider.client(provider.credentials(token)).call(.get, "https://api.x.com/2/users/me")
      #expect(me.value["screen_name"] == "alice")

      let request = try await reverse(provider).reverseAuthRequest()
      #expect(request.url == "https://api.x.com/oauth/access_token")
      #expect(request.form.map(\.name) == ["x_reverse_auth_parameters", "x_reverse_auth_target"])
      #expect(request.form.last?.value == "app")
      #expect(!everythingPrinted(request).contains("oauth_"))
      _ = try await reverse(provider).reverseAuth(request, with: device(provider))
      // The parameters are good for one token.
      let again = await failure { () throws(LoginError) in
        try await reverse(provider).reverseAuth(request, with: device(provider))
      }
      #expect(again.name == "call(authorization)")
    }
  }

  @Test("Refusals, and responses that are not X's")
  func refusals() async throws {
    try await Provider.with { provider in
      for (app, expected) in [
        ("unentitled", "notEntitled"), ("half", "unexpectedResponse"), ("unknown", "call(authorization)"),
      ] {
        let error = await failure { () throws(LoginError) in
          try await reverse(provider, app: app).reverseAuth(with: device(provider))
        }
        #expect(error.name == expected)
      }
      let stranger = device(provider, token: OAuth1Token(token: "unknown-token", secret: "s"))
      let error = await failure { () throws(LoginError) in try await reverse(provider).reverseAuth(with: stranger) }
      #expect(error.name == "call(authorization)")
    }
  }

  @Test("Errors that a device account throws differ from responses that it returns")
  func deviceAccounts() async throws {
    struct Account: DeviceAccount {
      var result: Result<RawResponse, LoginError>
      func response(to request: DeviceAccountRequest) async throws(LoginError) -> RawResponse { try result.get() }
    }
    try await Provider.with { provider in
      let request = try await reverse(provider).reverseAuthRequest()
      let results: [(Result<RawResponse, LoginError>, String)] = [
        (.failure(.denied), "denied"), (.failure(.cancelled), "cancelled"),
        (.success(RawResponse(status: .ok, body: Data("oauth_token=t".utf8))), "unexpectedResponse"),
        (.success(RawResponse(status: .ok)), "unexpectedResponse"),
        (
          .success(RawResponse(status: .unauthorized, body: Data("oauth_token=t&oauth_token_secret=secret-1".utf8))),
          "call(authorization)"
        ),
        (
          .success(RawResponse(status: .forbidden, body: Data(#"{"errors":[{"code":87}],"token":"secret-1"}"#.utf8))),
          "notEntitled"
        ),
      ]
      for (result, expected) in results {
        let error = await failure { () throws(LoginError) in
          try await reverse(provider).reverseAuth(request, with: Account(result: result))
        }
        #expect(error.name == expected)
        #expect(!error.text.contains("secret-1"))
      }
    }
  }

  @Test("A device account signs only the second phase, whatever else another process asks for")
  func otherRequests() async throws {
    let transport = InMemoryTransport { _ in TransportResponse(body: Data("oauth_token=t".utf8)) }
    let app = OAuth1App(.x, key: "k", secret: "s", configuration: ClientConfiguration(transport: transport))
    let account = SigningAccount(app, token: OAuth1Token(token: "d", secret: "ds"))
    let form = [("x_reverse_auth_parameters", "p"), ("x_reverse_auth_target", "k")]
    for (url, fields) in [
      ("https://api.x.com/1.1/statuses/update.json", form), ("http://127.0.0.1:9/admin", form),
      ("https://elsewhere.example/oauth/access_token", form), (OAuth1Provider.x.accessTokenURL, [("status", "hello")]),
      (OAuth1Provider.x.accessTokenURL, form + [("status", "hello")]), (OAuth1Provider.x.accessTokenURL, []),
    ] {
      let request = DeviceAccountRequest(url: url, form: fields.map { (name: $0.0, value: $0.1) })
      let error = await failure { () throws(LoginError) in try await account.response(to: request) }
      #expect(error.name == "invalidSetup")
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("A third party verifies the caller without the token")
  func echo() async throws {
    try await Provider.with { provider in
      var credentials = provider.credentials(try await provider.token())
      // The provider checks the URL of its own request.
      credentials = OAuth1(
        consumerKey: "app", consumerSecret: Provider.appSecret, token: try await provider.token(), placement: .query)
      let url = "\(provider.url)/1.1/account/verify_credentials.json?skip_status=true"
      let echo = try await credentials.echo(verifying: url)
      #expect(echo.headers.keys.sorted() == ["X-Auth-Service-Provider", "X-Verify-Credentials-Authorization"])
      let client = Client(auth: credentials)
      let response = try await client.call(
        .post, "\(provider.url)/upload", body: .json(["a": 1]), auth: .none, options: CallOptions(headers: echo.headers)
      )
      #expect(response.value["valid"] == true)
      #expect(response.value["signed_itself"] == false)
    }
  }

  @Test("An echo is signed only for hosts of the credentials, over TLS")
  func echoScope() async throws {
    let credentials = OAuth1(consumerKey: "k", consumerSecret: "s", token: "t", tokenSecret: "ts", hosts: ["api.x.com"])
    #expect(try await credentials.echo().serviceProvider == OAuthEcho.verifyCredentialsOnX)
    for url in ["https://evil.example/verify", "http://api.x.com/verify", "nonsense", "https://user:pw@api.x.com/"] {
      let error = await callFailure { () throws(CallError) in try await credentials.echo(verifying: url) }
      guard case .authorization = error else {
        Issue.record("\(url)")
        continue
      }
    }
  }
}
