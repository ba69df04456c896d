import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The caching rules in a response's header fields (RFC 9111).
struct CacheControl {
  private let directives: [String: String]

  init(_ headers: HTTPFields) {
    var directives: [String: String] = [:]
    for part in (headers[.cacheControl] ?? "").split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingWhitespace() }
      guard let name = pair.first?.lowercased() else { continue }
      let value = pair.count > 1 ? pair[1].filter { $0 != "\"" } : ""
      // If there are several, the strictest counts (RFC 9111 §4.2.1); a value that cannot be read counts as zero.
      if let earlier = directives[name], Self.seconds(earlier) ?? 0 <= Self.seconds(value) ?? 0 { continue }
      directives[name] = value
    }
    self.directives = directives
  }

  func has(_ name: String) -> Bool { directives[name] != nil }

  /// The longest time that counts, in seconds (RFC 9111 §1.2.2).
  static let longest: TimeInterval = 2_147_483_648

  /// A difference that clocks may have, in seconds.
  private static let clockDifference: TimeInterval = 300

  /// The response's age when it arrived, in seconds. A value that is not a number does not count.
  ///
  /// Without the field, the response's date gives its age (RFC 9111 §4.2.3), unless a slightly wrong clock could
  /// explain the difference.
  static func age(_ headers: HTTPFields, at arrival: Date) -> TimeInterval {
    // The field may have been sent twice.
    if let text = headers[.age] { return seconds(text.prefix { $0 != "," }) ?? 0 }
    guard let sent = headers[.date].flatMap({ HTTPDate.date($0, now: arrival) }) else { return 0 }
    let apparent = arrival.timeIntervalSince(sent)
    return apparent > clockDifference ? min(apparent, longest) : 0
  }

  /// A number of seconds: only digits, limited to the maximum.
  private static func seconds(_ text: some StringProtocol) -> TimeInterval? {
    let digits = text.trimmingWhitespace().utf8
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { min($0 * 10 + TimeInterval($1 - UInt8(ascii: "0")), longest) }
  }

  /// How many seconds the response stays fresh after its arrival. No heuristic is used.
  ///
  /// - Parameter age: How old it was when it arrived.
  func lifetime(_ headers: HTTPFields, age: TimeInterval, now: Date) -> TimeInterval {
    if has("no-cache") { return 0 }
    if let text = directives["max-age"] {
      // A lifetime that cannot be read is none (RFC 9111 §4.2.1).
      return max(0, (Self.seconds(text) ?? 0) - age)
    }
    guard let text = headers[.expires], let expires = HTTPDate.date(text, now: now) else { return 0 }
    let sent = headers[.date].flatMap { HTTPDate.date($0, now: now) } ?? now
    return max(0, expires.timeIntervalSince(sent) - age)
  }
}
