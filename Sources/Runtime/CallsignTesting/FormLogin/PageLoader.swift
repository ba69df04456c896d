import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes

/// Loads pages during one login as a browser would: follows redirects, keeps cookies, and stays on the hosts that the
/// caller named.
struct PageLoader {
  /// How loading can end.
  enum Outcome {
    case page(RawResponse, url: AbsoluteURL)
    /// A redirect to the callback URL, which is not followed.
    case callback(String)
  }

  let hosts: AllowedHosts
  let configuration: ClientConfiguration
  let callback: CallbackURL?
  private var cookies = CookieJar()
  private var requests = 0

  /// The maximum number of requests for one login.
  private static let requestLimit = 20
  private static let sizeLimit = 2 << 20

  init(hosts: AllowedHosts, configuration: ClientConfiguration, callback: CallbackURL?) {
    self.hosts = hosts
    self.configuration = configuration
    self.callback = callback
  }

  /// Loads a page, or sends a form by `POST`.
  mutating func load(
    _ url: AbsoluteURL, form: [(name: String, value: String)]? = nil, from page: AbsoluteURL? = nil
  ) async throws(FormLoginError) -> Outcome {
    var url = url
    var form = form
    var page = page
    while true {
      requests += 1
      guard requests <= Self.requestLimit else { throw .tooManyPages }
      let response = try await send(url, form: form, from: page)
      cookies.store(response.headers, from: url)
      guard response.status.kind == .redirection, let location = response.headers[.location] else {
        return .page(response, url: url)
      }
      if isCallback(location) { return .callback(location) }
      guard let target = url.resolving(location) else { throw .noResult }
      if response.status.code != 307, response.status.code != 308 { form = nil }
      page = url
      url = target
    }
  }

  /// Whether a URL leads back to the app.
  func isCallback(_ text: String) -> Bool {
    guard let callback, let url = CallbackURL(text) else { return false }
    return callback.isCompleted(by: url)
  }

  private func send(
    _ url: AbsoluteURL, form: [(name: String, value: String)]?, from page: AbsoluteURL?
  ) async throws(FormLoginError) -> RawResponse {
    guard hosts.contains(url, isNamedByCatalogue: false), !url.hasUserInformation else {
      throw .foreignHost(url.authority)
    }
    guard let address = configuration.hosts.resolve(url) else {
      throw .invalidSetup("ClientConfiguration.hosts replaces the page's base URL with a URL that is not absolute")
    }
    guard address.scheme == "https" || address.isLoopback else { throw .unencrypted(address.authority) }
    var headers: HTTPFields = [.accept: "text/html, */*", .userAgent: configuration.userAgent]
    headers[.cookie] = cookies.field(for: url)
    if form != nil {
      headers[.contentType] = TransportRequest.formType
      if let origin = HTTPField.Name("Origin") { headers[origin] = page?.origin }
    }
    // Providers that guard against forged forms check which page they come from.
    if page?.origin == url.origin { headers[.referer] = page.map { $0.origin + $0.target } }
    let request = TransportRequest(
      head: HTTPRequest(
        method: form == nil ? .get : .post, scheme: address.scheme, authority: address.authority, path: address.target,
        headerFields: headers),
      body: form.map { .data(Data(FormFields.encode($0).utf8)) } ?? .none, timeouts: configuration.timeouts)
    do throws(TransportError) {
      if Task.isCancelled { throw TransportError(.cancelled, delivery: .notSent) }
      let response = try await configuration.transport.send(request)
      let status = response.head.status
      configuration.logger.debug(
        "login page", metadata: ["host": "\(url.authority)", "outcome": "\(status.code)"])
      let body = try await response.body.collect(upTo: Self.sizeLimit)
      return RawResponse(status: status, headers: response.head.headerFields, body: body)
    } catch {
      if case .cancelled = error.kind { throw .cancelled }
      throw .transport(error)
    }
  }
}

/// The cookies of one login (RFC 6265), forgotten when it ends.
struct CookieJar {
  private struct Cookie {
    var name: String
    var value: String
    var domain: String
    /// Whether hosts below the domain also get it.
    var coversSubdomains: Bool
    var path: String
    var isSecure: Bool
  }

  private var cookies: [Cookie] = []
  /// More than any login needs.
  private static let limit = 100

  /// Stores the cookies that a response sets.
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
        // A name without a dot would mean all hosts of a top-level domain.
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
