import Callsign
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite struct TokenSourceTests {
  /// Hands out the tokens of a list, one after the other was refused.
  private actor Vault {
    private var tokens: [AccessToken]
    private(set) var asked = 0

    init(_ tokens: [AccessToken]) { self.tokens = tokens }

    func current() -> AccessToken? {
      asked += 1
      return tokens.first
    }

    func next(after refused: Secret) -> AccessToken? {
      if tokens.count > 1, tokens.first?.value == refused { tokens.removeFirst() }
      return tokens.first.flatMap { $0.value == refused ? nil : $0 }
    }
  }

  private struct VaultSource: TokenSource {
    let vault: Vault

    func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken {
      guard let token = await vault.current() else {
        throw .authorization(AuthorizationError(.unavailable, advice: "the vault is empty; fill it"))
      }
      return token
    }

    func token(after refused: Secret, _ context: AuthenticationContext) async throws(CallError) -> AccessToken? {
      await vault.next(after: refused)
    }
  }

  private func api(accepting good: String) -> InMemoryTransport {
    InMemoryTransport { request in
      let isGood = request.head.headerFields[.authorization] == "Bearer \(good)"
      return .json("{}", status: isGood ? .ok : .unauthorized)
    }
  }

  private func call(_ auth: Bearer, _ transport: InMemoryTransport, url: String = "https://api.example/me") async
    -> CallError?
  {
    let client = Client(auth: auth, configuration: ClientConfiguration(transport: transport, retry: .never))
    do throws(CallError) {
      _ = try await client.call(.get, url, auth: .accepting("bearer(photos.read)"))
      return nil
    } catch { return error }
  }

  private func bearer(_ source: some TokenSource) -> Bearer {
    Bearer(source, hosts: ["api.example"], identity: CredentialIdentity("bearer", account: "vault"))
  }

  @Test("A source's token is carried, and the one after it when it is refused")
  func renewed() async {
    let vault = Vault([AccessToken("old"), AccessToken("new")])
    let transport = api(accepting: "new")
    #expect(await call(bearer(VaultSource(vault: vault)), transport) == nil)
    #expect(transport.requests.map { $0.head.headerFields[.authorization] } == ["Bearer old", "Bearer new"])
  }

  @Test("Without another token, the refusal stands after one request")
  func noOther() async {
    let transport = api(accepting: "other")
    let error = await call(bearer(VaultSource(vault: Vault([AccessToken("only")]))), transport)
    guard case .authorization(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.reason == .refused)
    #expect(transport.requests.count == 1)
  }

  @Test("Tokens that lack a scope, are not tokens, or cannot be had from the source are not sent")
  func notSent() async {
    let transport = api(accepting: "any")
    let cases: [([AccessToken], String)] = [
      ([AccessToken("t", scopes: ["photos.write"])], "photos.read"), ([AccessToken("two words")], "copy it again"),
      ([AccessToken("")], "copy it again"), ([], "fill it"),
    ]
    for (tokens, words) in cases {
      let error = await call(bearer(VaultSource(vault: Vault(tokens))), transport)
      #expect(error.map { "\($0)" }?.contains(words) == true, "\(String(describing: error))")
    }
    let vault = Vault([AccessToken("t")])
    #expect(await call(bearer(VaultSource(vault: vault)), transport, url: "http://api.example/me") != nil)
    #expect(await vault.asked == 0, "a request that must not carry it asks for no token")
    #expect(transport.requests.isEmpty)
  }
}
