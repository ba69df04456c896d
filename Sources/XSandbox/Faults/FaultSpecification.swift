import Foundation

extension Sandbox {
  /// A fault, written as a line of text: which operation, what goes wrong, and how often.
  ///
  /// ```
  /// GET /2/users/me=429 x3 retry-after=2
  /// *=cut-in-body:20 after=5
  /// POST /2/oauth2/token=delay:1.5s
  /// *=random:0.1 seed=7
  /// ```
  ///
  /// Before the `=` stand method and path as in X's document, or `*`. After it stands one of:
  ///
  /// - a status from 400 to 599, with `retry-after=SECONDS`, `reset=SECONDS` (from now), `user-day=LIMIT`, `app-day=LIMIT`
  /// - `delay:DURATION`, `cut`, `lose-answer`, `cut-in-body:BYTES`, `truncate:BYTES`, `empty`
  /// - `split:BYTES`, with `pause=DURATION`; `slow:BYTES` (a second); `type:MEDIA-TYPE`; `errors`
  /// - `proxy:STATUS`, `blank:STATUS`, `clock`, or a refusal of X's such as `client-not-enrolled`
  /// - `random:PROBABILITY`, with `seed=NUMBER`
  ///
  /// and then `xTIMES` (once unless it is there) and `after=COUNT` (how many requests go by before). A duration is a number with `ms` or `s`.
  public struct FaultSpecification: Sendable {
    enum Content: Sendable {
      case fault(Fault, times: Int, after: Int)
      case random(RandomFaults)
    }

    /// The operation, or `*`.
    public let operation: String
    let content: Content

    /// Reads a fault.
    /// - Parameters:
    ///   - text: the line.
    ///   - now: from when `reset` is counted; the system's time unless it is given.
    /// - Throws: ``FaultSpecificationError``, which says what is wrong.
    public init(_ text: String, now: Date = Date()) throws(FaultSpecificationError) {
      guard let equals = text.firstIndex(of: "=") else {
        throw FaultSpecificationError(text, "there is no `=` between the operation and what goes wrong")
      }
      operation = try Self.operation(text[..<equals].trimmingCharacters(in: .whitespaces), in: text)
      var words = FaultWords(text, after: equals)
      let kind = try words.takeKind()
      if kind.name == "random" {
        content = .random(try words.randomFaults(kind.argument))
      } else {
        let fault = try words.fault(kind, now: now)
        content = .fault(fault, times: try words.takeTimes(), after: try words.number("after", in: 0...) ?? 0)
      }
      try words.finish()
    }

    private static func operation(_ text: String, in whole: String) throws(FaultSpecificationError) -> String {
      if text == "*" { return text }
      let parts = text.split(separator: " ")
      guard parts.count == 2, parts[1].hasPrefix("/"), parts[0].allSatisfy({ $0.isASCII && $0.isUppercase }) else {
        throw FaultSpecificationError(
          whole, "`\(text)` is no operation; write the method in upper case and the path, or `*`")
      }
      return text
    }
  }

  /// Lets something go wrong that a line of text describes.
  public func inject(_ specification: FaultSpecification) async {
    switch specification.content {
    case .fault(let fault, let times, let after):
      await inject(fault, for: specification.operation, times: times, after: after)
    case .random(let faults): await inject(faults, for: specification.operation)
    }
  }
}

/// What is wrong with the text of a fault.
public struct FaultSpecificationError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
  /// The text.
  public let text: String
  /// What is wrong with it, and what to write.
  public let reason: String

  init(_ text: String, _ reason: String) {
    self.text = text
    self.reason = reason
  }

  /// The text, and what is wrong with it.
  public var description: String { "“\(text)”: \(reason)." }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
