import Foundation
import TestSupport
import Testing

@testable import XSandbox

@Suite("Signatures against published examples")
struct SignatureVectorTests {
  @Test(
    "HMAC-SHA1 matches RFC 2202",
    arguments: [
      ("Jefe", "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
      (String(repeating: "k", count: 0), "", "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"),
    ])
  func authenticationCode(key: String, message: String, hex: String) {
    let code = HMACCode.sha1(of: Array(message.utf8), key: Array(key.utf8))
    #expect(code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == hex)
  }

  @Test("The base string matches RFC 5849 §3.4.1")
  func baseStringOfRFC5849() {
    let request = IncomingRequest(
      method: "POST", path: "/request", query: "b5=%3D%253D&a3=a&c%40=&a2=r%20b",
      headers: [
        .init(name: "Host", value: "EXAMPLE.COM:80"),
        .init(name: "Content-Type", value: "application/x-www-form-urlencoded"),
      ], body: Data("c2&a3=2+q".utf8))
    let parameters = [
      ("oauth_consumer_key", "9djdj82h48djs9d2"), ("oauth_token", "kkk9d7dh3k39sjv7"),
      ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "137131201"), ("oauth_nonce", "7d8f3e4a"),
      ("oauth_signature", "bYT5CMsGcbgUdFHObYMEfcx6bsw="),
    ].map { RequestParameter($0.0, $0.1) }
    let text = SignatureBaseString(request: request, scheme: "http", protocolParameters: parameters).text
    #expect(
      text == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%25"
        + "40%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_m"
        + "ethod%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7")
    // The signature of erratum 2550: the one that the RFC prints is wrong.
    #expect(
      Signature.compute(baseString: text, consumerSecret: "j49sk3j29djd", tokenSecret: "dh893hdasih9")
        == "r6/TJjbCOr97/+UU0NsvSne7s5g=")
  }

  @Test("The signature of a photo request matches RFC 5849 §1.2")
  func signatureOfRFC5849() {
    let request = IncomingRequest(
      method: "GET", path: "/photos", query: "file=vacation.jpg&size=original",
      headers: [.init(name: "Host", value: "photos.example.net")], body: Data())
    let parameters = [
      ("oauth_consumer_key", "dpf43f3p2l4k3l03"), ("oauth_token", "nnch734d00sl2jdk"),
      ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "137131202"), ("oauth_nonce", "chapoH"),
    ].map { RequestParameter($0.0, $0.1) }
    let text = SignatureBaseString(request: request, scheme: "http", protocolParameters: parameters).text
    #expect(
      Signature.compute(baseString: text, consumerSecret: "kd94hf93k423kf44", tokenSecret: "pfkkdhi9sl3r4s00")
        == "MdpQcU8iPSUjWoN/UDMsK2sui9I=")
  }

  /// Lines of a corpus that HMAC-SHA1 applies to and that get the same result from the libraries that made them.
  private static let corpus: [JSON] =
    ["oauth1/rfc-vectors.jsonl", "oauth1/vectors.jsonl"].flatMap { (try? Corpora.lines($0)) ?? [] }
    .compactMap { try? JSON(parsing: Data($0.utf8)) }
    .filter { $0["signature_method"]?.string == "HMAC-SHA1" && $0["ambiguous"] == nil && $0["url"] != nil }

  @Test(
    "Signatures match the corpora's HMAC-SHA1 vectors",
    .needs(.corpus("oauth1/rfc-vectors.jsonl"), .corpus("oauth1/vectors.jsonl")))
  func corpora() throws {
    var compared = 0
    for vector in Self.corpus {
      let text = try #require(Self.baseString(of: vector))
      let expected = try #require(vector["base_string"]?.string)
      #expect(text == expected, "\(vector["id"] ?? vector["name"] ?? .null)")
      #expect(
        Signature.compute(
          baseString: text, consumerSecret: vector["consumer_secret"]?.string ?? "",
          tokenSecret: vector["token_secret"]?.string ?? "") == vector["signature"]?.string)
      compared += 1
    }
    #expect(compared > 100)
  }

  /// The base string of the request that a vector describes, split as a server sees it.
  private static func baseString(of vector: JSON) -> String? {
    guard let url = vector["url"]?.string, let schemeEnd = url.range(of: "://") else { return nil }
    let afterScheme = url[schemeEnd.upperBound...]
    let authority = afterScheme.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let target = afterScheme.dropFirst(authority.count).prefix { $0 != "#" }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var form: [String] = []
    if case .array(let pairs) = vector["form"] {
      for case .array(let pair) in pairs {
        form.append(pair.compactMap(\.string).map { PercentEncoding.encode($0) }.joined(separator: "="))
      }
    }
    var parameters: [RequestParameter] = []
    for name in ["consumer_key", "token", "nonce", "timestamp", "signature_method"] {
      if let value = vector[name]?.string { parameters.append(RequestParameter("oauth_" + name, value)) }
    }
    if let version = vector["oauth_version"]?.string { parameters.append(RequestParameter("oauth_version", version)) }
    if case .array(let pairs) = vector["extra_oauth_params"] {
      for case .array(let pair) in pairs {
        parameters.append(RequestParameter(pair.first?.string ?? "", pair.last?.string ?? ""))
      }
    }
    let request = IncomingRequest(
      method: vector["method"]?.string ?? "", path: parts.first ?? "", query: parts.count > 1 ? parts[1] : "",
      headers: [
        .init(name: "Host", value: String(authority)),
        .init(name: "Content-Type", value: "application/x-www-form-urlencoded"),
      ], body: Data(form.joined(separator: "&").utf8))
    return SignatureBaseString(
      request: request, scheme: String(url[..<schemeEnd.lowerBound]).lowercased(), protocolParameters: parameters
    ).text
  }
}
