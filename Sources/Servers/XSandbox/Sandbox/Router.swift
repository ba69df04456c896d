/// All operations for which the sandbox has its own behaviour.
enum OperationTable {
  static let all = v2 + v1

  static let v2: [Operation] =
    Users.operations + Posts.operations + Timelines.operations + Search.operations + Likes.operations
    + Reposts.operations + Follows.operations + Lists.operations + ListMembers.operations + StreamRules.operations
    + PostStreams.operations + MediaUploads.operations + MediaMetadata.operations
    + furtherV2

  private static let furtherV2: [Operation] =
    Bookmarks.operations + BlocksAndMutes.operations + PinnedLists.operations + DirectMessages.operations
    + HomeTimeline.operations + PostCounts.operations + Trends.operations + ComplianceJobs.operations
    + WebhookOperations.operations + ActivitySubscriptions.operations + Spaces.operations + Communities.operations

  static let v1: [Operation] =
    StatusesV1.operations + StatusLookupV1.operations + RetweetsV1.operations + TimelinesV1.operations
    + SearchV1.operations + FavoritesV1.operations + FriendshipsV1.operations + UsersV1.operations
    + ListsV1.operations + ListMembersV1.operations + DirectMessagesV1.operations + SavedSearchesV1.operations
    + ApplicationV1.operations + MediaV1.operations + MediaMetadataV1.operations + StatusStreamsV1.operations
    + BlocksAndMutesV1.operations + AccountActivityV1.operations + PlacesV1.operations
}

/// The routes of the API: every operation of the catalogues.
struct Router: Sendable {
  private struct Route: Sendable {
    var template: PathTemplate
    var operation: Operation
  }

  /// The routes by number of segments. Routes with more literal segments come first.
  private let routes: [Int: [Route]]

  /// All sandboxes share the same table.
  static let shared = Router(implemented: OperationTable.all, catalogue: CataloguedOperation.all)

  init(implemented: [Operation], catalogue: [CataloguedOperation]) {
    var operations = implemented
    var keys = Set(implemented.map(\.key))
    // If several operations have the same path, the arguments decide when a request is read.
    for entry in catalogue where keys.insert(entry.key).inserted { operations.append(Operation(entry)) }
    let routes = operations.map { Route(template: PathTemplate($0.path), operation: $0) }
    self.routes = Dictionary(grouping: routes, by: \.template.count).mapValues {
      $0.sorted { $0.template.literalCount > $1.template.literalCount }
    }
  }

  /// The operation for a request, and the values of its path's placeholders.
  /// - Throws: 404 for a path without an operation, 405 for a path with other methods.
  func destination(of request: IncomingRequest) throws(Problem) -> (operation: Operation, path: [String: String]) {
    guard let segments = request.segments else { throw .noSuchPath(request.method, request.path) }
    do throws(Problem) {
      return try destination(segments, request)
    } catch {
      guard error.status == 404, let path = TypedOperation.pathWithIdentifier(request) else { throw error }
      return try destination(path.dropFirst().split(separator: "/").map(String.init), request)
    }
  }

  private func destination(
    _ segments: [String], _ request: IncomingRequest
  ) throws(Problem) -> (operation: Operation, path: [String: String]) {
    var allowed: Set<String> = []
    for route in routes[segments.count] ?? [] {
      guard let values = route.template.match(segments) else { continue }
      let method = route.operation.method
      // RFC 9110 §9.3.2: HEAD is GET without the body. A stream consists only of its body.
      if method == request.method || method == "GET" && request.method == "HEAD" && !route.operation.opensStream {
        return (route.operation, values)
      }
      allowed.insert(method)
    }
    guard allowed.isEmpty else { throw .methodNotAllowed(allowed: Array(allowed)) }
    throw .noSuchPath(request.method, request.path)
  }
}

/// A path with `{placeholders}`. Each matches one segment, except for a literal suffix (`{id}.json`).
struct PathTemplate: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case literal(String)
    case placeholder(String, suffix: String)
  }

  private let parts: [Part]

  init(_ text: String) {
    parts = text.split(separator: "/").map { part in
      guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return .literal(String(part)) }
      return .placeholder(String(part[..<end].dropFirst()), suffix: String(part[part.index(after: end)...]))
    }
  }

  /// The number of segments.
  var count: Int { parts.count }

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
