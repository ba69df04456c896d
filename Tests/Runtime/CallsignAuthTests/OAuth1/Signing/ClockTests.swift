import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Clocks that differ") struct ClockTests {
  @Test(
    "The provider's time is learned once, and the call is sent once more",
    .needs(.python(with: "oauthlib.oauth1")),
    arguments: ["skewed-code", "skewed-problem", "skewed-silent"])
  func learned(app: String) async throws {
    try await Provider.with { provider in
      // The login also learns it: the request for the token is refused once.
      let token = try await provider.token(app: app)
      #expect(try await provider.count("/oauth/access_token") == 2)
      let credentials = provider.credentials(token, app: app)
      let copy = credentials
      for (count, auth) in [(2, credentials), (3, credentials), (4, copy)] {
        let response = try await provider.client(auth).call(
          .post, "https://api.x.com/2/tweets", body: .form(["text": "a b"]))
        #expect(response.value["form"]?["text"] == "a b")
        #expect(try await provider.count("/2/tweets") == count)
      }
    }
  }

  @Test("The call is not sent again if the clock is right, unknown or not the reason")
  func givenUp() async {
    let now = Date(timeIntervalSince1970: 1_700_000_000)  // Tue, 14 Nov 2023 22:13:20 GMT
    let right = "Tue, 14 Nov 2023 22:13:20 GMT"
    let hourOff = "Tue, 14 Nov 2023 23:13:20 GMT"
    let minuteOff = "Tue, 14 Nov 2023 22:14:20 GMT"
    let named = #"{"errors":[{"code":135}]}"#
    let cases: [(String?, String, HTTPResponse.Status, Int)] = [
      (right, named, .unauthorized, 1), (nil, named, .unauthorized, 1), ("no date", named, .unauthorized, 1),
      (minuteOff, "{}", .unauthorized, 1), (hourOff, "{}", .forbidden, 1),
      (minuteOff, named, .unauthorized, 2), (hourOff, "{}", .unauthorized, 2),
    ]
    for (date, body, status, expected) in cases {
      let transport = InMemoryTransport { _ in
        .json(body, status: status, headerFields: date.map { [.date: $0] } ?? [:])
      }
      let client = Client(
        auth: OAuth1App(.x, key: "k", secret: "s").credentials(hosts: ["api.example"]),
        configuration: ClientConfiguration(transport: transport, time: TestTime(.skips, at: now)))
      // A learned time is not learned again: the second call is refused at once.
      for count in [expected, expected + 1] {
        _ = await callFailure { () throws(CallError) in try await client.call(.get, "https://api.example/") }
        #expect(transport.requests.count == count, "\(date ?? "none") \(body) \(status)")
      }
    }
  }

  @Test("The corrected time is the provider's")
  func corrected() async throws {
    let transport = InMemoryTransport { request in
      let isTimely = request.head.headerFields[.authorization]?.contains("oauth_timestamp=\"1700003600\"") == true
      return .json("{}", status: isTimely ? .ok : .unauthorized, headerFields: [.date: "Tue, 14 Nov 2023 23:13:20 GMT"])
    }
    let client = Client(
      auth: OAuth1(consumerKey: "k", consumerSecret: "s", hosts: ["api.example"]),
      configuration: ClientConfiguration(
        transport: transport, time: TestTime(.skips, at: Date(timeIntervalSince1970: 1_700_000_000))))
    _ = try await client.call(.get, "https://api.example/")
    _ = try await client.call(.get, "https://api.example/")
    #expect(transport.requests.count == 3)
  }

  @Test("The time is learned for parameters in the body, even if the call reports progress")
  func correctedInBody() async throws {
    let transport = InMemoryTransport { request throws(TransportError) in
      let body = String(decoding: try await request.body.collect(), as: UTF8.self)
      return .json(
        "{}", status: body.contains("oauth_timestamp=1700003600") ? .ok : .unauthorized,
        headerFields: [.date: "Tue, 14 Nov 2023 23:13:20 GMT"])
    }
    let client = Client(
      auth: OAuth1(consumerKey: "k", consumerSecret: "s", placement: .body, hosts: ["api.example"]),
      configuration: ClientConfiguration(
        transport: transport, time: TestTime(.skips, at: Date(timeIntervalSince1970: 1_700_000_000))))
    let bytes = Guarded(0)
    let options = CallOptions(progress: { progress in
      if progress.direction == .upload { bytes.with { $0 = progress.bytes } }
    })
    for count in [2, 3] {
      _ = try await client.call(.post, "https://api.example/", body: .form(["a": "b"]), options: options)
      #expect(transport.requests.count == count)
    }
    #expect(bytes.with { $0 } > 0)
  }
}
