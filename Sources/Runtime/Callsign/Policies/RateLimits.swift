import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The rate limits that a client knows at a moment: one state for each endpoint and credentials whose limit a response
/// has stated. See ``Client/rateLimits``.
public struct RateLimits: Sendable, RandomAccessCollection {
  /// The state of one limit.
  public struct Element: Sendable, Hashable {
    /// The endpoint's name in the catalogue, or the method and path of an untyped call, with `:id` for each id.
    public let endpoint: String
    /// The identity of the credentials that have the limit; `nil` for calls without credentials.
    public let credential: CredentialIdentity?
    /// The limit as the last response stated it. After a refusal that states none, none are left until the end of its
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

  /// The limit of an endpoint for some credentials; `nil` if no response has stated it.
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

  /// The segments that are followed by a name.
  private static let announcing: Set<Substring> = ["id", "name", "screen_name", "slug", "username"]

  private static func fileExtension(_ segment: Substring) -> Substring {
    segment.lastIndex(of: ".").map { segment[$0...] }.flatMap { $0.dropFirst().allSatisfy(\.isLetter) ? $0 : nil } ?? ""
  }

  /// A number, or a word with so many digits that nobody would name an endpoint that way. The first segment never counts as one,
  /// because it is the version.
  private static func isID(_ segment: Substring) -> Bool {
    let word = segment.dropLast(fileExtension(segment).count)
    let digits = word.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits > 0 && (digits == word.utf8.count || digits >= 4) || word.contains { "%@,".contains($0) }
  }
}
