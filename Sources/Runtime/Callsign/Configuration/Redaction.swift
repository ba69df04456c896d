import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// Which parts of a request or a response may be shown or kept.
///
/// Header fields are hidden unless they are on a list. Values of query and form parameters are shown unless they are on
/// another. `code` and `state` are hidden only in the queries and forms of a login: elsewhere they are ordinary data.
public struct Redaction: Sendable, Hashable {
  /// The header fields that are shown, in lower case.
  public var shownHeaders: Set<String>
  /// The parameters whose values are hidden wherever they are: in queries, form bodies and JSON bodies. Write them in
  /// lower case; names that differ only in `_` and `-` are hidden too. In JSON, this hides texts and numbers, also in a
  /// list; in an object, the members' names decide. Everything that begins with `oauth_` is also hidden, except
  /// `oauth_callback_confirmed`.
  public var hiddenParameters: Set<String> {
    didSet { hiddenLetters = Set(hiddenParameters.map(Self.letters)) }
  }
  private var hiddenLetters: Set<String>

  /// Chooses what is shown.
  ///
  /// - Parameters:
  ///   - shownHeaders: The header fields that are shown, in lower case.
  ///   - hiddenParameters: The parameters whose values are hidden, in lower case.
  public init(
    shownHeaders: Set<String> = Self.harmlessHeaders, hiddenParameters: Set<String> = Self.secretParameters
  ) {
    self.shownHeaders = shownHeaders
    self.hiddenParameters = hiddenParameters
    hiddenLetters =
      hiddenParameters == Self.secretParameters ? Self.secretLetters : Set(hiddenParameters.map(Self.letters))
  }

  /// Fields about the transfer, the content, caching and rate limits.
  public static let harmlessHeaders: Set<String> = [
    "accept", "accept-encoding", "accept-language", "age", "allow", "cache-control", "connection", "content-encoding",
    "content-language", "content-length", "content-range", "content-type", "date", "etag", "expires", "host",
    "if-modified-since", "if-none-match", "last-modified", "range", "retry-after", "server", "transfer-encoding",
    "user-agent", "vary", "x-access-level", "x-response-time", "x-transaction-id", "x-rate-limit-limit",
    "x-rate-limit-remaining", "x-rate-limit-reset", "x-app-limit-24hour-limit", "x-app-limit-24hour-remaining",
    "x-app-limit-24hour-reset", "x-user-limit-24hour-limit", "x-user-limit-24hour-remaining",
    "x-user-limit-24hour-reset",
  ]

  /// Parameters of logins and token endpoints.
  public static let secretParameters: Set<String> = [
    "access_token", "actor_token", "api_key", "assertion", "client_assertion", "client_secret", "code_verifier",
    "id_token", "oauth_token", "oauth_token_secret", "oauth_verifier", "password", "refresh_token", "secret",
    "subject_token", "token", "x_auth_password", "x_auth_username", "x_reverse_auth_parameters",
  ]
  private static let secretLetters = Set(secretParameters.map(letters))

  /// Parameters that are secrets in the requests of a login, and in the URL that it redirects to (RFC 6749 §4.1).
  private static let loginParameters: Set<String> = ["code", "state"]
  /// A request with one of them and a code or a state counts as a login's request.
  private static let loginMarks: Set<String> = [
    "client_assertion", "client_id", "client_secret", "code_challenge", "code_verifier", "grant_type", "redirect_uri",
    "response_type",
  ]

  /// The text in place of a hidden value.
  static let mark = "REDACTED"

  /// Whether the values of a parameter are hidden.
  package func hides(parameter name: String) -> Bool {
    let name = name.lowercased()
    if name == "oauth_callback_confirmed" { return false }
    return name.hasPrefix("oauth_") || hiddenLetters.contains(Self.letters(name))
  }

  /// `clientsecret` of `client_secret` and `client-secret`, which are the same secret.
  private static func letters(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }) else { return name }
    return name.replacing("_", with: "").replacing("-", with: "")
  }

  /// Whether a header field's value is hidden.
  func hides(_ field: HTTPField) -> Bool { !shownHeaders.contains(field.name.canonicalName) }

  /// A header field's value, or the text that replaces it.
  package func value(_ field: HTTPField) -> String {
    hides(field) ? Self.mark : field.value
  }

  /// A query or a form body without hidden values.
  func parameters(_ text: some StringProtocol) -> String {
    // By code points: a sign followed by a combining accent, which a value may begin with, is one character.
    let pairs = text.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false)
    let written = pairs.map { pair in pair.firstIndex(of: "=").map { String(String.UnicodeScalarView(pair[..<$0])) } }
    let names = written.map { $0.map { PercentEncoding.decode($0) ?? $0 } }
    let isLogin = Self.isLogin(names.compactMap { $0?.lowercased() })
    return pairs.indices.map { index in
      guard let written = written[index], let name = names[index],
        hides(parameter: name) || isLogin && Self.loginParameters.contains(name.lowercased())
      else { return String(String.UnicodeScalarView(pairs[index])) }
      return "\(written)=\(Self.mark)"
    }.joined(separator: "&")
  }

  /// Whether parameters of these names are those of a login: its request, or the URL that it redirects to, which has a code
  /// together with a state.
  private static func isLogin(_ names: [String]) -> Bool {
    names.contains(where: loginMarks.contains) || loginParameters.isSubset(of: names)
  }

  /// A path or URL whose query has no hidden values.
  package func url(_ text: String) -> String {
    guard let mark = text.unicodeScalars.firstIndex(of: "?") else { return text }
    let query = text.unicodeScalars.index(after: mark)
    return text[..<query] + parameters(text[query...])
  }

  /// The hidden values of a path's placeholders, in the form that the path has them.
  func secrets(in pathValues: [TransportRequest.PathValue]) -> [String] {
    pathValues.filter { hides(parameter: $0.name) }
      .flatMap { $0.encoded.split(separator: TransportRequest.repetition) }
      // If the path has a value's reserved characters, they are not encoded.
      .flatMap { [String($0), PercentEncoding.reservedExpansion(ofEncoded: String($0))] }
  }

  /// A request's path without hidden values.
  func path(of request: TransportRequest) -> String { path(request.url.path, of: request) }

  private func path(_ path: String, of request: TransportRequest) -> String {
    let secrets = secrets(in: request.pathValues)
    return secrets.isEmpty ? path : RedactedTexts(secrets, mark: Self.mark, shortest: 1).removed(from: path)
  }

  /// A request's URL without hidden values in its path and its query.
  ///
  /// - Parameter text: The URL in another form; `nil`: as it is sent.
  package func url(of request: TransportRequest, as text: String? = nil) -> String {
    let text = url(text ?? request.url.text)
    let end = text.unicodeScalars.firstIndex(of: "?") ?? text.endIndex
    let start = text.firstRange(of: "://").flatMap { text[$0.upperBound..<end].firstIndex(of: "/") } ?? text.startIndex
    return text[..<start] + path(String(text[start..<end]), of: request) + text[end...]
  }

  /// A body without hidden values, according to its content type. A body that is neither JSON nor a form stays as it
  /// is.
  package func body(_ body: Data, contentType: String?) -> Data {
    let type = contentType?.lowercased() ?? ""
    if type.hasPrefix("application/x-www-form-urlencoded") {
      return Data(parameters(String(decoding: body, as: UTF8.self)).utf8)
    }
    if type.contains("json") || type.isEmpty || type.hasPrefix("text/event-stream") {
      if let value = try? JSONValue(jsonData: body) { return clean(value) ?? body }
      if let clean = records(body) { return clean }
    }
    // Some providers respond to their OAuth 1 endpoints with forms that they call HTML or plain text.
    let text = String(decoding: body, as: UTF8.self)
    // Signed parameters for somebody else to send, in the form of an `Authorization` field.
    if text.contains("oauth_signature=\"") { return Data(Self.mark.utf8) }
    return text.contains("oauth_token=") ? Data(parameters(text).utf8) : body
  }

  /// `nil` if nothing is hidden.
  private func clean(_ value: JSONValue) -> Data? {
    let (clean, isChanged) = json(value)
    return isChanged ? try? clean.jsonData() : nil
  }

  /// A stream's records, one per line: after `data:` for server-sent events, before a comma for elements of a list, and
  /// after a line with the length for that framing.
  ///
  /// - Returns: `nil` if nothing in them is hidden.
  private func records(_ body: Data) -> Data? {
    var lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Data($0) }
    var isChanged = false
    for index in lines.indices {
      guard let clean = record(lines[index]) else { continue }
      if index > 0, let length = Int(String(decoding: lines[index - 1], as: UTF8.self).trimmingWhitespace()),
        (0...2).contains(length - lines[index].count)
      {
        let isEndedByReturn = lines[index - 1].last == UInt8(ascii: "\r")
        lines[index - 1] = Data("\(length + clean.count - lines[index].count)\(isEndedByReturn ? "\r" : "")".utf8)
      }
      (lines[index], isChanged) = (clean, true)
    }
    return isChanged ? Data(lines.joined(separator: [UInt8(ascii: "\n")])) : nil
  }

  private func record(_ line: Data) -> Data? {
    let field = line.starts(with: Data("data:".utf8)) ? 5 : 0
    guard let end = line.lastIndex(where: { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: ",") }), field <= end,
      let value = try? JSONValue(jsonData: line[field...end]), let clean = clean(value)
    else { return nil }
    return line[..<field] + clean + line[(end + 1)...]
  }

  /// A secret's texts and numbers.
  private func hidden(_ value: JSONValue) -> (JSONValue, isChanged: Bool) {
    switch value.kind {
    case .string, .number: return (.string(Self.mark), true)
    case .array:
      let clean = (value.array ?? []).map { hidden($0) }
      return (.array(clean.map(\.0)), clean.contains { $0.isChanged })
    case .object: return json(value)
    case .null, .bool: return (value, false)
    }
  }

  private func json(_ value: JSONValue) -> (JSONValue, isChanged: Bool) {
    if let members = value.object {
      var isChanged = false
      let clean = members.map { name, member -> (String, JSONValue) in
        let (clean, changed) = hides(parameter: name) ? hidden(member) : json(member)
        isChanged = isChanged || changed
        return (name, clean)
      }
      return (.object(Dictionary(clean) { $1 }), isChanged)
    }
    if let elements = value.array {
      let clean = elements.map { json($0) }
      return (.array(clean.map(\.0)), clean.contains { $0.isChanged })
    }
    // A link, such as to the next page, may carry the credentials on.
    if let text = value.string, text.contains("://") || text.hasPrefix("/") {
      let clean = url(text)
      if clean != text { return (.string(clean), true) }
    }
    return (value, false)
  }
}
