import Foundation

/// The width and height of a picture in pixels.
struct ImageSize: Sendable, Equatable {
  var width: Int
  var height: Int

  /// The size shown for a file whose size cannot be read, because on X a picture always has one.
  static let unknown = ImageSize(width: 1200, height: 675)

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Reads the header of a PNG, GIF or JPEG file; `nil` for other bytes.
  init?(_ file: Data) {
    let bytes = Array(file.prefix(256 << 10))
    func number(_ place: Int, _ count: Int, isLittleEndian: Bool = false) -> Int {
      guard place + count <= bytes.count else { return 0 }
      let digits = bytes[place..<place + count]
      return (isLittleEndian ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
    }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self.init(width: number(16, 4), height: number(20, 4))
    } else if bytes.starts(with: Array("GIF8".utf8)) {
      self.init(width: number(6, 2, isLittleEndian: true), height: number(8, 2, isLittleEndian: true))
    } else if bytes.starts(with: [0xFF, 0xD8]) {
      guard let frame = Self.frame(of: bytes) else { return nil }
      self.init(width: number(frame + 7, 2), height: number(frame + 5, 2))
    } else {
      return nil
    }
    guard width > 0, height > 0 else { return nil }
  }

  /// The position of a JPEG file's segment with the size: `SOF0` to `SOF15`, except the tables among them.
  private static func frame(of bytes: [UInt8]) -> Int? {
    var place = 2
    while place + 9 <= bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) { return place }
      place += 2 + max(2, Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
    }
    return nil
  }
}
