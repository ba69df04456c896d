import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The API's response to a call that failed.
public struct APIError: Error, Sendable {
  /// The response as it arrived.
  public let rawResponse: RawResponse
  /// The problems that the body states, in the API's own words; empty if it states none. Plain text is one problem.
  public internal(set) var problems: [ProblemDetails]
  /// The kind of the body's content.
  public let content: ContentKind
  /// The number of requests that were sent before the call was given up; 1 unless it was repeated.
  public internal(set) var attempts: Int
  /// Whether the API may have carried the call out anyway; see ``CallError/mayHaveBeenCarriedOut``.
  var mayBeDone = false
  /// Whether the call must not be sent twice, if it may have been carried out.
  var mustNotBeRepeated = false
  /// The credentials that the response may repeat. ``summary`` does not show them.
  var hiddenTexts: [RedactedTexts] = []

  /// The HTTP status.
  public var status: HTTPResponse.Status { rawResponse.status }
  /// The header fields.
  public var headers: HTTPFields { rawResponse.headers }
  /// The body as it arrived.
  public var body: Data { rawResponse.body }
  /// The API's numeric error codes, if it has any.
  public var codes: [Int] { problems.compactMap(\.code) }
  /// The problems' titles.
  public var titles: [String] { problems.compactMap(\.title) }
  /// The names of the parameters that the problems blame, each once, without values.
  public var parameters: [String] { problems.flatMap(\.parameters).withoutRepetitions }

  /// Advice for the reader, in one sentence; `nil` if there is none.
  public var advice: String? { conventions.advice(for: self) }
  /// The conventions that the API follows for errors.
  var conventions: any APIConventions { rawResponse.conventions }

  /// The body as a type of the catalogue, such as the type for errors of this status.
  ///
  /// ```swift
  /// } catch .api(let error) where error.status == .conflict {
  ///   let conflict = try? error.body(as: Petstore.Conflict.self)
  /// ```
  ///
  /// - Throws: ``JSONError`` if the body is something else: not JSON of the type's kind, or an object with none of its
  ///   members. Plain text can be read as a `String`.
  public func body<Body: JSONDecodable>(as type: Body.Type) throws(JSONError) -> Body {
    try ErrorBody.value(of: rawResponse.body)
  }

  /// Whether the API names this code.
  public func has(code: Int) -> Bool { problems.contains { $0.code == code } }
}

extension APIError {
  /// Reads an error's body, in any of the known forms, and hides the credentials of the response's request.
  package init(rawResponse: RawResponse) {
    self.rawResponse = rawResponse
    attempts = rawResponse.attempts
    content = ContentKind(rawResponse)
    problems =
      switch content {
      case .json, .other: ProblemDetails.all(in: rawResponse.body) ?? ProblemDetails.all(inText: rawResponse)
      case .xml: rawResponse.conventions.problems(inXML: rawResponse.body)
      case .html, .empty: []
      }
    if let secrets = rawResponse.secrets { hide(secrets) }
  }
}

extension APIError: CallsignError {
  /// Status, codes, the API's description of its problems, and advice if there is any, in one line.
  public var description: String { "the API responded \(summary)" + (advice.map { "; \($0)" } ?? "") }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice }

  /// Status, codes, the API's words and the parameters to blame, each once. Credentials that the API repeats are
  /// hidden. Longer texts are complete in ``problems``.
  package var summary: String {
    let shown = hiddenTexts.reduce(words) { words, hidden in hidden.removed(from: words) }
    return String(shown.printable.prefix(400)) + TransportError.note(ofAttempts: attempts)
  }

  /// The whole of ``summary``, as long as it may be. The credentials were already removed from the problems: if a text
  /// were cut before that, it could end with the first half of one.
  private var words: String {
    var result = "\(status.code) \(status.reasonPhrase)".trimmingWhitespace()
    let codes = codes.withoutRepetitions
    if !codes.isEmpty { result += ", code " + codes.map(String.init).joined(separator: ", ") }
    let phrases = problems.prefix(8).compactMap { $0.phrase(without: status.reasonPhrase) }.withoutRepetitions
    if !phrases.isEmpty { result += ": " + phrases.joined(separator: "; ") }
    // Otherwise, the summary of a failure would be nothing but a successful status.
    if status.kind == .successful, codes.isEmpty, phrases.isEmpty { result += ", and in its body that the call failed" }
    let parameters = parameters.prefix(8)
    if !parameters.isEmpty { result += " (" + parameters.joined(separator: ", ") + ")" }
    switch content {
    case .json: break
    case .html: result += ", with an HTML page"
    case .xml: result += ", with an XML document"
    case .empty: result += ", with an empty body"
    case .other: if phrases.isEmpty { result += ", with a body that is not JSON" }
    }
    return result
  }
}

extension ProblemDetails {
  /// The title and the detail, as far as they fit in a line; `nil` if there is neither.
  ///
  /// - Parameter reason: The reason that the status already gives.
  fileprivate func phrase(without reason: String) -> String? {
    let title = title == reason ? nil : title
    guard let detail, detail != title, detail != reason else { return title }
    let text = String(detail.prefix(200))
    return title.map { text.hasPrefix($0) ? text : "\($0): \(text)" } ?? text
  }
}

extension Array where Element: Hashable {
  /// The elements in their order, each once.
  fileprivate var withoutRepetitions: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

/// A kind of content, detected from a body's first bytes. The header only decides between HTML and XML.
public enum ContentKind: String, Sendable, Hashable {
  /// An object, array, string, number, `true`, `false` or `null`.
  case json
  /// A page or a part of one, mostly by a proxy or gateway.
  case html
  /// An XML document.
  case xml
  /// Nothing, or white space.
  case empty
  /// Something else.
  case other

  /// Detects the kind of a response's body.
  init(_ response: RawResponse) { self.init(response.body, mediaType: response.mediaType) }

  /// Whether a body is ``empty``. For most bodies, this reads one byte.
  package static func isEmpty(_ body: Data) -> Bool {
    guard let first = body.first else { return true }
    // Neither white space nor the beginning of a byte order mark.
    if first > 0x20, first != 0xEF { return false }
    return ContentKind(body) == .empty
  }

  /// Detects the kind of a body.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - mediaType: The type that its header names, in lower case and without parameters. Default: nothing.
  package init(_ body: Data, mediaType: String? = nil) {
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let rest = body.withoutByteOrderMark.drop { blank.contains($0) }
    guard let first = rest.first else {
      self = .empty
      return
    }
    let beginning = String(decoding: rest.prefix(1024), as: UTF8.self).lowercased()
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      self = .json
    case UInt8(ascii: "<"):
      let type = mediaType ?? ""
      if type == "text/html" || type == "application/xhtml+xml", !beginning.hasPrefix("<?xml") {
        self = .html
      } else {
        let isXML = type == "text/xml" || type == "application/xml" || type.hasSuffix("+xml")
        self = HTMLTag.begins(beginning, amongXML: isXML) ? .html : .xml
      }
    default:
      let isWord = ["true", "false", "null"].contains { beginning.hasPrefix($0) }
      self = isWord ? .json : .other
    }
  }
}

/// The beginnings of HTML.
private enum HTMLTag {
  /// Elements that pages and parts of pages begin with, except names that an API's XML may use.
  private static let usual: Set<Substring> = [
    "a", "b", "blockquote", "body", "br", "center", "div", "em", "font", "form", "h1", "h2", "h3", "h4", "h5", "h6",
    "head", "hr", "html", "i", "iframe", "img", "main", "meta", "ol", "p", "pre", "script", "section", "small", "span",
    "strong", "style", "table", "title", "ul",
  ]

  /// Whether a text in small letters that begins with `<` is HTML.
  ///
  /// - Parameter isXML: Whether its header says XML, whose elements may have any names: then only `<html` makes it
  ///   HTML.
  static func begins(_ text: String, amongXML isXML: Bool) -> Bool {
    // XHTML begins as XML does, so the document's own element decides.
    if text.hasPrefix("<!doctype html") || text.contains("<html") { return true }
    if isXML { return false }
    var rest = text[...]
    while rest.hasPrefix("<!--") {
      // If there is nothing but a comment, as far as this looks, it is a page's.
      guard let end = rest.firstRange(of: "-->") else { return true }
      rest = rest[end.upperBound...].drop(while: \.isWhitespace)
      if rest.isEmpty { return true }
    }
    guard rest.first == "<" else { return false }
    let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == ":" || $0 == "_" }
    return usual.contains(name)
  }
}
