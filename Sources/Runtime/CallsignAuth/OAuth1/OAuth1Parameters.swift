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

  /// A list's commas stand in queries and forms as they are (RFC 6570 §3.2.8). Those in values stay so here, too, and are
  /// encoded where the base string is written.
  private var bytes: [UInt8] = []
  private var pairs: [Pair] = []
  private var commas = 0

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

  /// Adds a parameter whose name stays as it is.
  mutating func add(unreserved name: StaticString, _ value: String) {
    let start = bytes.count
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    let middle = bytes.count
    PercentEncoding.append(value, to: &bytes)
    addPair(start..<middle, middle..<bytes.count)
  }

  private mutating func addPair(_ name: Range<Int>, _ value: Range<Int>) {
    let key = bytes.withUnsafeBytes { bytes -> UInt64 in
      if bytes.count - name.lowerBound >= 8 {
        let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: name.lowerBound, as: UInt64.self))
        // A shift by the whole width leaves nothing, as it should.
        return name.count >= 8 ? word : word & ~(UInt64.max >> UInt64(8 * name.count))
      }
      var key: UInt64 = 0
      for place in name.prefix(8) { key = key << 8 | UInt64(bytes[place]) }
      return key << UInt64(8 * (8 - min(8, name.count)))
    }
    pairs.append(Pair(key: key, name: name, value: value))
  }

  /// Adds what a query or a form body holds, read as `application/x-www-form-urlencoded` (RFC 5849 §3.4.1.3.1): pairs
  /// separated by `&`, a name without `=` has an empty value, `+` is a space, an empty pair is nothing.
  mutating func add(urlEncoded source: UnsafeBufferPointer<UInt8>) {
    // What this package encodes stays as it is and is only cut, so all of it is taken at once.
    let base = bytes.count
    bytes.append(contentsOf: source)
    var position = 0
    while position < source.count {
      let start = position
      var end = start
      var equals: Int?
      var isEncodedOtherwise = false
      scan: while true {
        end = PercentEncoding.endOfUnreserved(in: source, from: end)
        guard end < source.count else { break }
        switch source[end] {
        case UInt8(ascii: "&"): break scan
        case UInt8(ascii: "=") where equals == nil: equals = end
        case UInt8(ascii: ",") where equals != nil: commas &+= 1
        case UInt8(ascii: "%") where PercentEncoding.isCanonicalCode(source, at: end): end &+= 2
        default: isEncodedOtherwise = true
        }
        end &+= 1
      }
      position = end + 1
      if end == start { continue }
      if isEncodedOtherwise {
        addEncodedAnew(UnsafeBufferPointer(rebasing: source[start..<end]))
        continue
      }
      let middle = base + (equals ?? end)
      addPair((base + start)..<middle, (equals == nil ? middle : middle + 1)..<(base + end))
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

  /// The most bytes that the base string may have, without its method and URI: a `%` of these becomes three, a comma
  /// five.
  var baseStringBound: Int { 3 * bytes.count + 2 * commas + 6 * pairs.count }

  /// Writes the parameters, sorted by name, then by value, both in their encoded form, and joined (RFC 5849 §3.4.1.3.2), all
  /// of it encoded once more as a part of the base string.
  mutating func sortAndWrite(to output: inout OAuth1Output) {
    bytes.append(contentsOf: repeatElement(0, count: OAuth1Output.slack))
    bytes.withUnsafeBufferPointer { bytes in
      func order(_ left: Range<Int>, _ right: Range<Int>) -> Int {
        for (one, other) in zip(left, right) where bytes[one] != bytes[other] {
          if bytes[one] == UInt8(ascii: ",") || bytes[other] == UInt8(ascii: ",") {
            let (one, other) = (
              Self.encodingCommas(bytes[one..<left.upperBound]), Self.encodingCommas(bytes[other..<right.upperBound])
            )
            return one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
          }
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

extension OAuth1Parameters {
  private static func encodingCommas(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    value.flatMap { $0 == UInt8(ascii: ",") ? Array("%2C".utf8) : [$0] }
  }
}
