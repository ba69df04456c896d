import Foundation

@testable import XSandbox

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests to a sandbox over a socket.
struct TestClient: Sendable {
  enum Credentials: Sendable {
    case none
    case bearer(String)
    case oauth1(Sandbox.User)
    case header(String)
  }

  struct Response: Sendable {
    var status: Int
    var headers: [String: String]
    var body: Data
    var json: JSON

    func header(_ name: String) -> String? { headers[name.lowercased()] }
    var data: JSON? { json["data"] }
    var elements: [JSON] { data.map { if case .array(let elements) = $0 { elements } else { [] } } ?? [] }
    var meta: JSON? { json["meta"] }
    var reason: String? { json["sandbox"]?["reason"]?.string }
    /// The messages of `errors`.
    var messages: [String] {
      guard case .array(let errors) = json["errors"] else { return [] }
      return errors.compactMap { $0["message"]?.string }
    }
  }

  let sandbox: Sandbox
  var credentials: Credentials
  let session: URLSession

  init(_ sandbox: Sandbox, _ credentials: Credentials) {
    self.sandbox = sandbox
    self.credentials = credentials
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 8
    // A stream whose end never comes fails its test, although keep-alives arrive. A machine may have much else to do.
    configuration.timeoutIntervalForRequest = 600
    configuration.timeoutIntervalForResource = 600
    session = URLSession(configuration: configuration)
  }

  /// A client with the OAuth 2 token of Alice.
  static func alice(_ sandbox: Sandbox) -> TestClient {
    TestClient(sandbox, .bearer(sandbox.users.alice.oauth2AccessToken))
  }

  static func bob(_ sandbox: Sandbox) -> TestClient {
    TestClient(sandbox, .bearer(sandbox.users.bob.oauth2AccessToken))
  }

  /// - Parameter target: path and query, encoded already.
  func send(
    _ method: String, _ target: String, json: String? = nil, form: String? = nil, headers: [String: String] = [:]
  ) async throws -> Response {
    guard let url = URL(string: sandbox.url.absoluteString + target) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    if let json {
      request.httpBody = Data(json.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    if let form {
      request.httpBody = Data(form.utf8)
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    }
    switch credentials {
    case .none: break
    case .bearer(let token): request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    case .header(let text): request.setValue(text, forHTTPHeaderField: "Authorization")
    case .oauth1(let user):
      let signer = TestSigner(sandbox, user)
      request.setValue(
        signer.header(method: method, url: url.absoluteString, form: form ?? ""),
        forHTTPHeaderField: "Authorization")
    }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (body, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    var fields: [String: String] = [:]
    for (name, value) in response.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
    return Response(
      status: response.statusCode, headers: fields, body: body, json: (try? JSON(parsing: body)) ?? .null)
  }

  func get(_ target: String) async throws -> Response { try await send("GET", target) }
  func post(_ target: String, _ json: String) async throws -> Response { try await send("POST", target, json: json) }
  func put(_ target: String, _ json: String) async throws -> Response { try await send("PUT", target, json: json) }
  func delete(_ target: String) async throws -> Response { try await send("DELETE", target) }
}

/// Starts a sandbox, hands it over, and stops it whatever happens.
func withSandbox<Result: Sendable>(
  _ configuration: Sandbox.Configuration = Sandbox.Configuration(),
  _ body: (Sandbox) async throws -> Result
) async throws -> Result {
  let sandbox = try await Sandbox.start(configuration)
  do {
    let result = try await body(sandbox)
    await sandbox.stop()
    return result
  } catch {
    await sandbox.stop()
    throw error
  }
}

/// A sandbox whose limits no test reaches by accident.
func generousConfiguration() -> Sandbox.Configuration {
  var configuration = Sandbox.Configuration()
  for operation in OperationTable.all { configuration.limits[operation.key] = 1_000_000 }
  return configuration
}
