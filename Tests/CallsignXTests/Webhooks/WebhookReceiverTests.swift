import CallsignTesting
import CallsignX
import Foundation
import Testing

@Suite("Webhooks") struct WebhookReceiverTests {
  private let receiver = WebhookReceiver(consumerSecret: "consumer-secret-1")

  /// Expects the output of `printf TOKEN | openssl dgst -sha256 -hmac consumer-secret-1 -binary | base64`.
  @Test("A challenge is answered") func challenge() throws {
    let answer = try receiver.answer(crcToken: "M2RkODJkZmMtYjlkYi00NmQ4LTk0MGUtM2JjYzkwM2Q4MjQ0")
    #expect(
      String(decoding: answer, as: UTF8.self)
        == #"{"response_token":"sha256=pbuDAMuEJ0TVFw0IjUD1EYfjlueEZ22+tqRJmntkSxM="}"#)
    #expect(try JSONValue(jsonData: answer)["response_token"]?.string?.hasPrefix("sha256=") == true)
  }

  @Test(
    "Only what X's tokens look like is signed",
    arguments: [
      nil, "", "{}", #"{"for_user_id":"1"}"#, "a b", "a\n", "crc&nonce", "é", "%41", String(repeating: "a", count: 257),
    ])
  func noOracle(token: String?) {
    #expect(throws: WebhookError.invalidChallenge) { try receiver.answer(crcToken: token) }
  }

  @Test(
    "Any token of a challenge is answered",
    arguments: ["a", "challenge_string", "9b4507b3-9040-4669", "a+/b==", String(repeating: "a", count: 256)])
  func tokens(token: String) throws {
    #expect(try !receiver.answer(crcToken: token).isEmpty)
  }

  @Test("Signatures are checked") func signatures() throws {
    let body = Data(#"{"for_user_id":"1"}"#.utf8)
    let right = "sha256=z40jK3BTOITHdCvFe+FSI64Lm0Anlfqs8XQfV1aVo5E="
    try receiver.verify(body, signature: right)
    #expect(throws: WebhookError.missingSignature) { try receiver.verify(body, signature: nil) }
    let base64 = String(right.dropFirst(7))
    for wrong in [
      "", "sha256=", base64, "sha1=" + base64, "sha256=" + base64.dropLast(4), "sha256=" + base64.lowercased(),
      right + " ", "sha256=!" + base64, "SHA256=" + base64,
    ] {
      #expect(throws: WebhookError.wrongSignature, "\(wrong)") { try receiver.verify(body, signature: wrong) }
    }
    #expect(throws: WebhookError.wrongSignature) { try receiver.verify(body + Data(" ".utf8), signature: right) }
    #expect(throws: WebhookError.wrongSignature) {
      try WebhookReceiver(consumerSecret: "another").verify(body, signature: right)
    }
    #expect(try receiver.read(JSONValue.self, from: body, signature: right)["for_user_id"] == "1")
    // A good signature does not make it an event.
    let error = #expect(throws: WebhookError.self) {
      try receiver.read(XAPI.ActivityEvent.self, from: body, signature: right)
    }
    guard case .undecodable? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A receiver prints no secret") func itTellsNothing() {
    var text = "\(receiver) \(String(reflecting: receiver))"
    dump(receiver, to: &text)
    #expect(!text.contains("consumer-secret-1"))
    for error in [WebhookError.invalidChallenge, .missingSignature, .wrongSignature] {
      #expect("\(error)".contains(";"))
    }
  }
}
