import Foundation

extension Sandbox {
  /// Something that goes wrong on purpose.
  public struct Fault: Sendable {
    /// What happens instead of doing what was asked, before it, or to the answer.
    enum Kind: Sendable {
      /// The request does not reach the operation.
      case instead(Replacement)
      /// Waits, and then does what was asked.
      case delay(Duration)
      /// Does what was asked, and spoils the answer.
      case spoil(Spoiling)
    }

    /// An answer of the fault's own.
    enum Replacement: Sendable {
      case status(Int, headers: [String: String], body: Data?)
      case proxyPage(Int)
      case blankProblem(Int)
      case clockOff
      case cut
      case refusal(Refusal)
    }

    /// What becomes of an answer.
    enum Spoiling: Sendable {
      case cut(after: Int)
      case truncate(to: Int)
      case empty
      case chunks(of: Int, pause: Duration)
      case mediaType(String)
      case partialErrors
      case headers([String: String])
      case loseAnswer
    }

    let kind: Kind

    /// Answers with a status instead of doing what was asked.
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - headers: headers of the answer, such as `Retry-After`.
    ///   - body: the body, sent as HTML unless `headers` say otherwise; X's problem document for the status, or v1.1's list of errors, unless it is given.
    public static func status(_ status: Int, headers: [String: String] = [:], body: Data? = nil) -> Fault {
      Fault(kind: .instead(.status(status, headers: headers, body: body)))
    }

    /// Answers 429 instead of doing what was asked, with the headers that say when to come again.
    public static func rateLimited(_ limits: Limits = Limits()) -> Fault {
      Fault(kind: .instead(.status(429, headers: limits.headers, body: nil)))
    }

    /// Answers as a proxy before X does: a status and an HTML page.
    public static func proxyPage(status: Int = 502) -> Fault { Fault(kind: .instead(.proxyPage(status))) }

    /// Answers with a problem document that says nothing but the status: type `about:blank`, title and detail alike.
    public static func blankProblem(status: Int = 400) -> Fault { Fault(kind: .instead(.blankProblem(status))) }

    /// Refuses the request as if its timestamp were wrong: 401, in v1.1 with code 135.
    public static let timestampRefused = Fault(kind: .instead(.clockOff))

    /// Refuses the request in one of X's own ways.
    public static func refused(_ refusal: Refusal) -> Fault { Fault(kind: .instead(.refusal(refusal))) }

    /// Waits before doing what was asked.
    public static func delay(_ duration: Duration) -> Fault { Fault(kind: .delay(duration)) }

    /// Closes the connection instead of doing what was asked, before a byte of an answer.
    public static let cutBeforeAnswer = Fault(kind: .instead(.cut))

    /// Does what was asked, but closes the connection before a byte of the answer: the client cannot know.
    public static let loseAnswer = Fault(kind: .spoil(.loseAnswer))

    /// Does what was asked, but closes the connection after so many bytes of the answer's body.
    public static func cutInBody(after bytes: Int) -> Fault { Fault(kind: .spoil(.cut(after: max(0, bytes)))) }

    /// Does what was asked, but leaves out the end of the body, as if that were all of it.
    /// - Parameter bytes: how many bytes are left.
    public static func truncatedBody(to bytes: Int) -> Fault { Fault(kind: .spoil(.truncate(to: max(0, bytes)))) }

    /// Does what was asked, but sends no body.
    public static let emptyBody = Fault(kind: .spoil(.empty))

    /// Does what was asked, and sends the body in chunks (`Transfer-Encoding: chunked`).
    /// - Parameters:
    ///   - size: bytes a chunk; 1 or more.
    ///   - pause: the time between two chunks.
    public static func splitBody(into size: Int, pause: Duration = .zero) -> Fault {
      Fault(kind: .spoil(.chunks(of: max(1, size), pause: pause)))
    }

    /// Does what was asked, and sends the body slowly.
    /// - Parameter bytesPerSecond: the rate; 1 or more.
    public static func slowBody(bytesPerSecond: Int) -> Fault {
      let rate = max(1, bytesPerSecond)
      // Twenty pieces a second, or a byte at a time if that is faster than the rate.
      let size = max(1, rate / 20)
      return Fault(kind: .spoil(.chunks(of: size, pause: .seconds(1) * (Double(size) / Double(rate)))))
    }

    /// Does what was asked, but calls the body something else.
    /// - Parameter type: the value of `Content-Type`.
    public static func contentType(_ type: String) -> Fault { Fault(kind: .spoil(.mediaType(type))) }

    /// Does what was asked, and says beside `data` that a part of it was not found.
    public static let partialErrors = Fault(kind: .spoil(.partialErrors))

    /// Does what was asked, and sets headers of the answer.
    public static func headers(_ headers: [String: String]) -> Fault { Fault(kind: .spoil(.headers(headers))) }
  }
}
