import CallsignHTTP

/// The parameters of a request as OAuth 1.0 signs them: encoded, sorted, joined (RFC 5849 §3.4.1.3).
///
/// All of them lie encoded in one buffer, so that signing allocates little.
struct OAuth1Parameters {
  private struct Pair {
    var name: Range<Int>
    var value: Range<Int>
  }

  private var bytes: [UInt8] = []
  private var pairs: [Pair] = []

  init() {
    bytes.reserveCapacity(512)
    pairs.reserveCapacity(16)
  }

  /// Adds a parameter whose name and value are not encoded.
  mutating func add(_ name: String, _ value: String) {
    let start = bytes.count
    PercentEncoding.append(name, to: &bytes)
    let middle = bytes.count
    PercentEncoding.append(value, to: &bytes)
    pairs.append(Pair(name: start..<middle, value: middle..<bytes.count))
  }

  /// Adds what a query or a form body holds, read as `application/x-www-form-urlencoded` (RFC 5849 §3.4.1.3.1): pairs
  /// separated by `&`, a name without `=` has an empty value, `+` is a space, an empty pair is nothing.
  mutating func add(urlEncoded source: UnsafeBufferPointer<UInt8>) {
    let base = bytes.count
    // Written to one side and appended at once; encoding what was encoded differently takes three bytes for one at most.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * source.count) { room in
      var count = 0
      var position = 0
      while position < source.count {
        if source[position] == UInt8(ascii: "&") {
          position += 1
          continue
        }
        let start = count
        var valueStart: Int?
        while position < source.count, source[position] != UInt8(ascii: "&") {
          let byte = source[position]
          position += 1
          switch byte {
          case UInt8(ascii: "=") where valueStart == nil:
            valueStart = count
          case UInt8(ascii: "+"):
            PercentEncoding.put(UInt8(ascii: " "), in: room, at: &count)
          case UInt8(ascii: "%"):
            if position + 1 < source.count, let high = Self.hexadecimal(source[position]),
              let low = Self.hexadecimal(source[position + 1])
            {
              PercentEncoding.put(high << 4 | low, in: room, at: &count)
              position += 2
            } else {
              PercentEncoding.put(byte, in: room, at: &count)
            }
          default:
            PercentEncoding.put(byte, in: room, at: &count)
          }
        }
        let middle = valueStart ?? count
        pairs.append(Pair(name: base + start..<base + middle, value: base + middle..<base + count))
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: room[..<count]))
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Sorted by name, then by value, both in their encoded form, and joined (RFC 5849 §3.4.1.3.2).
  func normalized() -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + 2 * pairs.count)
    bytes.withUnsafeBufferPointer { bytes in
      func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool? {
        for (one, other) in zip(bytes[left], bytes[right]) where one != other { return one < other }
        return left.count == right.count ? nil : left.count < right.count
      }
      let sorted = pairs.sorted { precedes($0.name, $1.name) ?? precedes($0.value, $1.value) ?? false }
      for pair in sorted {
        if !output.isEmpty { output.append(UInt8(ascii: "&")) }
        output.append(contentsOf: bytes[pair.name])
        output.append(UInt8(ascii: "="))
        output.append(contentsOf: bytes[pair.value])
      }
    }
    return output
  }
}

/// The text that an OAuth 1.0 signature signs (RFC 5849 §3.4.1).
enum OAuth1BaseString {
  /// Method, base string URI and normalized parameters, each encoded, joined by `&`.
  static func make(method: String, url: AbsoluteURL, parameters: OAuth1Parameters) -> [UInt8] {
    let normalized = parameters.normalized()
    var output: [UInt8] = []
    output.reserveCapacity(2 * normalized.count + 2 * url.path.utf8.count + 64)
    PercentEncoding.append(method.uppercased(), to: &output)
    output.append(UInt8(ascii: "&"))
    PercentEncoding.append(uri(of: url), to: &output)
    output.append(UInt8(ascii: "&"))
    normalized.withUnsafeBufferPointer { PercentEncoding.append($0, to: &output) }
    return output
  }

  /// Scheme and host in lower case, a port that is not the scheme's own, and the path as it is sent, without the query
  /// (RFC 5849 §3.4.1.2).
  static func uri(of url: AbsoluteURL) -> String {
    "\(url.scheme)://\(url.authority)\(url.path.isEmpty ? "/" : url.path)"
  }
}
