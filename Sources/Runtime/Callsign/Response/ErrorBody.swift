import CallsignJSON
import CallsignSupport

/// Reads an error's body as a type that the body may not be of.
enum ErrorBody {
  /// The body as a type.
  ///
  /// - Throws: `JSONError` for an object that has none of the type's members: a gateway or another service has sent it.
  static func value<Body: JSONDecodable>(of body: Data) throws(JSONError) -> Body {
    var issues: [DecodingIssue] = []
    let value: Body
    do throws(JSONError) { value = try Body(jsonData: body, issues: &issues) } catch {
      guard ContentKind(body) == .other, let text = String(data: body, encoding: .utf8) as? Body else { throw error }
      return text
    }
    guard hasNothing(value) else { return value }
    throw JSONError(.invalid(expected: "an object with a member of \(Body.self)"), offset: 0)
  }

  private static func hasNothing(_ value: Any) -> Bool {
    switch value {
    case let model as any Model: model._storage.count > 0 && !model._storage.hasMember
    case let union as any Union: union._value is JSONValue || hasNothing(union._value)
    default: false
    }
  }
}
