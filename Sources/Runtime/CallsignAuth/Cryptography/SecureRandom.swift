import CallsignSupport

#if canImport(CryptoKit)
  import Security
#else
  import CCrypto
  import CallsignHTTP
  import CallsignSupport
#endif

/// Random bytes that nobody can guess.
package enum SecureRandom {
  /// As many bytes as asked for.
  package static func bytes(_ count: Int) throws(CryptographyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    #if canImport(CryptoKit)
      let succeeded = SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess
    #else
      let succeeded = RAND_bytes(&bytes, Int32(count)) == 1
    #endif
    guard succeeded else { throw CryptographyError("the system has no random numbers to give") }
    return bytes
  }

  /// 128 random bits as 32 hexadecimal digits.
  package static func nonce() throws(CryptographyError) -> String {
    let random = try bytes(16)
    return random.withUnsafeBytes { hexadecimal($0) }
  }

  /// The same for what every request carries, and is no secret: from a buffer that is filled for many at once.
  package static func requestNonce() throws(CryptographyError) -> String {
    #if canImport(CryptoKit)
      return try nonce()
    #else
      guard let buffer = RandomBuffer.shared else { return try nonce() }
      return try buffer.take(16) { hexadecimal($0) }
    #endif
  }

  private static func hexadecimal(_ random: UnsafeRawBufferPointer) -> String {
    String(unsafeUninitializedCapacity: 2 * random.count) { text in
      let digits: StaticString = "0123456789abcdef"
      for index in random.indices {
        text[2 &* index] = digits.utf8Start[Int(random[index] &>> 4)]
        text[2 &* index &+ 1] = digits.utf8Start[Int(random[index] & 15)]
      }
      return 2 * random.count
    }
  }
}

#if !canImport(CryptoKit)
  /// Random bytes in stock, each given out once.
  ///
  /// They lie in memory that the system empties in a forked process: the child would give out the same ones otherwise.
  private final class RandomBuffer: Sendable {
    /// `nil` where the system does not empty memory for a child.
    static let shared = RandomBuffer()

    private let memory: Locked<UnsafeMutableRawBufferPointer>
    /// The first word of the memory counts the bytes in stock, which are its last ones; an emptied one has none.
    private static let stock = MemoryLayout<Int>.size

    private init?() {
      let size = sysconf(Int32(_SC_PAGESIZE))
      guard size >= 1024,
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), start != MAP_FAILED
      else { return nil }
      guard madvise(start, size, MADV_WIPEONFORK) == 0 else {
        munmap(start, size)
        return nil
      }
      // More at once would save nothing.
      memory = Locked(UnsafeMutableRawBufferPointer(start: start, count: 1024))
    }

    func take<Result>(
      _ count: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(CryptographyError) -> Result {
      try memory.withLock { memory throws(CryptographyError) in
        var left = memory.load(as: Int.self)
        if left < count {
          left = memory.count - Self.stock
          guard
            RAND_bytes(memory.baseAddress?.advanced(by: Self.stock).assumingMemoryBound(to: UInt8.self), Int32(left))
              == 1
          else { throw CryptographyError("the system has no random numbers to give") }
        }
        let taken = UnsafeMutableRawBufferPointer(
          rebasing: memory[(memory.count - left)..<(memory.count - left + count)])
        memory.storeBytes(of: left - count, as: Int.self)
        defer { taken.initializeMemory(as: UInt8.self, repeating: 0) }
        return body(UnsafeRawBufferPointer(taken))
      }
    }
  }
#endif
