import Foundation

extension RequestContext {
  /// A request to a v1.1 operation: parameters from the query and from a form or multipart body, or a JSON body if the operation
  /// has a schema for one.
  init(
    v1 request: IncomingRequest, _ operation: Operation, path: [String: String], principal: Principal, now: Date,
    source: String
  ) throws(Problem) {
    var body = JSON.null
    if operation.body != nil {
      guard request.mediaType == "application/json" else {
        throw .badRequest("The body must be JSON, with the content type application/json.")
      }
      do {
        body = try JSON(parsing: request.body)
      } catch {
        throw .notJSON(error, in: .v1)
      }
      // X also accepts IDs as numbers.
      body = operation.body?.withTextIdentifiers(body) ?? body
      if let fault = operation.body?.faults(of: body).first { throw .badRequest(fault.message) }
    }
    var parameters: [String: String] = [:]
    var sent = RequestParameter.parse(form: request.query)
    var files: [String: Data] = [:]
    if request.hasFormBody { sent += RequestParameter.parse(form: String(decoding: request.body, as: UTF8.self)) }
    if request.mediaType == "multipart/form-data" {
      guard let multipart = MultipartBody(request) else { throw .badRequest("The multipart body is malformed.") }
      sent += multipart.values
      files = multipart.files
    }
    for parameter in sent where !parameter.isProtocolParameter {
      guard let value = String(validUTF8: parameter.value) else {
        throw .invalidParameter(parameter.nameText)
      }
      // If a name is repeated, the first value counts.
      if parameters[parameter.nameText] == nil { parameters[parameter.nameText] = value }
    }
    self.init(
      principal: principal, operation: operation.key, path: path, query: [:], body: body, now: now,
      pageScope: operation.key,
      source: source,
      parameters: parameters, files: files)
  }
}

extension RequestContext {
  /// The value of a parameter; `nil` if it is missing or empty.
  func parameter(_ name: String) -> String? {
    parameters[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func required(_ name: String) throws(Problem) -> String {
    guard let value = parameter(name) else { throw .missingParameter(name) }
    return value
  }

  /// Returns the value of a flag: `true`, `t` or `1`; `false`, `f` or `0`; in any case, because Python writes `True`.
  /// - Throws: 400 for other values. X reads them as false, which would hide a client's mistake here.
  func flag(_ name: String) throws(Problem) -> Bool? {
    switch parameter(name)?.lowercased() {
    case nil: nil
    case "true", "t", "1": true
    case "false", "f", "0": false
    default: throw .invalidParameter(name)
    }
  }

  /// Returns the number of elements to return, at most the limit.
  func count(_ name: String = "count", default standard: Int, atMost limit: Int) throws(Problem) -> Int {
    guard let text = parameter(name) else { return standard }
    guard let value = Int(text), value > 0 else { throw .invalidParameter(name) }
    return min(value, limit)
  }

  func identifierParameter(_ name: String) throws(Problem) -> Identifier? {
    guard let text = parameter(name) else { return nil }
    guard Pattern.isIdentifier(text), let id = Identifier(text) else { throw .invalidParameter(name) }
    return id
  }

  /// Returns the ID in the path.
  func pathIdentifier() throws(Problem) -> Identifier {
    let text = path["id"] ?? ""
    guard Pattern.isIdentifier(text), let id = Identifier(text) else { throw .invalidParameter("id") }
    return id
  }

  /// Returns at most 100 comma-separated values, without the spaces around them.
  func listParameter(_ name: String) throws(Problem) -> [String]? {
    guard let text = parameter(name) else { return nil }
    let values = text.split(separator: ",").map { $0.trimmingPrefix(" ").description }
    guard values.count <= 100 else { throw .tooManyTerms }
    return values
  }
}

extension RequestContext {
  /// Returns the user named by `user_id` or `screen_name`, or `nil` if neither parameter is given.
  func namedUser(
    id: String = "user_id", screenName: String = "screen_name", in database: Database
  ) throws(Problem) -> UserRecord? {
    if let id = try identifierParameter(id) {
      guard let user = database.users[id] else { throw .noSuchUser }
      return user
    }
    guard let name = parameter(screenName) else { return nil }
    guard let user = database.user(named: name) else { throw .noSuchUser }
    return user
  }

  func requiredUser(in database: Database) throws(Problem) -> UserRecord {
    guard let user = try namedUser(in: database) else { throw .missingParameter("user_id or screen_name") }
    return user
  }

  /// Returns the named user, or otherwise the principal's.
  func namedOrAuthenticatedUser(in database: Database) throws(Problem) -> UserRecord {
    if let user = try namedUser(in: database) { return user }
    guard let id = principal.user, let user = database.users[id] else {
      throw .missingParameter("user_id or screen_name")
    }
    return user
  }

  /// Returns the users in the comma-separated `user_id` and `screen_name`, each once. Missing users are left out.
  func namedUsers(in database: Database) throws(Problem) -> [UserRecord] {
    let ids = try listParameter("user_id")
    let names = try listParameter("screen_name")
    guard ids != nil || names != nil else { throw .missingParameter("user_id or screen_name") }
    let users =
      (ids ?? []).compactMap { Identifier($0).flatMap { database.users[$0] } }
      + (names ?? []).compactMap { database.user(named: $0) }
    guard (ids ?? []).count + (names ?? []).count <= 100 else { throw .tooManyTerms }
    var seen: Set<Identifier> = []
    return users.filter { seen.insert($0.id).inserted }
  }

  /// Returns the post that a parameter names.
  func namedPost(_ name: String = "id", in database: Database) throws(Problem) -> PostRecord {
    guard let id = try identifierParameter(name) else { throw .missingParameter(name) }
    guard let post = database.posts[id] else { throw .noSuchStatus }
    return post
  }

  /// Returns the post that the path names.
  func pathPost(in database: Database) throws(Problem) -> PostRecord {
    guard let post = database.posts[try pathIdentifier()] else { throw .noSuchStatus }
    return post
  }

  /// Returns the list named by `list_id`, or by `slug` with `owner_id` or `owner_screen_name`.
  func namedList(in database: Database) throws(Problem) -> ListRecord {
    if let id = try identifierParameter("list_id") {
      guard let list = database.list(id, visibleTo: principal.user) else { throw .noSuchPage }
      return list
    }
    guard let slug = parameter("slug") else {
      throw .v1(400, 112, "You must specify either a list ID or a slug and owner.")
    }
    guard let owner = try namedUser(id: "owner_id", screenName: "owner_screen_name", in: database) else {
      throw .v1(400, 112, "You must specify either a list ID or a slug and owner.")
    }
    let owned = (database.ownedLists[owner.id]?.entries ?? []).compactMap {
      database.list($0.member, visibleTo: principal.user)
    }
    guard let list = owned.first(where: { $0.slug == slug.lowercased() }) else { throw .noSuchPage }
    return list
  }

  /// Returns the named list, which must belong to the principal.
  func namedOwnList(in database: Database) throws(Problem) -> ListRecord {
    let list = try namedList(in: database)
    guard list.owner == principal.user else {
      throw .v1(403, 104, "You aren't allowed to add members to this list.")
    }
    return list
  }
}
