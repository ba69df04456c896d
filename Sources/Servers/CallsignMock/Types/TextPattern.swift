import CallsignCatalogue
import CallsignHTTP
import CallsignSupport
import Foundation

/// A parsed regular expression that can generate matching texts.
///
/// It supports what documents use: classes, groups, alternatives, repetitions and anchors. Other syntax, such as a look-ahead or a
/// back reference, is ignored, so you must test a generated text afterwards.
struct TextPattern: Sendable {
  indirect enum Node: Sendable {
    case nothing
    case set([ClosedRange<UInt32>])
    case sequence([Node])
    case alternatives([Node])
    case repeated(Node, least: Int, most: Int?)
  }

  let root: Node

  /// `nil` if brackets are not closed, or the nesting is too deep.
  init?(_ text: String) {
    var parser = Parser(scalars: Array(text.unicodeScalars))
    guard let root = parser.alternatives(depth: 0), parser.isAtEnd else { return nil }
    self.root = root
  }

  /// A text for the pattern.
  ///
  /// - Parameters:
  ///   - wanted: The number of repetitions if the bounds allow it; `nil` for a small random number.
  ///   - limit: The maximum number of characters. A text that is cut off may not match.
  func sample(_ generator: inout SeededGenerator, wanted: Int?, limit: Int) -> String {
    // Repetitions can contain parts that add nothing, such as `^`.
    var text = Text(left: limit, steps: 100 * max(limit, 1_000))
    append(root, to: &text, &generator, wanted, limit)
    return String(text.scalars)
  }

  /// A text under construction.
  private struct Text {
    var scalars = String.UnicodeScalarView()
    /// The number of characters that can still be added.
    var left: Int
    var steps: Int

    var isDone: Bool { left <= 0 || steps <= 0 }
  }

  private func append(
    _ node: Node, to text: inout Text, _ generator: inout SeededGenerator, _ wanted: Int?, _ limit: Int
  ) {
    text.steps -= 1
    if text.isDone { return }
    switch node {
    case .nothing: break
    case .set(let ranges):
      guard let range = generator.pick(ranges) else { return }
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
        text.scalars.append(scalar)
        text.left -= 1
      }
    case .sequence(let nodes): for node in nodes { append(node, to: &text, &generator, wanted, limit) }
    case .alternatives(let nodes):
      if let node = generator.pick(nodes) { append(node, to: &text, &generator, wanted, limit) }
    case .repeated(let node, let least, let most):
      let greatest = max(least, min(most ?? .max, limit))
      let usual = min(greatest, least + 8)
      let count = wanted.map { min(max($0, least), greatest) } ?? Int.random(in: least...usual, using: &generator)
      for _ in 0..<count {
        if text.isDone { return }
        append(node, to: &text, &generator, wanted, limit)
      }
    }
  }
}

extension TextPattern {
  /// A recursive-descent parser for regular expressions. Each method stops after what it has read.
  private struct Parser {
    let scalars: [Unicode.Scalar]
    var place = 0
    private static let maximumDepth = 64
    /// The characters for a dot, and for a negated class.
    private static let printable: ClosedRange<UInt32> = 0x20...0x7E

    var isAtEnd: Bool { place >= scalars.count }
    private var current: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard current == scalar else { return false }
      place += 1
      return true
    }

    mutating func alternatives(depth: Int) -> Node? {
      guard depth < Self.maximumDepth else { return nil }
      var found: [Node] = []
      repeat {
        guard let sequence = sequence(depth: depth) else { return nil }
        found.append(sequence)
      } while take("|")
      return found.count == 1 ? found[0] : .alternatives(found)
    }

    private mutating func sequence(depth: Int) -> Node? {
      var nodes: [Node] = []
      while let scalar = current, scalar != "|", scalar != ")" {
        guard let atom = atom(depth: depth), let node = repetition(of: atom) else { return nil }
        nodes.append(node)
      }
      return .sequence(nodes)
    }

    private mutating func atom(depth: Int) -> Node? {
      guard let scalar = current else { return nil }
      place += 1
      switch scalar {
      case "^", "$": return .nothing
      case ".": return .set([Self.printable])
      case "[": return set()
      case "(": return group(depth: depth)
      case "\\": return escape().map { $0.isEmpty ? .nothing : .set($0) }
      default: return .set([scalar.value...scalar.value])
      }
    }

    private mutating func group(depth: Int) -> Node? {
      var isAssertion = false
      if take("?") {
        if take("<") {
          isAssertion = current == "=" || current == "!"
          while let scalar = current, !isAssertion, scalar != ">" { place += 1 }
          place += 1
        } else {
          isAssertion = current == "=" || current == "!"
          while let scalar = current, scalar != ":", scalar != "=", scalar != "!", scalar != ")" { place += 1 }
          if current != ")" { place += 1 }
        }
      }
      guard let node = alternatives(depth: depth + 1), take(")") else { return nil }
      // A look-ahead may apply anywhere, so its text may also come first.
      return isAssertion ? .alternatives([.nothing, node]) : node
    }

    private mutating func repetition(of atom: Node) -> Node? {
      var bounds: (least: Int, most: Int?)?
      if take("*") {
        bounds = (0, nil)
      } else if take("+") {
        bounds = (1, nil)
      } else if take("?") {
        bounds = (0, 1)
      } else if current == "{", let counted = counts() {
        bounds = counted
      }
      guard let bounds else { return atom }
      // A lazy or possessive quantifier has the same counts.
      if !take("?") { _ = take("+") }
      if let most = bounds.most, most < bounds.least { return nil }
      return .repeated(atom, least: bounds.least, most: bounds.most)
    }

    /// `{3}`, `{3,}`, `{3,5}`; anything else in braces is literal text.
    private mutating func counts() -> (least: Int, most: Int?)? {
      guard let end = scalars[place...].firstIndex(of: "}") else { return nil }
      let inner = String(String.UnicodeScalarView(scalars[(place + 1)..<end]))
      let parts = inner.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count <= 2, let first = parts.first, let least = Int(first), (0...10_000).contains(least)
      else { return nil }
      var most: Int? = least
      if parts.count == 2 {
        most = Int(parts[1])
        if most == nil, !parts[1].isEmpty { return nil }
      }
      place = end + 1
      return (least, most)
    }

    private mutating func set() -> Node? {
      let isNegated = take("^")
      var ranges: [ClosedRange<UInt32>] = []
      var isFirst = true
      while let scalar = current, scalar != "]" || isFirst {
        isFirst = false
        place += 1
        var low = [scalar.value...scalar.value]
        if scalar == "\\" {
          low = escape() ?? []
        } else if scalar == "[", current == ":" {
          guard let end = scalars[place...].firstIndex(of: "]") else { return nil }
          low = Self.named(String(String.UnicodeScalarView(scalars[place..<end])))
          place = end + 1
        }
        if current == "-", place + 1 < scalars.count, scalars[place + 1] != "]", let begin = low.first, low.count == 1,
          begin.count == 1
        {
          place += 1
          guard let end = current else { return nil }
          place += 1
          let high = end == "\\" ? escape()?.first?.upperBound : end.value
          guard let high, high >= begin.lowerBound else { return nil }
          ranges.append(begin.lowerBound...high)
        } else {
          ranges += low
        }
      }
      guard take("]") else { return nil }
      return .set(isNegated ? Self.without(ranges) : ranges)
    }

    /// The characters of an escape, after its backslash; empty for an assertion.
    private mutating func escape() -> [ClosedRange<UInt32>]? {
      guard let scalar = current else { return nil }
      place += 1
      switch scalar {
      case "d": return Self.digits
      case "w": return Self.word
      case "s": return [0x20...0x20]
      case "D": return Self.without(Self.digits)
      case "W": return Self.without(Self.word)
      case "S": return [0x21...0x7E]
      case "b", "B", "A", "z", "Z", "G": return []
      case "n": return [0x0A...0x0A]
      case "r": return [0x0D...0x0D]
      case "t": return [0x09...0x09]
      case "p", "P":
        guard take("{"), let end = scalars[place...].firstIndex(of: "}") else { return Self.letters }
        let name = String(String.UnicodeScalarView(scalars[place..<end]))
        place = end + 1
        let ranges = name.hasPrefix("N") ? Self.digits : name.hasPrefix("L") ? Self.letters : Self.word
        return scalar == "P" ? Self.without(ranges) : ranges
      case "u", "x":
        let braced = take("{")
        let end = braced ? scalars[place...].firstIndex(of: "}") : min(place + (scalar == "u" ? 4 : 2), scalars.count)
        guard let end, end > place,
          let value = UInt32(String(String.UnicodeScalarView(scalars[place..<end])), radix: 16),
          Unicode.Scalar(value) != nil
        else { return nil }
        place = end + (braced ? 1 : 0)
        return [value...value]
      default: return [scalar.value...scalar.value]
      }
    }

    private static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    private static let letters: [ClosedRange<UInt32>] = [0x61...0x7A, 0x41...0x5A]
    private static let word: [ClosedRange<UInt32>] = [0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x5F...0x5F]

    private static func named(_ name: String) -> [ClosedRange<UInt32>] {
      switch name.filter(\.isLetter) {
      case "alpha": letters
      case "digit": digits
      case "lower": [0x61...0x7A]
      case "upper": [0x41...0x5A]
      case "space": [0x20...0x20]
      default: letters + digits
      }
    }

    private static func without(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
      let left = printable.filter { scalar in !ranges.contains { $0.contains(scalar) } }
      // Plain letters and digits are easier to read than other characters.
      let plain = left.filter { scalar in (letters + digits).contains { $0.contains(scalar) } }
      return (plain.isEmpty ? left : plain).map { $0...$0 }
    }
  }
}

/// A cache of compiled regular expressions.
final class PatternTests: Sendable {
  static let shared = PatternTests()

  private struct Compiled: @unchecked Sendable {
    // `@unchecked Sendable`: an `NSRegularExpression` never changes and is documented as thread-safe.
    let expression: NSRegularExpression?
    let pattern: TextPattern?
    let cost: PatternCost?
  }

  private let compiled = Locked<[String: Compiled]>([:])

  private func find(_ pattern: String) -> Compiled {
    if let found = compiled.withLock({ $0[pattern] }) { return found }
    let made = Compiled(
      expression: try? NSRegularExpression(pattern: pattern), pattern: TextPattern(pattern), cost: PatternCost(pattern))
    compiled.withLock { compiled in
      if compiled.count > 10_000 { compiled = [:] }
      compiled[pattern] = made
    }
    return made
  }

  func pattern(_ text: String) -> TextPattern? { find(text).pattern }

  /// The maximum number of steps for a search in a text with that many code points; `nil` if there may be no limit.
  func steps(of pattern: String, for length: Int) -> Double? { find(pattern).cost?.steps(for: length) }

  /// Whether a search in the text ends quickly.
  func canTest(_ text: String, _ pattern: String) -> Bool { find(pattern).cost?.isLow(for: text) == true }

  /// Whether the text contains a match. Every text matches an invalid pattern, or one that cannot be tested.
  func matches(_ text: String, _ pattern: String) -> Bool {
    !canTest(text, pattern) || matches(text, trusted: pattern)
  }

  /// The same for a pattern that is not from the catalogue and is always searched for.
  func matches(_ text: String, trusted pattern: String) -> Bool {
    guard let expression = find(pattern).expression else { return true }
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}
