import CallsignJSON
import CallsignSupport

/// One problem that an API reports: a problem document (RFC 9457), an element of an `errors` array, or the form that
/// older APIs use.
public struct ProblemDetails: Sendable, Hashable {
  /// The API's number for the problem, if it has one.
  public var code: Int?
  /// A URI that names the kind of problem, `about:blank` included (RFC 9457 §3.1.1).
  public var type: String?
  /// The kind of the problem, in words.
  public var title: String?
  /// A description of this occurrence; in other formats it is `message`, `error_description` and others. It begins with
  /// the name of the parameter or member to blame, if the API names one next to its text.
  public var detail: String?
  /// The HTTP status that the problem itself names.
  public var status: Int?
  /// The complete problem as the API sent it.
  public var document: JSONValue

  /// Describes a problem.
  public init(
    code: Int? = nil, type: String? = nil, title: String? = nil, detail: String? = nil, status: Int? = nil,
    document: JSONValue
  ) {
    self.code = code
    self.type = type
    self.title = title
    self.detail = detail
    self.status = status
    self.document = document
  }
}

extension ProblemDetails {
  /// The names of the parameters or members that the API blames, without values: those of `parameters`, sorted, and
  /// `parameter`.
  public var parameters: [String] {
    var names = document["parameters"]?.object?.sortedNames ?? []
    if let name = document["parameter"]?.string, !names.contains(name) { names.append(name) }
    // A name is a single word; anything else may quote the request.
    return names.filter { name in
      (1...64).contains(name.utf8.count)
        && name.utf8.allSatisfy {
          switch $0 {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
          default: false
          }
        }
    }
  }
}

extension ProblemDetails {
  /// Reads the problems in a JSON body. It understands these forms: a problem document (RFC 9457), or an object with
  /// `message`, `description` or the like; `errors`, `detail`, `details`, `exception_detail` and `validation_errors` as a
  /// list of objects or texts, as one text, or as an object of lists by field; `error` as a text, with `error_description`
  /// (RFC 6749 §5.2), or as an object; `error` as null, with the text in `state`; an object of texts or lists of texts by
  /// field.
  ///
  /// - Returns: `nil` if the body is not JSON.
  static func all(in body: Data) -> [ProblemDetails]? {
    var issues: [DecodingIssue] = []
    return (try? JSONValue(jsonData: body, issues: &issues)).map { all(in: $0) }
  }

  /// Only the elements of `errors`.
  package static func beside(data body: Data) -> [ProblemDetails] {
    var issues: [DecodingIssue] = []
    guard let errors = (try? ErrorsMember(jsonData: body, issues: &issues))?.errors else { return [] }
    return list(errors)
  }

  /// The `errors` of an object. Its other members are checked and skipped.
  private struct ErrorsMember: JSONCodable {
    var errors: JSONValue?

    init(json reader: inout JSONReader) throws(JSONError) {
      var errors: JSONValue?
      try reader.object { (name, reader) throws(JSONError) in
        if name == "errors" { errors = try reader.value() }
      }
      self.errors = errors
    }

    func write(json writer: inout JSONWriter) { writer.object { $0.member("errors", errors) } }
  }

  private static func all(in document: JSONValue) -> [ProblemDetails] {
    guard let members = document.object else {
      return document.array.map { $0.compactMap(one) } ?? one(document).map { [$0] } ?? []
    }
    var problems: [ProblemDetails] = []
    for name in ["errors", "detail", "details", "exception_detail", "validation_errors"] {
      // A text belongs to the object itself.
      guard let value = members[name], name == "errors" || value.string == nil else { continue }
      problems += list(value)
    }
    var isSaid = false
    if let error = members["error"] {
      if let name = error.string {
        let detail = members["error_description"]?.string ?? text(of: members)
        let code = members["code"].flatMap(number)
        problems.append(
          ProblemDetails(code: code, title: detail == nil ? nil : name, detail: detail ?? name, document: document))
        isSaid = true
      } else if let problem = one(error) {
        problems.append(problem)
      } else if error == .null, let state = members["state"]?.string, !state.isEmpty {
        problems.append(ProblemDetails(title: state, document: document))
        isSaid = true
      }
    }
    // Problems of the whole object come before those of its parts.
    if !isSaid, problems.isEmpty || members["type"] != nil || members["title"] != nil || text(of: members) != nil,
      let whole = one(document)
    {
      problems.insert(whole, at: 0)
    }
    return problems.isEmpty ? byField(members) : problems
  }

  private static func list(_ errors: JSONValue) -> [ProblemDetails] {
    if let elements = errors.array { return elements.compactMap(one) }
    guard let members = errors.object else { return one(errors).map { [$0] } ?? [] }
    if members["code"] != nil || text(of: members) != nil { return one(errors).map { [$0] } ?? [] }
    let problems = byField(members)
    return problems.isEmpty ? all(in: errors) : problems
  }

  /// The problems of an object whose members are named after fields, each with its texts.
  private static func byField(_ members: [String: JSONValue]) -> [ProblemDetails] {
    members.sortedNames.flatMap { field -> [ProblemDetails] in
      let texts = members[field] ?? .null
      // Messages come in lists; a single text may repeat the request.
      guard let list = texts.array ?? (soundsSecret(field) ? nil : [texts]) else { return [] }
      return list.compactMap { text in
        text.string.map { ProblemDetails(detail: "\(field): \($0)", document: [field: text]) }
      }
    }
  }

  /// Whether a member may repeat a secret of the request.
  private static func soundsSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["password", "passwd", "secret", "token", "key"].contains { name.contains($0) }
  }

  /// A problem that is one value: an object with a message, or a text.
  private static func one(_ value: JSONValue) -> ProblemDetails? {
    if let text = value.string { return text.isEmpty ? nil : ProblemDetails(detail: text, document: value) }
    guard let members = value.object else { return nil }
    let code = members["code"].flatMap(number)
    let title = members["title"]?.string ?? members["code"]?.words(unless: code)
    var problem = ProblemDetails(
      code: code, type: members["type"]?.string, title: title, detail: text(of: members),
      status: members["status"].flatMap(number), document: value)
    if let place = place(in: members), let text = problem.detail ?? title {
      problem.detail = "\(place): \(text)"
      if text == title { problem.title = nil }
    }
    let saysSomething =
      problem.code != nil || problem.type != nil || problem.title != nil || problem.detail != nil
    return saysSomething ? problem : nil
  }

  /// An object's message in a sentence, under any of the names that APIs use for it.
  private static func text(of members: [String: JSONValue]) -> String? {
    for name in [
      "detail", "message", "description", "exception_message", "msg", "error_message", "errorMessage", "reason",
    ] {
      if let text = members[name]?.string, !text.isEmpty { return text }
    }
    return nil
  }

  /// The field that a problem is about: `body.name` for `loc: [body, name]`, `field`, or `name` next to a `location`.
  private static func place(in members: [String: JSONValue]) -> String? {
    if let steps = members["loc"]?.array {
      let names = steps.compactMap { $0.string ?? $0.int.map { String($0) } }
      return names.isEmpty ? nil : names.joined(separator: ".")
    }
    return members["field"]?.string ?? (members["location"]?.string == nil ? nil : members["name"]?.string)
  }

  /// A number, or a text that is one: some APIs quote their codes.
  private static func number(_ value: JSONValue) -> Int? { value.int ?? value.string.flatMap { Int($0) } }

  /// The maximum number of characters that are kept of a plain text.
  private static let textLimit = 1_000

  /// Reads a plain-text body as one problem.
  ///
  /// - Returns: An empty array for other types, for bytes that are not text, and for a form with a token or a secret.
  static func all(inText response: RawResponse) -> [ProblemDetails] {
    guard response.mediaType.map({ $0.hasPrefix("text/") || $0.hasSuffix("json") }) ?? true,
      let text = CharacterSetName.text(of: response.body, named: response.headers[.contentType] ?? "")?
        .trimmingWhitespace(),
      // U+FFFD stands for bytes that are not text.
      !text.isEmpty, !text.unicodeScalars.contains(where: { ["\0", "\u{FFFD}"].contains($0) }), !isFormWithSecret(text)
    else { return [] }
    let beginning = String(text.prefix(textLimit))
    return [ProblemDetails(detail: beginning, document: .string(beginning))]
  }

  /// Whether a text is a form that grants a token, as OAuth 1.0a providers send it (RFC 5849 §2.3).
  private static func isFormWithSecret(_ text: String) -> Bool {
    guard !text.contains(where: \.isWhitespace) else { return false }
    return text.split(separator: "&").contains { field in
      guard field.contains("="), let name = field.split(separator: "=").first?.lowercased() else { return false }
      return name.hasSuffix("token") || name.contains("secret") || name.contains("password")
    }
  }
}

extension JSONValue {
  /// A code in words, if it is not the number that was found.
  fileprivate func words(unless code: Int?) -> String? { code == nil ? string : nil }
}
