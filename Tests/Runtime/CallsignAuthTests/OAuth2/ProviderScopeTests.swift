import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

/// A provider's tokens are sent only to the provider's hosts, even if another API shares the client.
@Suite struct ProviderScopeTests {
  /// Another company's API, whose catalogue names its own host.
  private struct OtherAPI: APIClient {
    let client: Client
    static let baseURLs: [StaticString] = ["https://api.other.example"]
  }

  /// Logged in at X.
  private static func authenticators() -> [any Authenticator] {
    let oauth1 = StoredToken(kind: .oauth1, accessToken: "t", tokenSecret: "ts", clientID: "k")
    let oauth2 = StoredToken(kind: .oauth2, accessToken: "access", clientID: "c")
    let app = StoredToken(kind: .bearer, accessToken: "app", clientID: "k")
    return [
      OAuth1App(.x, key: "k", secret: "cs").account(store: store(.oauth1, "k", oauth1)),
      OAuth2(clientID: "c", store: store(.oauth2, "c", oauth2)),
      AppOnly(
        consumerKey: "k", consumerSecret: "cs",
        store: store(.bearer, "k", app)),
    ]
  }

  private static func store(_ kind: StoredToken.Kind, _ client: String, _ token: StoredToken) -> MemoryTokenStore {
    MemoryTokenStore([TokenKey(service: "api.x.com", scheme: kind, clientID: client): token])
  }

  @Test("X's tokens go to every host of X's, and to no other API's", arguments: 0..<3)
  func hosts(index: Int) async throws {
    let transport = InMemoryTransport { _ in .json("{}") }
    let api = OtherAPI(
      client: Client(
        auth: [Self.authenticators()[index]], configuration: ClientConfiguration(transport: transport, retry: .never)))
    for url in ["messages", "https://api.other.example/messages", "https://x.com.other.example/"] {
      do throws(CallError) {
        _ = try await api.call(.get, url)
        Issue.record("\(url) was called")
      } catch {
        guard case .authorization(let refusal) = error, case .outOfScope = refusal.reason else {
          Issue.record("\(error)")
          continue
        }
      }
    }
    #expect(transport.requests.isEmpty)
    for host in ["api.x.com", "api.twitter.com", "upload.twitter.com", "userstream.twitter.com"] {
      _ = try await api.call(.get, "https://\(host)/1.1/x.json")
      #expect(transport.requests.last?.authorization != nil, "\(host)")
    }
  }

  @Test(
    "Other providers' tokens go where the catalogue says, or where the provider does; the caller's word counts more")
  func defaults() {
    let store = MemoryTokenStore()
    let other = OAuth2Provider(authorizeURL: "https://id.example/a", tokenURL: "https://id.example/t")
    var named = other
    named.hosts = ["api.example"]
    #expect(OAuth2(clientID: "c", store: store).hosts == .x)
    #expect(OAuth2(clientID: "c", store: store, provider: other).hosts == .catalogue)
    #expect(OAuth2(clientID: "c", store: store, provider: named).hosts == ["api.example"])
    #expect(OAuth2(clientID: "c", store: store, provider: named).account("bob").hosts == ["api.example"])
    #expect(OAuth2(clientID: "c", store: store, hosts: ["a.example"]).hosts == ["a.example"])
    let place = AppOnly.Provider(tokenURL: "https://id.example/t")
    #expect(AppOnly(consumerKey: "k", consumerSecret: "s").hosts == .x)
    #expect(AppOnly(consumerKey: "k", consumerSecret: "s", provider: place).hosts == .catalogue)
    #expect(AppOnly(consumerKey: "k", consumerSecret: "s", hosts: .catalogue).hosts == .catalogue)
    let plain = OAuth1Provider(
      requestTokenURL: "https://id.example/r", authorizeURL: "https://id.example/a",
      accessTokenURL: "https://id.example/t")
    let photos = OAuth1Provider(
      requestTokenURL: "https://id.example/r", authorizeURL: "https://id.example/a",
      accessTokenURL: "https://id.example/t", hosts: ["*.photos.example"])
    for (provider, scope) in [
      (OAuth1Provider.x, AllowedHosts.x), (photos, AllowedHosts(["*.photos.example"])), (plain, .catalogue),
    ] {
      #expect(OAuth1App(provider, key: "k", secret: "s").account(store: store).hosts == scope)
    }
  }
}
