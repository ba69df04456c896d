import CallsignJSON
import Foundation

extension Problem {
  /// What a JSON body says is wrong. The forms that are understood: a problem document (RFC 9457); `errors` as a list
  /// of objects or texts, as one text, or as an object of lists by field; `error` as a text, with
  /// `error_description` (RFC 6749 §5.2), or as an object; `error` as null, with the text in `state`; `message` and
  /// `code` by themselves.
  static func all(in body: Data) -> [Problem] {
    guard let document = try? JSONValue(jsonData: body) else { return [] }
    return all(in: document)
  }

  /// The elements of `errors` alone.
  static func beside(data body: Data) -> [Problem] {
    guard let errors = (try? JSONValue(jsonData: body))?.object?["errors"] else { return [] }
    return list(errors)
  }

  private static func all(in document: JSONValue) -> [Problem] {
    guard let members = document.object else {
      return document.array.map { $0.compactMap(one) } ?? one(document).map { [$0] } ?? []
    }
    var problems = members["errors"].map(list) ?? []
    if let error = members["error"] {
      if let text = error.string {
        let detail = members["error_description"]?.string ?? members["message"]?.string
        let code = members["code"].flatMap(number)
        problems.append(
          Problem(code: code, title: detail == nil ? nil : text, detail: detail ?? text, document: document))
      } else if let problem = one(error) {
        problems.append(problem)
      } else if error == .null, let state = members["state"]?.string, !state.isEmpty {
        problems.append(Problem(title: state, document: document))
      }
    }
    // A problem document may have `errors` besides; then those say more, but its type is worth keeping.
    if problems.isEmpty || members["type"] != nil || members["title"] != nil, let whole = one(document) {
      problems.insert(whole, at: 0)
    }
    return problems
  }

  private static func list(_ errors: JSONValue) -> [Problem] {
    if let elements = errors.array { return elements.compactMap(one) }
    if let members = errors.object, members["code"] == nil, members["message"] == nil {
      return members.sorted { $0.key < $1.key }.flatMap { field, texts in
        (texts.array ?? [texts]).compactMap { text in
          text.string.map { Problem(detail: "\(field): \($0)", document: [field: text]) }
        }
      }
    }
    return one(errors).map { [$0] } ?? []
  }

  /// A problem that is one value: an object with something to say, or a text.
  private static func one(_ value: JSONValue) -> Problem? {
    if let text = value.string { return text.isEmpty ? nil : Problem(detail: text, document: value) }
    guard let members = value.object else { return nil }
    let problem = Problem(
      code: members["code"].flatMap(number), type: members["type"]?.string, title: members["title"]?.string,
      detail: members["detail"]?.string ?? members["message"]?.string, status: members["status"].flatMap(number),
      document: value)
    let saysSomething =
      problem.code != nil || problem.type != nil || problem.title != nil || problem.detail != nil
    return saysSomething ? problem : nil
  }

  /// A number, or a text that is one: some APIs quote their codes.
  private static func number(_ value: JSONValue) -> Int? { value.int ?? value.string.flatMap { Int($0) } }
}
