/// Finds the URLs of a text, with and without a scheme.
///
/// Scans the text once, in linear time. A URL begins at the first possible position, and is as long as possible. What was part of a
/// URL, or was rejected as a whole, is not examined again.
struct URLScanner {
  private let text: [CodePoint]
  private let findsWithoutScheme: Bool
  private let topLevelDomains = TopLevelDomains.shared
  private var found: [Range<Int>] = []
  /// The current run of characters; the next run uses its arrays again.
  private var run = HostRun()
  /// The end of the last URL, accepted or rejected.
  private var consumed = 0

  /// The longest URL that X accepts, in its encoded form.
  private static let longestURL = 4096
  /// The longest path of a `t.co` link.
  private static let longestSlug = 40

  private init(_ text: [CodePoint], _ findsWithoutScheme: Bool) {
    self.text = text
    self.findsWithoutScheme = findsWithoutScheme
  }

  /// The positions of all URLs, in order.
  static func urls(in text: [CodePoint], withoutScheme: Bool = true) -> [Range<Int>] {
    guard text.contains(0x2E), withoutScheme || text.contains(0x3A) else { return [] }
    var scanner = URLScanner(text, withoutScheme)
    scanner.scan()
    return scanner.found
  }

  private mutating func scan() {
    var position = 0
    while position < text.count {
      guard Self.isHostCharacter(text[position]) else {
        position += 1
        continue
      }
      // Most runs with full stops are sentences.
      position = run.read(text, from: position, topLevelDomains) ? scanRun() : run.range.upperBound
    }
  }

  /// Finds the URLs whose hosts are in the current run. Returns the position to continue from.
  private mutating func scanRun() -> Int {
    var start = run.range.lowerBound
    if let schemeStart = schemeStart(before: start), let hostEnd = run.hostEnd(text, from: start, in: 0) {
      let end = take(schemeStart, host: start..<hostEnd)
      consumed = end
      if end >= run.range.upperBound { return end }
      start = end
    }
    var label = 0
    while start < run.lastDot {
      while run.dots[label] < start { label += 1 }
      guard mayBegin(at: start), let hostEnd = run.hostEnd(text, from: start, in: label) else {
        start += 1
        continue
      }
      let end = take(nil, host: start..<hostEnd)
      consumed = end
      if end >= run.range.upperBound { return end }
      start = end
    }
    return run.range.upperBound
  }

  /// Part of a host: a letter, a digit or any sign of another script, a full stop, `-` or `_`.
  static func isHostCharacter(_ value: CodePoint) -> Bool { value == 0x2E || isLabelCharacter(value) || isDash(value) }

  /// `-` and `_`: a label neither begins nor ends with them.
  static func isDash(_ value: CodePoint) -> Bool { value == 0x2D || value == 0x5F }

  static func isLabelCharacter(_ value: CodePoint) -> Bool {
    if value < 0x80 { return value.isASCIIAlphanumeric }
    return !value.isSpace && !value.isDirectionalMark && !value.isInvalid
  }

  /// Whether a URL may begin at a position, by the character before it.
  private func mayBegin(at index: Int) -> Bool {
    if index == 0 { return true }
    guard index > consumed else { return false }
    let before = text[index - 1]
    return !(before.isASCIIAlphanumeric || before.isAtSign || before.isHashSign || before == 0x24 || before.isInvalid)
  }

  /// The position of `http://` or `https://` directly before a host.
  private func schemeStart(before index: Int) -> Int? {
    guard text.hasSchemeSeparator(at: index - 3), index - 7 >= consumed else { return nil }
    var start = index - 4
    if text[start] | 0x20 == 0x73 { start -= 1 }
    // `http`; its last letter is here.
    guard start - 3 >= consumed, text[start] | 0x20 == 0x70, text[start - 1] | 0x20 == 0x74,
      text[start - 2] | 0x20 == 0x74, text[start - 3] | 0x20 == 0x68
    else { return nil }
    return mayBegin(at: start - 3) ? start - 3 : nil
  }

  /// Reads what follows a host, and keeps the URL if it is valid. Returns where it ends.
  private mutating func take(_ schemeStart: Int?, host: Range<Int>) -> Int {
    var end = host.upperBound
    if end < text.count, text[end] == 0x3A {
      var portEnd = end + 1
      while portEnd < text.count, text[portEnd].isASCIIDigit { portEnd += 1 }
      if portEnd > end + 1 { end = portEnd }
    }
    let path = end
    if end < text.count, text[end] == 0x2F { end = URLPath.end(in: text, at: end) }
    let hasPath = end > path
    end = URLPath.queryEnd(in: text, at: end) ?? end
    if let schemeStart {
      keep(schemeStart, host, path: path, end)
    } else if findsWithoutScheme, !isGlued(host.lowerBound) {
      keepASCIIHosts(of: host, length: end - host.lowerBound, pathEnd: hasPath ? end : nil)
    }
    return end
  }

  /// Whether the character before connects a host without a scheme to something else.
  private func isGlued(_ start: Int) -> Bool {
    guard start > 0 else { return false }
    let before = text[start - 1]
    return Self.isDash(before) || before == 0x2E || before == 0x2F
  }

  private mutating func keep(_ start: Int, _ host: Range<Int>, path: Int, _ end: Int) {
    var end = end
    if isShortener(host), path == host.upperBound, path < end {
      var slugEnd = path + 1
      while slugEnd < end, text[slugEnd].isASCIIAlphanumeric { slugEnd += 1 }
      let length = slugEnd - path - 1
      if length > Self.longestSlug { return }
      // Only a query follows the path of a short link.
      if length > 0 { end = URLPath.queryEnd(in: text, at: slugEnd) ?? slugEnd }
    }
    guard isUsable(host, length: end - start) else { return }
    found.append(start..<end)
  }

  /// `t.co`
  private func isShortener(_ host: Range<Int>) -> Bool {
    guard host.count == 4 else { return false }
    let start = host.lowerBound
    return text[start].lowercased == 0x74 && text[start + 1] == 0x2E && text[start + 2].lowercased == 0x63
      && text[start + 3].lowercased == 0x6F
  }

  /// Keeps those parts of a host without a scheme that are hosts in Latin script, the last one with its path.
  private mutating func keepASCIIHosts(of host: Range<Int>, length: Int, pathEnd: Int?) {
    var start = host.lowerBound
    var label = 0
    while start < host.upperBound {
      guard Self.isLatin(text[start]) else {
        start += 1
        continue
      }
      // As many labels as there are, each followed by a full stop.
      var end = start
      var best: Int?
      while label < run.dots.count, run.dots[label] < start { label += 1 }
      var next = label
      while true {
        var labelEnd = end
        while labelEnd < host.upperBound, Self.isLatin(text[labelEnd]) { labelEnd += 1 }
        guard labelEnd > end, labelEnd < host.upperBound, text[labelEnd] == 0x2E, next < run.dots.count else {
          end = labelEnd
          break
        }
        next += 1
        if let domainEnd = run.domainEnds[next], domainEnd <= host.upperBound { best = domainEnd }
        end = labelEnd + 1
      }
      guard let best else {
        start = max(end, start + 1)
        continue
      }
      let ascii = start..<best
      if isUsable(ascii, length: length + 8) {
        found.append(ascii.lowerBound..<(best == host.upperBound ? pathEnd ?? best : best))
      }
      start = best
    }
  }

  /// A letter of Latin script, a digit, `-` or `_`.
  private static func isLatin(_ value: CodePoint) -> Bool {
    value.isASCIIAlphanumeric || isDash(value) || value.isLatinAccent
  }

  /// Whether the Domain Name System and X can use a URL.
  private func isUsable(_ host: Range<Int>, length: Int) -> Bool {
    HostEncoding.isUsable(text[host], length: length, longest: Self.longestURL)
  }
}

/// A run of characters that can be in hosts, analysed once: the end of a host follows from where it begins.
private struct HostRun {
  private(set) var range = 0..<0
  private(set) var dots: [Int] = []
  /// For each label, the end of the top-level domain that it begins with; also for the label after the last full stop.
  private(set) var domainEnds: [Int?] = []
  /// For each label, the last label that a host with this whole label can have before its top-level domain.
  private var lastLabels: [Int?] = []
  /// For each label, the position after its last `_`.
  private var underscoreEnds: [Int] = []

  var lastDot: Int { dots.last ?? range.lowerBound }

  /// Reads the run that begins at a position. Returns whether it contains a host.
  mutating func read(_ text: [CodePoint], from start: Int, _ topLevelDomains: TopLevelDomains) -> Bool {
    dots.removeAll(keepingCapacity: true)
    var end = start
    while end < text.count, URLScanner.isHostCharacter(text[end]) {
      if text[end] == 0x2E { dots.append(end) }
      end += 1
    }
    range = start..<end
    guard !dots.isEmpty else { return false }
    domainEnds.removeAll(keepingCapacity: true)
    domainEnds.append(nil)
    var mayHaveHost = false
    for dot in dots {
      // Usually no top-level domain follows a full stop.
      let mayBegin = dot + 1 < range.upperBound && (text[dot + 1].isASCIILetter || text[dot + 1] >= 0x80)
      let end = mayBegin ? topLevelDomains.end(in: text, at: dot + 1) : nil
      if end != nil { mayHaveHost = true }
      domainEnds.append(end)
    }
    if mayHaveHost { readLabels(text) }
    return mayHaveHost
  }

  private mutating func readLabels(_ text: [CodePoint]) {
    lastLabels.removeAll(keepingCapacity: true)
    underscoreEnds.removeAll(keepingCapacity: true)
    for _ in dots {
      lastLabels.append(nil)
      underscoreEnds.append(range.lowerBound)
    }
    lastLabels.append(nil)
    for label in dots.indices.reversed() {
      let start = label == 0 ? range.lowerBound : dots[label - 1] + 1
      var underscoreEnd = dots[label]
      while underscoreEnd > start, text[underscoreEnd - 1] != 0x5F { underscoreEnd -= 1 }
      underscoreEnds[label] = underscoreEnd
      guard start < dots[label], !URLScanner.isDash(text[start]), !URLScanner.isDash(text[dots[label] - 1]) else {
        continue
      }
      let isDomain = underscoreEnd == start && domainEnds[label + 1] != nil
      lastLabels[label] = lastLabels[label + 1] ?? (isDomain ? label : nil)
    }
  }

  /// The end of the longest host that begins at a position in a label; `nil` if there is none.
  func hostEnd(_ text: [CodePoint], from start: Int, in label: Int) -> Int? {
    let labelEnd = dots[label]
    guard start < labelEnd, !URLScanner.isDash(text[start]), !URLScanner.isDash(text[labelEnd - 1]) else { return nil }
    let isDomain = underscoreEnds[label] <= start && domainEnds[label + 1] != nil
    guard let last = lastLabels[label + 1] ?? (isDomain ? label : nil) else { return nil }
    return domainEnds[last + 1]
  }
}
