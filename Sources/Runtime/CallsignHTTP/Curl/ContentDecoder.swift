// Sound: the stream's memory does not move from `init` to `deinit`, and zlib gets buffers with their sizes for one call at a time.

#if os(Linux)
  import CZLib
  import CallsignSupport

  /// Decodes the bytes of one content coding, piece by piece.
  ///
  /// Each call produces a small piece, so that a few bytes that expand to many do not fill the memory.
  struct ContentDecoder {
    /// The coding is not known, or the bytes are not of it.
    struct Failure: Error {}

    private let coding: String
    private var input = Data()
    private var inflation: Inflation?
    private var hasBegun = false
    /// Whether the bytes so far are a whole: nothing has come, or every member that has begun has ended.
    private(set) var isWhole = true
    /// The last piece was full, so that more may follow without further input.
    private var hasMore = false
    /// Zero bytes have followed the last member; only more of them may come.
    private var isPadded = false

    /// The most bytes that one call returns.
    private static let pieceSize = 64 * 1024

    /// - Parameter coding: Its name, in lower case.
    init(_ coding: String) { self.coding = coding }

    /// Takes bytes in.
    mutating func append(_ bytes: Data) {
      if input.isEmpty { input = bytes } else { input.append(bytes) }
    }

    /// The next decoded bytes; `nil` if more must arrive first.
    mutating func next() throws(Failure) -> Data? {
      while !input.isEmpty || hasMore {
        if hasBegun, isWhole {
          try beginNextMember()
          if input.isEmpty { return nil }
        }
        if !hasBegun, try !begin() { return nil }
        guard let inflation else { throw Failure() }
        let (piece, taken, isOver) = try inflation.inflate(input, limit: Self.pieceSize)
        input = input.dropFirst(taken)
        isWhole = isOver
        hasMore = piece.count == Self.pieceSize && !isOver
        if !piece.isEmpty { return piece }
        if taken == 0, !isOver { return nil }
      }
      return nil
    }

    /// - Returns: Whether there are enough bytes to begin with.
    private mutating func begin() throws(Failure) -> Bool {
      isWhole = false
      switch coding {
      case "gzip", "x-gzip": inflation = Inflation(.gzip)
      case "deflate":
        // The format is RFC 1950's, and some servers send RFC 1951's: the first two bytes tell.
        guard input.count >= 2 else { return false }
        let head = Int(input[input.startIndex]) << 8 | Int(input[input.startIndex + 1])
        let isWrapped = head & 0x0F00 == 0x0800 && head % 31 == 0
        inflation = Inflation(isWrapped ? .zlib : .deflate)
      default: throw Failure()
      }
      hasBegun = true
      return true
    }

    /// Goes on behind the end of a member: with another one, or with zero bytes that fill a block (RFC 1952 §2.2).
    private mutating func beginNextMember() throws(Failure) {
      let padding = input.prefix { $0 == 0 }.count
      input = input.dropFirst(padding)
      if padding > 0 { isPadded = true }
      guard !input.isEmpty else { return }
      // Every member begins with this byte (RFC 1952 §2.3.1); zlib checks it only once it has two bytes.
      guard !isPadded, input.first == 0x1F, coding.hasSuffix("gzip"), let inflation else { throw Failure() }
      inflation.reset()
      isWhole = false
    }
  }

  /// One of zlib's streams. For one task at a time.
  private final class Inflation {
    /// zlib's numbers for the formats (`inflateInit2`).
    enum Format: Int32 {
      case deflate = -15
      case zlib = 15
      case gzip = 31
    }

    /// zlib keeps its address, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    init?(_ format: Format) {
      stream = .allocate(capacity: 1)
      stream.initialize(to: z_stream())
      guard callsign_inflate_begin(stream, format.rawValue) == Z_OK else { return nil }
    }

    deinit {
      // For a stream that has not begun, this only returns an error.
      inflateEnd(stream)
      stream.deinitialize(count: 1)
      stream.deallocate()
    }

    func reset() { inflateReset(stream) }

    /// - Returns: Decoded bytes, how many of the input they took, and whether the stream has ended.
    func inflate(_ input: Data, limit: Int) throws(ContentDecoder.Failure) -> (Data, taken: Int, isOver: Bool) {
      var output = Data(count: limit)
      // libcurl hands out pieces that are far smaller.
      let available = min(input.count, 1 << 30)
      let code = input.withUnsafeBytes { source in
        output.withUnsafeMutableBytes { target in
          stream.pointee.next_in = UnsafeMutablePointer(
            mutating: source.assumingMemoryBound(to: UInt8.self).baseAddress)
          stream.pointee.avail_in = uInt(available)
          stream.pointee.next_out = target.assumingMemoryBound(to: UInt8.self).baseAddress
          stream.pointee.avail_out = uInt(target.count)
          return CZLib.inflate(stream, Z_SYNC_FLUSH)
        }
      }
      let taken = available - Int(stream.pointee.avail_in)
      let made = limit - Int(stream.pointee.avail_out)
      (stream.pointee.next_in, stream.pointee.next_out) = (nil, nil)
      // Without progress zlib says that its buffers are full or empty.
      guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { throw .init() }
      return (output.prefix(made), taken, code == Z_STREAM_END)
    }
  }
#endif
