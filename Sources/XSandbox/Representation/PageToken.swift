/// The place in a list at which a page begins. Clients see an opaque text; a check sum binds it to the list that it was made for.
struct PageToken: Sendable, Equatable {
  enum Direction: UInt8, Sendable {
    /// Towards older entries: those below `position`.
    case forward = 1
    /// Towards newer entries: those above `position`.
    case backward = 2
  }

  var direction: Direction
  var position: UInt64

  func text(scope: String) -> String {
    let payload = [direction.rawValue] + Self.bytes(of: position)
    return Self.encode(payload + Self.checkSum(payload, scope))
  }

  init(direction: Direction, position: UInt64) {
    self.direction = direction
    self.position = position
  }

  init?(_ text: String, scope: String) {
    guard let bytes = Self.decode(text), bytes.count == 13, let direction = Direction(rawValue: bytes[0]),
      Array(bytes[9...]) == Self.checkSum(Array(bytes[..<9]), scope)
    else { return nil }
    self.init(direction: direction, position: bytes[1..<9].reduce(0) { $0 << 8 | UInt64($1) })
  }

  private static func bytes(of value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
  }

  /// FNV-1a.
  private static func checkSum(_ payload: [UInt8], _ scope: String) -> [UInt8] {
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
