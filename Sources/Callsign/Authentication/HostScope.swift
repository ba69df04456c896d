/// The hosts that credentials are for. They go to no others: not with a caller's absolute URL, and not on a redirect.
public struct HostScope: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// `nil`: the hosts that the called API's catalogue names.
  private let patterns: [String]?

  /// The hosts that the called API's catalogue names.
  public static let catalogue = HostScope(patterns: nil)

  private init(patterns: [String]?) { self.patterns = patterns }

  /// These hosts alone.
  ///
  /// - Parameter hosts: Names such as `api.x.com`; `*.x.com` for all names below one; with `:8443` for a port other
  ///   than the scheme's own.
  public init(_ hosts: [String]) { patterns = hosts.map { $0.lowercased() } }

  /// These hosts alone.
  public init(arrayLiteral hosts: String...) { self.init(hosts) }

  /// Whether credentials may go to a URL.
  ///
  /// - Parameters:
  ///   - url: Where the request is meant to go, before ``ClientConfiguration/hosts`` redirects it.
  ///   - isNamedByCatalogue: Whether the called API's catalogue names the host.
  func contains(_ url: AbsoluteURL, isNamedByCatalogue: Bool) -> Bool {
    guard let patterns else { return isNamedByCatalogue }
    return patterns.contains { pattern in
      if pattern.hasPrefix("*.") { return url.authority.hasSuffix(pattern.dropFirst()) }
      return url.authority == pattern
    }
  }
}
