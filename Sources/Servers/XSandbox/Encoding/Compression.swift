// Sound: the stream's memory does not move from `init` to `deinit`, and zlib gets buffers with their sizes for one call at a time.

import CZLib
import Foundation

/// The content codings that the sandbox sends (RFC 9110 §8.4.1).
enum ContentCoding: String {
  case gzip
  case deflate

  /// Chooses a coding that the client accepts: gzip before deflate, and none with weight 0.
  /// - Parameter header: The value of `Accept-Encoding`.
  static func preferred(by header: String?) -> ContentCoding? {
    let accepted = (header ?? "").lowercased().split(separator: ",").compactMap { part -> String? in
      let pieces = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let isRefused = pieces.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
      return isRefused ? nil : pieces.first
    }
    return [ContentCoding.gzip, .deflate].first { accepted.contains($0.rawValue) }
  }

  /// - Returns: `nil` if zlib gets no memory.
  func encode(_ data: Data) -> Data? {
    guard let compressor = Compressor(self) else { return nil }
    return Data(compressor.compress(data, .end))
  }

  /// zlib's number for the format. HTTP's deflate is the zlib format (RFC 1950).
  fileprivate var windowBits: Int32 {
    switch self {
    case .gzip: 15 + 16
    case .deflate: 15
    }
  }
}

/// Compresses bytes with zlib piece by piece. Use it from only one task at a time.
final class Compressor {
  /// How far a receiver can decompress the data that it has.
  enum Boundary {
    /// All of this piece.
    case piece
    /// Everything; nothing may follow.
    case end
  }

  /// zlib stores its address, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  init?(_ coding: ContentCoding) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard callsign_deflate_begin(stream, coding.windowBits) == Z_OK else { return nil }
  }

  deinit {
    // If it was not initialized, zlib returns an error here.
    deflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  func compress(_ bytes: some Sequence<UInt8>, _ boundary: Boundary) -> [UInt8] {
    var input = Array(bytes)
    var room = [UInt8](repeating: 0, count: 16 << 10)
    var output: [UInt8] = []
    input.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = uInt(input.count)
      repeat {
        let count = room.withUnsafeMutableBufferPointer { room in
          stream.pointee.next_out = room.baseAddress
          stream.pointee.avail_out = uInt(room.count)
          deflate(stream, boundary == .end ? Z_FINISH : Z_SYNC_FLUSH)
          return room.count - Int(stream.pointee.avail_out)
        }
        output += room.prefix(count)
      } while stream.pointee.avail_out == 0
      stream.pointee.next_in = nil
    }
    return output
  }
}
