/// The hosts that credentials are for. Credentials are sent to no others: not with a caller's absolute URL, and not on
/// a redirect.
public struct AllowedHosts: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// `nil`: the hosts that the called API's catalogue names.
  private let patterns: [Pattern]?

  /// The hosts that the called API's catalogue names.
  ///
  /// This trusts every API that is called through the client. You can share a client between APIs of one provider. For
  /// somebody else's API, use a separate client, or name the hosts here.
  public static let catalogue = AllowedHosts(patterns: nil)

  private init(patterns: [Pattern]?) { self.patterns = patterns }

  /// Only these hosts.
  ///
  /// - Parameter hosts: Names such as `api.example.com`; `*.example.com` for all names below it, not including itself;
  ///   with `:8443` for a port other than the scheme's default. Write international names in their `xn--` form. An
  ///   entry that is not a host, such as a URL or `*`, matches nothing.
  public init(_ hosts: [String]) { patterns = hosts.compactMap(Pattern.init) }

  /// Only these hosts.
  public init(arrayLiteral hosts: String...) { self.init(hosts) }

  /// Whether credentials may go to a URL.
  ///
  /// - Parameters:
  ///   - url: Where the request is meant to go, before ``ClientConfiguration/hosts`` redirects it.
  ///   - isNamedByCatalogue: Whether the called API's catalogue names the host.
  package func contains(_ url: AbsoluteURL, isNamedByCatalogue: Bool) -> Bool {
    guard let patterns else { return isNamedByCatalogue }
    return patterns.contains { $0.matches(url) }
  }

  private struct Pattern: Sendable, Hashable {
    let host: String
    let port: Int?
    let coversNamesBelow: Bool

    init?(_ text: String) {
      coversNamesBelow = text.hasPrefix("*.")
      guard let url = AbsoluteURL("https://\(coversNamesBelow ? String(text.dropFirst(2)) : text)"), url.path.isEmpty,
        url.query == nil, !url.hasUserInformation, !url.host.utf8.contains(UInt8(ascii: "*")),
        !url.host.hasPrefix(".")
      else { return nil }
      host = url.host
      port = url.port
    }

    func matches(_ url: AbsoluteURL) -> Bool {
      guard url.effectivePort == port ?? AbsoluteURL.defaultPort(url.scheme) else { return false }
      // Compared as bytes, because two texts that are equal in Swift can be two names.
      return coversNamesBelow
        ? url.host.utf8.count > host.utf8.count + 1 && url.host.utf8.reversed().starts(with: ".\(host)".utf8.reversed())
        : url.host.utf8.elementsEqual(host.utf8)
    }
  }
}

/// The actual targets of base URLs, such as a sandbox, a proxy, or a test server.
///
/// A redirected request counts as one to the original host, and gets the same credentials.
public struct BaseURLOverrides: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var replacements: [String: Replacement]
  private var all: Replacement?

  /// The replacement of a base URL, read once.
  private struct Replacement: Sendable, Hashable {
    let text: String
    /// The URL from the text, without slashes at the end; `nil` if it is not an absolute URL that a path can follow.
    let url: AbsoluteURL?

    init(_ text: String) {
      self.text = text
      guard var url = AbsoluteURL(text), url.query == nil, !url.hasUserInformation else {
        url = nil
        return
      }
      while url.path.hasSuffix("/") { url.path.removeLast() }
      self.url = url
    }

    static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  /// Leaves every base URL as it is.
  public static let identity = BaseURLOverrides(dictionaryLiteral: ())

  /// Sends everything to one base URL, such as a sandbox's `http://127.0.0.1:8080`.
  public static func all(to baseURL: String) -> BaseURLOverrides {
    var map = identity
    map.all = Replacement(baseURL)
    return map
  }

  /// Replaces base URLs: `["https://api.example.com": "http://127.0.0.1:8080"]`. Scheme, host and port are compared; a
  /// path in the replacement is put before the request's path.
  public init(dictionaryLiteral elements: (String, String)...) {
    replacements = [:]
    for (original, replacement) in elements { self[original] = replacement }
  }

  private init(dictionaryLiteral: Void) { replacements = [:] }

  /// The replacement of a base URL; `nil` if it has none.
  public subscript(_ baseURL: String) -> String? {
    get { (all ?? replacements[AbsoluteURL(baseURL)?.origin ?? baseURL])?.text }
    set { replacements[AbsoluteURL(baseURL)?.origin ?? baseURL] = newValue.map(Replacement.init) }
  }

  /// Whether every base URL stays as it is.
  package var isEmpty: Bool { all == nil && replacements.isEmpty }

  /// The actual URL of a request; `nil` if the replacement is not an absolute URL.
  package func resolve(_ url: AbsoluteURL) -> AbsoluteURL? {
    if isEmpty { return url }
    guard let replacement = all ?? replacements[url.origin] else { return url }
    guard var result = replacement.url else { return nil }
    result.path += url.path
    result.query = url.query
    return result
  }
}
