import Foundation

/// What the sandbox sends back.
struct Answer: Sendable {
  var status: Int
  var headers: [IncomingRequest.HeaderField] = []
  var body: Body

  enum Body: Sendable {
    case bytes(Data)
    /// Nothing at all is sent, and the connection closed.
    case nothing
    /// The header promises `total` bytes, but the connection closes after `bytes`.
    case cut(bytes: Data, total: Int)
    /// What a stream sends, for as long as it is open.
    case stream(StreamBody)
    /// Sent in chunks of a size, with pauses between them.
    case chunks(Data, size: Int, pause: Duration)
  }

  init(status: Int = 200, json: JSON, mediaType: String = "application/json; charset=utf-8") {
    self.status = status
    body = .bytes(json.bytes)
    headers = [.init(name: "Content-Type", value: mediaType)]
  }

  init(_ problem: Problem) {
    self.init(status: problem.status, json: problem.document, mediaType: "application/problem+json")
    headers += problem.headers
  }

  /// A refusal, in the form of the version that was asked.
  init(_ problem: Problem, in version: APIVersion) {
    switch version {
    case .v1: self.init(v1: problem)
    case .v2: self.init(problem)
    }
  }

  /// An answer without a body.
  init(status: Int) {
    self.status = status
    body = .bytes(Data())
  }

  mutating func set(_ name: String, _ value: String) {
    headers.removeAll { $0.name.caseInsensitiveCompare(name) == .orderedSame }
    headers.append(.init(name: name, value: value))
  }
}
