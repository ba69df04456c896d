import Foundation

/// The words of a fault's text behind the `=`, taken one after another.
struct FaultWords {
  struct Kind {
    var name: String
    /// What stands behind the colon.
    var argument: String?
  }

  private let text: String
  private var words: [String]

  init(_ text: String, after equals: String.Index) {
    self.text = text
    words = text[text.index(after: equals)...].split(separator: " ").map(String.init)
  }

  mutating func takeKind() throws(FaultSpecificationError) -> Kind {
    guard !words.isEmpty else { throw failure("nothing is said about what goes wrong") }
    let parts = words.removeFirst().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return Kind(name: String(parts[0]), argument: parts.count > 1 ? String(parts[1]) : nil)
  }

  mutating func fault(_ kind: Kind, now: Date) throws(FaultSpecificationError) -> Sandbox.Fault {
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

  /// Those of which nothing further can be said.
  private func plainFault(_ kind: Kind) throws(FaultSpecificationError) -> Sandbox.Fault? {
    let fault: Sandbox.Fault? =
      switch kind.name {
      case "cut": .cutBeforeAnswer
      case "lose-answer": .loseAnswer
      case "empty": .emptyBody
      case "errors": .partialErrors
      case "clock": .timestampRefused
      default: Sandbox.Fault.Refusal(rawValue: kind.name).map { .refused($0) }
      }
    if fault != nil, kind.argument != nil { throw failure("`\(kind.name)` takes nothing behind a colon") }
    return fault
  }

  private mutating func status(_ kind: Kind, now: Date) throws(FaultSpecificationError) -> Sandbox.Fault {
    guard let status = Int(kind.name), (400...599).contains(status), kind.argument == nil else {
      throw failure("`\(kind.name)` is no fault; write a status from 400 to 599, or one of \(Self.names)")
    }
    var limits = Sandbox.Fault.Limits()
    limits.retryAfter = try number("retry-after", in: 0...).map { .seconds($0) }
    limits.reset = try number("reset", in: 0...).map { now.addingTimeInterval(TimeInterval($0)) }
    let tomorrow = now.addingTimeInterval(86_400)
    limits.userDaily = try number("user-day", in: 1...).map { .init(limit: $0, reset: tomorrow) }
    limits.appDaily = try number("app-day", in: 1...).map { .init(limit: $0, reset: tomorrow) }
    return .status(status, headers: limits.headers)
  }

  private static let names =
    ([
      "delay", "cut", "lose-answer", "cut-in-body", "truncate", "empty", "split", "slow", "type", "errors", "proxy",
      "blank", "clock", "random",
    ] + Sandbox.Fault.Refusal.allCases.map(\.rawValue)).joined(separator: ", ")

  mutating func randomFaults(_ argument: String?) throws(FaultSpecificationError) -> Sandbox.RandomFaults {
    guard let probability = argument.flatMap(Double.init), (0...1).contains(probability) else {
      throw failure("`random:` wants a probability from 0 to 1")
    }
    return Sandbox.RandomFaults(probability: probability, seed: UInt64(try number("seed", in: 0...) ?? 1))
  }

  /// `x3`; 1 if it isn't there.
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
    throw failure("`\(word)` says nothing about this fault")
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
