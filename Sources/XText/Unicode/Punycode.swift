/// The length of a host as the Domain Name System has it. RFC 3490, RFC 3492.
enum HostEncoding {
  /// The longest label that the Domain Name System allows.
  private static let longestLabel = 63

  /// The number of characters of a host's encoded form; `nil` where it has none.
  ///
  /// - Parameter host: A host, in any case and script, as it is written.
  static func length(of host: ArraySlice<CodePoint>) -> Int? {
    var length = 0
    var start = host.startIndex
    while true {
      let end = host[start...].firstIndex(where: isDot) ?? host.endIndex
      guard let label = labelLength(host[start..<end]) else { return nil }
      length += label
      if end == host.endIndex { return length }
      length += 1
      start = end + 1
    }
  }

  /// A full stop, or one of its forms in East Asian scripts.
  private static func isDot(_ value: CodePoint) -> Bool {
    value == 0x2E || value == 0x3002 || value == 0xFF0E || value == 0xFF61
  }

  private static func labelLength(_ label: ArraySlice<CodePoint>) -> Int? {
    // Each code point is a character at least, so that nothing longer is worth encoding.
    guard !label.isEmpty, label.count <= longestLabel else { return nil }
    if label.allSatisfy({ $0 < 0x80 }) { return label.count }
    let lowercased = label.map(\.lowercased)
    guard !lowercased.starts(with: [0x78, 0x6E, 0x2D, 0x2D]) else { return nil }
    let length = 4 + punycodeLength(lowercased)
    return length <= longestLabel ? length : nil
  }

  /// The length of RFC 3492's encoding.
  private static func punycodeLength(_ label: [CodePoint]) -> Int {
    var threshold: CodePoint = 0x80
    var delta = 0
    var bias = 72
    let basicCount = label.count { $0 < 0x80 }
    var handled = basicCount
    var length = basicCount > 0 ? basicCount + 1 : 0
    while handled < label.count {
      var next = CodePoint.max
      for value in label where value >= threshold && value < next { next = value }
      guard next < .max else { break }
      delta += Int(next - threshold) * (handled + 1)
      threshold = next
      for value in label {
        if value < threshold { delta += 1 }
        guard value == threshold else { continue }
        length += digitCount(delta, bias)
        bias = adapted(delta, handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      threshold += 1
    }
    return length
  }

  private static func digitCount(_ delta: Int, _ bias: Int) -> Int {
    var rest = delta
    var count = 1
    var position = 36
    while true {
      let limit = position <= bias ? 1 : (position >= bias + 26 ? 26 : position - bias)
      if rest < limit { return count }
      rest = (rest - limit) / (36 - limit)
      count += 1
      position += 36
    }
  }

  private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias = 0
    while delta > 455 {
      delta /= 35
      bias += 36
    }
    return bias + 36 * delta / (delta + 38)
  }
}
