import CallsignHTTP
import CallsignJSON
import Foundation
import HTTPTypes

/// A request that a mock was sent.
///
/// It has the credentials as they were sent, so that a test can look at them. They are not in what it prints.
public struct MockRequest: Sendable {
  /// The operation's name; `nil` where no operation has the path and the method.
  public internal(set) var operation: String?
  /// The HTTP method.
  public internal(set) var method: String
  /// The path as it was sent, percent-encoded.
  public internal(set) var path: String
  /// The decoded texts of the path's parameters, by their names.
  public internal(set) var pathParameters: [String: String]
  /// The decoded parameters of the query, in their order.
  public internal(set) var query: [Parameter]
  /// The header fields.
  public internal(set) var headers: HTTPFields
  /// The body's bytes; none where they are no longer kept (``MockConfiguration/requestLogBodyCapacity``).
  public internal(set) var body: Data
  /// The decoded body: JSON as it is, a form or multipart body as an object of texts; `nil` for anything else.
  public internal(set) var bodyValue: JSONValue?
  /// Everything that the operation was given, wherever it was, by the names on the wire and read by the catalogue's types.
  public internal(set) var arguments: [String: JSONValue]
  /// When it arrived.
  public internal(set) var date = Date()
  /// The status of the response; 0 where the connection was closed before one.
  public internal(set) var status = 0
  /// The reasons for which the mock refused it, in words; empty where it did not.
  public internal(set) var problems: [String] = []

  /// The names, in small letters, of parameters and fields that carry keys of the API.
  var secretNames: Set<String> = []
  /// The number of bytes of the body that is no longer kept.
  var forgottenBytes = 0

  /// Drops the body and what was read of it; an argument of elsewhere is in the path, the query or the header fields still.
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

  /// The path and the query, with the values of keys and tokens masked.
  public var maskedTarget: String {
    let pairs = query.map { pair in
      "\(Self.shown(pair.name))=\(isSecret(pair.name) ? "‹masked›" : Self.shown(pair.value))"
    }
    return Self.shown(maskedPath) + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  /// The path; where a token is in it, decoded and without that.
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

  /// A text that can break no terminal, cut short.
  static func shown(_ text: String, limit: Int = 200) -> String {
    // A mock's texts may be long; only the part that is shown is looked at.
    guard let end = text.unicodeScalars.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) else {
      return text.replacingControlCharacters(with: "\u{FFFD}")
    }
    let part = String(text.unicodeScalars[..<end]).replacingControlCharacters(with: "\u{FFFD}")
    return part + (end < text.endIndex ? "…" : "")
  }
}

extension MockRequest: CustomStringConvertible, CustomReflectable {
  /// Method, path and query, the operation and the status, without secrets.
  public var description: String {
    "\(method) \(maskedTarget) → \(status)" + (operation.map { " \($0)" } ?? "")
  }

  /// The same as ``description``, and the names of header fields.
  public var customMirror: Mirror {
    Mirror(self, children: ["request": description, "headers": headers.map(\.name.rawName)])
  }
}
