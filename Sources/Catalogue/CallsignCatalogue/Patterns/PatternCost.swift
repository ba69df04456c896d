import CallsignSupport

/// The maximum number of ways to try a regular expression on a text.
///
/// The regular expression engines of both Swift and Foundation backtrack without a bound. This type reads the grammars of both as
/// far as documents use them, and rejects everything else: a character with another meaning in one engine could hide a repetition.
/// Lengths count code points, so you must match an expression by code points too.
package struct PatternCost: Sendable {
  private let part: Part
  private let isAnchored: Bool
  /// About the number of steps that take a second.
  private static let mostSteps = 1e7

  /// `nil` if the number may double with each character, and for syntax that is not supported: back references, flags, sets within
  /// sets, and unclosed brackets.
  package init?(_ pattern: String) {
    // Swift reads expressions by characters: it does not see a bracket with a combining accent as a bracket.
    guard pattern.count == pattern.unicodeScalars.count else { return nil }
    var parser = Parser(scalars: Array(pattern.unicodeScalars))
    guard let part = parser.alternatives(depth: 0), parser.isAtEnd else { return nil }
    self.part = part
    isAnchored = pattern.hasPrefix("^") && !parser.hasAlternatives
  }

  /// The maximum number of steps for a search in a text with that many code points.
  package func steps(for length: Int) -> Double {
    let opens = part.opens + (isAnchored ? 0 : 1)
    return part.choices * pow(Double(max(length, 2)), Double(opens))
  }

  /// Whether a search in the text takes at most about a second.
  package func isLow(for text: String) -> Bool { steps(for: text.unicodeScalars.count) <= Self.mostSteps }

  /// A character of a pattern.
  private enum Atom {
    case literal(Unicode.Scalar)
    case ranges([ClosedRange<UInt32>], isNegated: Bool)
    case any

    func holds(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .literal(let own): own == scalar
      // Beyond ASCII, the engines disagree on what a digit or a letter is.
      case .ranges(let ranges, let isNegated):
        !scalar.isASCII || ranges.contains { $0.contains(scalar.value) } != isNegated
      case .any: true
      }
    }
  }

  /// A sequence, or a set of alternatives.
  private struct Part {
    var atoms: [Atom] = []
    /// The characters that it must start and end with.
    var first: Unicode.Scalar?
    var last: Unicode.Scalar?
    /// The number of repetitions in it that can match any number of characters.
    var opens = 0
    /// The number of ways through everything else.
    var choices = 1.0
    /// The number of things in it that can vary in length.
    var variables = 0
    /// Whether it can match the same text in several ways.
    var isAmbiguous = false

    /// Whether a single distinct character marks where a repetition starts or ends.
    var isDelimited: Bool {
      [first, last].contains { delimiter in
        guard let delimiter else { return false }
        return atoms.count { $0.holds(delimiter) } == 1
      }
    }

    mutating func append(_ item: Part) {
      if atoms.isEmpty { first = item.first }
      if !item.atoms.isEmpty { last = item.last }
      atoms += item.atoms
      opens += item.opens
      choices *= item.choices
      variables += item.variables
      isAmbiguous = isAmbiguous || item.isAmbiguous || variables > 1
    }

    /// The part, repeated; `nil` if the number of ways doubles with each character.
    func repeated(_ least: Int, _ most: Int?) -> Part? {
      if least == 1, most == 1 { return self }
      var result = self
      (result.first, result.last) = (nil, nil)
      let isOpen = most.map { $0 > 8 && $0 > least } ?? true
      let isOneWay = variables == 0 && !isAmbiguous || isDelimited && !isAmbiguous
      if atoms.count > 1 || variables > 0 || isAmbiguous, most != 0, most != 1, !isOneWay {
        guard !isOpen, let most, most <= 100, opens <= 1_000 else { return nil }
        result.opens = opens * most
        result.choices = pow(choices, Double(most))
        result.isAmbiguous = true
      }
      if isOpen {
        result.opens += 1
      } else if let most, most > least {
        result.choices *= Double(most - max(least, 0) + 1)
      }
      if most != least { result.variables += 1 }
      return result
    }
  }

  private struct Parser {
    let scalars: [Unicode.Scalar]
    private var place = 0
    /// Whether the whole expression is a set of alternatives.
    private(set) var hasAlternatives = false

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    var isAtEnd: Bool { place == scalars.count }
    private var current: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard current == scalar else { return false }
      place += 1
      return true
    }

    /// Skips everything up to and including a character.
    private mutating func skip(to end: Unicode.Scalar) -> Bool {
      guard let found = scalars[place...].firstIndex(of: end) else { return false }
      place = found + 1
      return true
    }

    mutating func alternatives(depth: Int) -> Part? {
      guard depth < 50, var result = sequence(depth: depth) else { return nil }
      var beginnings = [result.first]
      while take("|") {
        hasAlternatives = hasAlternatives || depth == 0
        guard let next = sequence(depth: depth) else { return nil }
        beginnings.append(next.first)
        let isAmbiguous = result.isAmbiguous || next.isAmbiguous
        let variables = max(result.variables, next.variables)
        result.append(next)
        (result.variables, result.isAmbiguous) = (variables, isAmbiguous)
        result.choices *= 2
      }
      guard beginnings.count > 1 else { return result }
      (result.first, result.last) = (nil, nil)
      // If two alternatives start alike, both may have to be tried, and they may differ in length.
      if beginnings.contains(nil) || Set(beginnings).count < beginnings.count { result.isAmbiguous = true }
      return result
    }

    private mutating func sequence(depth: Int) -> Part? {
      var result = Part()
      while let scalar = current, scalar != "|", scalar != ")" {
        place += 1
        let item: Part
        switch scalar {
        case "^", "$": continue
        case "(":
          guard let group = group(depth: depth) else { return nil }
          item = group
        case "[":
          guard let atom = characterClass() else { return nil }
          item = Part(atoms: [atom])
        case "\\":
          guard let escaped = escape() else { return nil }
          guard let atom = escaped else { continue }
          item = Self.part(atom)
        case ".": item = Part(atoms: [.any])
        // There is nothing before it to repeat, so it belongs to some other grammar.
        case "*", "+", "?", "{": return nil
        default: item = Self.part(.literal(scalar))
        }
        guard let (least, most) = bounds(), let repeated = item.repeated(least, most) else { return nil }
        result.append(repeated)
      }
      return result
    }

    private static func part(_ atom: Atom) -> Part {
      guard case .literal(let scalar) = atom else { return Part(atoms: [atom]) }
      return Part(atoms: [atom], first: scalar, last: scalar)
    }

    private mutating func group(depth: Int) -> Part? {
      var looksAround = false
      var looksBehind = false
      if take("?") {
        if take("<") {
          looksBehind = take("=") || take("!")
          looksAround = looksBehind
          if !looksBehind, !skip(to: ">") { return nil }
        } else {
          looksAround = take("=") || take("!")
          guard looksAround || take(":") else { return nil }
        }
      }
      guard let part = alternatives(depth: depth + 1), take(")") else { return nil }
      // A lookaround matches no characters and is done after one look: what follows never goes through it in another way.
      guard looksAround else { return part }
      // A lookbehind of any length may have to start anywhere.
      return Part(opens: part.opens + (looksBehind && part.variables > 0 ? 1 : 0), choices: part.choices)
    }

    /// `.some(nil)` for an escape that matches no character; `nil` for one that is not supported.
    private mutating func escape() -> Atom?? {
      guard let scalar = current else { return nil }
      place += 1
      switch scalar {
      case "b", "B", "A", "z", "Z", "G": return .some(nil)
      case "d", "D": return .ranges(Self.digits, isNegated: scalar == "D")
      case "w", "W": return .ranges(Self.word, isNegated: scalar == "W")
      case "s", "S": return .ranges(Self.spaces, isNegated: scalar == "S")
      case "h", "H", "v", "V", "R", "N", "X": return .any
      case "n": return .literal("\n")
      case "r": return .literal("\r")
      case "t": return .literal("\t")
      case "f": return .literal("\u{0C}")
      case "p", "P": return take("{") ? (skip(to: "}") ? .any : nil) : nil
      case "u": return take("{") ? (skip(to: "}") ? .any : nil) : (takeHexadecimal(4) ? .any : nil)
      case "x": return take("{") ? (skip(to: "}") ? .any : nil) : (takeHexadecimal(2) ? .any : nil)
      case let other where other.properties.isAlphabetic || other.properties.numericType != nil: return nil
      default: return .literal(scalar)
      }
    }

    private static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    private static let word: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    private static let spaces: [ClosedRange<UInt32>] = [0x09...0x0D, 0x20...0x20]

    /// Skips exactly that many digits. With fewer, the engines disagree on where the escape ends.
    private mutating func takeHexadecimal(_ count: Int) -> Bool {
      let end = place + count
      guard end <= scalars.count, scalars[place..<end].allSatisfy(\.properties.isASCIIHexDigit) else { return false }
      place = end
      return true
    }

    /// The rest of a character class, up to its closing bracket; `nil` for a class that contains others.
    private mutating func characterClass() -> Atom? {
      let isNegated = take("^")
      var ranges: [ClosedRange<UInt32>] = []
      var isKnown = true
      // The engines disagree on whether this bracket ends the class.
      if current == "]" { return nil }
      while let scalar = current, scalar != "]" {
        place += 1
        var low = scalar
        // Nested classes, and class differences and intersections.
        if scalar == "[" || ["&", "-", "~"].contains(scalar) && current == scalar { return nil }
        if scalar == "\\" {
          guard let escaped = escape() else { return nil }
          switch escaped {
          case .literal(let own)?: low = own
          case .ranges(let own, false)?:
            ranges += own
            continue
          default:
            isKnown = false
            continue
          }
        }
        if current == "-", place + 1 < scalars.count, scalars[place + 1] != "]" {
          place += 1
          guard let high = current, high != "-" else { return nil }
          place += 1
          if high == "\\" || high < low {
            isKnown = false
          } else {
            ranges.append(low.value...high.value)
          }
        } else {
          ranges.append(low.value...low.value)
        }
      }
      guard take("]") else { return nil }
      return isKnown ? .ranges(ranges, isNegated: isNegated) : .any
    }

    /// How often the previous element may be repeated; `nil` for malformed bounds.
    private mutating func bounds() -> (least: Int, most: Int?)? {
      var bounds: (least: Int, most: Int?) = (1, 1)
      switch current {
      case "*": bounds = (0, nil)
      case "+": bounds = (1, nil)
      case "?": bounds = (0, 1)
      case "{":
        let start = place
        guard skip(to: "}") else { return nil }
        let numbers = String(String.UnicodeScalarView(scalars[(start + 1)..<(place - 1)])).split(
          separator: ",", omittingEmptySubsequences: false)
        guard numbers.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), numbers.count <= 2,
          let least = numbers.first.flatMap({ Int($0) })
        else { return nil }
        let most = numbers.count == 1 ? least : Int(numbers[1])
        guard numbers.count == 1 || numbers[1].isEmpty || (most ?? -1) >= least else { return nil }
        bounds = (least, most)
        place -= 1
      default: return bounds
      }
      place += 1
      // A lazy or possessive quantifier.
      if current == "?" || current == "+" { place += 1 }
      return bounds
    }
  }
}
