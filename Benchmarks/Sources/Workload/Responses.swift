import Callsign
import Foundation
import HTTPTypes

/// The response of the measured call: the signed-in user's account.
package enum Responses {
  /// About 2.1 KB.
  package static let user: Data = {
    let link =
      #"{"start":0,"end":23,"url":"https://t.co/abcdefghij","expanded_url":"https://example.com/a/longer/path","display_url":"example.com/a/longer/p…"}"#
    let description = Array(repeating: "Größe schnell \\u00e9 the release today 🚀 brings", count: 12).joined(
      separator: " ")
    return Data(
      (#"{"data":{"id":"2244994945","name":"Somebody","username":"somebody","created_at":"2013-12-14T04:35:55.000Z","#
        + #""description":"\#(description)","verified":true,"location":"Somewhere","#
        + #""entities":{"url":{"urls":[\#(link)]},"description":{"urls":[\#(link),\#(link)]}},"#
        + #""profile_image_url":"https://pbs.example.com/profile_images/1346889436626259968/photo_normal.jpg","#
        + #""public_metrics":{"followers_count":583423,"following_count":2048,"tweet_count":14052,"listed_count":1672},"#
        + #""pinned_tweet_id":"1346889436626259968"},"includes":{"users":[{"id":"1","name":"Another","username":"another"}]}}"#)
        .utf8)
  }()

  /// The header fields of a response, in addition to type and length: ten.
  private static let fields: [(String, String)] = [
    ("date", "Sat, 21 Nov 2026 10:00:00 GMT"), ("server", "envoy"), ("x-rate-limit-limit", "75"),
    ("x-rate-limit-remaining", "74"), ("x-rate-limit-reset", "1795255200"), ("x-response-time", "46"),
    ("x-transaction-id", "1f0b5d2e7a9c4d13"), ("cache-control", "no-cache, no-store, max-age=0"),
    ("strict-transport-security", "max-age=631138519"), ("x-connection-hash", "8c1d0d4bb1b6a2c2e0e2a0aee0e5a1b4"),
  ]
  package static let headText = fields.map { "\($0): \($1)\r\n" }.joined()

  package static let headerFields: HTTPFields = {
    var result: HTTPFields = [.contentType: "application/json; charset=utf-8", .contentLength: "\(user.count)"]
    for (name, value) in fields { if let name = HTTPField.Name(name) { result[name] = value } }
    return result
  }()

  /// Responds immediately, and stores nothing.
  package struct MemoryTransport: Transport {
    package init() {}

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      try request.validate()
      return TransportResponse(headerFields: Responses.headerFields, body: Responses.user)
    }
  }

  package static let bearer: any Authenticator = Bearer(
    "AAAAAAAAAAAAAAAAAAAAAMLheAAAAAAA0%2BuSeid%2BULvsea4JtiGRiSDSJSI")
}
