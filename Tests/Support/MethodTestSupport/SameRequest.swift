import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

/// X's catalogues, read as a user's program reads its own.
package enum XCatalogues {
  package static let v2 = DynamicAPITable(folder: "x-v2")
  package static let v1 = DynamicAPITable(folder: "x-v1.1")
}

/// A catalogue that was read once for all tests.
package struct DynamicAPITable: Sendable {
  package let catalogue: Catalogue?

  init(folder: String) {
    catalogue = CatalogueLoader().load(folder: PackageFolder.url("spec/\(folder)").path).catalogue
  }

  /// A separate client for each call, because requests are recorded by transport.
  func client() throws -> (api: DynamicAPI, transport: InMemoryTransport) {
    let transport = InMemoryTransport { _ in .json("{}", status: .notFound) }
    let configuration = ClientConfiguration(transport: transport, retry: .never)
    let api = DynamicAPI(
      try #require(catalogue), auth: [AnyCredentials()], configuration: configuration, conventions: .x)
    return (api, transport)
  }
}

/// Calls an operation by its name and JSON arguments, and expects its request to equal the generated method's, byte for byte.
///
/// - Parameters:
///   - asPages: Whether the first page is requested instead.
///   - request: The generated method's.
package func expectSame(
  _ table: DynamicAPITable, _ operation: String, _ arguments: String, asPages: Bool = false,
  as request: TransportRequest, sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws {
  let (api, transport) = try table.client()
  let values = try #require(try JSONValue(jsonString: arguments).object, sourceLocation: sourceLocation)
  // The values distinguish the parameters; bounds and patterns would not allow them.
  let policy = ArgumentPolicy(checksBounds: false)
  let call = try api.operation(operation).call(values, policy: policy)
  do {
    if asPages {
      for try await _ in try #require(api.pages(call), sourceLocation: sourceLocation) { break }
    } else if let stream = api.stream(call) {
      for try await _ in stream { break }
    } else {
      _ = try await api.send(call)
    }
    Issue.record("the call took a response 404 for a success", sourceLocation: sourceLocation)
  } catch let error as CallError {
    if case .api = error {} else { Issue.record("\(error)", sourceLocation: sourceLocation) }
  }
  try #require(transport.requests.count == 1, sourceLocation: sourceLocation)
  let dynamic = try await text(of: transport.requests[0])
  let generated = try await text(of: request)
  #expect(dynamic == generated, sourceLocation: sourceLocation)
}

/// Everything of a request that is on the wire, with one name for every random boundary of multipart bodies.
private func text(of request: TransportRequest) async throws -> String {
  let head = request.head
  let type = head.headerFields[.contentType] ?? ""
  let boundary = type.components(separatedBy: "boundary=").dropFirst().first
  var text = "\(head.method) \(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")\n"
  for field in head.headerFields { text += "\(field.name.rawName): \(field.value)\n" }
  // Latin-1 has a character for every byte.
  text += String(data: try await request.body.collect(), encoding: .isoLatin1) ?? ""
  return boundary.map { text.replacingOccurrences(of: $0, with: "BOUNDARY") } ?? text
}
