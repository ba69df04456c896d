import Callsign
import CallsignHTTP
import Foundation
import HTTPTypes
import Testing

/// A body as a test expects it, in any order.
package enum ExpectedBody: Sendable {
  case none
  /// A JSON text, compared by its value.
  case json(String)
  /// `name=value`, decoded.
  case form([String])
  /// `name=value`, and `name=file name: text` for files.
  case multipart([String])
}

/// Makes a call on a client without sockets, and checks the one request that it sends. Every response is 404, so the call's result
/// or error does not matter.
///
/// - Parameters:
///   - line: Method and URL as they are on the wire, without the query.
///   - query: `name=value`, decoded, in any order, and no others.
///   - headers: Some of the header fields, as `name: value`.
/// - Returns: The request.
@discardableResult
package func expectRequest<API: APIClient>(
  _ line: String, query: [String] = [], headers: [String] = [], body: ExpectedBody = .none,
  sourceLocation: SourceLocation = #_sourceLocation, by call: (API) async throws -> Void
) async throws -> TransportRequest {
  let transport = InMemoryTransport { _ in .json("{}", status: .notFound) }
  let configuration = ClientConfiguration(transport: transport, retry: .never)
  do {
    try await call(API(client: Client(auth: [AnyCredentials()], configuration: configuration)))
    Issue.record("the call took a response 404 for a success", sourceLocation: sourceLocation)
  } catch let error as CallError {
    if case .api = error {} else { Issue.record("\(error)", sourceLocation: sourceLocation) }
  }
  let requests = transport.requests
  try #require(requests.count == 1, sourceLocation: sourceLocation)
  let head = requests[0].head
  let target = (head.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  #expect(
    "\(head.method) \(head.scheme ?? "")://\(head.authority ?? "")\(target[0])" == line, sourceLocation: sourceLocation)
  #expect(decoded(target.count > 1 ? target[1] : "") == query.sorted(), sourceLocation: sourceLocation)
  for header in headers {
    let parts = header.components(separatedBy: ": ")
    let value = HTTPField.Name(parts[0]).flatMap { head.headerFields[$0] }
    // Outside of ASCII, a header's value is what its bytes are in Latin-1 or in UTF-8.
    #expect(value == parts.dropFirst().joined(separator: ": "), sourceLocation: sourceLocation)
  }
  let bytes = try await requests[0].body.collect()
  let type = head.headerFields[.contentType] ?? ""
  switch body {
  case .none:
    #expect(bytes.isEmpty, sourceLocation: sourceLocation)
  case .json(let text):
    #expect(type.hasPrefix("application/json"), sourceLocation: sourceLocation)
    #expect(try canonical(bytes) == canonical(Data(text.utf8)), sourceLocation: sourceLocation)
  case .form(let fields):
    if !fields.isEmpty {
      #expect(type.hasPrefix("application/x-www-form-urlencoded"), sourceLocation: sourceLocation)
    }
    #expect(decoded(String(decoding: bytes, as: UTF8.self)) == fields.sorted(), sourceLocation: sourceLocation)
  case .multipart(let fields):
    #expect(type.hasPrefix("multipart/form-data"), sourceLocation: sourceLocation)
    let boundary = type.components(separatedBy: "boundary=").last?.trimmingCharacters(in: ["\""]) ?? ""
    #expect(
      parts(String(decoding: bytes, as: UTF8.self), boundary) == fields.sorted(), sourceLocation: sourceLocation)
  }
  return requests[0]
}

/// `name=value` pairs of a query or form, decoded and sorted. Shares no code with the tested code.
private func decoded(_ text: String) -> [String] {
  text.split(separator: "&").map { pair in
    pair.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? "undecodable: \(pair)"
  }.sorted()
}

private func canonical(_ json: Data) throws -> String {
  let value = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
  let data = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
  return String(decoding: data, as: UTF8.self)
}

private func parts(_ text: String, _ boundary: String) -> [String] {
  text.components(separatedBy: "--\(boundary)").dropFirst().dropLast().map { part in
    let halves = part.components(separatedBy: "\r\n\r\n")
    func attribute(_ name: String) -> String? {
      halves[0].components(separatedBy: "; \(name)=\"").dropFirst().first?.components(separatedBy: "\"").first
    }
    let content = halves.dropFirst().joined(separator: "\r\n\r\n").dropLast()  // A line break is one character.
    let file = attribute("filename").map { "\($0): " } ?? ""
    return "\(attribute("name") ?? "")=\(file)\(content)"
  }.sorted()
}

/// Accepts everything, so that tests need no signatures.
package struct AnyCredentials: Authenticator {
  package init() {}

  package var hosts: AllowedHosts { .catalogue }
  package var identity: CredentialIdentity { CredentialIdentity("test", account: "") }

  package func satisfies(_ requirement: AuthRequirement) -> Bool { true }

  package func authenticate(
    _ request: inout TransportRequest, context: AuthenticationContext
  ) async throws(CallError) {}
}
