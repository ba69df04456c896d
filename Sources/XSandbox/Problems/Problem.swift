/// A refusal in X's form of a problem document (RFC 9457), thrown by whatever finds the fault.
struct Problem: Error, Sendable {
  var status: Int
  var title: String
  var detail: String
  /// `about:blank`, or one of X's own problem types.
  var type: String = "about:blank"
  /// Further members, such as `errors`.
  var members: [String: JSON] = [:]
  var headers: [IncomingRequest.HeaderField] = []
  /// The number by which v1.1 knows this error, if it was thrown by a v1.1 operation; `detail` is then its message.
  var code: Int?

  var document: JSON {
    var document = members
    document["title"] = .string(title)
    document["detail"] = .string(detail)
    document["type"] = .string(type)
    document["status"] = .integer(status)
    return .object(document)
  }

  /// Adds what only a sandbox tells: why, in words, and what to look at.
  func explained(_ reason: String, _ details: [String: JSON] = [:]) -> Problem {
    var copy = self
    copy.members["sandbox"] = .object(details.merging(["reason": .string(reason)]) { _, reason in reason })
    return copy
  }

  static let typePrefix = "https://api.x.com/2/problems/"
}
