/// A page of a relation, newest entries first.
struct Page {
  var members: [Identifier]
  /// The start of the page with older entries.
  var next: PageToken?
  /// The start of the page with newer entries.
  var previous: PageToken?
  /// The scope that the tokens are valid for.
  private var scope = ""

  /// - Parameters:
  ///   - relation: All entries.
  ///   - size: The maximum number of entries on a page.
  ///   - isIncluded: Whether an entry counts.
  init(
    of relation: Relation?, size: Int, token text: String?, parameter: String = "pagination_token", scope: String,
    isIncluded: (Identifier) -> Bool = { _ in true }
  ) throws(Problem) {
    var token: PageToken?
    if let text {
      token = PageToken(text, scope: scope)
      guard token != nil else {
        throw .invalidRequest([
          InvalidParameter(
            name: parameter, values: [text],
            message: "The `\(parameter)` query parameter value [\(text)] is not valid")
        ])
      }
    }
    self.init(of: relation, size: size, from: token, isIncluded: isIncluded)
    self.scope = scope
  }

  /// - Parameter token: The start of the page. Default: the newest entry.
  init(of relation: Relation?, size: Int, from token: PageToken?, isIncluded: (Identifier) -> Bool = { _ in true }) {
    let entries = (relation?.entries ?? []).filter { isIncluded($0.member) }
    var end = entries.count
    var start = max(0, end - size)
    if let token {
      switch token.direction {
      case .forward:
        end = entries.partitioningIndex { $0.position >= token.position }
        start = max(0, end - size)
      case .backward:
        start = entries.partitioningIndex { $0.position > token.position }
        end = min(entries.count, start + size)
      }
    }
    members = entries[start..<end].reversed().map(\.member)
    if start > 0, start < entries.count {
      next = PageToken(direction: .forward, position: entries[start].position)
    }
    if end < entries.count, end > 0 {
      previous = PageToken(direction: .backward, position: entries[end - 1].position)
    }
  }

  /// The `meta` member of the response.
  func meta(resultCount: Int) -> [String: JSON] {
    var meta: [String: JSON] = ["result_count": .integer(resultCount)]
    meta["next_token"] = next.map { .string($0.text(scope: scope)) }
    meta["previous_token"] = previous.map { .string($0.text(scope: scope)) }
    return meta
  }
}

extension [Relation.Entry] {
  /// The first index whose element satisfies a predicate that is false before it and true from there on.
  fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The start of a page. Clients see an opaque text with a checksum that binds it to its scope.
struct PageToken: Sendable, Equatable {
  enum Direction: UInt8, Sendable {
    /// Towards older entries, below `position`.
    case forward = 1
    /// Towards newer entries, above `position`.
    case backward = 2
  }

  var direction: Direction
  var position: UInt64

  func text(scope: String) -> String {
    let payload = [direction.rawValue] + Self.bytes(of: position)
    return Self.encode(payload + Self.checksum(payload, scope))
  }

  init(direction: Direction, position: UInt64) {
    self.direction = direction
    self.position = position
  }

  init?(_ text: String, scope: String) {
    guard let bytes = Self.decode(text), bytes.count == 13, let direction = Direction(rawValue: bytes[0]),
      Array(bytes[9...]) == Self.checksum(Array(bytes[..<9]), scope)
    else { return nil }
    self.init(direction: direction, position: bytes[1..<9].reduce(0) { $0 << 8 | UInt64($1) })
  }

  private static func bytes(of value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
  }

  /// FNV-1a.
  private static func checksum(_ payload: [UInt8], _ scope: String) -> [UInt8] {
    let sum = (payload + Array(scope.utf8)).reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32($0))) }
  }

  private static let alphabet = Array("0123456789abcdefghijklmnopqrstuv".utf8)

  /// Base 32 without padding.
  private static func encode(_ bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    var (buffer, bits): (UInt32, Int) = (0, 0)
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        output.append(alphabet[Int(buffer >> UInt32(bits) & 31)])
      }
      buffer &= (1 << UInt32(bits)) - 1
    }
    if bits > 0 { output.append(alphabet[Int(buffer << UInt32(5 - bits) & 31)]) }
    return String(decoding: output, as: UTF8.self)
  }

  private static func decode(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 21 else { return nil }
    var output: [UInt8] = []
    var (buffer, bits): (UInt32, Int) = (0, 0)
    for digit in text.utf8 {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      buffer = buffer << 5 | UInt32(value)
      bits += 5
      guard bits >= 8 else { continue }
      bits -= 8
      output.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      buffer &= (1 << UInt32(bits)) - 1
    }
    return output
  }
}
