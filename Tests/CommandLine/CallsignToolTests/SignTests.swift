import Foundation
import TestSupport
import Testing

@Suite("callsign sign")
struct SignTests {
  private static let corpus = "oauth1/vectors.jsonl"

  private let request =
    #""method":"POST","url":"https://photos.example.net/initiate","consumer_key":"dpf43f3p2l4k3l03""#
  private let oneTime = #""nonce":"wIjqoS","timestamp":137131200,"oauth_version":null,"realm":"Photos""#
  private let callback = #""extra_oauth_params":[["oauth_callback","http://printer.example.com/ready"]]"#

  private func lines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test(
    "every line of the corpus that is not ambiguous comes out as another implementation has it",
    .needs(.corpus(corpus)))
  func corpusLines() throws {
    let text = try String(contentsOf: try #require(Corpora.url(Self.corpus)), encoding: .utf8)
    let run = try Tool.run(["sign", "--jsonl"], input: text)
    #expect(run.status == 0)
    #expect(run.error == "")
    let (vectors, responses) = (try lines(text), try lines(run.output))
    #expect(vectors.count == responses.count)
    for (vector, response) in zip(vectors, responses) where vector["ambiguous"] == nil {
      #expect(response["base_string"] as? String == vector["base_string"] as? String, "\(vector["id"] ?? "")")
      #expect(response["signature"] as? String == vector["signature"] as? String, "\(vector["id"] ?? "")")
    }
  }

  @Test("the first example of RFC 5849 §1.2, whole")
  func wholeLine() throws {
    let run = try Tool.run(
      ["sign", "--jsonl"], input: "{\(request),\"consumer_secret\":\"kd94hf93k423kf44\",\(oneTime),\(callback)}\n")
    #expect(run.status == 0)
    let response = try #require(try lines(run.output).first)
    #expect(response["signature"] as? String == "74KNZJeDHnMBp0EMJ9ZHt/XKycU=")
    #expect(
      response["authorization"] as? String == #"""
        OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_nonce="wIjqoS", \#
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131200", \#
        oauth_callback="http%3A%2F%2Fprinter.example.com%2Fready", oauth_signature="74KNZJeDHnMBp0EMJ9ZHt%2FXKycU%3D"
        """#)
    #expect(run.output.hasPrefix(#"{"base_string":"POST&https"#))
  }

  @Test("a secret can come from the environment")
  func environment() throws {
    let run = try Tool.run(
      ["sign", "--jsonl"], input: "{\(request),\(oneTime),\(callback)}\n",
      environment: ["CALLSIGN_CONSUMER_SECRET": "kd94hf93k423kf44"])
    #expect(try lines(run.output).first?["signature"] as? String == "74KNZJeDHnMBp0EMJ9ZHt/XKycU=")
  }

  @Test("a bad line gets an error, and the run continues")
  func badLines() throws {
    let secret = #""consumer_secret":"do-not-print""#
    let input = [
      "not json \(secret)", "[1]", "{\(secret)}", "", "{\(request),\(secret),\"signature_method\":\"HMAC-MD5\"}",
      "{\(request),\(secret),\"signature_method\":\"RSA-SHA1\"}",
      "{\(request),\(secret),\"signature_method\":\"RSA-SHA1\",\"rsa_private_key_pem\":\"do-not-print\"}",
      "{\(request),\(secret),\"form\":[[\"a\"]]}", "{\(request),\(secret),\"nonce\":[]}",
      #"{"method":"GET","url":"nowhere","consumer_key":"k",\#(secret)}"#, #"{"kind":"pkce-s256"}"#,
      "{\(request),\(secret)}",
    ].joined(separator: "\n")
    let run = try Tool.run(["sign", "--jsonl"], input: input)
    #expect(run.status == 1)
    let responses = try lines(run.output)
    #expect(responses.dropLast().map { $0["line"] as? Int } == [1, 2, 3, 5, 6, 7, 8, 9, 10, 11])
    #expect(responses.last?["signature"] is String)
    let errors = responses.dropLast().compactMap { $0["error"] as? String }
    for (error, word) in zip(
      errors, ["JSON", "JSON", "method", "HMAC-MD5", "rsa_private_key_pem", "PEM", "form", "nonce", "URL", "pkce"])
    {
      #expect(error.contains(word), "\(error)")
    }
    #expect(!run.output.contains("do-not-print"))
    #expect(run.error == "")
  }

  @Test("secrets are not arguments")
  func usage() throws {
    #expect(try Tool.run("sign").status == 64)
    #expect(try Tool.run("sign", "--jsonl", "--consumer-secret", "x").status == 64)
  }
}
