import CallsignCatalogue

/// Notes that people have written about an imported API: summaries in their own words, rate limits, better names.
///
/// It is kept in a YAML file beside the catalogue folder, and every import takes it from there:
/// ```yaml
/// api: {name: XAPI, summary: The X API.}
/// groups:
///   Lists: {summary: Lists of accounts.}
/// operations:
///   createPosts: Creates a post.                      # the short form: a summary
///   getUsersMe: {summary: …, details: …, docs: https://…, limits: {user: 75/15m}, name: …}
///   createLists: {summary: …, first: [name, private]}  # these parameters come first
/// required:                                           # what is always there, though the document does not say so
///   answers: [data]                                   # in whatever an operation returns, where it is an object
///   models: {User: [id, username]}                    # by the catalogue's names
/// optional: {Metrics: [post_count]}                   # what may be missing, though the document requires it
/// aliases:                                            # names under which the API sends members, too
///   Metrics: {post_count: [tweet_count]}              # by the catalogue's names
/// parameters:                                         # of all operations, by their names on the wire
///   target_user_id: {name: userID, type: UserID}      # the label, and the type of one that is plain text
/// models:
///   GetRulesResponseData: {name: Rule, summary: …}    # by the name that the importer would give
/// ```
public struct ImportNotes: Sendable, Equatable {
  struct APINotes: Sendable, Equatable {
    var name: String?
    var summary: String?
    var documentation: String?
  }
  struct GroupNotes: Sendable, Equatable {
    /// The catalogue file's name without extension.
    var file: String?
    var summary: String?
  }
  struct OperationNotes: Sendable, Equatable {
    var summary: String?
    var details: String?
    var documentation: String?
    var name: String?
    /// Parameters that come before the others, where the document's order is no help.
    var first: [String] = []
    var limits: [RateLimit] = []
  }
  struct ModelNotes: Sendable, Equatable {
    var name: String?
    var summary: String?
    var documentation: String?
  }

  struct ParameterNotes: Sendable, Equatable {
    /// The argument label.
    var name: String?
    /// The name of the model that a plain text is one of.
    var type: String?
  }

  var api = APINotes()
  /// By the document's tag.
  var groups: [String: GroupNotes] = [:]
  /// By the operation's name.
  var operations: [String: OperationNotes] = [:]
  /// By the name on the wire.
  var parameters: [String: ParameterNotes] = [:]
  /// By the name that the importer would give.
  var models: [String: ModelNotes] = [:]
  /// Descriptions of the OAuth 2.0 scopes, by name.
  var scopes: [String: String] = [:]

  /// Members that every answer of an operation has, where they are objects: `data`.
  var requiredOfAnswers: [String] = []
  /// By the model's name in the catalogue: members that are always there, though the document does not say so.
  var requiredMembers: [String: [String]] = [:]
  /// By the model's name in the catalogue: members that may be missing, though the document requires them.
  var optionalMembers: [String: [String]] = [:]
  /// By the model's name in the catalogue and the member's: further names on the wire.
  var aliases: [String: [String: [String]]] = [:]

  /// No notes.
  public init() {}

  /// Reads the notes' YAML.
  ///
  /// - Throws: ``ImportError/notes(_:)`` that names the entry and says what is expected there.
  public init(yaml bytes: [UInt8]) throws(ImportError) {
    let root: DocumentValue
    do {
      root = try DocumentParser.parse(bytes)
    } catch .notOpenAPI {
      return
    } catch {
      throw .notes(error.description)
    }
    try Self.check(
      root, "the file",
      keys: ["aliases", "api", "groups", "operations", "models", "optional", "parameters", "required", "scopes"])
    if let value = root["api"] {
      try Self.check(value, "api", keys: ["name", "summary", "docs"])
      api = APINotes(
        name: try Self.text(value, "name", "api"), summary: try Self.text(value, "summary", "api"),
        documentation: try Self.text(value, "docs", "api"))
    }
    for entry in try Self.members(of: root, "groups") {
      let place = "groups.\(entry.key)"
      if let summary = entry.value.string {
        groups[entry.key] = GroupNotes(summary: summary)
        continue
      }
      try Self.check(entry.value, place, keys: ["file", "summary"])
      groups[entry.key] = GroupNotes(
        file: try Self.text(entry.value, "file", place), summary: try Self.text(entry.value, "summary", place))
    }
    for entry in try Self.members(of: root, "operations") {
      operations[entry.key] = try Self.operation(entry.value, "operations.\(entry.key)")
    }
    for entry in try Self.members(of: root, "parameters") {
      let place = "parameters.\(entry.key)"
      try Self.check(entry.value, place, keys: ["name", "type"])
      parameters[entry.key] = ParameterNotes(
        name: try Self.text(entry.value, "name", place), type: try Self.text(entry.value, "type", place))
    }
    for entry in try Self.members(of: root, "models") {
      let place = "models.\(entry.key)"
      if let name = entry.value.string {
        models[entry.key] = ModelNotes(name: name)
        continue
      }
      try Self.check(entry.value, place, keys: ["name", "summary", "docs"])
      models[entry.key] = ModelNotes(
        name: try Self.text(entry.value, "name", place), summary: try Self.text(entry.value, "summary", place),
        documentation: try Self.text(entry.value, "docs", place))
    }
    if let value = root["required"] {
      try Self.check(value, "required", keys: ["answers", "models"])
      requiredOfAnswers = try Self.names(value["answers"], "required.answers")
      for entry in try Self.members(of: value, "models") {
        requiredMembers[entry.key] = try Self.names(entry.value, "required.models.\(entry.key)")
      }
    }
    for entry in try Self.members(of: root, "optional") {
      optionalMembers[entry.key] = try Self.names(entry.value, "optional.\(entry.key)")
    }
    for entry in try Self.members(of: root, "aliases") {
      guard let members = entry.value.object?.members else {
        throw .notes("aliases.\(entry.key) must be a mapping from members to lists of names")
      }
      for member in members {
        aliases[entry.key, default: [:]][member.key] = try Self.names(
          member.value, "aliases.\(entry.key).\(member.key)")
      }
    }
    for entry in try Self.members(of: root, "scopes") {
      guard let text = entry.value.string else { throw .notes("scopes.\(entry.key) must be a line of text") }
      scopes[entry.key] = text
    }
  }

  private static func names(_ value: DocumentValue?, _ place: String) throws(ImportError) -> [String] {
    guard let value else { return [] }
    guard let list = value.list else { throw .notes("\(place) must be a list of names") }
    return try list.map { (item) throws(ImportError) in
      guard let name = item.string else { throw .notes("\(place) must be a list of names") }
      return name
    }
  }

  /// Takes over what people wrote into the files of an earlier import, for operations that the notes do not mention.
  ///
  /// - Returns: the names of those operations, in the catalogue's order.
  public mutating func adoptEndpoints(of previous: Catalogue) -> [String] {
    var adopted: [String] = []
    for endpoint in previous.groups.flatMap(\.endpoints) where operations[endpoint.name] == nil {
      var notes = OperationNotes(details: endpoint.details, limits: endpoint.limits)
      if endpoint.summary != Self.derivedSummary(method: endpoint.method, path: endpoint.path) {
        notes.summary = endpoint.summary
      }
      guard notes != OperationNotes() else { continue }
      operations[endpoint.name] = notes
      adopted.append(endpoint.name)
    }
    return adopted
  }

  /// The summary of an operation that nobody has written one for.
  static func derivedSummary(method: String, path: String) -> String { "Calls \(method) \(path)." }

  private static func operation(_ value: DocumentValue, _ place: String) throws(ImportError) -> OperationNotes {
    if let summary = value.string { return OperationNotes(summary: summary) }
    try check(value, place, keys: ["summary", "details", "docs", "name", "first", "limits"])
    var notes = OperationNotes(
      summary: try text(value, "summary", place), details: try text(value, "details", place),
      documentation: try text(value, "docs", place), name: try text(value, "name", place),
      first: try names(value["first"], "\(place).first"))
    for entry in try members(of: value, "limits") {
      guard let text = entry.value.string, let limit = RateLimit(subject: entry.key, parsing: text),
        limit.requests > 0, limit.windowSeconds > 0
      else {
        throw .notes("\(place).limits.\(entry.key) must be a number of requests per window, such as `300/15m`")
      }
      notes.limits.append(limit)
    }
    return notes
  }

  private static func check(_ value: DocumentValue, _ place: String, keys: [String]) throws(ImportError) {
    guard let object = value.object else { throw .notes("\(place) must be a mapping") }
    if let unknown = object.members.first(where: { !keys.contains($0.key) }) {
      throw .notes("\(place) has the unknown key `\(unknown.key)`; it may have \(keys.joined(separator: ", "))")
    }
  }

  private static func members(of value: DocumentValue, _ key: String) throws(ImportError) -> [DocumentObject.Member] {
    switch value[key] {
    case nil, .null?: return []
    case .object(let object)?: return object.members
    default: throw .notes("\(key) must be a mapping")
    }
  }

  private static func text(_ value: DocumentValue, _ key: String, _ place: String) throws(ImportError) -> String? {
    switch value[key] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    default: throw .notes("\(place).\(key) must be text")
    }
  }
}
