import Foundation

@testable import XSandbox

extension TestClient {
  /// A client that signs as Alice.
  static func aliceV1(_ sandbox: Sandbox) -> TestClient { TestClient(sandbox, .oauth1(sandbox.users.alice)) }

  static func bobV1(_ sandbox: Sandbox) -> TestClient { TestClient(sandbox, .oauth1(sandbox.users.bob)) }

  static func appV1(_ sandbox: Sandbox) -> TestClient { TestClient(sandbox, .bearer(sandbox.app.bearerToken)) }

  /// - Parameter path: without `/1.1/`; query and form are encoded here.
  func v1(_ method: String, _ path: String, _ parameters: KeyValuePairs<String, String> = [:]) async throws -> Response
  {
    let text = parameters.map { "\(TestSigner.encode($0.key))=\(TestSigner.encode($0.value))" }.joined(separator: "&")
    if method == "POST" { return try await send(method, "/1.1/\(path).json", form: text) }
    return try await send(method, "/1.1/\(path).json" + (text.isEmpty ? "" : "?\(text)"))
  }

  func getV1(_ path: String, _ parameters: KeyValuePairs<String, String> = [:]) async throws -> Response {
    try await v1("GET", path, parameters)
  }

  func postV1(_ path: String, _ parameters: KeyValuePairs<String, String> = [:]) async throws -> Response {
    try await v1("POST", path, parameters)
  }
}

extension TestClient.Response {
  /// The elements of a response that is an array.
  var array: [JSON] { json.elements }

  /// Status and code of a refusal.
  var refusal: [Int] { [status, code ?? 0] }

  var code: Int? {
    guard case .integer(let code) = json["errors"]?.elements.first?["code"] else { return nil }
    return code
  }
}

extension JSON {
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

  var integer: Int? { if case .integer(let value) = self { value } else { nil } }
}
