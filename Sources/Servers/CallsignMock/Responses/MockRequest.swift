import CallsignHTTP
import CallsignJSON
import Foundation
import HTTPTypes

/// A request that a mock received.
///
/// It contains the credentials as sent, so that a test can check them. Descriptions leave them out.
public struct MockRequest: Sendable {
  /// The operation's name; `nil` if no operation has the path and the method.
  public internal(set) var operation: String?
  /// The HTTP method.
  public internal(set) var method: String
  /// The path as sent, percent-encoded.
  public internal(set) var path: String
  /// The decoded texts of the path's parameters, by name.
  public internal(set) var pathParameters: [String: String]
  /// The decoded parameters of the query, in order.
  public internal(set) var query: [Parameter]
  /// The header fields.
  public internal(set) var headers: HTTPFields
  /// The body's bytes; empty after they have been dropped (``MockConfiguration/requestLogBodyCapacity``).
  public internal(set) var body: Data
  /// The decoded body: JSON unchanged, a form or multipart body as an object of texts; `nil` for anything else.
  public internal(set) var bodyValue: JSONValue?
  /// All arguments of the operation, from any part of the request, by their names on the wire and in the catalogue's types.
  public internal(set) var arguments: [String: JSONValue]
  /// The time of arrival.
  public internal(set) var date = Date()
  /// The status of the response; 0 if the connection was closed before one.
  public internal(set) var status = 0
  /// The reasons why the mock rejected it, as text; empty if it did not.
  public internal(set) var problems: [String] = []

  /// The lowercase names of parameters and fields that carry the API's keys.
  var secretNames: Set<String> = []
  /// The number of bytes in the body that was dropped.
  var forgottenBytes = 0

  /// Drops the body and everything read from it. Other arguments remain in the path, the query and the header fields.
  mutating func forgetBody() {
    guard !body.isEmpty else { return }
    forgottenBytes = body.count
    (body, bodyValue, arguments) = (Data(), nil, [:])
  }

  /// A name and a value.
  public struct Parameter: Sendable, Hashable {
    /// The decoded name.
    public let name: String
    /// The decoded value.
    public let value: String
  }

  /// The first value of a query parameter.
  public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The path and the query, with keys and tokens masked.
  public var maskedTarget: String {
    let pairs = query.map { pair in
      "\(Self.shown(pair.name))=\(isSecret(pair.name) ? "‹masked›" : Self.shown(pair.value))"
    }
    return Self.shown(maskedPath) + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  /// The path. If it contains a token, the path is decoded and the token removed.
  private var maskedPath: String {
    let secrets = pathParameters.filter { name, value in
      !value.isEmpty && name != "key" && name != "code" && isSecret(name)
    }
    if secrets.isEmpty { return path }
    return secrets.values.reduce(FormText.decoded(path, plusIsSpace: false)) { path, value in
      path.replacingOccurrences(of: value, with: "‹masked›")
    }
  }

  private static let secretWords = [
    "token", "secret", "password", "signature", "apikey", "api_key", "access_key", "authorization", "code_verifier",
  ]

  private static let pageTokens: Set<String> = [
    "next_token", "page_token", "pagetoken", "next_page_token", "nextpagetoken", "pagination_token",
  ]

  func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    if secretNames.contains(name) || name == "key" || name == "code" { return true }
    return !Self.pageTokens.contains(name) && Self.secretWords.contains { name.contains($0) }
  }

  /// A shortened text without characters that could disturb a terminal.
  static func shown(_ text: String, limit: Int = 200) -> String {
    // A mock's texts may be long, so only the part to show is examined.
    guard let end = text.unicodeScalars.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) else {
      return text.replacingControlCharacters(with: "\u{FFFD}")
    }
    let part = String(text.unicodeScalars[..<end]).replacingControlCharacters(with: "\u{FFFD}")
    return part + (end < text.endIndex ? "…" : "")
  }
}

extension MockRequest: CustomStringConvertible, CustomReflectable {
  /// The method, path, query, operation and status, without secrets.
  public var description: String {
    "\(method) \(maskedTarget) → \(status)" + (operation.map { " \($0)" } ?? "")
  }

  /// The same as ``description``, and the names of the header fields.
  public var customMirror: Mirror {
    Mirror(self, children: ["request": description, "headers": headers.map(\.name.rawName)])
  }
}
