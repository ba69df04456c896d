/// The hosts that credentials are for. They go to no others: not with a caller's absolute URL, and not on a redirect.
public struct AllowedHosts: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// `nil`: the hosts that the called API's catalogue names.
  private let patterns: [Pattern]?

  /// The hosts that the called API's catalogue names.
  ///
  /// This trusts every API that is called through the client. Share a client between APIs of one provider; give an API
  /// of somebody else a client of its own, or name the hosts here.
  public static let catalogue = AllowedHosts(patterns: nil)

  private init(patterns: [Pattern]?) { self.patterns = patterns }

  /// These hosts alone.
  ///
  /// - Parameter hosts: Names such as `api.example.com`; `*.example.com` for all names below one, itself not included; with `:8443`
  ///   for a port other than the scheme's own. International names are written in their `xn--` form. What is no host,
  ///   such as a URL or `*`, stands for none.
  public init(_ hosts: [String]) { patterns = hosts.compactMap(Pattern.init) }

  /// These hosts alone.
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
      // Compared as bytes, since two texts that Swift takes for equal can be two names.
      return coversNamesBelow
        ? url.host.utf8.count > host.utf8.count + 1 && url.host.utf8.reversed().starts(with: ".\(host)".utf8.reversed())
        : url.host.utf8.elementsEqual(host.utf8)
    }
  }
}
