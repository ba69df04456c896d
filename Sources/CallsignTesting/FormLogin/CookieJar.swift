import CallsignHTTP
import Foundation
import HTTPTypes

/// The cookies of one login (RFC 6265), forgotten when it ends.
struct CookieJar {
  private struct Cookie {
    var name: String
    var value: String
    var domain: String
    /// Whether hosts below the domain get it too.
    var coversSubdomains: Bool
    var path: String
    var isSecure: Bool
  }

  private var cookies: [Cookie] = []
  /// More than any login needs.
  private static let limit = 100

  /// Takes what an answer sets.
  mutating func store(_ headers: HTTPFields, from url: AbsoluteURL) {
    for text in headers[values: .setCookie] { store(text, from: url) }
  }

  private mutating func store(_ text: String, from url: AbsoluteURL) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.pair)
    guard let (name, value) = parts.first, !name.isEmpty, "\(name)\(value)".utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return }
    var cookie = Cookie(
      name: name, value: value, domain: url.host, coversSubdomains: false, path: Self.defaultPath(url), isSecure: false)
    var isExpired = false
    for (attribute, value) in parts.dropFirst() {
      switch attribute.lowercased() {
      case "domain":
        let domain = value.drop { $0 == "." }.lowercased()
        // A name without a dot would be all hosts of a top-level domain.
        guard !domain.isEmpty else { continue }
        guard url.host == domain || (url.host.hasSuffix(".\(domain)") && domain.contains(".")) else { return }
        cookie.domain = domain
        cookie.coversSubdomains = true
      case "path": if value.hasPrefix("/") { cookie.path = value }
      case "secure": cookie.isSecure = true
      case "max-age": isExpired = Int(value).map { $0 <= 0 } ?? isExpired
      case "expires": isExpired = isExpired || value.contains("1970")
      default: break
      }
    }
    cookies.removeAll { $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path }
    if !isExpired, cookies.count < Self.limit { cookies.append(cookie) }
  }

  /// The `Cookie` field for a request; `nil` when there are none.
  func field(for url: AbsoluteURL) -> String? {
    let path = url.path.isEmpty ? "/" : url.path
    let fitting = cookies.filter { cookie in
      (url.host == cookie.domain || (cookie.coversSubdomains && url.host.hasSuffix(".\(cookie.domain)")))
        && (path == cookie.path || path.hasPrefix(cookie.path.hasSuffix("/") ? cookie.path : cookie.path + "/"))
        && (!cookie.isSecure || url.scheme == "https")
    }
    return fitting.isEmpty ? nil : fitting.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  private static func pair(_ text: Substring) -> (name: String, value: String) {
    let name = text.prefix { $0 != "=" }
    return (
      name.trimmingCharacters(in: .whitespaces), text.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    )
  }

  private static func defaultPath(_ url: AbsoluteURL) -> String {
    guard let slash = url.path.lastIndex(of: "/"), slash > url.path.startIndex else { return "/" }
    return String(url.path[..<slash])
  }
}
