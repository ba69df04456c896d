import Foundation

/// A request as it arrived, before anything has been decoded or normalised: signatures are over these very bytes.
struct IncomingRequest: Sendable {
  /// Upper-case HTTP method.
  var method: String
  /// The path of the request target, percent-encoded as it was sent.
  var path: String
  /// The query without `?`, percent-encoded as it was sent; empty when there is none.
  var query: String
  var headers: [HeaderField]
  var body: Data
  /// The port from which the client has connected.
  var peerPort: UInt16?

  struct HeaderField: Sendable, Equatable {
    var name: String
    var value: String
  }

  func header(_ name: String) -> String? {
    headers.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
  }

  /// The media type of the body in lower case, without its parameters.
  var mediaType: String? {
    header("Content-Type")?
      .split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first
      .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
  }

  var hasFormBody: Bool { mediaType == "application/x-www-form-urlencoded" }

  /// The path's segments, percent-decoded, without the empty one before the first slash. `nil` when one is not UTF-8.
  var segments: [String]? {
    guard path.hasPrefix("/") else { return nil }
    var segments: [String] = []
    for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let decoded = String(segment).removingPercentEncoding else { return nil }
      segments.append(decoded)
    }
    return segments
  }
}
