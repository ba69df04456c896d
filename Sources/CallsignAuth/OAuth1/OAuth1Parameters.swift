import CallsignHTTP

/// The parameters of a request as OAuth 1.0 signs them: encoded, sorted, joined (RFC 5849 §3.4.1.3).
///
/// All of them lie encoded in one buffer, so that signing allocates little.
struct OAuth1Parameters: Sendable {
  /// The places of a parameter within the buffer.
  private struct Pair {
    /// The first eight bytes of the name, the first one highest, zeros behind a shorter one: mostly enough to sort by.
    /// Encoded names have no zeros.
    var key: UInt64
    var name: Range<Int>
    var value: Range<Int>
  }

  private var bytes: [UInt8] = []
  private var pairs: [Pair] = []

  init() {}

  /// - Parameters:
  ///   - count: How many bytes will be added, not counting what encoding adds.
  ///   - others: The parameters to begin with.
  init(expecting count: Int, beside others: OAuth1Parameters) {
    bytes.reserveCapacity(count + count / 2 + others.bytes.count + 64)
    pairs.reserveCapacity(others.pairs.count + 16)
    bytes.append(contentsOf: others.bytes)
    pairs.append(contentsOf: others.pairs)
  }

  /// Adds a parameter whose name and value are not encoded.
  mutating func add(_ name: String, _ value: String) {
    let start = bytes.count
    PercentEncoding.append(name, to: &bytes)
    let middle = bytes.count
    PercentEncoding.append(value, to: &bytes)
    addPair(start..<middle, middle..<bytes.count)
  }

  private mutating func addPair(_ name: Range<Int>, _ value: Range<Int>) {
    var key: UInt64 = 0
    bytes.withUnsafeBytes { bytes in
      if name.count >= 8 {
        key = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: name.lowerBound, as: UInt64.self))
      } else {
        for place in name { key = key << 8 | UInt64(bytes[place]) }
        key <<= UInt64(8 * (8 - name.count))
      }
    }
    pairs.append(Pair(key: key, name: name, value: value))
  }

  /// Adds what a query or a form body holds, read as `application/x-www-form-urlencoded` (RFC 5849 §3.4.1.3.1): pairs
  /// separated by `&`, a name without `=` has an empty value, `+` is a space, an empty pair is nothing.
  mutating func add(urlEncoded source: UnsafeBufferPointer<UInt8>) {
    var position = 0
    while position < source.count {
      let start = position
      var end = start
      // What this package encodes stays as it is, and is only cut.
      var equals: Int?
      var isEncodedOtherwise = false
      scan: while end < source.count {
        let byte = source[end]
        if PercentEncoding.isUnreserved(byte) {
          end &+= 1
          continue
        }
        switch byte {
        case UInt8(ascii: "&"): break scan
        case UInt8(ascii: "=") where equals == nil: equals = end
        case UInt8(ascii: "%") where PercentEncoding.isCanonicalCode(source, at: end): end &+= 2
        default: isEncodedOtherwise = true
        }
        end &+= 1
      }
      position = end + 1
      if end == start { continue }
      let pair = UnsafeBufferPointer(rebasing: source[start..<end])
      if isEncodedOtherwise {
        addEncodedAnew(pair)
        continue
      }
      let base = bytes.count
      bytes.append(contentsOf: pair)
      let middle = base + ((equals ?? end) - start)
      addPair(base..<middle, (equals == nil ? middle : middle + 1)..<bytes.count)
    }
  }

  /// Adds one pair that is encoded in another way than here.
  private mutating func addEncodedAnew(_ source: UnsafeBufferPointer<UInt8>) {
    let start = bytes.count
    var middle: Int?
    var position = 0
    while position < source.count {
      let byte = source[position]
      position += 1
      switch byte {
      case UInt8(ascii: "=") where middle == nil:
        middle = bytes.count
      case UInt8(ascii: "+"):
        PercentEncoding.append(UInt8(ascii: " "), to: &bytes)
      case UInt8(ascii: "%"):
        if position + 1 < source.count, let high = PercentEncoding.hexadecimal(source[position]),
          let low = PercentEncoding.hexadecimal(source[position + 1])
        {
          PercentEncoding.append(high << 4 | low, to: &bytes)
          position += 2
        } else {
          PercentEncoding.append(byte, to: &bytes)
        }
      default:
        PercentEncoding.append(byte, to: &bytes)
      }
    }
    let nameEnd = middle ?? bytes.count
    addPair(start..<nameEnd, nameEnd..<bytes.count)
  }

  /// How many bytes the base string has at most, without its method and URI: a `%` of these becomes three.
  fileprivate var baseStringBound: Int { 2 * bytes.count + 6 * pairs.count }

  /// Writes the parameters, sorted by name, then by value, both in their encoded form, and joined (RFC 5849 §3.4.1.3.2), all
  /// of it encoded once more as a part of the base string.
  fileprivate mutating func sortAndWrite(to output: inout OAuth1BaseString.Output) {
    bytes.withUnsafeBufferPointer { bytes in
      func order(_ left: Range<Int>, _ right: Range<Int>) -> Int {
        for (one, other) in zip(left, right) where bytes[one] != bytes[other] {
          return bytes[one] < bytes[other] ? -1 : 1
        }
        return left.count - right.count
      }
      pairs.sort { left, right in
        if left.key != right.key { return left.key < right.key }
        let names = order(left.name, right.name)
        return names == 0 ? order(left.value, right.value) < 0 : names < 0
      }
      var isFirst = true
      for pair in pairs {
        if !isFirst { output.append("%26") }
        isFirst = false
        output.append(encodedOnce: bytes, pair.name)
        output.append("%3D")
        output.append(encodedOnce: bytes, pair.value)
      }
    }
  }
}

/// The text that an OAuth 1.0 signature signs (RFC 5849 §3.4.1).
enum OAuth1BaseString {
  /// Method, base string URI and normalized parameters, each encoded, joined by `&`.
  static func make(method: String, url: AbsoluteURL, parameters: consuming OAuth1Parameters) -> [UInt8] {
    let origin = Origin(url)
    let method = method.utf8.allSatisfy { $0 < UInt8(ascii: "a") } ? method : method.uppercased()
    let bound = 3 * (method.utf8.count + origin.count + url.path.utf8.count) + parameters.baseStringBound + 16
    return [UInt8](unsafeUninitializedCapacity: bound) { room, count in
      var output = Output(room)
      output.append(encoding: method)
      output.append("&")
      output.append(encoding: url.scheme)
      output.append("%3A%2F%2F")
      output.append(encoding: url.host)
      output.append(encoding: origin.port)
      output.append(encoding: url.path.isEmpty ? "/" : url.path)
      output.append("&")
      parameters.sortAndWrite(to: &output)
      count = output.count
    }
  }

  /// Scheme and host in lower case, and a port that is not the scheme's own; with the path as it is sent, without the query,
  /// they are the base string's URI (RFC 5849 §3.4.1.2).
  private struct Origin {
    /// Empty, or with its colon.
    let port: String
    let count: Int

    init(_ url: AbsoluteURL) {
      if let number = url.port, number != AbsoluteURL.defaultPort(url.scheme) {
        port = ":\(number)"
      } else {
        port = ""
      }
      count = url.scheme.utf8.count + url.host.utf8.count + port.utf8.count + 3
    }
  }

  /// Memory that is written from its beginning; it must have room for everything.
  struct Output {
    private let room: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

    /// Text that is encoded already.
    @inline(__always)
    mutating func append(_ text: StaticString) {
      for index in 0..<text.utf8CodeUnitCount { room.initializeElement(at: count &+ index, to: text.utf8Start[index]) }
      count += text.utf8CodeUnitCount
    }

    mutating func append(encoding text: String) {
      var text = text
      text.withUTF8 { for byte in $0 { PercentEncoding.put(byte, in: room, at: &count) } }
    }

    /// Bytes that are encoded and are encoded again, which changes their `%` alone.
    mutating func append(encodedOnce bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
      for place in range {
        let byte = bytes[place]
        room.initializeElement(at: count, to: byte)
        count &+= 1
        if byte == UInt8(ascii: "%") { append("25") }
      }
    }
  }
}
