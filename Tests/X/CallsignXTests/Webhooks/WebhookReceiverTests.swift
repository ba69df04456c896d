import CallsignTesting
import CallsignX
import Foundation
import HTTPTypes
import Testing

@Suite("Webhooks") struct WebhookReceiverTests {
  private let receiver = WebhookReceiver(consumerSecret: "consumer-secret-1")
  private let clientAlone = WebhookReceiver(clientSecret: "client-secret-1")
  private let both = WebhookReceiver(clientSecret: "client-secret-1", consumerSecret: "consumer-secret-1")

  // By `hmac` and `hashlib` of Python.
  private static let body = Data(#"{"for_user_id":"1"}"#.utf8)
  private static let byClientSecret = "sha256=OGZTOkw+Q0uD9j8Y/UjwNxGEDfGii2qmvc81CVgJrs0="
  private static let byConsumerSecret = "sha256=z40jK3BTOITHdCvFe+FSI64Lm0Anlfqs8XQfV1aVo5E="

  /// Expects the output of `printf TOKEN | openssl dgst -sha256 -hmac consumer-secret-1 -binary | base64`.
  @Test("A challenge gets a response") func challenge() throws {
    let response = try receiver.response(crcToken: "M2RkODJkZmMtYjlkYi00NmQ4LTk0MGUtM2JjYzkwM2Q4MjQ0")
    #expect(
      String(decoding: response, as: UTF8.self)
        == #"{"response_token":"sha256=pbuDAMuEJ0TVFw0IjUD1EYfjlueEZ22+tqRJmntkSxM="}"#)
    #expect(try JSONValue(jsonData: response)["response_token"]?.string?.hasPrefix("sha256=") == true)
  }

  @Test(
    "Only texts in the form of X's tokens are signed",
    arguments: [
      nil, "", "{}", #"{"for_user_id":"1"}"#, "a b", "a\n", "crc&nonce", "é", "%41", String(repeating: "a", count: 257),
    ])
  func noOracle(token: String?) {
    #expect(throws: WebhookError.invalidChallenge) { try receiver.response(crcToken: token) }
  }

  @Test(
    "Any token of a challenge gets a response",
    arguments: ["a", "challenge_string", "9b4507b3-9040-4669", "a+/b==", String(repeating: "a", count: 256)])
  func tokens(token: String) throws {
    #expect(try !receiver.response(crcToken: token).isEmpty)
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

  @Test("A challenge is answered with the client secret if there is one") func challengeByClientSecret() throws {
    for receiver in [clientAlone, both] {
      let response = try receiver.response(crcToken: "M2RkODJkZmMtYjlkYi00NmQ4LTk0MGUtM2JjYzkwM2Q4MjQ0")
      #expect(
        String(decoding: response, as: UTF8.self)
          == #"{"response_token":"sha256=nYqwcDLkWgLZUOZiJTWL+0ZAt5ba05dgoYqfS4m2/9w="}"#)
    }
  }

  private func fields(_ oauth2: String?, _ older: String?) throws -> HTTPFields {
    // As X writes them; names of header fields have no case.
    let new = try #require(HTTPField.Name("X-Twitter-Webhooks-Signature-OAuth2"))
    let old = try #require(HTTPField.Name("X-Twitter-Webhooks-Signature"))
    var fields = HTTPFields()
    fields[new] = oauth2
    fields[old] = older
    return fields
  }

  private func refusal(_ receiver: WebhookReceiver, _ oauth2: String?, _ older: String?) throws -> WebhookError? {
    let headers = try fields(oauth2, older)
    do throws(WebhookError) {
      try receiver.verify(Self.body, headers: headers)
      return nil
    } catch { return error }
  }

  /// The secrets that a receiver has.
  enum Secrets: Sendable, CaseIterable { case client, consumer, both }

  private static let signedFields: [(secrets: [Secrets], oauth2: String?, older: String?, refusal: WebhookError?)] = {
    let (new, old, wrong) = (byClientSecret, byConsumerSecret, "sha256=AAAA")
    return [
      ([.client, .both], new, nil, nil), ([.client, .both], new, old, nil), ([.client, .both], new, wrong, nil),
      // By one that is wrong, the other is not asked; nor is one by the other secret taken.
      ([.client, .both], wrong, old, .wrongSignature), ([.client, .both], old, nil, .wrongSignature),
      ([.client, .both], "", old, .wrongSignature),
      ([.both], nil, old, nil), ([.both], nil, new, .wrongSignature), ([.both], nil, wrong, .wrongSignature),
      ([.client], nil, old, .missingSignature),
      // If only the consumer secret is known, the other field is ignored.
      ([.consumer], nil, old, nil), ([.consumer], new, old, nil), ([.consumer], wrong, old, nil),
      ([.consumer], new, wrong, .wrongSignature), ([.consumer], new, nil, .missingSignature),
      (Secrets.allCases, nil, nil, .missingSignature),
    ]
  }()

  @Test("Whichever signature is there is checked, that by the client secret first", arguments: signedFields.indices)
  func signatureFields(_ row: Int) throws {
    let (secrets, oauth2, older, expected) = Self.signedFields[row]
    for secrets in secrets {
      let receiver =
        switch secrets {
        case .client: clientAlone
        case .consumer: receiver
        case .both: both
        }
      #expect(try refusal(receiver, oauth2, older) == expected, "\(secrets)")
    }
  }

  @Test("A body that is not the signed one is refused") func otherBody() throws {
    let headers = try fields(Self.byClientSecret, nil)
    #expect(try both.read(JSONValue.self, from: Self.body, headers: headers)["for_user_id"] == "1")
    #expect(throws: WebhookError.wrongSignature) {
      try both.read(JSONValue.self, from: Self.body + Data(" ".utf8), headers: headers)
    }
  }

  @Test("A signature without its field is checked with each existing secret") func signatureAlone() throws {
    try both.verify(Self.body, signature: Self.byClientSecret)
    try both.verify(Self.body, signature: Self.byConsumerSecret)
    try clientAlone.verify(Self.body, signature: Self.byClientSecret)
    #expect(throws: WebhookError.wrongSignature) {
      try clientAlone.verify(Self.body, signature: Self.byConsumerSecret)
    }
    #expect(throws: WebhookError.wrongSignature) { try receiver.verify(Self.body, signature: Self.byClientSecret) }
    #expect(throws: WebhookError.missingSignature) { try both.verify(Self.body, signature: nil) }
  }

  @Test("A receiver prints no secret") func itTellsNothing() {
    var text = "\(receiver) \(String(reflecting: receiver))"
    dump(receiver, to: &text)
    dump(both, to: &text)
    #expect(!text.contains("consumer-secret-1") && !text.contains("client-secret-1"))
    for error in [WebhookError.invalidChallenge, .missingSignature, .wrongSignature] {
      #expect("\(error)".contains(";"))
    }
  }
}
