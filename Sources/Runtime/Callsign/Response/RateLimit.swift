import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The state of an endpoint's rate limits, as the header fields of a response state it.
public struct RateLimit: Sendable, Hashable {
  /// One limit: a number of calls until a point in time.
  public struct Window: Sendable, Hashable {
    /// The number of calls that the window allows.
    public var limit: Int?
    /// The number of calls that are left in it.
    public var remaining: Int?
    /// When the next window begins, by the server's clock.
    public var reset: Date?

    /// States a limit.
    public init(limit: Int? = nil, remaining: Int? = nil, reset: Date? = nil) {
      self.limit = limit
      self.remaining = remaining
      self.reset = reset
    }

    package var isEmpty: Bool { limit == nil && remaining == nil && reset == nil }
  }

  /// The number of calls that the endpoint's window allows.
  public var limit: Int?
  /// The number of calls that are left in it.
  public var remaining: Int?
  /// When the next window begins, by the server's clock.
  public var reset: Date?
  /// The app's limit over 24 hours, if the API states one.
  public var appDay: Window?
  /// The user's limit over 24 hours, if the API states one.
  public var userDay: Window?

  /// States a limit.
  public init(
    limit: Int? = nil, remaining: Int? = nil, reset: Date? = nil, appDay: Window? = nil, userDay: Window? = nil
  ) {
    self.limit = limit
    self.remaining = remaining
    self.reset = reset
    self.appDay = appDay
    self.userDay = userDay
  }

  /// The endpoint's own window.
  public var window: Window { Window(limit: limit, remaining: remaining, reset: reset) }

  /// Of the windows with no calls left, the one that ends last; `nil` while there are calls left, as far as the API
  /// states it.
  public var exhausted: Window? {
    [window, appDay, userDay].compactMap { $0 }.filter { $0.remaining.map { $0 <= 0 } ?? false && $0.reset != nil }
      .max { ($0.reset ?? .distantPast) < ($1.reset ?? .distantPast) }
  }

  /// The end of a limit that is used up, or whose remaining calls are not known. An API may also refuse one connection
  /// too many with 429; then the limit in the same response has nothing to do with it.
  var resetToAwait: Date? { exhausted?.reset ?? (remaining == nil ? reset : nil) }

  /// Applies the `Retry-After` of a refusal, if the limit has no end, or an earlier end although no calls are left.
  ///
  /// - Parameters:
  ///   - delay: How long the API asks to wait.
  ///   - sent: When it responded, by its clock.
  mutating func merge(retryAfter delay: Duration, sent: Date) {
    let asked = sent.addingTimeInterval(delay.seconds)
    if let reset {
      if asked > reset, remaining ?? 0 <= 0 { self.reset = asked }
    } else if exhausted == nil {
      reset = asked
    }
  }
}

extension RateLimit {
  /// Reads the forms that many APIs share; `nil` if the response has none of them.
  ///
  /// - `x-ratelimit-limit`, `-remaining` and `-reset`, the last in seconds since 1970, as GitHub sends them. A reset of
  ///   less than ten years is read as seconds from now, as some APIs send it, and one beyond the year 5000 as
  ///   milliseconds.
  /// - `RateLimit: "default";r=50;t=30` with `RateLimit-Policy: "default";q=100;w=60`, where `t` is seconds from now.
  ///   The entry with the fewest calls left counts.
  /// - `RateLimit-Limit`, `-Remaining` and `-Reset` of earlier drafts, the last in seconds from now.
  ///
  /// Source: draft-ietf-httpapi-ratelimit-headers, and
  /// https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
  public init?(standardFields headers: HTTPFields) {
    var numbers = Window()
    var entries: Substring?
    var policies: Substring?
    // A single loop over all fields, because most responses have none of these.
    for field in headers {
      let name = field.name.canonicalName
      // Most fields are others. Their length, or one letter, is enough to know.
      guard Self.mayStateLimit(name), name.hasPrefix("x-ratelimit-") || name.hasPrefix("ratelimit") else { continue }
      switch name {
      case "ratelimit": entries = Self.joined(entries, field)
      case "ratelimit-policy": policies = Self.joined(policies, field)
      case "x-ratelimit-limit", "ratelimit-limit": numbers.limit = Self.number(field)
      case "x-ratelimit-remaining", "ratelimit-remaining": numbers.remaining = Self.number(field)
      case "x-ratelimit-reset", "ratelimit-reset":
        numbers.reset = Self.number(field).map { Self.moment($0, headers) }
      default: break
      }
    }
    if let entries { numbers = Self.tightest(entries, policies, headers) ?? numbers }
    if numbers.isEmpty { return nil }
    self.init(limit: numbers.limit, remaining: numbers.remaining, reset: numbers.reset)
  }

  /// Field lines with the same name form one list (RFC 9110 §5.3, RFC 9651 §4.2).
  private static func joined(_ list: Substring?, _ field: HTTPField) -> Substring {
    list.map { Substring("\($0),\(field.value)") } ?? field.value[...]
  }

  /// Whether a field's name is as long as one of those that are read, and has their first letter and their `l`.
  private static func mayStateLimit(_ name: String) -> Bool {
    let bytes = name.utf8
    let place: Int
    switch bytes.count {
    case 17, 21: place = 6
    case 9, 15, 16, 19: place = 4
    default: return false
    }
    // `x-ratelimit-reset` is as long as `transfer-encoding`, and `ratelimit-policy` as `content-encoding`.
    guard bytes.first == (place == 6 ? UInt8(ascii: "x") : UInt8(ascii: "r")) else { return false }
    return bytes[bytes.index(bytes.startIndex, offsetBy: place)] == UInt8(ascii: "l")
  }

  /// The entry of a `RateLimit` field with the fewest calls left.
  private static func tightest(_ entries: Substring, _ policies: Substring?, _ headers: HTTPFields) -> Window? {
    let quotas = policies.map { list($0) } ?? []
    return list(entries).compactMap { name, parameters -> Window? in
      guard let remaining = parameters["r"] ?? parameters["remaining"] else { return nil }
      let quota = quotas.first { $0.name == name }?.parameters["q"]
      return Window(
        limit: parameters["limit"] ?? quota, remaining: remaining,
        reset: (parameters["t"] ?? parameters["reset"]).map { moment($0, headers) })
    }.min { ($0.remaining ?? .max) < ($1.remaining ?? .max) }
  }

  /// A list of structured fields (RFC 9651 §3.1). Only integer parameters count. The older draft's dictionary
  /// `limit=100, remaining=50, reset=5` reads as one entry without a name.
  private static func list(_ text: Substring) -> [(name: Substring, parameters: [Substring: Int])] {
    var entries: [(name: Substring, parameters: [Substring: Int])] = []
    for item in text.split(separator: ",").prefix(32) {
      var parts = item.split(separator: ";").map { $0.drop { $0 == " " } }
      guard let first = parts.first else { continue }
      if first.contains("=") {
        if entries.isEmpty { entries.append(("", [:])) }
      } else {
        entries.append((first, [:]))
        parts.removeFirst()
      }
      for part in parts {
        let pair = part.split(separator: "=", maxSplits: 1)
        guard pair.count == 2, let value = number(String(pair[1])) else { continue }
        entries[entries.count - 1].parameters[pair[0]] = value
      }
    }
    return entries
  }

  /// A point in time given in seconds: since 1970, or from the time of the response.
  private static func moment(_ seconds: Int, _ headers: HTTPFields) -> Date {
    let tenYears = 315_360_000
    // No API means the year 5138: such a number counts milliseconds.
    if seconds > 100_000_000_000 { return Date(timeIntervalSince1970: TimeInterval(seconds) / 1000) }
    if seconds > tenYears { return Date(timeIntervalSince1970: TimeInterval(seconds)) }
    let sent = headers.firstValue(.date).flatMap { HTTPDate.date($0) } ?? Date()
    return sent.addingTimeInterval(TimeInterval(seconds))
  }

  private static func number(_ field: HTTPField) -> Int? { field.wholeNumber ?? number(field.value) }

  /// A number without a sign, with at most spaces around it.
  package static func number(_ text: String) -> Int? {
    guard let number = Int(text) ?? Int(text.filter { $0 != " " }), number >= 0 else { return nil }
    return number
  }
}

extension HTTPResponse.Status {
  /// Whether the status is enough to know that a limit is used up: 429 (RFC 6585 §4), and 420 in some older APIs.
  var isRateLimited: Bool { code == 429 || code == 420 }
}
