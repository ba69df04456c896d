import Foundation

extension Sandbox {
  /// Something that goes wrong on purpose.
  public struct Fault: Sendable {
    enum Kind: Sendable {
      case status(Int, headers: [String: String], body: Data?)
      case delay(Duration)
      case cutBeforeAnswer
      case cutInBody(after: Int)
    }

    let kind: Kind

    /// Answers with a status instead of doing what was asked.
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - headers: headers of the answer, such as `Retry-After`.
    ///   - body: the body; X's problem document for the status, or v1.1's list of errors, unless it is given.
    public static func status(_ status: Int, headers: [String: String] = [:], body: Data? = nil) -> Fault {
      Fault(kind: .status(status, headers: headers, body: body))
    }

    /// Waits before doing what was asked.
    public static func delay(_ duration: Duration) -> Fault { Fault(kind: .delay(duration)) }

    /// Closes the connection instead of doing what was asked, before a byte of an answer.
    public static let cutBeforeAnswer = Fault(kind: .cutBeforeAnswer)

    /// Does what was asked, but closes the connection after so many bytes of the answer's body.
    public static func cutInBody(after bytes: Int) -> Fault { Fault(kind: .cutInBody(after: max(0, bytes))) }
  }
}
