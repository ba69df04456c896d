/// All operations that the sandbox implements.
enum OperationTable {
  static let all = v2 + v1

  static let v2: [Operation] =
    Users.operations + Posts.operations + Timelines.operations + Search.operations + Likes.operations
    + Reposts.operations + Follows.operations + Lists.operations + ListMembers.operations + StreamRules.operations
    + PostStreams.operations + MediaUploads.operations + MediaMetadata.operations

  static let v1: [Operation] =
    StatusesV1.operations + StatusLookupV1.operations + RetweetsV1.operations + TimelinesV1.operations
    + SearchV1.operations + FavoritesV1.operations + FriendshipsV1.operations + UsersV1.operations
    + ListsV1.operations + ListMembersV1.operations + DirectMessagesV1.operations + SavedSearchesV1.operations
    + ApplicationV1.operations + MediaV1.operations + MediaMetadataV1.operations + StatusStreamsV1.operations
}

/// The routes of the API.
struct Router: Sendable {
  enum Destination: Sendable {
    case operation(Operation, path: [String: String])
    /// An operation of the catalogue that is not implemented.
    case catalogueOnly(String)
  }

  private struct Route: Sendable {
    var method: String
    var template: PathTemplate
    var path: String
    var operation: Operation?
  }

  /// The routes with more literal segments come first.
  private let routes: [Route]
  /// The first segments of the catalogue's paths. Below others, an unknown operation may exist.
  private let cataloguedVersions: Set<Substring>

  init(operations: [Operation], catalogue: [Sandbox.Endpoint]) {
    let implemented = operations.map {
      Route(method: $0.method, template: PathTemplate($0.path), path: $0.path, operation: $0)
    }
    let keys = Set(operations.map(\.key))
    let others = catalogue.filter { !keys.contains("\($0.method) \($0.path)") }.map {
      Route(method: $0.method, template: PathTemplate($0.path), path: $0.path, operation: nil)
    }
    routes = (implemented + others).sorted { $0.template.literalCount > $1.template.literalCount }
    cataloguedVersions = Set(catalogue.compactMap { $0.path.split(separator: "/").first })
  }

  func destination(of request: IncomingRequest) throws(Problem) -> Destination {
    guard let segments = request.segments else { throw .noSuchPath(request.method, request.path) }
    var allowed: Set<String> = []
    for route in routes {
      guard let values = route.template.match(segments) else { continue }
      guard route.method == request.method else {
        allowed.insert(route.method)
        continue
      }
      guard let operation = route.operation else { return .catalogueOnly("\(route.method) \(route.path)") }
      return .operation(operation, path: values)
    }
    if let version = segments.first, APIVersion.segments.contains(version), segments.count > 1,
      !cataloguedVersions.contains(version[...])
    {
      return .catalogueOnly("\(request.method) \(request.path)")
    }
    guard allowed.isEmpty else { throw .methodNotAllowed(allowed: Array(allowed)) }
    throw .noSuchPath(request.method, request.path)
  }
}

/// A path with `{placeholders}`. Each one matches a segment, apart from a literal suffix (`{id}.json`).
struct PathTemplate: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case literal(String)
    case placeholder(String, suffix: String)
  }

  private let parts: [Part]

  init(_ text: String) {
    parts = text.split(separator: "/", omittingEmptySubsequences: true).map { part in
      guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return .literal(String(part)) }
      return .placeholder(String(part[..<end].dropFirst()), suffix: String(part[part.index(after: end)...]))
    }
  }

  /// The number of literal segments. Of two templates that match, the one with more of them wins.
  var literalCount: Int {
    parts.filter { if case .literal = $0 { true } else { false } }.count
  }

  /// - Returns: The values of the placeholders, or `nil` if the path does not match.
  func match(_ segments: [String]) -> [String: String]? {
    guard segments.count == parts.count else { return nil }
    var values: [String: String] = [:]
    for (part, segment) in zip(parts, segments) {
      switch part {
      case .literal(let text): guard text == segment else { return nil }
      case .placeholder(let name, let suffix):
        guard segment.hasSuffix(suffix), segment.utf8.count > suffix.utf8.count else { return nil }
        values[name] = String(segment.dropLast(suffix.count))
      }
    }
    return values
  }
}
