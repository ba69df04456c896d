import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import Testing
import XCore

@Suite("Beginning a login") struct SetupTests {
  private func begin(
    _ redirectURI: String = "myapp://login", clientID: String = "client id",
    scopes: [OAuth2Scope] = [.tweetRead, .usersRead],
    parameters: [String: String] = [:], provider: OAuth2Provider = .x, canOpen: (URL) -> Bool = { _ in false }
  ) throws(LoginError) -> OAuth2Authorization {
    try OAuth2(clientID: clientID, store: MemoryTokenStore(), provider: provider)
      .beginLogin(scopes: scopes, redirectURI: redirectURI, parameters: parameters, canOpen: canOpen)
  }

  @Test(
    "The URL has everything that RFC 6749 and RFC 7636 require, and nothing secret",
    arguments: [
      ("response_type", "code"), ("client_id", "client id"), ("redirect_uri", "myapp://login"),
      ("scope", "tweet.read users.read"), ("code_challenge_method", "S256"), ("prompt", "consent & more"),
      ("code_verifier", nil),
    ] as [(String, String?)])
  func authorizeURL(name: String, value: String?) throws {
    let login = try begin(parameters: ["prompt": "consent & more"])
    let parts = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false))
    #expect(parts.value(name) == value)
  }

  @Test("State and challenge are long, and need no escapes")
  func unreserved() throws {
    let login = try begin()
    let parts = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false))
    #expect(login.url.absoluteString.hasPrefix("https://x.com/i/oauth2/authorize?"))
    let isUnreserved = { (text: String) in
      text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    }
    for name in ["state", "code_challenge"] {
      let value = try #require(parts.value(name))
      #expect(value.count == 43 && isUnreserved(value))
    }
    #expect(!login.opensApp)
    #expect(login.redirectURI == "myapp://login")
  }

  @Test("State and verifier are new for each login")
  func freshness() throws {
    var seen: Set<String> = []
    for _ in 0..<200 {
      let parts = try #require(URLComponents(url: begin().url, resolvingAgainstBaseURL: false))
      for name in ["state", "code_challenge"] { #expect(seen.insert(parts.value(name) ?? "").inserted) }
    }
  }

  @Test(
    "A setup that cannot work is refused at once",
    arguments: [
      ("login", "is not absolute"), ("", "is not absolute"), ("myapp://login#part", "has a fragment"),
      ("http://app.test/cb", "is unencrypted"), ("https:/cb", "has no host"), ("1app://login", "is not absolute"),
    ])
  func badRedirectURI(_ uri: String, _ words: String) throws {
    #expect { try begin(uri) } throws: { "\($0)".contains(words) }
  }

  @Test(
    "Parameters that the login sets itself are not repeated from the authorize URL",
    arguments: ["state", "redirect_uri", "client_id", "scope", "code%5Fchallenge"])
  func authorizeURLWithParameters(name: String) throws {
    let provider = OAuth2Provider(
      authorizeURL: "https://x.example/a?lang=en&\(name)=mine", tokenURL: "https://x.example/t", revokeURL: nil)
    let oauth2 = OAuth2(clientID: "c", store: MemoryTokenStore(), provider: provider)
    #expect {
      try oauth2.beginLogin(scopes: ["read"], redirectURI: "app://login")
    } throws: { "\($0)".contains("is set by the login itself; leave it out of the provider's authorize URL") }
  }

  @Test("Other bad setups are refused") func otherBadSetups() throws {
    #expect { try begin(clientID: "") } throws: { "\($0)".contains("identifier is empty") }
    #expect { try begin(scopes: ["a b"]) } throws: { "\($0)".contains("one word") }
    #expect { try begin(parameters: ["state": "x"]) } throws: { "\($0)".contains("state is set by the login") }
    for url in ["authorize", "http://id.test/authorize"] {
      let provider = OAuth2Provider(authorizeURL: url, tokenURL: "https://id.test/token")
      #expect { try begin(provider: provider) } throws: { "\($0)".contains("authorize URL") }
    }
  }

  @Test("X's app opens if it is installed and can call back")
  func appLink() throws {
    var asked: [URL] = []
    let login = try begin { url in
      asked.append(url)
      return true
    }
    #expect(asked.map(\.absoluteString) == ["twitter://"])
    #expect(login.opensApp)
    #expect(login.url.absoluteString.hasPrefix("https://x.com/i/oauth2_start_flow?"))
    let web = try begin { _ in false }
    #expect(!web.opensApp && web.url.path == "/i/oauth2/authorize")
    // A browser shows the same page, whatever the app would have been asked.
    #expect(login.browserURL.path == "/i/oauth2/authorize" && login.browserURL.query == login.url.query)
    #expect(web.browserURL == web.url)
    let names = { (url: URL) in URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.map(\.name) }
    #expect(names(login.url) == names(web.url))
    // An app cannot call a web page or a listener.
    for uri in ["https://app.test/cb", "http://127.0.0.1:8765/cb"] {
      let login = try begin(uri) { _ in true }
      #expect(!login.opensApp)
    }
    let provider = OAuth2Provider(authorizeURL: "https://id.test/a?tenant=1", tokenURL: "https://id.test/t")
    let other = try begin(provider: provider) { _ in true }
    #expect(other.url.absoluteString.hasPrefix("https://id.test/a?tenant=1&response_type=code&"))
  }

  @Test("A sandbox's page is opened in place of the provider's")
  func hostsAreReplaced() throws {
    let login = try OAuth2(clientID: "c", store: MemoryTokenStore()).beginLogin(
      scopes: [], redirectURI: "myapp://login",
      configuration: ClientConfiguration(hosts: .all(to: "http://127.0.0.1:8080")))
    #expect(login.url.absoluteString.hasPrefix("http://127.0.0.1:8080/i/oauth2/authorize?"))
    #expect(!login.url.absoluteString.contains("scope="))
  }

  @Test("Nothing that is secret is printed")
  func secrecy() throws {
    let oauth2 = OAuth2(clientID: "c", clientSecret: "client-secret-1", store: MemoryTokenStore())
    let login = try oauth2.beginLogin(scopes: [.tweetRead], redirectURI: "myapp://login")
    let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
    let app = AppOnly(consumerKey: "k", consumerSecret: "client-secret-1")
    for value in [oauth2, login, app] as [Any] {
      var text = "\(value) \(String(reflecting: value)) \(Mirror(reflecting: value).children.map { "\($0)" })"
      dump(value, to: &text)
      #expect(!text.contains("client-secret-1") && !text.contains(state))
    }
  }
}
