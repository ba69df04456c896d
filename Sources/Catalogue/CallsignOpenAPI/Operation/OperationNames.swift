import CallsignCatalogue

/// The names of a document's operations: their `operationId`, or a better one if a framework made it from path and method, or if
/// there is none.
struct OperationNames {
  /// The names that differ from the `operationId`, by method and path.
  private var names: [String: String] = [:]
  /// The names of operations, by the `operationId` that links use.
  private(set) var byIdentifier: [String: String] = [:]

  private struct Candidate {
    var key: String
    var identifier: String?
    var usual: String
    var better: String?
  }

  /// Creates an empty set of names.
  init() {}

  init(_ document: OpenAPIDocument) {
    var candidates: [Candidate] = []
    for path in document.root["paths"]?.object?.members ?? [] {
      guard let (item, pointer, _) = try? document.resolved(path.value, at: Pointer.child("#/paths", path.key)) else {
        continue
      }
      let members = item.object?.members ?? []
      let methods = Set(members.map { $0.key.lowercased() })
      for member in members + (item["additionalOperations"]?.object?.members ?? []) where member.value.object != nil {
        guard Endpoint.methods.contains(member.key.uppercased()) else { continue }
        let operation = document.followedOperation(member.value, at: Pointer.child(pointer, member.key))
        let identifier = operation["operationId"]?.scalarText.flatMap { $0.isEmpty ? nil : $0 }
        candidates.append(
          Candidate(
            key: Self.key(member.key, path.key), identifier: identifier,
            usual: identifier ?? Self.spelledOut(method: member.key, path: path.key),
            better: identifier.map { Self.withoutPath($0, method: member.key, path: path.key) }
              ?? Self.derived(method: member.key, path: path.key, hasPatch: methods.contains("patch"))))
      }
    }
    // A better name must not be another operation's name.
    var counts: [String: Int] = [:]
    for candidate in candidates { counts[SwiftName.method(candidate.better ?? candidate.usual), default: 0] += 1 }
    for candidate in candidates {
      var name = candidate.usual
      if let better = candidate.better, counts[SwiftName.method(better)] == 1 {
        name = better
        names[candidate.key] = better
      }
      if let identifier = candidate.identifier, byIdentifier[identifier] == nil { byIdentifier[identifier] = name }
    }
  }

  /// The name of an operation under a key of `paths`.
  func name(of operation: DocumentValue, method: String, path: String) -> String {
    if let name = names[Self.key(method, path)] { return name }
    let identifier = operation["operationId"]?.scalarText ?? ""
    return identifier.isEmpty ? Self.spelledOut(method: method, path: path) : identifier
  }

  private static func key(_ method: String, _ path: String) -> String { "\(method.lowercased()) \(path)" }

  /// A name that spells out method and path: `GET /users/{id}/posts` becomes `getUsersIdPosts`.
  static func spelledOut(method: String, path: String) -> String {
    Words(path).list.reduce(method.lowercased()) { $0 + Words.capitalized($1) }
  }

  // MARK: Names that frameworks make

  /// The function's name from an `operationId` that a framework combined from it, path and method; `nil` for others.
  private static func withoutPath(_ identifier: String, method: String, path: String) -> String? {
    // FastAPI: `read_user_users__id__get` from `read_user` at `/users/{id}`.
    let ending =
      path.map { $0 == "_" || $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() + "_" + method.lowercased()
    if identifier.hasSuffix(ending), identifier.count > ending.count {
      let name = identifier.dropLast(ending.count)
      return name.contains { $0.isLetter } ? String(name) : nil
    }
    // Springfox: `getUserUsingGET`, and `getUserUsingGET_1` for the next one with that name.
    let word = "Using" + method.uppercased()
    guard let range = identifier.ranges(of: word).last, range.lowerBound > identifier.startIndex else { return nil }
    let rest = identifier[range.upperBound...]
    return rest.isEmpty || rest.first == "_" && rest.dropFirst().allSatisfy(\.isNumber)
      ? String(identifier[..<range.lowerBound]) : nil
  }

  // MARK: Operations without a name

  /// A name for what the call does: `GET /users/{id}/posts` becomes `getUserPosts`, and `POST /users` becomes `createUser`; `nil`
  /// for a path without words.
  private static func derived(method: String, path: String, hasPatch: Bool) -> String? {
    let segments = path.split(separator: "/").filter { !isPrefix($0) }
    var words: [String] = []
    var isOfOne = false
    for (index, segment) in segments.enumerated() where !segment.hasPrefix("{") {
      let list = Words(String(segment.prefix { $0 != "{" })).list
      isOfOne = index + 1 < segments.count && segments[index + 1].hasPrefix("{")
      words += isOfOne ? singular(list) : list
    }
    guard !words.isEmpty, words.allSatisfy({ $0.first?.isLetter == true }) else { return nil }
    var verb = method.lowercased()
    switch verb {
    case "put": verb = hasPatch ? "replace" : "update"
    case "patch": verb = "update"
    case "post" where !isOfOne && singular(words) != words:
      verb = "create"
      words = singular(words)
    default: break
    }
    return verb + words.map(Words.capitalized).joined()
  }

  private static func singular(_ words: [String]) -> [String] {
    words.dropLast() + [words.last.map { Words($0).singular.list.joined() } ?? ""]
  }

  /// Whether a path segment does not describe the call: `api`, `v2`.
  private static func isPrefix(_ segment: Substring) -> Bool {
    if segment.lowercased() == "api" { return true }
    return segment.first?.lowercased() == "v" && segment.count > 1
      && segment.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
  }
}
