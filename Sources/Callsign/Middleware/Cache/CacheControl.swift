import Foundation
import HTTPTypes

/// What an answer's header fields say of keeping it (RFC 9111).
struct CacheControl {
  private let directives: [String: String]

  init(_ headers: HTTPFields) {
    var directives: [String: String] = [:]
    for part in (headers[.cacheControl] ?? "").split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard let name = pair.first else { continue }
      directives[name.lowercased()] = pair.count > 1 ? pair[1].trimmingCharacters(in: ["\""]) : ""
    }
    self.directives = directives
  }

  func has(_ name: String) -> Bool { directives[name] != nil }

  /// How long the answer is fresh from its arrival on, in seconds; there is no guessing.
  func lifetime(_ headers: HTTPFields, now: Date) -> TimeInterval {
    if has("no-cache") { return 0 }
    let age = headers[.age].flatMap { TimeInterval($0) } ?? 0
    if let text = directives["max-age"] {
      // A lifetime that cannot be read is none (RFC 9111 §4.2.1).
      return max(0, (Int(text).map { TimeInterval($0) } ?? 0) - age)
    }
    guard let text = headers[.expires], let expires = HTTPDate.date(text, now: now) else { return 0 }
    let sent = headers[.date].flatMap { HTTPDate.date($0, now: now) } ?? now
    return max(0, expires.timeIntervalSince(sent) - age)
  }
}
