import CallsignHTTP
import Foundation
import HTTPTypes

/// By what an answer is found again. The method is always `GET`.
struct CacheKey: Hashable, Sendable {
  var credential: CredentialIdentity?
  var url: String
}

/// An answer that is kept.
struct CacheEntry: Sendable {
  private(set) var head: HTTPResponse
  var body = Data()
  private(set) var arrival: Date
  private(set) var expiry: Date
  /// The request's fields on which the answer depends, by `Vary`.
  private let variation: [HTTPField.Name: String?]

  /// `nil` where the answer must not be kept, or could not be used again.
  init?(_ head: HTTPResponse, of request: TransportRequest, now: Date) {
    let headers = head.headerFields
    let control = CacheControl(headers)
    let lifetime = control.lifetime(headers, now: now)
    guard !control.has("no-store"), lifetime > 0 || headers[.eTag] != nil || headers[.lastModified] != nil else {
      return nil
    }
    var variation: [HTTPField.Name: String?] = [:]
    for name in (headers[.vary] ?? "").split(separator: ",") {
      let name = name.trimmingCharacters(in: .whitespaces)
      guard name != "*", let field = HTTPField.Name(name) else { return nil }
      // Its value is new with every signature; whose it is stands in the key.
      if field != .authorization { variation[field] = .some(request.head.headerFields[field]) }
    }
    self.head = head
    self.variation = variation
    arrival = now
    expiry = now.addingTimeInterval(lifetime)
  }

  func matches(_ request: TransportRequest) -> Bool {
    variation.allSatisfy { request.head.headerFields[$0.key] == $0.value }
  }

  func addValidators(to request: inout TransportRequest) {
    if let tag = head.headerFields[.eTag] { request.head.headerFields[.ifNoneMatch] = tag }
    if let date = head.headerFields[.lastModified] { request.head.headerFields[.ifModifiedSince] = date }
  }

  /// The same answer with what a 304 says anew (RFC 9111 §3.2).
  func renewed(by headers: HTTPFields, now: Date) -> CacheEntry {
    var entry = self
    for field in headers where field.name != .contentLength && field.name != .contentEncoding {
      entry.head.headerFields[field.name] = headers[field.name]
    }
    if headers[.age] == nil { entry.head.headerFields[.age] = nil }
    entry.arrival = now
    entry.expiry = now.addingTimeInterval(
      CacheControl(entry.head.headerFields).lifetime(entry.head.headerFields, now: now))
    return entry
  }

  /// The answer, with its age in seconds.
  func response(at now: Date) -> TransportResponse {
    var head = head
    let past = head.headerFields[.age].flatMap { Int($0) } ?? 0
    head.headerFields[.age] = String(past + Int(min(max(0, now.timeIntervalSince(arrival)), 1e9)))
    return TransportResponse(head: head, body: ResponseBody(body))
  }
}

/// Answers within a bound of bytes.
final class CacheStorage: Sendable {
  private struct State {
    var entries: [CacheKey: (entry: CacheEntry, used: UInt64)] = [:]
    var bytes = 0
    var clock: UInt64 = 0
  }

  /// What an entry takes up besides its body, roughly.
  private static let overhead = 1024

  private let capacity: Int
  private let state = Locked(State())

  init(capacity: Int) { self.capacity = capacity }

  func entry(_ key: CacheKey) -> CacheEntry? {
    state.withLock { state in
      state.clock += 1
      state.entries[key]?.used = state.clock
      return state.entries[key]?.entry
    }
  }

  func set(_ entry: CacheEntry, for key: CacheKey) {
    state.withLock { state in
      Self.remove(key, &state)
      guard entry.body.count + Self.overhead <= capacity else { return }
      state.clock += 1
      state.entries[key] = (entry, state.clock)
      state.bytes += entry.body.count + Self.overhead
      while state.bytes > capacity, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
        Self.remove(oldest.key, &state)
      }
    }
  }

  func remove(_ key: CacheKey) { state.withLock { Self.remove(key, &$0) } }

  func removeAll() { state.withLock { $0 = State() } }

  var size: (entries: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

  private static func remove(_ key: CacheKey, _ state: inout State) {
    guard let old = state.entries.removeValue(forKey: key) else { return }
    state.bytes -= old.entry.body.count + overhead
  }
}
