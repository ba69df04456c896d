import CallsignJSON
import CallsignSupport

/// One thing that an API says is wrong: a problem document of RFC 9457, an element of an `errors` array, or what older
/// APIs send instead.
public struct ProblemDetails: Sendable, Hashable {
  /// The API's number for it, where it has one.
  public var code: Int?
  /// A URI that names the kind of problem, `about:blank` included (RFC 9457 §3.1.1).
  public var type: String?
  /// The kind of the problem, in words.
  public var title: String?
  /// An account of this occurrence; `message` and `error_description` of other forms.
  public var detail: String?
  /// The HTTP status that the problem itself names.
  public var status: Int?
  /// Everything that the API says about it.
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
  /// The names of the parameters or members that the API says are to blame, without their values: those of `parameters`,
  /// sorted, and `parameter`.
  public var parameters: [String] {
    var names = document["parameters"]?.object?.sortedNames ?? []
    if let name = document["parameter"]?.string, !names.contains(name) { names.append(name) }
    // A name is a word; what else stands there may quote the request.
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
  /// Reads the problems in a JSON body. It understands these forms: a problem document (RFC 9457); `errors` as a list
  /// of objects or texts, as one text, or as an object of lists by field; `error` as a text, with
  /// `error_description` (RFC 6749 §5.2), or as an object; `error` as null, with the text in `state`; `message` and
  /// `code` by themselves.
  static func all(in body: Data) -> [ProblemDetails] {
    var issues: [DecodingIssue] = []
    guard let document = try? JSONValue(jsonData: body, issues: &issues) else { return [] }
    return all(in: document)
  }

  /// The elements of `errors` alone.
  package static func beside(data body: Data) -> [ProblemDetails] {
    var issues: [DecodingIssue] = []
    guard let errors = (try? ErrorsMember(jsonData: body, issues: &issues))?.errors else { return [] }
    return list(errors)
  }

  /// The `errors` of an object, whose other members are checked and passed over.
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
    var problems = members["errors"].map(list) ?? []
    if let error = members["error"] {
      if let text = error.string {
        let detail = members["error_description"]?.string ?? members["message"]?.string
        let code = members["code"].flatMap(number)
        problems.append(
          ProblemDetails(code: code, title: detail == nil ? nil : text, detail: detail ?? text, document: document))
      } else if let problem = one(error) {
        problems.append(problem)
      } else if error == .null, let state = members["state"]?.string, !state.isEmpty {
        problems.append(ProblemDetails(title: state, document: document))
      }
    }
    // A problem document may have `errors` besides; then those say more, but its type is worth keeping.
    if problems.isEmpty || members["type"] != nil || members["title"] != nil, let whole = one(document) {
      problems.insert(whole, at: 0)
    }
    return problems
  }

  private static func list(_ errors: JSONValue) -> [ProblemDetails] {
    if let elements = errors.array { return elements.compactMap(one) }
    if let members = errors.object, members["code"] == nil, members["message"] == nil {
      return members.sortedNames.flatMap { field in
        let texts = members[field] ?? .null
        return (texts.array ?? [texts]).compactMap { text in
          text.string.map { ProblemDetails(detail: "\(field): \($0)", document: [field: text]) }
        }
      }
    }
    return one(errors).map { [$0] } ?? []
  }

  /// A problem that is one value: an object with something to say, or a text.
  private static func one(_ value: JSONValue) -> ProblemDetails? {
    if let text = value.string { return text.isEmpty ? nil : ProblemDetails(detail: text, document: value) }
    guard let members = value.object else { return nil }
    let problem = ProblemDetails(
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

extension ProblemDetails {
  /// Reads the problems in an XML body: its `error` elements, with a number in the attribute `code`, as some older
  /// APIs send them to a caller that they take for one that reads XML.
  ///
  /// `<errors><error code="32">Could not authenticate you.</error></errors>`
  ///
  /// No XML parser: the few lines that such a body has are searched, and what is not understood is passed over.
  static func all(inXML body: Data) -> [ProblemDetails] {
    var problems: [ProblemDetails] = []
    var rest = Substring(String(decoding: body, as: UTF8.self))
    while let start = rest.firstRange(of: "<error") {
      rest = rest[start.upperBound...]
      // `<errors>` and others that begin alike.
      guard let next = rest.first, next == ">" || next == "/" || next.isWhitespace else { continue }
      guard let end = rest.firstIndex(of: ">") else { break }
      let attributes = rest[..<end]
      rest = rest[rest.index(after: end)...]
      var text: Substring = ""
      if attributes.last != "/" {
        text = rest.firstRange(of: "</error").map { rest[..<$0.lowerBound] } ?? rest
        rest = rest[text.endIndex...]
      }
      let code = XMLText.attribute("code", in: attributes).flatMap { Int($0) }
      let message = CharacterReferences.resolve(text).trimmingWhitespace()
      guard code != nil || !message.isEmpty else { continue }
      var document: [String: JSONValue] = [:]
      if let code { document["code"] = .integer(code) }
      if !message.isEmpty { document["message"] = .string(message) }
      problems.append(
        ProblemDetails(code: code, detail: message.isEmpty ? nil : message, document: .object(document)))
    }
    return problems
  }
}

/// The little of XML 1.0 that an error's text needs.
private enum XMLText {
  /// The value of an attribute, quoted or not.
  static func attribute(_ name: String, in tag: Substring) -> String? {
    var rest = tag
    while let start = rest.firstRange(of: name) {
      let isWhole = start.lowerBound == rest.startIndex || rest[rest.index(before: start.lowerBound)].isWhitespace
      rest = rest[start.upperBound...].drop(while: \.isWhitespace)
      guard isWhole, rest.first == "=" else { continue }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      guard let quote = rest.first, quote == "\"" || quote == "'" else {
        return String(rest.prefix { !$0.isWhitespace && $0 != "/" })
      }
      return CharacterReferences.resolve(rest.dropFirst().prefix { $0 != quote })
    }
    return nil
  }
}
