import Foundation

/// Compressed answers (RFC 9110 §8.4.1).
enum Compression {
  /// Compresses a body if the client accepts it. What is cut or paced on purpose stays as it is but for the coding.
  static func apply(to answer: inout Answer, accepting header: String?) {
    guard let coding = preferred(header) else { return }
    switch answer.body {
    case .bytes(let bytes) where !bytes.isEmpty: answer.body = .bytes(encode(bytes, as: coding))
    case .chunks(let bytes, let size, let pause):
      answer.body = .chunks(encode(bytes, as: coding), size: size, pause: pause)
    default: return
    }
    answer.set("Content-Encoding", coding.rawValue)
    answer.set("Vary", "Accept-Encoding")
  }

  enum Coding: String {
    case gzip
    case deflate
  }

  /// gzip before deflate; none that has the weight 0.
  static func preferred(_ header: String?) -> Coding? {
    let accepted = (header ?? "").lowercased().split(separator: ",").compactMap { part -> String? in
      let pieces = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let isRefused = pieces.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
      return isRefused ? nil : pieces.first
    }
    return [Coding.gzip, .deflate].first { accepted.contains($0.rawValue) }
  }

  static func encode(_ data: Data, as coding: Coding) -> Data {
    let bytes = Array(data)
    let packed = Deflate.compress(bytes)
    switch coding {
    case .gzip:
      // RFC 1952: magic number, method, no flags, no time, no extra flags, unknown system.
      let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
      let checksum = littleEndian(Checksum.crc32(bytes)), size = littleEndian(UInt32(truncatingIfNeeded: bytes.count))
      return Data(header + packed + checksum + size)
    case .deflate:
      // RFC 1950: what HTTP calls deflate is wrapped in zlib's format.
      return Data([0x78, 0x01] + packed + littleEndian(Checksum.adler32(bytes)).reversed())
    }
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
