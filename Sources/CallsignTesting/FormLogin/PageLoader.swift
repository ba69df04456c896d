import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes

/// Loads pages as a browser would during one login: follows redirects, keeps cookies, and stays within the hosts that the
/// caller named.
struct PageLoader {
  /// Where loading ended.
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

  /// The most requests of one login.
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
  ) async throws(LoginError) -> Outcome {
    var url = url
    var form = form
    var page = page
    while true {
      requests += 1
      guard requests <= Self.requestLimit else { throw .page(.tooManyPages) }
      let answer = try await send(url, form: form, from: page)
      cookies.store(answer.headers, from: url)
      guard answer.status.kind == .redirection, let location = answer.headers[.location] else {
        return .page(answer, url: url)
      }
      if isCallback(location) { return .callback(location) }
      guard let target = url.following(location) else { throw .page(.noResult) }
      if answer.status.code != 307, answer.status.code != 308 { form = nil }
      page = url
      url = target
    }
  }

  /// Whether a URL leads back to the app.
  func isCallback(_ text: String) -> Bool {
    guard let callback, let url = CallbackURL(text) else { return false }
    return callback.isAnswered(by: url)
  }

  private func send(
    _ url: AbsoluteURL, form: [(name: String, value: String)]?, from page: AbsoluteURL?
  ) async throws(LoginError) -> RawResponse {
    guard hosts.contains(url, isNamedByCatalogue: false), !url.hasUserInformation else {
      throw .page(.foreignHost(url.authority))
    }
    guard let address = configuration.hosts.resolve(url) else {
      throw .invalidSetup("ClientConfiguration.hosts replaces the page's base URL with what is not an absolute URL")
    }
    guard address.scheme == "https" || address.isLoopback else { throw .page(.unencrypted(address.authority)) }
    var headers: HTTPFields = [.accept: "text/html, */*", .userAgent: configuration.userAgent]
    headers[.cookie] = cookies.field(for: url)
    if form != nil {
      headers[.contentType] = TransportRequest.formType
      if let origin = HTTPField.Name("Origin") { headers[origin] = page?.origin }
    }
    // Providers that guard against forged forms want to know which page they come from.
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
      throw .call(.transport(error))
    }
  }
}

extension AbsoluteURL {
  /// What a link or a form's action on this page means: a reference resolved, and the `.` and `..` of its path taken out
  /// (RFC 3986 §5.2.4), as browsers do.
  func following(_ reference: String) -> AbsoluteURL? {
    guard var target = resolving(reference) else { return nil }
    var segments: [Substring] = []
    let parts = target.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch part {
      case ".": if isLast { segments.append("") }
      case "..":
        _ = segments.popLast()
        if isLast { segments.append("") }
      default: segments.append(part)
      }
    }
    target.path = "/" + segments.joined(separator: "/")
    return target
  }
}
