import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The rate limits that a client knows at a moment: one state for each endpoint and credentials whose limit an answer
/// has stated. See ``Client/rateLimits``.
public struct RateLimits: Sendable, RandomAccessCollection {
  /// The state of one limit.
  public struct Element: Sendable, Hashable {
    /// The endpoint's name in the catalogue, or the method and path of an untyped call, with `:id` for each id.
    public let endpoint: String
    /// The identity of the credentials that have the limit; `nil` for calls without credentials.
    public let credential: CredentialIdentity?
    /// The limit as the last answer stated it. After a refusal that states none, none are left until the end of its
    /// `Retry-After`.
    public let limit: RateLimit
  }

  private let elements: [Element]

  init(_ elements: [Element]) {
    self.elements = elements.sorted {
      ($0.endpoint, $0.credential?.description ?? "") < ($1.endpoint, $1.credential?.description ?? "")
    }
  }

  /// 0
  public var startIndex: Int { elements.startIndex }
  /// The number of states.
  public var endIndex: Int { elements.endIndex }
  /// The state at a position, ordered by endpoint.
  public subscript(position: Int) -> Element { elements[position] }

  /// The limit of an endpoint for some credentials; `nil` where no answer has told it.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint's name in the catalogue, or the method and path of an untyped call, with ids or `:id`.
  ///   - credential: An authenticator's ``Authenticator/identity``; `nil` for calls without credentials.
  public subscript(_ endpoint: String, _ credential: CredentialIdentity?) -> RateLimit? {
    let name = UntypedShape.name(endpoint)
    return elements.first { $0.endpoint == name && $0.credential == credential }?.limit
  }

  /// The limit of an endpoint; that with the fewest calls left where several credentials were used.
  public subscript(_ endpoint: String) -> RateLimit? {
    let name = UntypedShape.name(endpoint)
    return elements.lazy.filter { $0.endpoint == name }.map(\.limit)
      .min { ($0.remaining ?? .max) < ($1.remaining ?? .max) }
  }
}

/// The limits that the answers of a client family have stated, for ``Client/rateLimits``.
final class StatedRateLimits: Sendable {
  private struct Key: Hashable {
    let endpoint: String
    let credential: CredentialIdentity?
  }

  private struct Statement {
    var limit: RateLimit
    /// By how many seconds the server's clock is ahead of this machine's.
    var ahead: TimeInterval
    /// After this, by this machine's clock, it says nothing any more.
    var end: Date
  }

  private struct State {
    var statements: [Key: Statement] = [:]
    var bound = StatedRateLimits.capacity
  }

  private static let capacity = 4096
  /// The seconds that a statement without a reset is kept.
  private static let keepingTime: TimeInterval = 900

  private let state = Locked(State())

  func record(_ endpoint: String, _ credential: CredentialIdentity?, _ limit: RateLimit, ahead: TimeInterval, now: Date)
  {
    let key = Key(endpoint: endpoint, credential: credential)
    var reset = limit.reset
    for other in [limit.appDay?.reset, limit.userDay?.reset] {
      if let other { reset = max(reset ?? other, other) }
    }
    let end = reset?.addingTimeInterval(-ahead) ?? now.addingTimeInterval(Self.keepingTime)
    state.withLock { state in
      if state.statements.count >= state.bound, state.statements[key] == nil {
        state.statements = state.statements.filter { $0.value.end > now }
        if state.statements.count >= Self.capacity {
          let oldest = state.statements.sorted { $0.value.end < $1.value.end }.prefix(Self.capacity / 2)
          for (key, _) in oldest { state.statements[key] = nil }
        }
        state.bound = max(Self.capacity, state.statements.count * 2)
      }
      state.statements[key] = Statement(limit: limit, ahead: ahead, end: end)
    }
  }

  /// The limit as the last answer stated it, where a key's window is used up by that; `nil` otherwise, and where that
  /// window is over: whoever shares the limit may have begun another since.
  func limit(
    _ endpoint: String, _ credential: CredentialIdentity?, usedUp key: RateLimitKey, at now: Date
  ) -> RateLimit? {
    guard let statement = state.withLock({ $0.statements[Key(endpoint: endpoint, credential: credential)] }) else {
      return nil
    }
    let window = key.window(in: statement.limit)
    let end = window?.reset?.addingTimeInterval(-statement.ahead) ?? statement.end
    return window?.remaining ?? 0 <= 0 && end > now ? statement.limit : nil
  }

  var snapshot: RateLimits {
    RateLimits(
      state.withLock { state in
        state.statements.map { .init(endpoint: $0.endpoint, credential: $0.credential, limit: $1.limit) }
      })
  }
}

/// The shape of an untyped call's path: its ids replaced, so that calls for different ones share their limits.
enum UntypedShape {
  /// The name of an untyped call, such as `GET 2/users/12/followers`, with `:id` for each segment that looks like an id.
  /// Names of catalogues stay as they are.
  static func name(_ name: String) -> String {
    guard let space = name.firstIndex(of: " ") else { return name }
    var place = name[name.index(after: space)...].prefix { $0 != "?" }
    let authority = place.firstRange(of: "://")
    var head = ""
    if let authority {
      let end = place[authority.upperBound...].firstIndex(of: "/") ?? place.endIndex
      head = String(place[..<end])
      place = place[end...]
    }
    place = place.drop { $0 == "/" }
    let segments = place.split(separator: "/", omittingEmptySubsequences: false)
    let shape = segments.enumerated().map { index, segment in
      let isNamed = index > 0 && announcing.contains(segments[index - 1])
      return index == 0 || !(isNamed || isID(segment)) ? String(segment) : ":id" + fileExtension(segment)
    }
    return name[...space] + (head.isEmpty ? "" : head + "/") + shape.joined(separator: "/")
  }

  /// The segments after which a name stands.
  private static let announcing: Set<Substring> = ["id", "name", "screen_name", "slug", "username"]

  private static func fileExtension(_ segment: Substring) -> Substring {
    segment.lastIndex(of: ".").map { segment[$0...] }.flatMap { $0.dropFirst().allSatisfy(\.isLetter) ? $0 : nil } ?? ""
  }

  /// A number, or a word with so many digits that nobody would name an endpoint so. The first segment is never one: there
  /// the version stands.
  private static func isID(_ segment: Substring) -> Bool {
    let word = segment.dropLast(fileExtension(segment).count)
    let digits = word.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits > 0 && (digits == word.utf8.count || digits >= 4) || word.contains { "%@,".contains($0) }
  }
}
