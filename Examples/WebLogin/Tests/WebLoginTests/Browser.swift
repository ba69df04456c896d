import CallsignHTTP
import Foundation
import HTTPTypes

/// The parts of a browser that a login needs: it keeps cookies, shows pages, and sends their forms.
actor Browser {
  /// The response of a server.
  struct Page: Sendable {
    let url: String
    let status: Int
    let headers: HTTPFields
    let text: String
    /// The redirect's target.
    var location: String? { headers[.location] }
  }

  private let transport = DefaultTransport.make()
  /// By host, as browsers keep them: whatever the port.
  private var cookies: [String: [String: String]] = [:]

  func open(_ url: String) async throws -> Page { try await send(.get, url) }

  func post(_ url: String, _ fields: [String: String] = [:]) async throws -> Page {
    let form = fields.map { "\(Self.encoded($0))=\(Self.encoded($1))" }.joined(separator: "&")
    return try await send(.post, url, Data(form.utf8))
  }

  /// Follows redirects, as long as they lead to a page.
  func follow(_ page: Page) async throws -> Page {
    var page = page
    while let location = page.location, let url = URL(string: location, relativeTo: URL(string: page.url)) {
      page = try await open(url.absoluteString)
    }
    return page
  }

  /// Decides on the consent page of the sandbox. Returns the redirect's target.
  func decide(on page: Page, as account: String, cancels: Bool = false) async throws -> String {
    var fields = ["account": account]
    for part in page.text.components(separatedBy: "<input type=\"hidden\" ").dropFirst() {
      let quoted = part.components(separatedBy: "\"")
      if quoted.count > 3 { fields[quoted[1]] = quoted[3] }
    }
    if cancels { fields["cancel"] = "Cancel" }
    let target = page.url.prefix { $0 != "?" }
    guard let location = try await post(String(target), fields).location else { throw CocoaError(.coderInvalidValue) }
    return location
  }

  func cookie(_ name: String, of host: String = "127.0.0.1") -> String? { cookies[host]?[name] }
  func setCookie(_ name: String, _ value: String?, of host: String = "127.0.0.1") {
    cookies[host, default: [:]][name] = value
  }

  private func send(_ method: HTTPRequest.Method, _ url: String, _ body: Data? = nil) async throws -> Page {
    guard let address = AbsoluteURL(url) else { throw CocoaError(.coderInvalidValue) }
    var headers: HTTPFields = [:]
    let kept = cookies[address.host] ?? [:]
    if !kept.isEmpty { headers[.cookie] = kept.map { "\($0)=\($1)" }.joined(separator: "; ") }
    if body != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
    let response = try await transport.send(
      TransportRequest(method: method, url: address, headerFields: headers, body: body.map { .data($0) } ?? .none))
    for field in response.head.headerFields[values: .setCookie] {
      let parts = field.components(separatedBy: "; ")
      guard let equals = parts[0].firstIndex(of: "=") else { continue }
      let isOver = parts.contains { $0.lowercased() == "max-age=0" }
      cookies[address.host, default: [:]][String(parts[0][..<equals])] =
        isOver ? nil : String(parts[0][parts[0].index(after: equals)...])
    }
    let text = String(decoding: try await response.body.collect(), as: UTF8.self)
    return Page(url: url, status: response.head.status.code, headers: response.head.headerFields, text: text)
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
