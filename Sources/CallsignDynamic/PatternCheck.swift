import CallsignFoundation

/// Looks for a catalogue's regular expressions in arguments.
///
/// Swift's expressions go back and try again, without a bound. Where that may take long, the API judges: documents come
/// from anywhere, and so do arguments.
enum PatternCheck {
  /// About as many steps as take a second.
  private static let mostSteps = 1e7

  /// Whether a text has no match of a pattern. One that Swift cannot read, or that may take long, refuses nothing.
  static func refuses(_ text: String, _ pattern: String) -> Bool {
    guard let cost = PatternCost(pattern), cost.steps(for: text.unicodeScalars.count) <= mostSteps,
      let expression = try? Regex(pattern)
    else { return false }
    do { return try expression.firstMatch(in: text) == nil } catch { return false }
  }
}

/// The most ways through a text that a regular expression may have to try.
private struct PatternCost {
  private let part: Part
  private let isAnchored: Bool

  /// `nil` where that may double with each character, and for what is not understood: references back, flags, and brackets
  /// that do not close.
  init?(_ pattern: String) {
    var parser = Parser(scalars: Array(pattern.unicodeScalars))
    guard let part = parser.alternatives(depth: 0), parser.isAtEnd else { return nil }
    self.part = part
    isAnchored = pattern.hasPrefix("^")
  }

  func steps(for length: Int) -> Double {
    let opens = part.opens + (isAnchored ? 0 : 1)
    return part.choices * pow(Double(max(length, 2)), Double(opens))
  }

  /// A character of a pattern.
  private enum Atom {
    case literal(Unicode.Scalar)
    case ranges([ClosedRange<UInt32>], isNegated: Bool)
    case any

    func holds(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .literal(let own): own == scalar
      case .ranges(let ranges, let isNegated): ranges.contains { $0.contains(scalar.value) } != isNegated
      case .any: true
      }
    }
  }

  /// A sequence, or several of which one is taken.
  private struct Part {
    var atoms: [Atom] = []
    /// The characters that it must begin and end with.
    var first: Unicode.Scalar?
    var last: Unicode.Scalar?
    /// The number of repetitions in it that may take up any number of characters.
    var opens = 0
    /// The number of ways through the others.
    var choices = 1.0
    /// The number of things in it that may be longer or shorter.
    var variables = 0
    /// Whether the same text may be taken up in several ways.
    var isAmbiguous = false

    /// Whether it is told by one character of its own where a repetition of it begins or ends.
    var isDelimited: Bool {
      [first, last].contains { delimiter in
        guard let delimiter else { return false }
        return atoms.count { $0.holds(delimiter) } == 1
      }
    }

    mutating func append(_ item: Part) {
      if atoms.isEmpty { first = item.first }
      last = item.last
      atoms += item.atoms
      opens += item.opens
      choices *= item.choices
      variables += item.variables
      isAmbiguous = isAmbiguous || item.isAmbiguous || variables > 1
    }

    /// The part, so often; `nil` where the ways double with each character.
    func repeated(_ least: Int, _ most: Int?) -> Part? {
      if least == 1, most == 1 { return self }
      var result = self
      (result.first, result.last) = (nil, nil)
      let isOpen = most.map { $0 > 8 && $0 > least } ?? true
      let isOneWay = variables == 0 && !isAmbiguous || isDelimited && !isAmbiguous
      if atoms.count > 1 || variables > 0 || isAmbiguous, most != 0, most != 1, !isOneWay {
        guard !isOpen, let most, most <= 100 else { return nil }
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

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    var isAtEnd: Bool { place == scalars.count }
    private var current: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard current == scalar else { return false }
      place += 1
      return true
    }

    /// Passes over everything up to a character, and over it.
    private mutating func skip(to end: Unicode.Scalar) -> Bool {
      guard let found = scalars[place...].firstIndex(of: end) else { return false }
      place = found + 1
      return true
    }

    mutating func alternatives(depth: Int) -> Part? {
      guard depth < 50, var result = sequence(depth: depth) else { return nil }
      var beginnings = [result.first]
      while take("|") {
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
      // Where two begin alike, both may have to be tried; and they need not be of one length.
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
      if take("?") {
        if take("<") {
          if !take("="), !take("!"), !skip(to: ">") { return nil }
        } else {
          guard take(":") || take("=") || take("!") else { return nil }
        }
      }
      guard let part = alternatives(depth: depth + 1), take(")") else { return nil }
      return part
    }

    /// `.some(nil)` for what takes up no character; `nil` for what is not understood.
    private mutating func escape() -> Atom?? {
      guard let scalar = current else { return nil }
      place += 1
      switch scalar {
      case "b", "B", "A", "z", "Z", "G": return .some(nil)
      case "d": return .ranges([0x30...0x39], isNegated: false)
      case "1"..."9", "k", "Q": return nil
      case "p", "P", "u", "x":
        if take("{") {
          return skip(to: "}") ? .any : nil
        }
        place = min(place + (scalar == "u" ? 4 : scalar == "x" ? 2 : 1), scalars.count)
        return .any
      case "n", "r", "t", "f", "v": return .ranges([0x09...0x0D], isNegated: false)
      case let letter where letter.properties.isAlphabetic: return .any
      default: return .literal(scalar)
      }
    }

    /// The rest of a class, up to its bracket.
    private mutating func characterClass() -> Atom? {
      let isNegated = take("^")
      var ranges: [ClosedRange<UInt32>] = []
      var isFirst = true
      var isKnown = true
      while let scalar = current, scalar != "]" || isFirst {
        isFirst = false
        place += 1
        var low = scalar
        if scalar == "[" || scalar == "&" { isKnown = false }
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
          guard let high = current else { return nil }
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

    /// The number of times that what stands before may be repeated; `nil` for bounds that say nothing.
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
        guard numbers.count <= 2, let least = numbers.first.flatMap({ Int($0) }), least >= 0 else { return nil }
        let most = numbers.count == 1 ? least : Int(numbers[1])
        guard numbers.count == 1 || numbers[1].isEmpty || (most ?? -1) >= least else { return nil }
        bounds = (least, most)
        place -= 1
      default: return bounds
      }
      place += 1
      // Lazy or possessive.
      if current == "?" || current == "+" { place += 1 }
      return bounds
    }
  }
}
