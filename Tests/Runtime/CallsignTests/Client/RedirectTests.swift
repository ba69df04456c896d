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

@Suite struct RedirectTests {
  private let auth = OAuth1(consumerKey: "k", consumerSecret: "s")

  /// Calls a server that redirects `/2/things` and responds to everything else.
  private func call(
    _ method: String = "GET", to location: String?, status: HTTPResponse.Status = .found
  ) async -> (error: CallError?, requests: [TransportRequest]) {
    await failure(Call(endpoint(method, auth: "oauth1")), auth: [auth]) { request in
      guard request.head.path == "/2/things" else { return .json("{}") }
      return .json("{}", status: status, headerFields: location.map { [.location: $0] } ?? [:])
    }
  }

  @Test(
    "Reads follow redirects to the same origin and are signed again",
    arguments: [
      ("https://api.example/2/other?a=b", "/2/other?a=b"), ("/x", "/x"), ("other", "/2/other"),
      ("?a=1", "/2/things?a=1"),
      ("https://API.example:443/y", "/y"), ("//api.example/z#part", "/z"), ("/é", "/%C3%A9"),
    ])
  func readsFollowToTheSameOriginSignedAnew(location: String, path: String) async {
    let (error, requests) = await call(to: location)
    #expect(error == nil)
    #expect(requests.map(\.head.path) == ["/2/things", path])
    #expect(requests.last?.head.authority == "api.example")
    #expect(Set(requests.compactMap(\.authorization)).count == 2)
  }

  @Test("A redirect that is not followed says why, and where it leads") func reasons() async {
    for (method, location, reason) in [
      ("GET", "https://files.example/x?token=s3cr3t", "https://files.example is another origin"),
      ("GET", nil, "its Location is missing"), ("GET", "/2/things", "it was redirected 5 times already"),
      ("POST", "/2/other", "one that may write follows none"),
      ("GET", "https://user:s3cr3t@api.example/x", "a name or password"),
    ] as [(String, String?, String)] {
      let (error, _) = await call(method, to: location)
      let text = String(describing: error)
      #expect(text.contains(reason) && !text.contains("token=s3cr3t"), "\(text)")
    }
  }

  @Test(
    "Other origins get nothing",
    arguments: [
      "https://evil.example/2/things", "http://api.example/2/other", "https://api.example:8443/x", "//evil.example/x",
      "https://user@api.example/x", "javascript:alert(1)", "ftp://api.example/x", "https://api.example.evil.example/",
      "https://api.example/x y", "\\\\evil.example\\x y", "https://api.example./x", "http://api.example:443/x",
      "https://api.example:4430/x", "https://@api.example/x", "https://api.example%00.evil.example/x",
      "https://evilapi.example/x", "https://аpi.example/x", "HTTP://API.EXAMPLE/x", "///evil.example/x",
    ])
  func otherOriginsGetNothing(location: String) async {
    let (error, requests) = await call(to: location)
    #expect(requests.count == 1)
    guard case .unexpectedContent(let content) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(content.kind == .redirect)
    #expect(content.status == .found)
    #expect(content.headers[.location] == location)
  }

  @Test("Writes are not redirected") func writesAreNotRedirected() async {
    for status in [HTTPResponse.Status.found, .temporaryRedirect, .seeOther] {
      let (error, requests) = await call("POST", to: "/other", status: status)
      #expect(requests.count == 1)
      guard case .unexpectedContent = error else {
        Issue.record("not .unexpectedContent")
        return
      }
    }
  }

  @Test("A caller that wants to see redirects gets each, even to the same origin")
  func notFollowing() async {
    let (error, requests) = await failure(Call(endpoint(), CallOptions(followsRedirects: false))) { _ in
      .json("{}", status: .found, headerFields: [.location: "/other"])
    }
    #expect(requests.count == 1)
    guard case .unexpectedContent(let content) = error else {
      Issue.record("not .unexpectedContent")
      return
    }
    #expect(content.kind == .redirect)
    #expect(content.headers[.location] == "/other")
  }

  @Test("Redirects in a circle end with an error") func circlesEnd() async {
    let (error, requests) = await failure(Call(endpoint())) { _ in
      .json("{}", status: .found, headerFields: [.location: "/2/things"])
    }
    #expect(requests.count == 6)
    guard case .unexpectedContent(let content) = error else {
      Issue.record("not .unexpectedContent")
      return
    }
    #expect(content.kind == .redirect)
  }

  @Test("A redirect without target") func aRedirectWithoutTarget() async {
    let (error, _) = await call(to: nil)
    guard case .unexpectedContent = error else {
      Issue.record("not .unexpectedContent")
      return
    }
    let (other, _) = await call(to: nil, status: .notModified)
    guard case .api = other else {
      Issue.record("not .api")
      return
    }
  }

  // The examples of RFC 3986 §5.4, but those of schemes that no call follows.
  @Test(
    "Relative references resolve as RFC 3986 requires",
    arguments: [
      ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"), ("g?y", "/b/c/g?y"),
      ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"),
      ("g;x?y#s", "/b/c/g;x?y"), ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"),
      ("../g", "/b/g"), ("../..", "/"), ("../../", "/"), ("../../g", "/g"), ("../../../g", "/g"),
      ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."), (".g", "/b/c/.g"),
      ("g..", "/b/c/g.."), ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"),
      ("g/../h", "/b/c/h"), ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"), ("g?y/./x", "/b/c/g?y/./x"),
      ("g?y/../x", "/b/c/g?y/../x"), ("g#s/../x", "/b/c/g"), ("http://a/b/../c", "/c"), ("//a/./x/..", "/"),
    ])
  func relativeReferences(reference: String, target: String) throws {
    let base = try #require(AbsoluteURL("http://a/b/c/d;p?q"))
    #expect(base.resolving(reference)?.text == "http://a" + target)
  }

  @Test("A base without a path counts as the root", arguments: [("g", "/g"), ("../g", "/g"), ("?y", "/?y")])
  func emptyBasePath(reference: String, target: String) throws {
    let base = try #require(AbsoluteURL("http://a"))
    #expect(base.resolving(reference)?.text == "http://a" + target)
  }

  // The host of the first would keep `a:80`, and the URL would be written without the port that is the scheme's own.
  @Test(
    "A host has no colon or bracket but an IPv6 address's",
    arguments: [
      "https://a:80:443/", "https://a:b:", "https://a::", "https://:a80:", "https://a]b/", "https://a[b/",
      "https://[::1]x/", "https://[::1/", "https://[::1]]/", "https://[[::1]/", "https://[/", "https://a:+80/",
      "https://a:65536/",
    ])
  func hostsWithColons(reference: String) throws {
    let base = try #require(AbsoluteURL("https://a/b"))
    #expect(base.resolving(reference) == nil)
  }

  @Test(
    "A port may be empty, and an address has its colons",
    arguments: [
      ("https://a:/", "https://a/"), ("https://[::1]/", "https://[::1]/"), ("//[::1]:", "https://[::1]/"),
      ("https://[::1]:8080/", "https://[::1]:8080/"), ("https://[::1]:443/", "https://[::1]/"),
    ])
  func emptyPorts(reference: String, text: String) throws {
    let base = try #require(AbsoluteURL("https://a/b"))
    #expect(base.resolving(reference)?.text == text)
    #expect(AbsoluteURL(text)?.text == text)
  }
}
