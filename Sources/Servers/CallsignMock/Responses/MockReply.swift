import CallsignJSON
import CallsignSupport
import Foundation
import HTTPTypes

/// A response that a test defines.
///
/// ```swift
/// try mock.reply(to: "getPet", with: .json(["id": "7", "name": "Rex"]))
/// try mock.reply(to: "getPet", with: .status(503, headers: [.retryAfter: "1"]), times: 2)
/// ```
public struct MockReply: Sendable {
  enum Content: Sendable {
    /// Generated from the types, with some members set by the test.
    case generated([String: JSONValue])
    case json(JSONValue)
    /// With `nil`, the type of the error's body, or a problem document.
    case bytes(Data?, contentType: String?)
    case records([JSONValue])
  }

  /// The status; `nil` uses the operation's status.
  public var status: Int?
  /// Header fields to add to, or replace, those of the default response.
  public var headers: HTTPFields
  var content: Content

  /// The mock's default response, generated from the operation's types.
  public static let generated = MockReply(headers: [:], content: .generated([:]))

  /// The mock's default response, with some members set.
  ///
  /// - Parameter members: Members of the response, or of its `data`, by name. They are not checked against the types.
  public static func generated(with members: [String: JSONValue]) -> MockReply {
    MockReply(headers: [:], content: .generated(members))
  }

  /// Responds with the given JSON. It is not checked against the types.
  ///
  /// - Parameters:
  ///   - value: The body.
  ///   - status: Default: 200.
  ///   - headers: Default: `Content-Type: application/json`.
  public static func json(_ value: JSONValue, status: Int = 200, headers: HTTPFields = [:]) -> MockReply {
    MockReply(status: status, headers: headers, content: .json(value))
  }

  /// Responds with a status. An error gets a body of the catalogue's type for it or, if there is none, a problem document (RFC
  /// 9457).
  public static func status(_ status: Int, headers: HTTPFields = [:]) -> MockReply {
    MockReply(status: status, headers: headers, content: .bytes(nil, contentType: nil))
  }

  /// Responds with bytes.
  ///
  /// - Parameters:
  ///   - body: The bytes, of any kind.
  ///   - contentType: Their media type.
  ///   - status: Default: 200.
  ///   - headers: Further header fields.
  public static func data(
    _ body: Data, contentType: String, status: Int = 200, headers: HTTPFields = [:]
  ) -> MockReply {
    MockReply(status: status, headers: headers, content: .bytes(body, contentType: contentType))
  }

  /// Responds to a stream with these records, then ends it. If the operation is not a stream, they become a JSON array.
  public static func records(_ records: [JSONValue]) -> MockReply {
    MockReply(status: 200, headers: [:], content: .records(records))
  }
}

/// A failure that the mock causes on purpose.
public struct MockFault: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case delay(Duration)
    case status(Int, retryAfter: Int?)
    case drop
    case lose
    case cut(after: Int)
    case truncate(to: Int)
    case empty
  }

  let kind: Kind

  /// Waits before the response.
  public static func delay(_ duration: Duration) -> MockFault { MockFault(kind: .delay(duration)) }

  /// Responds with a status instead of performing the operation. The body is as for ``MockReply/status(_:headers:)``.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - retryAfter: The seconds in the `Retry-After` field; `nil` omits the field.
  public static func status(_ status: Int, retryAfter: Int? = nil) -> MockFault {
    MockFault(kind: .status(status, retryAfter: retryAfter))
  }

  /// Closes the connection before the operation runs.
  public static let dropConnection = MockFault(kind: .drop)

  /// Runs the operation, but closes the connection before the first byte of the response. The client cannot know that it ran.
  public static let loseResponse = MockFault(kind: .lose)

  /// Closes the connection after a number of bytes of the body, although more were announced.
  public static func cutBody(after bytes: Int) -> MockFault { MockFault(kind: .cut(after: max(0, bytes))) }

  /// Sends only the beginning of the body, with a `Content-Length` to match.
  public static func truncatedBody(to bytes: Int) -> MockFault { MockFault(kind: .truncate(to: max(0, bytes))) }

  /// Leaves out the body.
  public static let emptyBody = MockFault(kind: .empty)

  /// The fault as text for a person.
  var words: String {
    switch kind {
    case .delay(let duration):
      "a slow response, after \(FaultText.milliseconds(duration)) ms"
    case .status(let status, let seconds):
      "status \(status)" + (seconds.map { ", with Retry-After: \($0)" } ?? "")
    case .drop: "the connection is closed before the response"
    case .lose: "it is done, and the response is lost"
    case .cut(let bytes): "the connection is closed after \(bytes) bytes of the body"
    case .truncate(let bytes): "the body ends after \(bytes) bytes"
    case .empty: "the body is empty"
    }
  }
}

/// An incorrect use of a mock.
public enum MockError: CallsignError, Hashable {
  /// The catalogue has no operation with this name; these are similar.
  case unknownOperation(String, similar: [String])
  /// The catalogue cannot be loaded. The value contains its diagnostics.
  case invalidCatalogue([String])
  /// The port is taken or not permitted.
  case couldNotListen(port: UInt16)

  /// The mistake as text.
  public var description: String {
    switch self {
    case .unknownOperation(let name, let similar):
      "the catalogue has no operation `\(name)`"
        + (similar.isEmpty ? "" : "; did you mean \(similar.map { "`\($0)`" }.joined(separator: ", "))?")
    case .invalidCatalogue(let diagnostics): diagnostics.joined(separator: "\n")
    case .couldNotListen(let port): "cannot listen on port \(port); it is taken, or may not be used"
    }
  }
}

/// Descriptions of faults for the consoles of mocks and the sandbox.
package enum FaultText {
  /// The operations that a fault applies to.
  package static func operation(_ name: String) -> String { name == "*" ? "every operation" : name }

  /// A planned fault: for which operation, how often, and after how many requests.
  package static func planned(_ fault: String, for name: String, times: Int, after skipped: Int) -> String {
    let often = times == 1 ? "once" : "\(times) times"
    return "\(operation(name)): \(fault), \(often)"
      + (skipped > 0 ? ", after \(skipped) request\(skipped == 1 ? "" : "s")" : "")
  }

  /// A delay in whole milliseconds.
  package static func milliseconds(_ delay: Duration) -> Int64 {
    delay.components.seconds * 1000 + delay.components.attoseconds / 1_000_000_000_000_000
  }
}
