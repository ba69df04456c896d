import CallsignJSON
import Foundation

extension RequestContext {
  /// A request to a v2 operation: checked query parameters, and a JSON body or the parts of a multipart body.
  init(
    v2 request: IncomingRequest, _ operation: Operation, path: [String: String], principal: Principal, now: Date,
    source: String
  ) throws(Problem) {
    let query = QueryValidation(query: request.query, accepted: operation.query)
    guard query.errors.isEmpty else { throw .invalidRequest(query.errors) }
    let parts = try operation.takesParts ? BodyValidation.parts(of: request) : nil
    let body = try (parts == nil ? operation.body : nil).map { (schema) throws(Problem) in
      try BodyValidation.check(request, against: schema)
    }
    let scope = ([operation.key] + path.sorted { $0.key < $1.key }.map(\.value)).joined(separator: " ")
    self.init(
      principal: principal, operation: operation.key, path: path, query: query.values, body: body ?? .null, now: now,
      pageScope: scope, source: source, parameters: parts?.texts ?? [:], files: parts?.files ?? [:])
  }
}

// MARK: Arguments by the catalogue

extension RequestContext {
  /// A request to a v2 operation whose arguments were read according to the catalogue's types.
  init(
    _ arguments: TypedOperation.Arguments, _ request: IncomingRequest, _ operation: Operation, path: [String: String],
    principal: Principal, now: Date, source: String
  ) {
    let scope = ([operation.key] + path.sorted { $0.key < $1.key }.map(\.value)).joined(separator: " ")
    let body = request.mediaType == "application/json" ? try? JSON(parsing: request.body) : nil
    self.init(
      principal: principal, operation: operation.key, path: path,
      query: arguments.values.compactMapValues(QueryValue.init), body: body ?? .null, now: now, pageScope: scope,
      source: source)
  }
}

extension QueryValue {
  /// The value of an argument; `nil` for values that a query cannot contain.
  fileprivate init?(_ value: JSONValue) {
    switch value {
    case .string(let text): self = .string(text)
    case .integer(let number): self = .integer(number)
    case .bool(let flag): self = .string(String(flag))
    case .array(let elements): self = .strings(elements.compactMap { $0.string ?? $0.int.map(String.init) })
    case .null, .number, .literal, .object: return nil
    }
  }
}

// MARK: Parameters

extension RequestContext {
  func strings(_ name: String) -> [String] {
    guard case .strings(let values) = query[name] else { return [] }
    return values
  }

  func string(_ name: String) -> String? {
    guard case .string(let value) = query[name] else { return nil }
    return value
  }

  func integer(_ name: String) -> Int? {
    guard case .integer(let value) = query[name] else { return nil }
    return value
  }

  func text(_ member: String) -> String? { body[member]?.string }

  /// Returns the value of a placeholder, which must be an ID.
  func identifier(_ placeholder: String) throws(Problem) -> (text: String, id: Identifier?) {
    let text = path[placeholder] ?? ""
    guard Pattern.isIdentifier(text) else {
      throw .invalidRequest([
        InvalidParameter(
          name: placeholder, values: [text],
          message: "The `\(placeholder)` query parameter value [\(text)] is not valid")
      ])
    }
    return (text, Identifier(text))
  }

  /// Returns the user in a path such as `/2/users/{id}/likes`, which must be the principal's.
  func actingUser(_ placeholder: String = "id") throws(Problem) -> Identifier {
    let user = try authenticatedUser()
    let (text, id) = try identifier(placeholder)
    guard id == user else {
      throw .invalidRequest([
        InvalidParameter(
          name: placeholder, values: [text],
          message: "The `\(placeholder)` query parameter value [\(text)] must be the same as the authenticating user "
            + "[\(user)]")
      ])
    }
    return user
  }
}

// MARK: Lookups

extension RequestContext {
  /// Looks up the user in a path.
  func lookUpUser(_ placeholder: String, in database: Database) throws(Problem) -> Lookup<UserRecord> {
    let (text, id) = try identifier(placeholder)
    guard let id, let user = database.users[id] else {
      return .missing(MissingResource(kind: .user, parameter: placeholder, value: text))
    }
    return .found(user)
  }

  func lookUpPost(_ placeholder: String, in database: Database) throws(Problem) -> Lookup<PostRecord> {
    let (text, id) = try identifier(placeholder)
    guard let id, let post = database.posts[id] else {
      return .missing(MissingResource(kind: .post, parameter: placeholder, value: text))
    }
    return .found(post)
  }

  func lookUpList(_ placeholder: String, in database: Database) throws(Problem) -> Lookup<ListRecord> {
    let (text, id) = try identifier(placeholder)
    guard let id, let list = database.list(id, visibleTo: principal.user) else {
      return .missing(MissingResource(kind: .list, parameter: placeholder, value: text))
    }
    return .found(list)
  }

  /// Returns the user named by a member of the body, for a write.
  func requiredUser(_ member: String, in database: Database) throws(Problem) -> UserRecord {
    let text = text(member) ?? ""
    guard let user = Identifier(text).flatMap({ database.users[$0] }) else {
      throw .missing(MissingResource(kind: .user, parameter: member, value: text))
    }
    return user
  }

  /// Returns the post named by a member of the body, for a write.
  func requiredPost(_ member: String, in database: Database) throws(Problem) -> PostRecord {
    let text = text(member) ?? ""
    guard let post = Identifier(text).flatMap({ database.posts[$0] }) else {
      throw .missing(MissingResource(kind: .post, parameter: member, value: text))
    }
    return post
  }
}

/// The result of looking up a resource in the path.
enum Lookup<Record: Sendable>: Sendable {
  case found(Record)
  case missing(MissingResource)

  /// Returns the record, for writes.
  /// - Throws: 404 for a missing record.
  func required() throws(Problem) -> Record {
    switch self {
    case .found(let record): return record
    case .missing(let resource): throw .missing(resource)
    }
  }

  /// Returns the response, for reads. If the resource is missing, it is 200 with `errors`.
  func response(_ present: (Record) throws(Problem) -> Response) throws(Problem) -> Response {
    switch self {
    case .found(let record): return try present(record)
    case .missing(let resource): return Response(json: ["errors": [resource.document]])
    }
  }
}

// MARK: Pages

extension RequestContext {
  /// Returns the page of a relation that the request asks for.
  func page(
    of relation: Relation?, defaultSize: Int, isIncluded: (Identifier) -> Bool = { _ in true }
  ) throws(Problem) -> Page {
    try Page(
      of: relation, size: integer("max_results") ?? defaultSize, token: string("pagination_token"), scope: pageScope,
      isIncluded: isIncluded)
  }

  /// The response with the users of a page.
  func users(
    _ relation: Relation?, in database: Database, defaultSize: Int = 100
  ) throws(Problem) -> Response {
    let page = try page(of: relation, defaultSize: defaultSize)
    var renderer = Renderer(database, self)
    var data: [JSON] = []
    for id in page.members {
      if let user = database.users[id] { data.append(renderer.user(user)) }
    }
    return renderer.response(data: data.isEmpty ? nil : .array(data), meta: page.meta(resultCount: data.count))
  }

  /// The response with those lists on a page that the principal can see.
  func lists(_ relation: Relation?, in database: Database) throws(Problem) -> Response {
    let viewer = principal.user
    let page = try page(of: relation, defaultSize: 100) { database.list($0, visibleTo: viewer) != nil }
    var renderer = Renderer(database, self)
    var data: [JSON] = []
    for id in page.members {
      if let list = database.lists[id] { data.append(renderer.list(list)) }
    }
    return renderer.response(data: data.isEmpty ? nil : .array(data), meta: page.meta(resultCount: data.count))
  }

  /// The response with the posts of a page.
  func posts(_ page: Page, in database: Database, withBorders: Bool = true) -> Response {
    var renderer = Renderer(database, self)
    var data: [JSON] = []
    for id in page.members {
      if let post = database.posts[id] { data.append(renderer.post(post)) }
    }
    var meta = page.meta(resultCount: data.count)
    if withBorders {
      meta["newest_id"] = page.members.first.map { .string(String($0)) }
      meta["oldest_id"] = page.members.last.map { .string(String($0)) }
    }
    return renderer.response(data: data.isEmpty ? nil : .array(data), meta: meta)
  }
}
