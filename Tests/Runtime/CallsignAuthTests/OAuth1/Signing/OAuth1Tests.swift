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

@Suite struct OAuth1Tests {
  private func credentials(hosts: AllowedHosts = .catalogue) -> OAuth1 {
    var credentials = OAuth1(
      consumerKey: "xvz1evFS4wEEPTGEFPHBog", consumerSecret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
      token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
      tokenSecret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE", hosts: hosts)
    credentials.makeNonce = { "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg" }
    return credentials
  }

  private func parameter(_ name: String, of request: TransportRequest) throws -> String {
    let field = try #require(request.authorization)
    let start = try #require(field.range(of: "\(name)=\""))
    return try #require(field[start.upperBound...].prefix { $0 != "\"" }.description.removingPercentEncoding)
  }

  /// The example of X's page "Creating a signature".
  @Test("A whole call is signed as documented") func aWholeCallIsSignedAsDocumented() async throws {
    var call = Call(
      endpoint("POST", "/1.1/statuses/update.json", base: "https://api.x.com", auth: "oauth1", body: .form))
    call.add("include_entities", true, in: .query)
    call.add("status", "Hello Ladies + Gentlemen, a signed OAuth request!", in: .form)
    let request = try await sent(call, auth: [credentials()]) {
      $0.time = TestTime(.skips, at: Date(timeIntervalSince1970: 1_318_622_958))
    }
    #expect(try parameter("oauth_signature", of: request) == "Ls93hJiZbQ3akF3HF3x1Bz8/zU4=")
    #expect(request.authorization?.hasPrefix("OAuth ") == true)
  }

  @Test("Bodies other than forms are not signed") func bodiesOtherThanFormsAreNotSigned() async throws {
    func signature(_ kind: Endpoint.Body, _ build: (inout Call) -> Void) async throws -> String {
      var call = Call(endpoint("POST", auth: "oauth1", body: kind))
      build(&call)
      return try parameter(
        "oauth_signature",
        of: try await sent(call, auth: [credentials()]) {
          $0.time = TestTime(.skips, at: Date(timeIntervalSince1970: 1_318_622_958))
        })
    }
    let bare = try await signature(.none) { _ in }
    #expect(try await signature(.json) { $0.json("text", "a") } == bare)
    #expect(try await signature(.multipart) { $0.add("text", "a", in: .part) } == bare)
    #expect(try await signature(.form) { $0.add("text", "a", in: .form) } != bare)
  }

  @Test("Every attempt has its own nonce") func everyAttemptHasItsOwnNonce() async throws {
    let auth = OAuth1(consumerKey: "k", consumerSecret: "s")
    var nonces: Set<String> = []
    for _ in 0..<50 {
      let request = try await sent(Call(endpoint(auth: "oauth1")), auth: [auth])
      let nonce = try parameter("oauth_nonce", of: request)
      #expect(nonce.count == 32)
      nonces.insert(nonce)
      let timestamp = try #require(Int(try parameter("oauth_timestamp", of: request)))
      #expect(abs(Date().timeIntervalSince1970 - Double(timestamp)) < 600)
    }
    #expect(nonces.count == 50)
  }

  @Test("Realm is quoted and not signed") func realmIsQuotedAndNotSigned() throws {
    func sign(_ realm: String?) throws -> OAuth1Signature {
      try OAuth1Signer(consumerKey: "k", consumerSecret: "s", realm: realm).sign(
        method: "GET", url: "https://api.example/", nonce: "n", timestamp: "1")
    }
    #expect(try sign(#"a "b" \c"#).authorization.hasPrefix(#"OAuth realm="a \"b\" \\c", oauth_consumer_key="k", "#))
    #expect(try sign("x").signature == sign(nil).signature)
    #expect(throws: OAuth1SigningError.realm) { try sign("a\r\nb") }
  }

  @Test("Parameters are sorted by all bytes of their names, then by their values") func sorting() throws {
    let signature = try OAuth1Signer(consumerKey: "k", consumerSecret: "s").sign(
      method: "get",
      url: "https://api.example/?abcdefghi=1&abcdefgh=2&abcdefgh=10&b&a=%c3%a9&a=%C3%A9+x&oauth_timf=3&%61=%7E",
      form: [("abcdefgh", "1"), ("a b", "&=")], nonce: "n", timestamp: "1")
    let parameters = try #require(signature.baseString.split(separator: "&").last?.description.removingPercentEncoding)
    #expect(
      parameters
        == "a=%C3%A9&a=%C3%A9%20x&a=~&a%20b=%26%3D&abcdefgh=1&abcdefgh=10&abcdefgh=2&abcdefghi=1&b=&oauth_consumer_key=k"
        + "&oauth_nonce=n&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1&oauth_timf=3&oauth_version=1.0")
    #expect(
      signature.baseString.hasPrefix("GET&https%3A%2F%2Fapi.example%2F&a%3D%25C3%25A9%26a%3D%25C3%25A9%2520x%26a%3D~"))
  }

  @Test("Unencoded reserved characters in a query are signed as if they were encoded") func reserved()
    throws
  {
    let signer = OAuth1Signer(consumerKey: "k", consumerSecret: "s", version: nil)
    func base(_ query: String) throws -> String {
      try signer.sign(method: "GET", url: "https://api.example/?\(query)", nonce: "n", timestamp: "1").baseString
    }
    #expect(
      try base("a=:/?[]@!$'()*,;=%26%23%2B%252F&b=/,/")
        == base("a=%3A%2F%3F%5B%5D%40%21%24%27%28%29%2A%2C%3B%3D%26%23%2B%252F&b=%2F%2C%2F"))
  }

  @Test("Texts of every length are encoded, wherever a reserved character stands") func everyLength() throws {
    func encoded(_ text: String) -> String {
      text.utf8.map { byte in
        let character = Character(Unicode.Scalar(byte))
        let stays = byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
        return stays ? String(character) : String(format: "%%%02X", byte)
      }.joined()
    }
    let signer = OAuth1Signer(consumerKey: "k", consumerSecret: "s", version: nil)
    for length in 0...40 {
      for place in 0...length {
        for mark in ["/", "é", "~", "%"] {
          let text = String(repeating: "a", count: place) + mark + String(repeating: "Z", count: length - place)
          let pairs = "oauth_consumer_key=k&oauth_nonce=n&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1"
          let expected = encoded("a=\(encoded(text))&\(pairs)&p\(encoded(text))=\(encoded(text))")
          let url = "https://api.example/x\(encoded(text))?p\(encoded(text))=\(encoded(text))"
          let signed = try signer.sign(method: "GET", url: url, form: [("a", text)], nonce: "n", timestamp: "1")
          let target = encoded("https://api.example/x\(encoded(text))")
          try #require(signed.baseString == "GET&\(target)&\(expected)")
        }
      }
    }
  }

  @Test("A list's commas are signed the same whether encoded or not, and sorted by the signed form") func commas()
    throws
  {
    let signer = OAuth1Signer(consumerKey: "k", consumerSecret: "s", version: nil)
    func base(_ query: [String]) throws -> String {
      let url = "https://api.example/?" + query.joined(separator: "&")
      return try signer.sign(method: "GET", url: url, nonce: "n", timestamp: "1").baseString
    }
    let known = try base(["ids=1,2", "ids=1%2C1", "i,=%2F,", "ids=1%20", "ids=1-", ",=,,"])
    let parameters = try #require(known.split(separator: "&").last?.description.removingPercentEncoding)
    #expect(parameters.hasPrefix("%2C=%2C%2C&i%2C=%2F%2C&ids=1%20&ids=1%2C1&ids=1%2C2&ids=1-&oauth_"))

    var random = SeededGenerator(seed: 20)
    for _ in 0..<2_000 {
      var (plain, encoded): ([String], [String]) = ([], [])
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let value = (0..<Int.random(in: 0...12, using: &random)).map { _ in
          [",", ",", "%2B", "%2C", "%2D0", "-", "a", "~"].randomElement(using: &random) ?? ""
        }
        let name = ["a", "b", "a,"].randomElement(using: &random) ?? ""
        plain.append("\(name)=\(value.joined())")
        encoded.append("\(name)=\(value.joined())".replacingOccurrences(of: ",", with: "%2C"))
      }
      try #require(try base(plain) == base(encoded), "\(plain)")
    }
  }

  @Test("Scheme, host and port are signed in their normal form") func originIsNormalized() throws {
    func origin(_ url: String) throws -> String? {
      let signed = try OAuth1Signer(consumerKey: "k", consumerSecret: "s").sign(
        method: "GET", url: url, nonce: "n", timestamp: "1")
      return signed.baseString.split(separator: "&")[1].removingPercentEncoding
    }
    #expect(try origin("HTTPS://Api.EXAMPLE:443/A?b=c#d") == "https://api.example/A")
    #expect(try origin("http://api.example:8080") == "http://api.example:8080/")
    #expect(try origin("http://user:word@[::1]:80/a/b?c") == "http://[::1]/a/b")
    #expect(try origin("http://api.example?a=/b") == "http://api.example/")
  }

  @Test("A method grows in capitals without harm") func longMethod() throws {
    let method = String(repeating: "ŉ", count: 3_000)
    let signature = try OAuth1Signer(consumerKey: "k", consumerSecret: "s").sign(
      method: method, url: "https://h", nonce: "n", timestamp: "1")
    #expect(signature.baseString.prefix { $0 != "&" }.description.removingPercentEncoding == method.uppercased())
  }

  @Test("A header that is made at once has its own nonce and time") func headerMadeAtOnce() throws {
    let signer = OAuth1Signer(consumerKey: "k", consumerSecret: "s", token: "t", tokenSecret: "u", realm: "r")
    func value(_ name: String, of header: String) throws -> String {
      let start = try #require(header.range(of: "\(name)=\""))
      return try #require(header[start.upperBound...].prefix { $0 != "\"" }.description.removingPercentEncoding)
    }
    var nonces: Set<String> = []
    for _ in 0..<300 {
      let header = try signer.authorization(
        method: "GET", url: "https://api.example/a?b=c", extra: [("oauth_x", "y z")])
      let nonce = try value("oauth_nonce", of: header)
      #expect(nonce.count == 32 && nonce.allSatisfy(\.isHexDigit))
      nonces.insert(nonce)
      let timestamp = try value("oauth_timestamp", of: header)
      #expect(abs(Date().timeIntervalSince1970 - (Double(timestamp) ?? 0)) < 600)
      let again = try signer.sign(
        method: "GET", url: "https://api.example/a?b=c", extra: [("oauth_x", "y z")], nonce: nonce, timestamp: timestamp
      )
      #expect(again.authorization == header)
    }
    #expect(nonces.count == 300)
  }

  @Test("Plaintext never travels unencrypted") func plaintextNeverTravelsUnencrypted() async throws {
    let auth = OAuth1(consumerKey: "k", consumerSecret: "the secret", signatureMethod: .plaintext)
    let (error, requests) = await failure(Call(endpoint(base: "http://api.example", auth: "oauth1")), auth: [auth])
    #expect(requests.isEmpty)
    guard case .authorization(let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problem.reason == .insecure(host: "api.example"))
    let loopback = try await sent(Call(endpoint(base: "http://127.0.0.1:8080", auth: "oauth1")), auth: [auth])
    #expect(try parameter("oauth_signature", of: loopback) == "the%20secret&")
  }

  @Test("URLs that cannot be signed", arguments: ["", "not absolute", "https://", "https://h:99999/", "://host/"])
  func urlsThatCannotBeSigned(url: String) {
    #expect(throws: OAuth1SigningError.url) {
      try OAuth1Signer(consumerKey: "k", consumerSecret: "s").sign(
        method: "GET", url: url, nonce: "n", timestamp: "1")
    }
  }

  @Test("An unreadable RSA key is refused") func anUnreadableRSAKeyIsRefused() {
    for text in ["", "-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----\n", "key"] {
      #expect(throws: CryptographyError.self) { try RSAPrivateKey(pem: Secret(text)) }
    }
  }
}
