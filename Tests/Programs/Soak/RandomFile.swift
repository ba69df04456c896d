import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A file of random bytes after a given beginning. It is never in memory as a whole, so that the soak's own files don't
/// blur what the client's memory does.
struct RandomFile: Sendable {
  let url: URL
  let size: Int
  /// In hexadecimal.
  let sha256: String

  private static let pieceSize = 1 << 16

  /// - Throws: An error of the file system.
  init(_ url: URL, beginning: [UInt8], size: Int, _ chance: inout Chance) throws {
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    var hash = FileHash()
    var piece = beginning
    var left = size
    while left > 0 {
      while piece.count < min(left, Self.pieceSize) {
        withUnsafeBytes(of: chance.next()) { piece.append(contentsOf: $0) }
      }
      piece.removeLast(max(0, piece.count - min(left, Self.pieceSize)))
      try file.write(contentsOf: piece)
      hash.update(piece)
      left -= piece.count
      piece.removeAll(keepingCapacity: true)
    }
    (self.url, self.size, sha256) = (url, size, hash.finish())
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}

/// SHA-256 by the system's library: what the sandbox says of an upload is held against it.
private struct FileHash: ~Copyable {
  #if canImport(CryptoKit)
    private var hash = SHA256()

    mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }

    consuming func finish() -> String { Self.hexadecimal(Array(hash.finalize())) }
  #else
    private let context = EVP_MD_CTX_new()

    init() { _ = EVP_DigestInit_ex(context, EVP_sha256(), nil) }

    deinit { EVP_MD_CTX_free(context) }

    mutating func update(_ bytes: [UInt8]) { _ = EVP_DigestUpdate(context, bytes, bytes.count) }

    consuming func finish() -> String {
      var digest = [UInt8](repeating: 0, count: 32)
      _ = EVP_DigestFinal_ex(context, &digest, nil)
      return Self.hexadecimal(digest)
    }
  #endif

  private static func hexadecimal(_ digest: [UInt8]) -> String {
    digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
