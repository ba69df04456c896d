import Callsign
import CallsignAuth
import Foundation
import OpenAIKit
import Testing

@Suite("Webhooks") struct WebhookTests {
  private let secret = "whsec_" + Data("a secret of the test".utf8).base64EncodedString()
  private let body = Data(
    #"{"id":"evt_1","object":"event","type":"response.completed","created_at":1795341900,"data":{"id":"resp_1"}}"#.utf8)

  @Test("A delivery is verified and typed by its event") func delivery() throws {
    let verifier = WebhookVerifier(OpenAI.webhookSignature, secret: secret)
    let event = try verifier.read(OpenAI.WebhookEvent.self, from: body, headers: try verifier.headers(signing: body))
    guard case .webhookResponseCompleted(let event) = event else {
      Issue.record("\(event)")
      return
    }
    #expect(event.data.id == "resp_1" && event.id == "evt_1")
  }

  @Test("An event that is not known yet can be read") func unknown() throws {
    let body = Data(#"{"id":"evt_1","type":"response.renamed","created_at":1795341900,"data":{"id":"resp_1"}}"#.utf8)
    let verifier = WebhookVerifier(OpenAI.webhookSignature, secret: secret)
    let event = try verifier.read(OpenAI.WebhookEvent.self, from: body, headers: try verifier.headers(signing: body))
    guard case .unknown = event else {
      Issue.record("\(event)")
      return
    }
    #expect(event.type == "response.renamed")
  }

  @Test("A changed body, another secret and an old delivery are refused") func refusals() throws {
    let verifier = WebhookVerifier(OpenAI.webhookSignature, secret: secret)
    let headers = try verifier.headers(signing: body)
    #expect(throws: WebhookVerificationError.self) { try verifier.verify(body + Data(" ".utf8), headers: headers) }
    let other = WebhookVerifier(OpenAI.webhookSignature, secret: "whsec_" + Data("another".utf8).base64EncodedString())
    #expect(throws: WebhookVerificationError.self) { try other.verify(body, headers: headers) }
    let old = try verifier.headers(signing: body, at: Date(timeIntervalSinceNow: -3_600))
    #expect(throws: WebhookVerificationError.self) { try verifier.verify(body, headers: old) }
  }

  @Test("The signature is that of OpenAI's Python library") func vector() throws {
    // From its tests (tests/lib/test_webhooks.py): a delivery of that time, so the tolerance is large.
    let body = Data(
      #"{"id": "evt_685c059ae3a481909bdc86819b066fb6", "object": "event", "created_at": 1750861210, "type": "response.completed", "data": {"id": "resp_123"}}"#
        .utf8)
    let headers = [
      "webhook-signature": "v1,gUAg4R2hWouRZqRQG4uJypNS8YK885G838+EHb4nKBY=", "webhook-timestamp": "1750861210",
      "webhook-id": "wh_685c059ae39c8190af8c71ed1022a24d",
    ]
    let verifier = WebhookVerifier(
      OpenAI.webhookSignature, secret: "whsec_RdvaYFYUXuIFuEbvZHwMfYFhUf7aMYjYcmM24+Aj40c=",
      tolerance: .seconds(100 * 365 * 86_400))
    try verifier.verify(body) { headers[$0] }
  }
}
