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

/// Where credentials are sent and where they are not.
@Suite struct HostScopeTests {
  /// Whether credentials of that scope go to a URL that a caller gives.
  private func reaches(_ url: String, _ scope: AllowedHosts) async -> Bool {
    let credentials: [any Authenticator] = [
      Bearer("b-s3cr3t", hosts: scope), OAuth1(consumerKey: "k", consumerSecret: "c-s3cr3t", hosts: scope),
    ]
    var results: [Bool] = []
    for authenticator in credentials {
      let transport = InMemoryTransport { _ in .json("{}") }
      let api = TestAPI(client: client([authenticator], transport))
      _ = try? await api.call(.get, url)
      results.append(transport.requests.contains { $0.authorization != nil })
      // No request is sent without them either, because it would differ from the requested one.
      #expect(transport.requests.isEmpty || results.last == true)
    }
    #expect(Set(results).count == 1, "\(url)")
    return results.first ?? true
  }

  @Test(
    "The catalogue's hosts get them",
    arguments: [
      "https://api.example/2/me", "https://API.Example/2/me", "https://api.example:443/", "2/me", "/2/me",
      "https://second.example/",
    ])
  func theCataloguesHostsGetThem(url: String) async {
    #expect(await reaches(url, .catalogue))
  }

  @Test(
    "Other hosts get no credentials",
    arguments: [
      "https://api.example:8443/", "https://api.example.:443/", "https://api.example./", "https://evilapi.example/",
      "https://api.example.evil.test/", "https://api.example@evil.test/", "https://evil.test\\@api.example/",
      "https://evil.test#@api.example/", "https://user:pass@api.example/", "https://evil.test/api.example",
      "https://evil.test?api.example", "https://аpi.example/", "https://api.example%2eevil.test/", "https://[::1]/",
      "https://x.api.example/", "https://api.exampl\u{212A}/", "https://api。example/",
      "https://api.example\u{0}.evil.test/",
      "https://api.example\r\n.evil.test/", "//evil.test/", "https:evil.test", "https:/evil.test", "ftp://api.example/",
    ])
  func othersGetNothing(url: String) async {
    // A text that is not an absolute URL is a path of the API's own host, and no part of it can name another host.
    let transport = InMemoryTransport { _ in .json("{}") }
    let api = TestAPI(client: client([Bearer("b-s3cr3t")], transport))
    _ = try? await api.call(.get, url)
    for request in transport.requests {
      #expect(request.head.authority == "api.example" && request.head.scheme == "https", "\(url)")
    }
  }

  @Test("Bearer tokens and signatures stay on HTTPS") func bearerTokensAndSignaturesStayOnHTTPS() async throws {
    #expect(await !reachesWithBearer("http://api.example/2/me", .catalogue))
    #expect(await !reachesWithBearer("http://api.example/2/me", ["api.example"]))
    #expect(await reachesWithBearer("https://api.example/2/me", ["api.example"]))
  }

  private func reachesWithBearer(_ url: String, _ scope: AllowedHosts) async -> Bool {
    let transport = InMemoryTransport { _ in .json("{}") }
    _ = try? await TestAPI(client: client([Bearer("b-s3cr3t", hosts: scope)], transport)).call(.get, url)
    return !transport.requests.isEmpty
  }

  @Test(
    "A pattern covers the hosts it is meant for",
    arguments: [
      ("api.x.com", "https://api.x.com/"), ("API.X.com", "https://api.X.COM/"), ("api.x.com:443", "https://api.x.com/"),
      ("api.x.com", "https://api.x.com:443/"), ("api.x.com:8443", "https://api.x.com:8443/"),
      ("*.x.com", "https://api.x.com/"), ("*.x.com", "https://a.b.x.com/"), ("*.x.com:8443", "https://a.x.com:8443/"),
      ("xn--mnchen-3ya.example", "https://xn--mnchen-3ya.example/"), ("[::1]:8443", "https://[::1]:8443/"),
    ])
  func patternsCover(pattern: String, url: String) async {
    #expect(await reaches(url, [pattern]))
  }

  @Test(
    "A pattern covers no other hosts",
    arguments: [
      ("x.com", "https://evilx.com/"), ("x.com", "https://x.com.evil.test/"), ("x.com", "https://api.x.com/"),
      ("x.com", "https://x.com./"), ("x.com.", "https://x.com/"), ("*.x.com", "https://x.com/"),
      ("*.x.com", "https://evilx.com/"), ("*.x.com", "https://.x.com/"), ("*.x.com", "https://api.x.com.evil.test/"),
      ("*.x.com", "https://api.x.com:8443/"), ("x.com:8443", "https://x.com/"), ("x.com:8443", "https://x.com:84430/"),
      ("x.com", "https://x.com:80/"), ("*", "https://x.com/"), ("*.", "https://x.com./"), ("", "https://x.com/"),
      ("*.*", "https://a.b/"), ("x.*", "https://x.com/"), ("https://x.com", "https://x.com/"),
      ("..x.com", "https://x.com/"),
      ("x.com/path", "https://x.com/"), ("user@x.com", "https://x.com/"), ("x.com?", "https://x.com/"),
      ("münchen.example", "https://xn--mnchen-3ya.example/"),
    ])
  func patternsDoNotCover(pattern: String, url: String) async {
    #expect(await !reaches(url, [pattern]))
  }

  @Test("An empty list allows no host") func noHostsIsNone() async {
    #expect(await !reaches("https://api.example/", []))
  }
}

private struct TestAPI: APIClient {
  let client: Client
  static let baseURLs: [StaticString] = ["https://api.example", "https://second.example"]
}
