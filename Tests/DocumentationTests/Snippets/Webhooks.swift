import CallsignX

// The blocks of Webhooks.md, word for word. Compiled, never run.

private func receiving() async {
  let receiver = WebhookReceiver(clientSecret: "…", consumerSecret: "…")

  let request = WebhookRequest(method: .get, target: "/webhook?crc_token=abc")
  let response = await receiver.respond(to: request, as: XAPI.ActivityEvent.self) { event in
    if case .post(let post) = event.payload { print(post.text) } else { print(event.type) }
  }
  print(response.status, response.headers, response.body.count)
}

private func testing() async throws {
  let receiver = WebhookReceiver(clientSecret: "…", consumerSecret: "…")
  let challenge = receiver.challenge(to: "/webhook")
  let passed = await receiver.respond(to: challenge, as: XAPI.ActivityEvent.self) { _ in }
  print(receiver.isPassed(challenge, by: passed))

  let event: JSONValue = ["data": ["event_type": "post.create"]]
  let delivery = try receiver.delivery(of: event, to: "/webhook")
  let taken = await receiver.respond(to: delivery, as: XAPI.ActivityEvent.self) { event in print(event.type) }
  print(taken.status)
}
