import CallsignCatalogue
import CallsignJSON
import Foundation

/// Generates values of the built-in types of the catalogue's language.
struct ScalarGenerator {
  let scalar: Scalar
  let constraints: Constraints
  let name: String

  func value(_ generator: inout SeededGenerator) -> JSONValue {
    switch scalar {
    case .string: .string(text(&generator))
    case .int: .integer(whole(&generator, -9_007_199_254_740_991...9_007_199_254_740_991))
    case .int32: .integer(whole(&generator, Int(Int32.min)...Int(Int32.max)))
    case .uint64: .integer(whole(&generator, 0...9_007_199_254_740_991))
    case .number: fraction(&generator)
    case .bool: .bool(generator.chance(0.5))
    case .date(let format):
      switch format {
      case .seconds: .integer(PlausibleText.time(&generator) / 1_000)
      case .milliseconds: .integer(PlausibleText.time(&generator))
      default: .string(Timestamps.text(PlausibleText.time(&generator), format))
      }
    case .bytes, .file: .string(Data(PlausibleText.phrase(&generator, 2...4).utf8).base64EncodedString())
    case .base64URL:
      .string(
        Data(PlausibleText.phrase(&generator, 2...4).utf8).base64EncodedString()
          .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))
    case .json: .object(["note": .string(PlausibleText.phrase(&generator, 1...3))])
    case .decimal(let isText): isText ? .string(fraction(&generator).description) : fraction(&generator)
    case .url: .string(PlausibleText.url(&generator))
    case .uuid: .string(uuid(&generator))
    case .duration(.iso8601): .string("PT\(Int.random(in: 1...59, using: &generator))M")
    case .duration(.seconds): .integer(Int.random(in: 1...3_600, using: &generator))
    case .duration(.milliseconds): .integer(Int.random(in: 100...100_000, using: &generator))
    case .duration(.protobuf): .string("\(Int.random(in: 1...60, using: &generator))s")
    }
  }

  // MARK: Texts

  /// The maximum number of steps for texts from a pattern, which take about a tenth of a second.
  private static let mostSteps = 1e6

  private func text(_ generator: inout SeededGenerator) -> String {
    let least = max(0, constraints.minimum.flatMap { Int($0) } ?? 0)
    let most = max(least, constraints.maximum.flatMap { Int($0) } ?? .max)
    let plausible = fitted(PlausibleText(name: name).text(&generator), least, most, &generator)
    guard let source = constraints.pattern else { return plausible }
    let tests = PatternTests.shared
    // If the text cannot be tested, one generated from the pattern is a better guess.
    if tests.canTest(plausible, source), tests.matches(plausible, source) { return plausible }
    guard let pattern = tests.pattern(source) else { return plausible }
    // First tries small random texts, then repetitions that fill the text up to the bounds.
    let limit = min(most, 10_000)
    let lengths = (0...80).map { least - $0 } + (0...80).map { min(most, 200) - $0 }
    let wishes: [Int?] = Array(repeating: nil, count: 20) + lengths.filter { $0 >= 0 }.map { $0 }
    var steps = Self.mostSteps
    for wanted in wishes where steps > 0 {
      let text = pattern.sample(&generator, wanted: wanted, limit: limit)
      let count = text.unicodeScalars.count
      if count >= least, count <= most, tests.matches(text, source) { return text }
      steps -= Double(count) + (tests.steps(of: source, for: count) ?? 0)
    }
    return plausible
  }

  /// Shortens or extends a text until its length in code points is within the bounds.
  private func fitted(_ text: String, _ least: Int, _ most: Int, _ generator: inout SeededGenerator) -> String {
    var text = text
    // An unreasonable bound is a mistake in the document and not worth the memory.
    while text.unicodeScalars.count < min(least, 100_000) {
      text += " " + PlausibleText.phrase(&generator, 3...8).lowercased()
    }
    guard text.unicodeScalars.count > most else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(most)))
  }

  private func uuid(_ generator: inout SeededGenerator) -> String {
    var digits = Array(PlausibleText.hexadecimal(&generator, 32))
    digits[12] = "4"
    digits[16] = "a"
    let text = String(digits)
    var parts: [Substring] = []
    var rest = text[...]
    for count in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.joined(separator: "-")
  }

  // MARK: Numbers

  private func whole(_ generator: inout SeededGenerator, _ possible: ClosedRange<Int>) -> Int {
    func bound(_ text: String?, _ rule: FloatingPointRoundingRule) -> Int? {
      text.flatMap { Int($0) ?? Double($0).flatMap { Int(exactly: $0.rounded(rule)) } }
    }
    let range = Self.range(
      usual: PlausibleText(name: name).numbers, least: bound(constraints.minimum, .up),
      most: bound(constraints.maximum, .down), possible: possible)
    return Int.random(in: range, using: &generator)
  }

  /// The usual numbers if the bounds allow them, otherwise numbers near a bound.
  private static func range(
    usual: ClosedRange<Int>, least: Int?, most: Int?, possible: ClosedRange<Int>
  ) -> ClosedRange<Int> {
    let least = min(max(least ?? possible.lowerBound, possible.lowerBound), possible.upperBound)
    let most = max(least, min(most ?? possible.upperBound, possible.upperBound))
    let low = max(usual.lowerBound, least)
    let high = min(usual.upperBound, most)
    if low <= high { return low...high }
    return usual.upperBound < least ? least...min(most, least.addingReportingOverflow(100).partialValue) : most...most
  }

  private func fraction(_ generator: inout SeededGenerator) -> JSONValue {
    let usual = PlausibleText(name: name).numbers
    var low = Double(usual.lowerBound)
    var high = Double(usual.upperBound)
    if let least = constraints.minimum.flatMap({ Double($0) }) {
      low = max(low, least)
      high = max(high, low)
    }
    if let most = constraints.maximum.flatMap({ Double($0) }) {
      high = min(high, most)
      low = max(min(low, high), constraints.minimum.flatMap { Double($0) } ?? -.infinity)
    }
    guard low < high else { return .number(high) }
    let drawn = (Double.random(in: low...high, using: &generator) * 4).rounded() / 4
    return .number(min(max(drawn, low), high))
  }
}
