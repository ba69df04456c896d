import Foundation
import TestSupport
import Testing

@testable import CallsignTool

@Suite("Documents by URL and from standard input") struct DocumentSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func document(_ reference: String) -> String {
    """
    openapi: 3.0.3
    info: {title: Pets, version: "1"}
    servers: [{url: https://pets.example}]
    paths: {/pets: {get: {$ref: '\(reference)'}}}
    """
  }

  private static let operation =
    "{operationId: listPets, parameters: [{name: limit, in: query, schema: {type: integer}}], "
    + "responses: {'204': {description: ''}}}"

  /// A server of files by their paths; a value that begins with a slash leads elsewhere.
  private func server(_ files: [String: String]) throws -> ScriptedServer {
    try ScriptedServer.responding { request, peer in
      let text = files[request.target]
      let isElsewhere = text?.hasPrefix("/") == true
      let head =
        text == nil ? "404 Not Found" : isElsewhere ? "302 Found\r\nLocation: \(text ?? "")" : "200 OK"
      let body = isElsewhere ? "" : text ?? ""
      try peer.send("HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
  }

  private func catalogue() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/catalogue").sorted()
    return try names.map { try String(contentsOfFile: folder.path + "/catalogue/" + $0, encoding: .utf8) }.joined()
  }

  @Test("A document comes from standard input") func standardInput() throws {
    let text = document("x").replacing("{$ref: 'x'}", with: Self.operation)
    let outcome = try Tool.run(["import-openapi", "-", "--into", folder.path + "/catalogue"], input: text)
    #expect(outcome.status == 0)
    #expect(try catalogue().contains("listPets"))
    let beside = try Tool.run(
      ["import-openapi", "-", "--into", folder.path + "/catalogue", "--strict"], input: document("pets.yaml"))
    #expect(beside.status == 65)
    #expect(beside.error.contains("`pets.yaml` is next to the document, which came from standard input"))
  }

  @Test("A document comes from a URL, with its references on its own server") func url() throws {
    let server = try server([
      "/v1/api.yaml": "/v2/api.yaml", "/v2/api.yaml": document("parts/pets.yaml#/list"),
      "/v2/parts/pets.yaml": "list: \(Self.operation)",
    ])
    let outcome = try Tool.run(
      "import-openapi", server.url("/v1/api.yaml"), "--into", folder.path + "/catalogue", "--strict")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try catalogue().contains("limit: int?"))
  }

  @Test("Other commands take a document by URL and from standard input too") func otherCommands() throws {
    let text = document("parts/pets.yaml#/list")
    let server = try server([
      "/v1/api.yaml": text, "/v1/parts/pets.yaml": "list: \(Self.operation)",
      "/v2/api.yaml": text.replacing("/pets", with: "/animals").replacing("parts/animals", with: "../v1/parts/pets"),
    ])
    let list = try Tool.run("call", server.url("/v1/api.yaml"))
    #expect(list.status == 0 && list.output.contains("listPets"), "\(list.error)")
    let help = try Tool.run("call", server.url("/v1/api.yaml"), "listPets", "--help")
    #expect(help.status == 0 && help.output.contains("--limit"), "\(help.error)")
    let inline = document("x").replacing("{$ref: 'x'}", with: Self.operation)
    let read = try Tool.run(["call", "-"], input: inline)
    #expect(read.status == 0 && read.output.contains("listPets"), "\(read.error)")
    let same = try Tool.run(["diff", server.url("/v1/api.yaml"), "-"], input: inline)
    #expect(same.status == 0, "\(same.output) \(same.error)")
    let other = try Tool.run("diff", server.url("/v1/api.yaml"), server.url("/v2/api.yaml"))
    #expect(other.output.contains("listPets: calls GET /animals, not GET /pets"), "\(other.error)")
    let tools = try Tool.run(["mcp", "-"], input: inline)
    #expect(tools.status == 64 && tools.error.contains("name a file or a URL"), "\(tools.error)")
  }

  @Test("References to other servers are fetched if the user allows it, and otherwise name the flag")
  func references() throws {
    let server = try server(["/pets.yaml": Self.operation])
    defer { server.stop() }
    let path = folder.path + "/api.yaml"
    try document(server.url("/pets.yaml")).write(toFile: path, atomically: true, encoding: .utf8)
    let fetched = try Tool.run(
      "import-openapi", path, "--into", folder.path + "/catalogue", "--fetch-references", "--strict")
    #expect(fetched.status == 0, "\(fetched.error)")
    #expect(try catalogue().contains("limit: int?"))
    try document("https://pets.example/api.yaml#/x").write(toFile: path, atomically: true, encoding: .utf8)
    let unread = try Tool.run("import-openapi", path, "--into", folder.path + "/catalogue", "--strict")
    #expect(unread.status == 65)
    #expect(unread.error.contains("--fetch-references"))
  }

  @Test("A document from another machine does not lead to this machine's services") func loopback() async throws {
    let server = try server(["/pets.yaml": Self.operation])
    defer { server.stop() }
    let url = server.url("/pets.yaml")
    let message = try await CatalogueInput.reading {
      do {
        _ = try ReferenceFetcher(allowsLoopback: false).bytes(url)
        return "it was read"
      } catch {
        return "\(error)"
      }
    }
    #expect(message.contains("it is on this machine"), "\(message)")
    #expect(RemoteFile.isLoopback(url) && !RemoteFile.isLoopback("https://pets.example/a"))
  }

  @Test("The files that a document refers to have a limit together") func limit() async throws {
    let server = try server(["/pets.yaml": Self.operation])
    defer { server.stop() }
    let url = server.url("/pets.yaml")
    let size = Self.operation.utf8.count
    // Reading blocks its thread, which must not belong to Swift concurrency.
    let counts = try await CatalogueInput.reading {
      let fetcher = ReferenceFetcher(allowsLoopback: true, limit: 2 * size)
      return [try fetcher.bytes(url).count, try fetcher.bytes(url).count, (try? fetcher.bytes(url).count) ?? 0]
    }
    #expect(counts == [size, size, 0])
  }

  @Test("A document that does not exist, or is not at `https`, is an error") func failures() throws {
    let server = try server([:])
    let missing = try Tool.run("import-openapi", server.url("/api.yaml"), "--into", folder.path + "/catalogue")
    #expect(missing.status == 66)
    #expect(missing.error.contains("the server responds with 404"))
    let plain = try Tool.run("import-openapi", "http://pets.example/api.yaml", "--into", folder.path + "/catalogue")
    #expect(plain.status == 66)
    #expect(plain.error.contains("is not an `https` URL"))
  }
}
