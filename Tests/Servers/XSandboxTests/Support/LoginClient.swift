import Foundation

@testable import XSandbox

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Takes the steps of a login as an app and a browser do, one request at a time.
struct LoginClient: Sendable {
  let sandbox: Sandbox
  let app: Sandbox.App
  private let client: TestClient
  private let browser: Browser

  init(_ sandbox: Sandbox, app: Sandbox.App? = nil) {
    self.sandbox = sandbox
    self.app = app ?? sandbox.app
    client = TestClient(sandbox, .none)
    browser = Browser()
  }

  /// A request signed by the app, with a token if there is one.
  func signed(
    _ method: String = "POST", _ target: String, token: String? = nil, secret: String = "",
    extra: [(String, String)] = [], form: String? = nil, alter: (inout TestSigner) -> Void = { _ in }
  ) async throws -> TestClient.Response {
    var signer = TestSigner(sandbox, sandbox.users.alice)
    (signer.consumerKey, signer.consumerSecret) = (app.consumerKey, app.consumerSecret)
    (signer.token, signer.tokenSecret) = (token, secret)
    signer.extra = extra
    alter(&signer)
    let header = TestSigner.header(
      signer.parameters(method: method, url: sandbox.url.absoluteString + target, form: form ?? ""))
    return try await client.send(method, target, form: form ?? "", headers: ["Authorization": header])
  }

  func requestToken(callback: String = "oob", form: String? = nil) async throws -> (token: String, secret: String) {
    let response = try await signed("POST", "/oauth/request_token", extra: [("oauth_callback", callback)], form: form)
    return (response.form["oauth_token"] ?? "", response.form["oauth_token_secret"] ?? "")
  }

  func accessToken(_ token: (token: String, secret: String), verifier: String) async throws -> TestClient.Response {
    try await signed(
      "POST", "/oauth/access_token", token: token.token, secret: token.secret, extra: [("oauth_verifier", verifier)])
  }

  /// Opens a page; redirects are not followed.
  func page(_ target: String) async throws -> TestClient.Response {
    try await browser.send("GET", sandbox.url.absoluteString + target)
  }

  /// Fills in the form of a page and sends it.
  func submit(
    _ page: TestClient.Response, username: String = "", password: String = "", extra: [(String, String)] = []
  ) async throws -> TestClient.Response {
    var fields = Self.hiddenFields(page.text) + extra
    fields += [(LoginPage.usernameField, username), (LoginPage.passwordField, password)]
    let action = Self.attribute("action", in: page.text.components(separatedBy: "<form").last ?? "") ?? ""
    let form = fields.map { "\(TestSigner.encode($0.0))=\(TestSigner.encode($0.1))" }.joined(separator: "&")
    return try await browser.send("POST", sandbox.url.absoluteString + action, form: form)
  }

  /// Over a raw connection: URLSession on Linux waits for ever after a `Basic` challenge.
  func post(_ target: String, form: String, headers: [String: String] = [:]) async throws -> TestClient.Response {
    var lines = ["POST \(target) HTTP/1.1", "Host: 127.0.0.1", "Content-Length: \(form.utf8.count)"]
    lines.append("Content-Type: application/x-www-form-urlencoded")
    lines += headers.map { "\($0.key): \($0.value)" }
    let text = try await RawConnection.exchange(lines.joined(separator: "\r\n") + "\r\n\r\n" + form, with: sandbox)
    let parts = text.components(separatedBy: "\r\n\r\n")
    let head = parts[0].components(separatedBy: "\r\n")
    var fields: [String: String] = [:]
    for line in head.dropFirst() {
      let field = line.components(separatedBy: ": ")
      if field.count > 1 { fields[field[0].lowercased()] = field.dropFirst().joined(separator: ": ") }
    }
    let body = Data(parts.dropFirst().joined(separator: "\r\n\r\n").utf8)
    return .init(
      status: Int(head[0].split(separator: " ").dropFirst().first ?? "") ?? 0, headers: fields, body: body,
      json: (try? JSON(parsing: body)) ?? .null)
  }

  static func hiddenFields(_ page: String) -> [(String, String)] {
    page.components(separatedBy: "<input type=\"hidden\"").dropFirst().compactMap { text in
      guard let name = attribute("name", in: text), let value = attribute("value", in: text) else { return nil }
      return (name, value)
    }
  }

  private static func attribute(_ name: String, in text: String) -> String? {
    let parts = text.components(separatedBy: "\(name)=\"")
    return parts.count > 1 ? parts[1].components(separatedBy: "\"").first : nil
  }

  /// `Basic` as OAuth 2.0 wants it.
  static func basic(_ name: String, _ password: String) -> [String: String] {
    let text = "\(TestSigner.encode(name)):\(TestSigner.encode(password))"
    return ["Authorization": "Basic \(Data(text.utf8).base64EncodedString())"]
  }
}

/// Follows no redirect, so that a test sees its target.
private final class Browser: NSObject, URLSessionTaskDelegate, Sendable {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func send(_ method: String, _ address: String, form: String? = nil) async throws -> TestClient.Response {
    guard let url = URL(string: address) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    if let form {
      request.httpBody = Data(form.utf8)
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 600
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let (body, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    var fields: [String: String] = [:]
    for (name, value) in response.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
    return .init(status: response.statusCode, headers: fields, body: body, json: (try? JSON(parsing: body)) ?? .null)
  }
}

extension TestClient.Response {
  var text: String { String(decoding: body, as: UTF8.self) }
  var form: [String: String] { Self.parameters(text) }
  /// The query of the response's redirect address.
  var redirect: [String: String] { Self.parameters(header("Location")?.components(separatedBy: "?").last ?? "") }
  static func parameters(_ text: String) -> [String: String] {
    Dictionary(
      RequestParameter.parse(form: text).map { ($0.nameText, $0.valueText) }, uniquingKeysWith: { first, _ in first })
  }
}
