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

/// How many ways through a text a regular expression may have to try.
private struct PatternCost {
  /// How many of its parts may take up any number of characters, one behind the other.
  private var openRepetitions = 0

  private struct Group {
    /// Whether there are several ways to take up the same characters in it.
    var isAmbiguous = false
    /// By what its alternatives begin; `nil` for anything but a character of its own.
    var beginnings: [Unicode.Scalar?] = []
    var isAtBeginning = true

    mutating func begin(with scalar: Unicode.Scalar?) {
      if isAtBeginning { beginnings.append(scalar) }
      isAtBeginning = false
    }

    /// Alternatives that begin alike may be taken for each other.
    var hasOverlap: Bool {
      beginnings.count > 1 && (beginnings.contains(nil) || Set(beginnings).count < beginnings.count)
    }
  }

  func steps(for length: Int) -> Double { pow(Double(max(length, 2)), Double(openRepetitions)) }

  /// `nil` where a repetition within a repetition can share out a text in a number of ways that doubles with each character,
  /// and for brackets that do not close.
  init?(_ pattern: String) {
    let scalars = Array(pattern.unicodeScalars)
    // From each of a text's places on, where nothing holds the match to its beginning.
    if scalars.first != "^" { openRepetitions += 1 }
    var groups = [Group()]
    var place = 0
    while place < scalars.count {
      var closed: Group?
      let scalar = scalars[place]
      place += 1
      switch scalar {
      case "|":
        groups[groups.count - 1].isAtBeginning = true
        continue
      case "(":
        groups[groups.count - 1].begin(with: nil)
        groups.append(Group())
        if place < scalars.count, scalars[place] == "?" {
          // `(?:`, `(?=`, `(?<name>`: what follows up to there is no text.
          while place < scalars.count, !":=!>)".unicodeScalars.contains(scalars[place]) { place += 1 }
          if place < scalars.count, scalars[place] != ")" { place += 1 }
        }
        continue
      case ")":
        guard groups.count > 1, let group = groups.popLast() else { return nil }
        closed = group
      case "[":
        groups[groups.count - 1].begin(with: nil)
        guard let end = Self.endOfClass(scalars, from: place) else { return nil }
        place = end
      case "\\":
        groups[groups.count - 1].begin(with: nil)
        place += 1
      case "^", "$": break
      case ".": groups[groups.count - 1].begin(with: nil)
      default: groups[groups.count - 1].begin(with: scalar)
      }
      let isOpen = Self.takeRepetition(scalars, &place)
      let isAmbiguous = closed.map { $0.isAmbiguous || $0.hasOverlap } ?? false
      if isOpen {
        if isAmbiguous { return nil }
        openRepetitions += 1
      }
      if isOpen || isAmbiguous { groups[groups.count - 1].isAmbiguous = true }
    }
    guard groups.count == 1 else { return nil }
  }

  /// The place behind `]`.
  private static func endOfClass(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
    var place = start
    if place < scalars.count, scalars[place] == "^" { place += 1 }
    let first = place
    while place < scalars.count {
      if scalars[place] == "]", place > first { return place + 1 }
      place += scalars[place] == "\\" ? 2 : 1
    }
    return nil
  }

  /// Passes over a repetition.
  ///
  /// - Returns: Whether it may happen many times.
  private static func takeRepetition(_ scalars: [Unicode.Scalar], _ place: inout Int) -> Bool {
    guard place < scalars.count else { return false }
    var isOpen = false
    switch scalars[place] {
    case "*", "+": isOpen = true
    case "?": break
    case "{":
      guard let end = scalars[place...].firstIndex(of: "}") else { return false }
      let bounds = String(String.UnicodeScalarView(scalars[(place + 1)..<end])).split(
        separator: ",", omittingEmptySubsequences: false)
      guard bounds.count <= 2, let least = bounds.first.flatMap({ Int($0) }) else { return false }
      let most = bounds.count == 1 ? least : bounds[1].isEmpty ? .max : Int(bounds[1]) ?? .max
      isOpen = most > least && most > 8
      place = end
    default: return false
    }
    place += 1
    // Lazy or possessive.
    if place < scalars.count, scalars[place] == "?" || scalars[place] == "+" { place += 1 }
    return isOpen
  }
}
