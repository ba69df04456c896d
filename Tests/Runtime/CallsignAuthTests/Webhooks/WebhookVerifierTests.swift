import Callsign
import CallsignAuth
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Deliveries to webhooks, by the examples in the documents of well-known APIs, and by codes that Python's `hmac` made.
@Suite struct WebhookVerifierTests {
  private struct Clock: TimeSource {
    var seconds: Double
    func now() -> Date { Date(timeIntervalSince1970: seconds) }
    func sleep(for duration: Duration) async throws(CancellationError) {}
  }

  private func headers(_ fields: [String: String]) -> HTTPFields {
    var headers = HTTPFields()
    for (name, value) in fields { if let name = HTTPField.Name(name) { headers[name] = value } }
    return headers
  }

  private func error(_ body: () throws -> Void) -> WebhookVerificationError? {
    do { try body() } catch { return error as? WebhookVerificationError }
    return nil
  }

  @Test(
    "Several signatures are separated by spaces or commas, and any of them may be right",
    arguments: [
      ("sha256={hex}", ["sha256=", "sha256="]), ("v1={hex}", ["v1=", "v1="]), ("{hex}", ["", ""]),
      ("v1,{hex}", ["v1,", "v1,"]), ("HMAC {hex}", ["HMAC ", "HMAC "]), ("v1={hex}", ["v0=", "v1="]),
    ])
  func several(format: String, prefixes: [String]) throws {
    let verifier = WebhookVerifier(
      WebhookSignature(header: "X-Signature", format: format), secret: "It's a Secret to Everybody")
    let code = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    let zeros = String(repeating: "0", count: 64)
    let body = Data("Hello, World!".utf8)
    let separators = format.contains(" ") ? [",", ", ", " ,\t"] : [",", ", ", " ", " ,\t", ",,"]
    for separator in separators {
      let signatures = [prefixes[0] + zeros, prefixes[1] + code]
      try verifier.verify(body, headers: headers(["X-Signature": signatures.joined(separator: separator)]))
      let wrong = [prefixes[0] + zeros, prefixes[1] + zeros].joined(separator: separator)
      #expect(error { try verifier.verify(body, headers: headers(["X-Signature": wrong])) } == .wrongSignature)
      if prefixes[0] == prefixes[1] {
        try verifier.verify(
          body, headers: headers(["X-Signature": signatures.reversed().joined(separator: separator)]))
      }
    }
  }

  @Test("A code in hexadecimal digits behind a prefix, over the body")
  func prefixed() throws {
    let verifier = WebhookVerifier(
      WebhookSignature(header: "X-Hub-Signature-256", format: "sha256={hex}"), secret: "It's a Secret to Everybody")
    let code = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    let body = Data("Hello, World!".utf8)
    try verifier.verify(body, headers: headers(["x-hub-signature-256": "sha256=\(code)"]))
    try verifier.verify(body) { $0 == "x-hub-signature-256" ? "sha256=\(code.uppercased())" : nil }
    #expect(
      error {
        try verifier.verify(Data("Hello, World?".utf8), headers: headers(["X-Hub-Signature-256": "sha256=\(code)"]))
      }
        == .wrongSignature)
    for wrong in ["sha256=", "sha256=\(code)0", "sha256=\(code.dropLast(2))", code, "sha1=\(code)", "sha256=zz", ""] {
      #expect(
        error { try verifier.verify(body, headers: headers(["X-Hub-Signature-256": wrong])) } == .wrongSignature,
        "\(wrong)")
    }
    #expect(error { try verifier.verify(body, headers: [:]) } == .missingHeader("X-Hub-Signature-256"))
  }

  @Test("An empty secret signs nothing, and takes nothing")
  func emptySecrets() throws {
    // The HMAC-SHA-256 of the body by an empty key, which everybody can make.
    let code = "2bbcfa9524f3218c7a34b30e6936f8b1a4516cb097f1a85a1c7d98b5977ec769"
    let body = Data("Hello, World!".utf8)
    let forged = headers(["X-Signature": code])
    for key in [WebhookSignature.Key.text, .base64] {
      let signature = WebhookSignature(header: "X-Signature", format: "{hex}", key: key)
      for empty in ["", "whsec_"] as [Secret] where key == .base64 || empty == "" {
        let verifier = WebhookVerifier(signature, secret: empty)
        #expect(error { try verifier.verify(body, headers: forged) } == .wrongSignature)
        #expect(error { _ = try verifier.headers(signing: body) } == .wrongSignature)
        let changing = WebhookVerifier(signature, secret: "c2VjcmV0", previousSecrets: [empty])
        #expect(error { try changing.verify(body, headers: forged) } == .wrongSignature)
        try changing.verify(body, headers: changing.headers(signing: body))
      }
    }
  }

  @Test("A time in its own field, which must be close to now")
  func timestampHeader() throws {
    let signature = WebhookSignature(
      header: "X-Slack-Signature", format: "v0={hex}", message: "v0:{timestamp}:{body}",
      timestampHeader: "X-Slack-Request-Timestamp")
    let body = Data(
      ("token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
        + "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
        + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
        + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c").utf8)
    let fields = headers([
      "X-Slack-Signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
      "X-Slack-Request-Timestamp": "1531420618",
    ])
    func verifier(at seconds: Double) -> WebhookVerifier {
      WebhookVerifier(signature, secret: "8f742231b10e8888abcd99yyyzzz85a5", time: Clock(seconds: seconds))
    }
    try verifier(at: 1_531_420_618).verify(body, headers: fields)
    try verifier(at: 1_531_420_900).verify(body, headers: fields)
    #expect(error { try verifier(at: 1_531_420_919).verify(body, headers: fields) } == .stale)
    #expect(error { try verifier(at: 1_531_420_317).verify(body, headers: fields) } == .stale)
    var other = fields
    other[try #require(HTTPField.Name("X-Slack-Request-Timestamp"))] = "1531420619"
    #expect(error { try verifier(at: 1_531_420_618).verify(body, headers: other) } == .wrongSignature)
  }

  @Test("A time and several codes in one field, and the next secret")
  func composite() throws {
    let signature = WebhookSignature(
      header: "X-Signature", format: "t={timestamp},v1={hex}", message: "{timestamp}.{body}")
    let code = "9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae"
    let zeros = String(repeating: "0", count: 64)
    let clock = Clock(seconds: 1_700_000_010)
    let verifier = WebhookVerifier(signature, secret: "key", time: clock)
    let body = Data("{}".utf8)
    for value in ["t=1700000000,v1=\(code)", "t=1700000000,v1=\(zeros),v1=\(code),v0=\(zeros)"] {
      try verifier.verify(body, headers: headers(["X-Signature": value]))
      try WebhookVerifier(signature, secret: "next", previousSecrets: ["key"], time: clock).verify(
        body, headers: headers(["X-Signature": value]))
    }
    #expect(
      error { try verifier.verify(body, headers: headers(["X-Signature": "v1=\(code)"])) }
        == .missingHeader("X-Signature"))
    #expect(
      error { try verifier.verify(body, headers: headers(["X-Signature": "t=1700000001,v1=\(code)"])) }
        == .wrongSignature)
  }

  @Test("Standard Webhooks, by their own example")
  func standard() throws {
    let verifier = WebhookVerifier(
      .standard, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", time: Clock(seconds: 1_614_265_330))
    let fields = headers([
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,aGVsbG8= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v2,x",
    ])
    let payload: JSONValue = try verifier.read(from: Data(#"{"test": 2432232314}"#.utf8), headers: fields)
    #expect(payload["test"]?.int == 2_432_232_314)
  }

  @Test("Other hash functions")
  func hashes() throws {
    let body = Data("{}".utf8)
    let codes: [(WebhookSignature.Hash, String, String)] = [
      (.sha1, "{hex}", "c9963b837183dc667106461b3de91d0885f539b3"),
      (
        .sha512, "{base64}",
        "Vfq9qhgscO4gaxIU1E41DJlHed/DQkGyhtxtPxKizXD2ueV/GdZhqG2EhgSHRLoYwP6PgheDB1+QibWF5e3XKQ=="
      ),
    ]
    for (hash, format, code) in codes {
      let verifier = WebhookVerifier(WebhookSignature(header: "S", format: format, hash: hash), secret: "key")
      try verifier.verify(body, headers: headers(["S": code]))
    }
  }

  @Test(
    "A receiver is tested with deliveries that it signs; a payload of another form differs from a forged one"
  )
  func signing() throws {
    let verifier = WebhookVerifier(.standard, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    let body = Data("[1]".utf8)
    let fields = try verifier.headers(signing: body, id: "7")
    #expect(try verifier.read([Int].self, from: body, headers: fields) == [1])
    #expect(
      error { _ = try verifier.read([String: Int].self, from: body, headers: fields) }.map { "\($0)" }?
        .hasPrefix("the delivery cannot be read") == true)
    let old = try verifier.headers(signing: body, at: Date(timeIntervalSinceNow: -400))
    #expect(error { try verifier.verify(body, headers: old) } == .stale)
    #expect(!"\(verifier)".contains("MfKQ"))
  }

  @Test(
    "Any delivery that is signed is taken, and with another body, code, time or id it is not, nor with any other text",
    arguments: [
      WebhookSignature(header: "X-Signature", format: "sha256={hex}"),
      WebhookSignature(header: "X-Signature", format: "t={timestamp},v1={hex}", message: "{timestamp}.{body}"),
      WebhookSignature(
        header: "X-Signature", format: "{base64}", message: "{id}.{timestamp}.{body}", timestampHeader: "X-Time",
        idHeader: "X-ID"),
    ])
  func anyHeader(signature: WebhookSignature) throws {
    let signatureName = try #require(HTTPField.Name("X-Signature"))
    let timeName = try #require(HTTPField.Name("X-Time"))
    let idName = try #require(HTTPField.Name("X-ID"))
    var generator = SeededGenerator(seed: 17)
    let now = 1_700_000_000
    let verifier = WebhookVerifier(signature, secret: "s3cr3t", time: Clock(seconds: Double(now)))
    for _ in 0..<300 {
      let size = Int.random(in: 1...200, using: &generator)
      let body = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) })
      let id = "msg_\(UInt64.random(in: 0...UInt64.max, using: &generator))"
      let time = now + Int.random(in: -300...300, using: &generator)
      let fields = try verifier.headers(signing: body, id: id, at: Date(timeIntervalSince1970: Double(time)))
      try verifier.verify(body, headers: fields)

      var otherBody = body
      otherBody[Int.random(in: 0..<size, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      #expect(error { try verifier.verify(otherBody, headers: fields) } == .wrongSignature)

      let value = try #require(fields[signatureName])
      var changed = [fields]
      changed[0][signatureName] = try withOtherCode(value, isBase64: signature.format == "{base64}", &generator)
      let otherTime = String(time ^ (1 << Int.random(in: 0..<30, using: &generator)))
      if signature.format.contains("{timestamp}") {
        changed.append(fields)
        changed[1][signatureName] = value.replacing("t=\(time)", with: "t=\(otherTime)")
      }
      if signature.idHeader != nil {
        changed += [fields, fields]
        changed[1][timeName] = otherTime
        changed[2][idName] = id + "0"
      }
      for other in changed {
        #expect(error { try verifier.verify(body, headers: other) } == .wrongSignature, "\(other)")
      }

      let pieces = [
        "sha256=", "v1=", "t=", ",", " ", "=", String(now), String(repeating: "0", count: 64),
        generator.text(length: 0...20),
      ]
      let count = Int.random(in: 0...6, using: &generator)
      let random = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      #expect(error { try verifier.verify(body) { _ in random } } != nil, "\(random)")
    }
  }

  /// A signature whose code, which it ends with, differs in a bit.
  private func withOtherCode(
    _ value: String, isBase64: Bool, _ generator: inout SeededGenerator
  ) throws -> String {
    if isBase64 {
      var code = try #require(Data(base64Encoded: value))
      code[Int.random(in: 0..<code.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      return code.base64EncodedString()
    }
    var characters = Array(value)
    let place = characters.count - 1 - Int.random(in: 0..<64, using: &generator)
    let digit = try #require(characters[place].hexDigitValue)
    let other = digit ^ (1 << Int.random(in: 0..<4, using: &generator))
    characters[place] = Character(String(other, radix: 16))
    return String(characters)
  }

  @Test("A delivery that a test has signed gets a response, and one that is not the API's gets another")
  func responses()
    async throws
  {
    struct Full: Error {}
    let verifier = WebhookVerifier(.standard, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    let delivery = try verifier.request(delivering: JSONValue.object(["id": 1]), to: "/hook", id: "msg_1")
    #expect(delivery.target == "/hook" && delivery.headers[.contentType] == "application/json")
    let taken = await verifier.respond(to: delivery, as: JSONValue.self) { #expect($0["id"] == 1) }
    #expect(taken == WebhookResponse(.ok))
    let failed = await verifier.respond(to: delivery, as: JSONValue.self) { _ in throw Full() }
    #expect(failed.status == .internalServerError)
    let other = await verifier.respond(to: delivery, as: [String].self) { error in
      if case .undecodable = error { return }
      Issue.record("\(error)")
    } handle: { _ in
      Issue.record("it was handled")
    }
    #expect(other.status == .ok)
    let old = try verifier.request(delivering: JSONValue.object([:]), at: Date() - 3600)
    var unsigned = delivery
    unsigned.headers = [:]
    for request in [old, unsigned] {
      let response = await verifier.respond(to: request, as: JSONValue.self) { _ in Issue.record("it was handled") }
      #expect(response.status == .unauthorized)
    }
    let get = await verifier.respond(to: WebhookRequest(method: .get), as: JSONValue.self) { _ in }
    #expect(get.status == .methodNotAllowed)
  }

  @Test("A key that should be base64 and is not is reported, and signs nothing") func noBase64() throws {
    for secret in ["whsec_not base64", "whsec_abc", "plain-secret!", "whsec_%%%%"] {
      let verifier = WebhookVerifier(.standard, secret: secret)
      #expect(throws: WebhookVerificationError.unusableSecret) { try verifier.headers(signing: Data("{}".utf8)) }
      let byText = WebhookVerifier(
        WebhookSignature(
          header: "webhook-signature", format: "v1,{base64}", message: "{id}.{timestamp}.{body}",
          timestampHeader: "webhook-timestamp", idHeader: "webhook-id"), secret: secret)
      let headers = try byText.headers(signing: Data("{}".utf8))
      #expect(throws: WebhookVerificationError.unusableSecret) {
        try verifier.verify(Data("{}".utf8), headers: headers)
      }
      #expect("\(WebhookVerificationError.unusableSecret)".contains("base64"))
    }
  }

}
