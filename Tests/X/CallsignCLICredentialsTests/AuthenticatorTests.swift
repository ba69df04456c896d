import Callsign
import CallsignAuth
import CallsignCLICredentials
import Foundation
import TestSupport
import Testing

/// The header fields that the accounts put on requests.
@Suite("Authenticators of accounts") struct AuthenticatorTests {
  private let xurl: CLIAccounts
  private let twurl: CLIAccounts
  /// Before the access token of the fixture expires.
  private let early = Date(timeIntervalSince1970: 1_795_255_199)
  private let late = Date(timeIntervalSince1970: 1_795_255_200)

  init() async throws {
    let folder = try AccountFolder()
    try folder.write(Fixture.xurl, to: ".xurl")
    try folder.write(Fixture.twurl, to: ".twurlrc")
    xurl = try await CLIAccounts.read([folder.xurl])
    twurl = try await CLIAccounts.read([folder.twurl])
  }

  /// The `Authorization` field of a call that accepts these kinds, or its error.
  private func authorization(
    _ auth: String, _ authenticators: [any Authenticator], at now: Date,
    base: String = "https://api.x.com"
  ) async -> Result<String, CallError> {
    let transport = InMemoryTransport { _ in .json("{}") }
    let configuration = ClientConfiguration(transport: transport, time: TestTime(.skips, at: now))
    let client = Client(auth: authenticators, configuration: configuration)
    let call = Call(Endpoint("test", "GET", base, "/2/users/me", auth: auth, repeatable: true, body: .none))
    do throws(CallError) {
      let _: Response<JSONValue> = try await client.send(call)
    } catch { return .failure(error) }
    return .success(transport.requests.first?.head.headerFields[.authorization] ?? "")
  }

  @Test("Each kind is used if it is accepted") func eachKindIsUsedWhereItIsAccepted() async throws {
    let ann = try xurl.account(named: "ann").authenticators(at: early)
    #expect(try await authorization("oauth2(tweet.read)", ann, at: early).get() == "Bearer ann-access-s3cr3t")
    #expect(try await authorization("bearer", ann, at: early).get() == "Bearer AAAA%2Bbearer-s3cr3t")
    let nameless = try #require(xurl.first { $0.userID == "12345" }).authenticators(at: early)
    #expect(try await authorization("oauth1", nameless, at: early).get().contains(#"oauth_token="12345-oauth1""#))
    let other = try twurl.account(named: "ann").authenticators()
    #expect(try await authorization("oauth1 | bearer", other, at: early).get().contains(#"oauth_token="12345-twurl""#))
  }

  @Test("Expiry is honoured") func expiryIsHonoured() async throws {
    let ann = try xurl.account(named: "ann")
    let error = #expect(throws: CLIAccountError.self) { try ann.authenticators(at: late) }
    #expect(error?.reason == .expired)
    #expect(error?.advice.contains("`xurl token --app my-app -u ann`") == true)
    // It may also expire while the client is in use.
    let authenticators = try ann.authenticators(at: early)
    guard case .failure(.authorization(let refusal)) = await authorization("oauth2(a)", authenticators, at: late) else {
      Issue.record("an expired token was sent")
      return
    }
    #expect(refusal.advice.contains("`xurl token --app my-app -u ann`"))
    // One without a date is used until the server refuses it.
    let bob = try xurl.account(named: "bob").authenticators(at: .distantFuture)
    #expect(try await authorization("oauth2(a)", bob, at: .distantFuture).get() == "Bearer bob-access-s3cr3t")
  }

  @Test("Incomplete credentials say what is missing") func incompleteCredentialsSayWhatIsMissing() throws {
    let bob = try twurl.account(named: "bob", app: "consumer-two")
    let error = #expect(throws: CLIAccountError.self) { try bob.authenticators() }
    #expect(error?.reason == .incomplete)
    #expect(error?.advice.contains("`consumer_secret`, `token`, `secret`") == true)
    #expect(error?.advice.contains("twurl authorize") == true)
  }

  @Test("Credentials are sent only to X") func credentialsGoToXAlone() async throws {
    for account in [try xurl.account(named: "bob"), try twurl.account(named: "ann")] {
      let authenticators = try account.authenticators(at: early)
      let result = await authorization(
        "oauth1 | oauth2(a) | bearer", authenticators, at: early, base: "https://api.example")
      guard case .failure(.authorization) = result else {
        Issue.record("credentials of X went to another host")
        return
      }
    }
  }
}
