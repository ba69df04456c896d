import CallsignX
import Foundation
import HTTPTypes
import Testing

@Suite("A webhook as a function, and deliveries for tests of it") struct WebhookDeliveryTests {
  private struct Full: Error {}

  private let receiver = WebhookReceiver(consumerSecret: "consumer-secret-1")
  private let event = JSONValue.object(["for_user_id": "1", "tweet_create_events": []])

  private func respond(_ request: WebhookRequest) async -> WebhookResponse {
    await receiver.respond(to: request, as: JSONValue.self) { _ in }
  }

  @Test("A challenge gets a response") func challenge() async throws {
    for challenge in [receiver.challenge(), receiver.challenge(token: "a+/b==", to: "/hooks/x")] {
      let response = await respond(challenge)
      #expect(response.status == .ok)
      #expect(response.headers[.contentType] == "application/json")
      #expect(receiver.isPassed(challenge, by: response))
      #expect(!WebhookReceiver(consumerSecret: "another").isPassed(challenge, by: response))
      #expect(!receiver.isPassed(receiver.challenge(), by: response))
    }
    #expect(receiver.challenge(token: "a+/b==").query("crc_token") == "a+/b==")
    #expect(await respond(WebhookRequest(method: .get, target: "/")).status == .badRequest)
    #expect(await respond(WebhookRequest(method: .get, target: "/?crc_token=%7B%7D")).status == .badRequest)
    #expect(await respond(WebhookRequest(method: .get, target: "/?x=1&crc_token=%ZZ")).status == .badRequest)
  }

  /// The code is the output of `openssl dgst -sha256 -hmac consumer-secret-1 -binary | base64`.
  @Test("A delivery is signed as X signs it") func signature() throws {
    let delivery = try receiver.delivery(body: Data(#"{"for_user_id":"1"}"#.utf8), to: "/hooks/x")
    #expect(delivery.method == .post && delivery.target == "/hooks/x")
    let field = try #require(HTTPField.Name(WebhookReceiver.signatureField))
    #expect(delivery.headers[field] == "sha256=z40jK3BTOITHdCvFe+FSI64Lm0Anlfqs8XQfV1aVo5E=")
  }

  @Test("A delivery reaches only its own handler") func deliveries() async throws {
    let delivery = try receiver.delivery(of: event)
    let response = await receiver.respond(to: delivery, as: JSONValue.self) { event in
      #expect(event["for_user_id"] == "1")
    }
    #expect(response == WebhookResponse(.ok))
    var altered = delivery
    altered.body.append(UInt8(ascii: " "))
    var unsigned = delivery
    unsigned.headers = [:]
    for request in [altered, unsigned, try WebhookReceiver(consumerSecret: "another").delivery(of: event)] {
      let response = await receiver.respond(to: request, as: JSONValue.self) { _ in Issue.record("it was handled") }
      #expect(response.status == .unauthorized)
    }
  }

  @Test("A delivery is signed with each secret, and accepted by a receiver that has one of them") func secrets()
    async throws
  {
    let new = try #require(HTTPField.Name(WebhookReceiver.oauth2SignatureField))
    let old = try #require(HTTPField.Name(WebhookReceiver.signatureField))
    let clientAlone = WebhookReceiver(clientSecret: "client-secret-1")
    let both = WebhookReceiver(clientSecret: "client-secret-1", consumerSecret: "consumer-secret-1")
    let delivery = try both.delivery(body: Data(#"{"for_user_id":"1"}"#.utf8))
    // By `hmac` and `hashlib` of Python.
    #expect(delivery.headers[new] == "sha256=OGZTOkw+Q0uD9j8Y/UjwNxGEDfGii2qmvc81CVgJrs0=")
    #expect(delivery.headers[old] == "sha256=z40jK3BTOITHdCvFe+FSI64Lm0Anlfqs8XQfV1aVo5E=")
    let byClientSecret = try clientAlone.delivery(of: event)
    let byConsumerSecret = try receiver.delivery(of: event)
    #expect(byClientSecret.headers[new] != nil && byClientSecret.headers[old] == nil)
    #expect(byConsumerSecret.headers[new] == nil && byConsumerSecret.headers[old] != nil)
    func status(_ taker: WebhookReceiver, _ request: WebhookRequest) async -> HTTPResponse.Status {
      await taker.respond(to: request, as: JSONValue.self) { _ in }.status
    }
    for taker in [receiver, clientAlone, both] { #expect(await status(taker, delivery) == .ok) }
    // Apps that have only a client secret get no other signature.
    #expect(await status(both, byClientSecret) == .ok)
    #expect(await status(both, byConsumerSecret) == .ok)
    #expect(await status(receiver, byClientSecret) == .unauthorized)
    #expect(await status(clientAlone, byConsumerSecret) == .unauthorized)
    let challenge = both.challenge()
    let right = await clientAlone.respond(to: challenge, as: JSONValue.self) { _ in }
    let other = await receiver.respond(to: challenge, as: JSONValue.self) { _ in }
    #expect(both.isPassed(challenge, by: right) && !both.isPassed(challenge, by: other))
  }

  @Test("With an empty secret, which anybody could use, nothing is accepted") func emptySecret() async throws {
    let receiver = WebhookReceiver(consumerSecret: "")
    let forged = try receiver.delivery(of: event)
    let response = await receiver.respond(to: forged, as: JSONValue.self) { _ in Issue.record("it was handled") }
    #expect(response.status == .unauthorized)
    // A consumer secret does not help either, if the client secret is forgotten.
    let forgotten = WebhookReceiver(clientSecret: "", consumerSecret: "consumer-secret-1")
    let delivery = try forgotten.delivery(of: event)
    let refused = await forgotten.respond(to: delivery, as: JSONValue.self) { _ in Issue.record("it was handled") }
    #expect(refused.status == .unauthorized)
  }

  @Test("If a handler fails, X delivers again; unreadable deliveries and other methods do not cause that")
  func failures()
    async throws
  {
    let delivery = try receiver.delivery(of: event)
    let failed = await receiver.respond(to: delivery, as: JSONValue.self) { _ in throw Full() }
    #expect(failed.status == .internalServerError)
    let unreadable = await receiver.respond(to: delivery, as: XAPI.ActivityEvent.self) { error in
      if case .undecodable = error { return }
      Issue.record("\(error)")
    } handle: { _ in
      Issue.record("it was handled")
    }
    #expect(unreadable.status == .ok)
    let put = await respond(WebhookRequest(method: .put, body: delivery.body))
    #expect(put.status == .methodNotAllowed && put.headers[.allow] == "GET, POST")
  }
}
