import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Callsign
@testable import CallsignAuth
@testable import CallsignHTTP

@Suite("Digest: the RFCs' own examples") struct DigestVectorTests {
  /// The `Authorization` field in response to a challenge, with the client's nonce given.
  private func respond(
    _ challenge: String, user: String = "Mufasa", password: Secret, cnonce: String, url: String,
    method: HTTPRequest.Method = .get
  ) async throws -> [String: String] {
    let digest = HTTPDigest(
      username: user, password: password, realm: nil, coversBody: false, hosts: ["www.example.org"],
      makeNonce: { () throws(CryptographyError) in cnonce })
    let transport = InMemoryTransport { request in
      request.head.headerFields[.authorization] == nil
        ? .json("{}", status: .unauthorized, headerFields: [.wwwAuthenticate: challenge]) : .json("{}")
    }
    let client = Client(auth: digest, configuration: ClientConfiguration(transport: transport))
    _ = try await client.call(method, url)
    let field = try #require(transport.requests.last?.head.headerFields[.authorization])
    #expect(transport.requests.count == 2)
    return try #require(HTTPChallengeParser.read(field).first).parameters
  }

  @Test("RFC 7616 §3.9.1", arguments: ["MD5", "SHA-256"])
  func sha256AndMD5(algorithm: String) async throws {
    let challenge = """
      Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
      nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
      """
    let response = try await respond(
      challenge, password: "Circle of Life", cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
      url: "http://www.example.org/dir/index.html")
    #expect(
      response == [
        "username": "Mufasa", "realm": "http-auth@example.org", "uri": "/dir/index.html", "algorithm": algorithm,
        "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "nc": "00000001",
        "cnonce": "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", "qop": "auth",
        "response": algorithm == "MD5"
          ? "8ca523f5e9506fed4657c9700eebdbec" : "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
        "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
      ])
  }

  @Test("Both challenges of RFC 7616 §3.9.1 in one field, the better one last")
  func theBestAlgorithm() async throws {
    let rest = #"realm="http-auth@example.org", qop="auth", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v""#
    let response = try await respond(
      "Digest \(rest), algorithm=MD5, Digest \(rest), algorithm=SHA-256, Digest \(rest), algorithm=SHA-512-256",
      password: "Circle of Life", cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
      url: "http://www.example.org/dir/index.html")
    #expect(response["response"] == "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1")
  }

  @Test("RFC 2617 §3.5, with qop and without")
  func olderForms() async throws {
    let challenge = #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#
    let url = "http://www.example.org/dir/index.html"
    let modern = try await respond(
      challenge + #", qop="auth,auth-int""#, password: "Circle Of Life", cnonce: "0a4f113b", url: url)
    #expect(modern["response"] == "6629fae49393a05397450978507c4ef1")
    #expect(modern["algorithm"] == nil)
    let old = try await respond(challenge, password: "Circle Of Life", cnonce: "0a4f113b", url: url)
    #expect(old["response"] == "670fd8c2df070c60b045671b8b24ff02")
    #expect(old["nc"] == nil && old["qop"] == nil && old["cnonce"] == nil)
  }

  @Test("Challenges that cannot be answered") func whatGetsNoResponse() {
    func challenge(_ text: String) -> DigestChallenge? { DigestChallenge.best(of: HTTPChallengeParser.read(text)) }
    #expect(challenge("Digest realm=a, nonce=b") != nil)
    #expect(challenge("Digest realm=a") == nil)
    #expect(challenge("Digest nonce=b") == nil)
    #expect(challenge("Digest realm=a, nonce=b, algorithm=SHA-512-256") == nil)
    #expect(challenge("Digest realm=a, nonce=b, qop=auth-conf") == nil)
    #expect(challenge("Basic realm=a, nonce=b") == nil)
  }

  @Test("A quoted string ends at the right place, whatever follows its quotes")
  func quotedStrings() throws {
    for text in ["", "plain", #"a"b\c"#, "a\"\u{301}, uri=\"/other", "\\\u{FE0F}", "é"] {
      let quoted = try #require(text.httpQuoted)
      var fields = HTTPFields()
      fields.append(HTTPField(name: .wwwAuthenticate, value: "Digest realm=\(quoted), nonce=n"))
      let read = HTTPChallenge.all(in: fields)
      #expect(read == [HTTPChallenge(scheme: "digest", parameters: ["realm": text, "nonce": "n"])])
    }
    #expect("a\r\nb".httpQuoted == nil)
  }
}
