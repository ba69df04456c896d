import CallsignHTTP

/// Where base URLs really lead: to a sandbox, a proxy, or a test server.
///
/// A request that is redirected so counts as one to the host that it was meant for: it gets the same credentials.
public struct BaseURLOverrides: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var replacements: [String: String]
  private var all: String?

  /// Leaves every base URL as it is.
  public static let identity = BaseURLOverrides(dictionaryLiteral: ())

  /// Sends everything to one base URL, such as a sandbox's `http://127.0.0.1:8080`.
  public static func all(to baseURL: String) -> BaseURLOverrides {
    var map = identity
    map.all = baseURL
    return map
  }

  /// Replaces base URLs: `["https://api.x.com": "http://127.0.0.1:8080"]`. Scheme, host and port count; a path of the
  /// replacement is put before the request's own.
  public init(dictionaryLiteral elements: (String, String)...) {
    replacements = [:]
    for (original, replacement) in elements { self[original] = replacement }
  }

  private init(dictionaryLiteral: Void) { replacements = [:] }

  /// What a base URL is replaced with; `nil` when it is not.
  public subscript(_ baseURL: String) -> String? {
    get { all ?? replacements[AbsoluteURL(baseURL)?.origin ?? baseURL] }
    set { replacements[AbsoluteURL(baseURL)?.origin ?? baseURL] = newValue }
  }

  /// The URL that a request really goes to; `nil` when the replacement is not an absolute URL.
  package func resolve(_ url: AbsoluteURL) -> AbsoluteURL? {
    guard let replacement = all ?? replacements[url.origin] else { return url }
    guard var result = AbsoluteURL(replacement), result.query == nil, !result.hasUserInformation else { return nil }
    while result.path.hasSuffix("/") { result.path.removeLast() }
    result.path += url.path
    result.query = url.query
    return result
  }
}
