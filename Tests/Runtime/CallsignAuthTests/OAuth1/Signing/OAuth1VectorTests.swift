import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

/// Signatures by other implementations, and those printed in the documents.
@Suite struct OAuth1VectorTests {
  private static let random = "oauth1/vectors.jsonl"
  private static let documents = "oauth1/rfc-vectors.jsonl"

  @Test("Random requests are signed as other libraries sign them", .needs(.corpus(random)))
  func randomRequests() throws {
    let vectors = try Corpora.objects(Self.random).filter { $0["ambiguous"] == nil }
    #expect(vectors.count > 800)
    for vector in vectors { try check(vector, name: "vector \(vector["id"] ?? "?")") }
  }

  @Test("The documents' examples are signed as they are printed", .needs(.corpus(documents)))
  func documentExamples() throws {
    var seen: Set<String> = []
    for vector in try Corpora.objects(Self.documents) {
      let kind = try #require(vector["kind"] as? String)
      let name = vector["name"] as? String ?? kind
      seen.insert(kind)
      switch kind {
      case "oauth1-signature": try check(vector, name: name)
      case "oauth1-base-string-uri": try checkURI(vector, name: name)
      case "oauth1-normalized-parameters": try checkNormalized(vector, name: name)
      case "oauth1-plaintext": try checkPlaintext(vector, name: name)
      default: break  // PKCE, which is not OAuth 1
      }
    }
    #expect(seen.isSuperset(of: ["oauth1-signature", "oauth1-base-string-uri", "oauth1-plaintext"]))
  }

  private func check(_ vector: [String: Any], name: String) throws {
    let method: OAuth1SignatureMethod
    switch vector["signature_method"] as? String {
    case "HMAC-SHA1": method = .hmacSHA1
    case "HMAC-SHA256": method = .hmacSHA256
    case "PLAINTEXT": method = .plaintext
    case "RSA-SHA1":
      method = .rsaSHA1(try RSAPrivateKey(pem: Secret(try #require(vector["rsa_private_key_pem"] as? String))))
    default: return
    }
    let signer = OAuth1Signer(
      consumerKey: try #require(vector["consumer_key"] as? String),
      consumerSecret: Secret(try #require(vector["consumer_secret"] as? String)),
      token: vector["token"] as? String, tokenSecret: (vector["token_secret"] as? String).map { Secret($0) },
      signatureMethod: method, realm: vector["realm"] as? String, version: vector["oauth_version"] as? String)
    let signed = try signer.sign(
      method: try #require(vector["method"] as? String), url: try #require(vector["url"] as? String),
      form: pairs(vector["form"]), extra: pairs(vector["extra_oauth_params"]),
      nonce: try #require(vector["nonce"] as? String), timestamp: try #require(vector["timestamp"] as? String))
    #expect(signed.baseString == vector["base_string"] as? String, "\(name)")
    #expect(signed.signature == vector["signature"] as? String, "\(name)")
  }

  private func checkURI(_ vector: [String: Any], name: String) throws {
    let signer = OAuth1Signer(consumerKey: "k", consumerSecret: "s")
    let signed = try signer.sign(
      method: "GET", url: try #require(vector["url"] as? String), nonce: "n", timestamp: "1")
    let uri = signed.baseString.split(separator: "&")[1].removingPercentEncoding
    #expect(uri == vector["base_string_uri"] as? String, "\(name)")
  }

  private func checkNormalized(_ vector: [String: Any], name: String) throws {
    var form = pairs(vector["params"])
    func take(_ name: String) throws -> String {
      form.remove(at: try #require(form.firstIndex { $0.name == name })).value
    }
    _ = try take("oauth_signature_method")
    let signer = OAuth1Signer(
      consumerKey: try take("oauth_consumer_key"), consumerSecret: "s", token: try take("oauth_token"), version: nil)
    let nonce = try take("oauth_nonce")
    let timestamp = try take("oauth_timestamp")
    let signed = try signer.sign(
      method: "GET", url: "https://example.com", form: form, nonce: nonce, timestamp: timestamp)
    let normalized = signed.baseString.split(separator: "&")[2].removingPercentEncoding
    #expect(normalized == vector["normalized"] as? String, "\(name)")
  }

  private func checkPlaintext(_ vector: [String: Any], name: String) throws {
    let signer = OAuth1Signer(
      consumerKey: "k", consumerSecret: Secret(try #require(vector["consumer_secret"] as? String)),
      tokenSecret: (vector["token_secret"] as? String).map { Secret($0) }, signatureMethod: .plaintext)
    let signed = try signer.sign(method: "GET", url: "https://example.com", nonce: "n", timestamp: "1")
    #expect(signed.signature == vector["signature"] as? String, "\(name)")
    let inHeader = try #require(vector["oauth_signature_in_header"] as? String)
    #expect(signed.authorization.hasSuffix("oauth_signature=\"\(inHeader)\""), "\(name)")
  }

  private func pairs(_ value: Any?) -> [(name: String, value: String)] {
    (value as? [[String]] ?? []).map { ($0[0], $0[1]) }
  }
}
