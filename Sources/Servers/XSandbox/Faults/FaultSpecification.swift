import CallsignCatalogue
import CallsignSupport
import Foundation

/// A fault as a line of text: the operation, the fault, and the number of times.
///
/// ```
/// GET /2/users/me=429 x3 retry-after=2
/// *=cut-in-body:20 after=5
/// POST /2/oauth2/token=delay:1.5s
/// *=random:0.1 seed=7
/// ```
///
/// Before the `=` is the method and path of an operation as in X's document, or `*`. After it is one of:
///
/// - a status from 400 to 599, with `retry-after=SECONDS`, `reset=SECONDS` (from now), `user-day=LIMIT`,
///   `app-day=LIMIT`
/// - `delay:DURATION`, `cut`, `lose-response`, `cut-in-body:BYTES`, `truncate:BYTES`, `empty`
/// - `split:BYTES`, with `pause=DURATION`; `slow:BYTES` (a second); `type:MEDIA-TYPE`; `errors`
/// - `proxy:STATUS`, `blank:STATUS`, `clock`, or a refusal of X's such as `client-not-enrolled`
/// - `random:PROBABILITY`, with `seed=NUMBER`
///
/// It can be followed by `xTIMES` (default: once) and `after=COUNT` (the number of requests without a fault before it). A duration
/// is a number with `ms` or `s`.
public struct FaultSpecification: Sendable {
  enum Content: Sendable {
    case fault(SandboxFault, times: Int, after: Int)
    case random(SandboxRandomFaults)
  }

  /// The operation, or `*`.
  public let operation: String
  let content: Content

  /// Parses a fault.
  /// - Parameters:
  ///   - text: The line.
  ///   - now: The time that `reset` counts from. Default: the system's.
  /// - Throws: ``FaultSpecificationError``.
  public init(_ text: String, now: Date = Date()) throws(FaultSpecificationError) {
    guard let equals = text.firstIndex(of: "=") else {
      throw FaultSpecificationError(text, "there is no `=` between the operation and what goes wrong")
    }
    operation = try Self.operation(text[..<equals].trimmingCharacters(in: .whitespaces), in: text)
    var words = FaultParser(text, after: equals)
    let kind = try words.takeKind()
    if kind.name == "random" {
      content = .random(try words.randomFaults(kind.argument))
    } else {
      let fault = try words.fault(kind, now: now)
      content = .fault(fault, times: try words.takeTimes(), after: try words.number("after", in: 0...) ?? 0)
    }
    try words.finish()
    if let problem = Self.problem(ofOperation: operation) { throw FaultSpecificationError(text, problem) }
  }

  private static func operation(_ text: String, in whole: String) throws(FaultSpecificationError) -> String {
    if text == "*" { return text }
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[1].hasPrefix("/"), parts[0].allSatisfy({ $0.isASCII && $0.isUppercase }) else {
      throw FaultSpecificationError(
        whole, "`\(text)` is not an operation; write the method in upper case and the path, or `*`")
    }
    return text
  }
}

extension FaultSpecification {
  /// Operations that are not in a catalogue and that folders above this one define: compliance files, and pictures in messages.
  static let furtherOperations = [
    "PUT /sandbox/compliance/{id}/upload", "GET /sandbox/compliance/{id}/result",
    "GET /1.1/ton/data/dm/{message}/{media}/{name}",
  ]

  /// Everything that a request can address.
  private static let operations = Set(
    CataloguedOperation.all.map(\.key) + AuthorizationEndpoint.all.map(\.key) + furtherOperations)

  /// The reason why no request would ever match the operation of a fault, and what may be meant; `nil` if one can match.
  private static func problem(ofOperation operation: String) -> String? {
    guard operation != "*", !operations.contains(operation) else { return nil }
    let meant = suggestion(for: operation).map { "; did you mean `\($0)`?" }
    return "the sandbox has no operation `\(operation)`" + (meant ?? "")
  }

  private static func parts(_ key: String) -> [Substring] { key.split { $0 == " " || $0 == "/" } }

  private static let operationParts = operations.map { (key: $0, parts: parts($0)) }

  private static func suggestion(for operation: String) -> String? {
    let given = parts(operation)
    let method = given.first ?? ""
    var suggestions = Suggestions()
    // Misspelt words in the path, another method's path, or a path with values instead of its parameters.
    let fitting = operationParts.filter { known in
      guard known.parts.count == given.count else { return false }
      return zip(known.parts, given).dropFirst().allSatisfy { known, given in
        if known == given || known.hasPrefix("{") { return true }
        return suggestions.closest(to: String(given), among: [String(known)]) != nil
      }
    }.map(\.key)
    let closest = fitting.min { left, right in
      // A nearly matching word ranks before a parameter, which would match anything.
      func order(_ key: String) -> (Int, Int, Int, String) {
        let differing = zip(parts(key), given).dropFirst().count { $0.0 != $0.1 }
        return (key.hasPrefix(method + " ") ? 0 : 1, key.count { $0 == "{" }, differing, key)
      }
      return order(left) < order(right)
    }
    if let closest { return closest }
    // Only a few are compared: those with the same method and a similar length.
    let candidates = operations.filter { $0.hasPrefix(method + " ") && abs($0.count - operation.count) <= 6 }
    return suggestions.closest(to: operation, among: Array(candidates))
  }
}

/// An error in a fault's text.
public struct FaultSpecificationError: CallsignError, Equatable {
  /// The text.
  public let text: String
  /// The mistake and how to correct it.
  public let reason: String

  init(_ text: String, _ reason: String) {
    self.text = text
    self.reason = reason
  }

  /// The text and the mistake.
  public var description: String { "`\(text)`: \(reason)" + (reason.hasSuffix("?") ? "" : ".") }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

/// Parses the words after the `=` in a fault's text.
struct FaultParser {
  struct Kind {
    var name: String
    /// The text after the colon.
    var argument: String?
  }

  private let text: String
  private var words: [String]

  init(_ text: String, after equals: String.Index) {
    self.text = text
    words = text[text.index(after: equals)...].split(separator: " ").map(String.init)
  }

  mutating func takeKind() throws(FaultSpecificationError) -> Kind {
    guard !words.isEmpty else { throw failure("it names no fault") }
    let parts = words.removeFirst().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return Kind(name: String(parts[0]), argument: parts.count > 1 ? String(parts[1]) : nil)
  }

  mutating func fault(_ kind: Kind, now: Date) throws(FaultSpecificationError) -> SandboxFault {
    if let fault = try plainFault(kind) { return fault }
    switch kind.name {
    case "delay": return .delay(try duration(kind.argument, of: kind.name))
    case "cut-in-body": return .cutInBody(after: try integer(kind.argument, of: kind.name, in: 0...))
    case "truncate": return .truncatedBody(to: try integer(kind.argument, of: kind.name, in: 0...))
    case "split":
      let pause = try take("pause").map { (text) throws(FaultSpecificationError) in try duration(text, of: "pause") }
      return .splitBody(into: try integer(kind.argument, of: kind.name, in: 1...), pause: pause ?? .zero)
    case "slow": return .slowBody(bytesPerSecond: try integer(kind.argument, of: kind.name, in: 1...))
    case "type":
      guard let type = kind.argument, type.contains("/") else { throw failure("`type:` wants a media type") }
      return .contentType(type)
    case "proxy": return .proxyPage(status: try integer(kind.argument ?? "502", of: kind.name, in: 400...599))
    case "blank": return .blankProblem(status: try integer(kind.argument ?? "400", of: kind.name, in: 400...599))
    default: return try status(kind, now: now)
    }
  }

  /// Returns a fault without an argument.
  private func plainFault(_ kind: Kind) throws(FaultSpecificationError) -> SandboxFault? {
    let fault: SandboxFault? =
      switch kind.name {
      case "cut": .cutBeforeResponse
      case "lose-response": .loseResponse
      case "empty": .emptyBody
      case "errors": .partialErrors
      case "clock": .timestampRefused
      default: SandboxFault.Refusal(rawValue: kind.name).map { .refused($0) }
      }
    if fault != nil, kind.argument != nil { throw failure("`\(kind.name)` takes nothing behind a colon") }
    return fault
  }

  private mutating func status(_ kind: Kind, now: Date) throws(FaultSpecificationError) -> SandboxFault {
    guard let status = Int(kind.name), (400...599).contains(status), kind.argument == nil else {
      throw failure("`\(kind.name)` is not a fault; write a status from 400 to 599, or one of \(Self.names)")
    }
    var limits = SandboxFault.Limits()
    limits.retryAfter = try number("retry-after", in: 0...).map { .seconds($0) }
    limits.reset = try number("reset", in: 0...10_000_000_000).map { now.addingTimeInterval(TimeInterval($0)) }
    let tomorrow = now.addingTimeInterval(86_400)
    limits.userDaily = try number("user-day", in: 1...).map { .init(limit: $0, reset: tomorrow) }
    limits.appDaily = try number("app-day", in: 1...).map { .init(limit: $0, reset: tomorrow) }
    return .status(status, headers: limits.headers)
  }

  private static let names =
    ([
      "delay", "cut", "lose-response", "cut-in-body", "truncate", "empty", "split", "slow", "type", "errors", "proxy",
      "blank", "clock", "random",
    ] + SandboxFault.Refusal.allCases.map(\.rawValue)).joined(separator: ", ")

  mutating func randomFaults(_ argument: String?) throws(FaultSpecificationError) -> SandboxRandomFaults {
    guard let probability = argument.flatMap(Double.init), (0...1).contains(probability) else {
      throw failure("`random:` wants a probability from 0 to 1")
    }
    return SandboxRandomFaults(probability: probability, seed: UInt64(try number("seed", in: 0...) ?? 1))
  }

  /// `x3`; 1 if it is missing.
  mutating func takeTimes() throws(FaultSpecificationError) -> Int {
    guard let index = words.firstIndex(where: { $0.hasPrefix("x") && !$0.contains("=") }) else { return 1 }
    let word = words.remove(at: index)
    guard let times = Int(word.dropFirst()), times > 0 else {
      throw failure("`\(word)` is not how often; write `x` and a number from 1 on")
    }
    return times
  }

  /// `name=NUMBER`
  mutating func number(
    _ name: String, in range: some RangeExpression<Int>
  ) throws(FaultSpecificationError) -> Int? {
    guard let text = take(name) else { return nil }
    return try integer(text, of: name, in: range)
  }

  func finish() throws(FaultSpecificationError) {
    guard let word = words.first else { return }
    throw failure("`\(word)` has no meaning for this fault; leave it out")
  }

  private mutating func take(_ name: String) -> String? {
    guard let index = words.firstIndex(where: { $0.hasPrefix("\(name)=") }) else { return nil }
    return String(words.remove(at: index).dropFirst(name.count + 1))
  }

  private func integer(
    _ text: String?, of name: String, in range: some RangeExpression<Int>
  ) throws(FaultSpecificationError) -> Int {
    guard let value = text.flatMap({ Int($0) }), range.contains(value) else {
      throw failure("`\(name)` wants a whole number\(text.map { ", not `\($0)`" } ?? "") (\(Self.words(range)))")
    }
    return value
  }

  private static func words(_ range: some RangeExpression<Int>) -> String {
    switch range {
    case let range as ClosedRange<Int>: "from \(range.lowerBound) to \(range.upperBound)"
    case let range as PartialRangeFrom<Int>: "from \(range.lowerBound) on"
    default: "\(range)"
    }
  }

  private func duration(_ text: String?, of name: String) throws(FaultSpecificationError) -> Duration {
    let text = text ?? ""
    let isMilliseconds = text.hasSuffix("ms")
    let digits = isMilliseconds ? text.dropLast(2) : text.hasSuffix("s") ? text.dropLast() : ""
    guard let value = Double(digits), (0...86_400_000).contains(value) else {
      throw failure("`\(name)` wants a duration such as `250ms` or `1.5s`, not `\(text)`")
    }
    return .seconds(isMilliseconds ? value / 1000 : value)
  }

  private func failure(_ reason: String) -> FaultSpecificationError { FaultSpecificationError(text, reason) }
}
