/// The length of a host in the Domain Name System's encoding. RFC 3490, RFC 3492.
enum HostEncoding {
  /// The longest label that the Domain Name System allows.
  private static let longestLabel = 63

  /// Whether the Domain Name System can use a host, and a URL with it is not too long.
  ///
  /// - Parameters:
  ///   - host: A host as written, in any case and script.
  ///   - length: The length of the URL as written.
  ///   - longest: The maximum length in its encoded form.
  static func isUsable(_ host: ArraySlice<CodePoint>, length: Int, longest: Int) -> Bool {
    // Most are so short that the exact length does not matter.
    for isExact in [false, true] {
      guard let encoded = self.length(of: host, isExact: isExact) else { return false }
      if length + max(0, encoded - host.count) <= longest { return true }
    }
    return false
  }

  /// The number of characters of a host's encoded form, or an upper bound; `nil` if it has no encoded form.
  private static func length(of host: ArraySlice<CodePoint>, isExact: Bool) -> Int? {
    var length = 0
    var start = host.startIndex
    while true {
      var end = start
      while end < host.endIndex, !isDot(host[end]) { end += 1 }
      guard let label = labelLength(host[start..<end], isExact: isExact) else { return nil }
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

  private static func labelLength(_ label: ArraySlice<CodePoint>, isExact: Bool) -> Int? {
    // Each code point becomes at least one character, so a longer label need not be encoded.
    guard !label.isEmpty, label.count <= longestLabel else { return nil }
    var foreignCount = 0
    for value in label where value >= 0x80 { foreignCount += 1 }
    if foreignCount == 0 { return label.count }
    if label.count >= 4, label[label.startIndex].lowercased == 0x78, label[label.startIndex + 1].lowercased == 0x6E,
      label[label.startIndex + 2] == 0x2D, label[label.startIndex + 3] == 0x2D
    {
      return nil
    }
    // The number for a position among 63 and a code point has at most 8 digits.
    let bound = 5 + label.count + foreignCount * 7
    if !isExact, bound <= longestLabel { return bound }
    return punycodeLength(label).map { 4 + $0 }
  }

  /// The length of RFC 3492's encoding of a lowercase label with at most 63 code points; `nil` if it is too long for a
  /// label.
  ///
  /// The encoding takes the code points in numerical order, and says for each how many smaller ones stand between it
  /// and the previous one. A word with a bit for each position counts them.
  private static func punycodeLength(_ label: ArraySlice<CodePoint>) -> Int? {
    // A code point and its position in one number, for sorting.
    var places: [UInt32] = []
    places.reserveCapacity(label.count)
    // The positions of the code points that are done, and of those that are smaller than the current one.
    var handled: UInt64 = 0
    var place: UInt32 = 0
    for value in label {
      let value = value.lowercased
      if value < 0x80 { handled |= 1 << UInt64(place) } else { places.append(value << 6 | place) }
      place += 1
    }
    places.sort()
    let basicCount = label.count - places.count
    var count = basicCount
    var length = basicCount > 0 ? basicCount + 1 : 0
    var bias = 72
    var threshold: CodePoint = 0x80
    var smaller = handled
    // The position after the last one.
    var start: UInt64 = 0
    for entry in places {
      let value = entry >> 6
      let place = UInt64(entry & 0x3F)
      var delta = 0
      if value >= threshold {
        // To the end with the code points that were smaller before, and from the beginning with those that are now.
        if threshold > 0x80 { delta = (smaller >> start).nonzeroBitCount + 1 }
        delta += Int(value - threshold) * (count + 1)
        threshold = value + 1
        smaller = handled
        start = 0
      }
      let between: UInt64 = ((1 << place) - 1) & ~((1 << start) - 1)
      delta += (smaller & between).nonzeroBitCount
      length += digitCount(delta, bias)
      if length > longestLabel - 4 { return nil }
      bias = adapted(delta, count + 1, isFirst: count == basicCount)
      count += 1
      handled |= 1 << place
      start = place + 1
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
