import Foundation

/// A request that has been authenticated and checked, as operations see it.
struct Exchange: Sendable {
  var caller: Caller
  var path: [String: String]
  var query: [String: QueryValue]
  /// `.null` for operations without a body.
  var body: JSON
  var now: Date
  /// The operation's key and the path's values: a page token is valid for these only.
  var pageScope: String
  /// Shown as the source of posts.
  var source: String
  /// v1.1: the values of query and form by name, as they were sent. There is no list of what is allowed; X ignores what it doesn't know.
  var parameters: [String: String] = [:]
  /// The file parts of a multipart body, by name.
  var files: [String: Data] = [:]
  /// Only for operations that ask for them: what is left of the limits, by operation.
  var limits: [String: RateLimiter.Reading] = [:]

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

  /// The value of a placeholder that must be an id.
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

  /// The user for whom the caller acts.
  func authenticatedUser() throws(Problem) -> Identifier {
    guard let user = caller.user else {
      throw .forbidden("You are not permitted to perform this action.")
    }
    return user
  }

  /// The user of a path such as `/2/users/{id}/likes`, which must be the one for whom the caller acts.
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
