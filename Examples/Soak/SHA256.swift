import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// In hexadecimal, by the system's library: what the sandbox says of an upload is held against it.
func sha256(_ bytes: Data) -> String {
  #if canImport(CryptoKit)
    let digest = Array(SHA256.hash(data: bytes))
  #else
    var digest = [UInt8](repeating: 0, count: 32)
    bytes.withUnsafeBytes { buffer in
      _ = SHA256(buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count, &digest)
    }
  #endif
  return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}
