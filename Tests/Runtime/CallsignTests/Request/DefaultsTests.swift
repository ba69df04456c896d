import Callsign
import CallsignHTTP
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Query parameters and header fields of a whole API, and keys that no cassette keeps.
@Suite struct DefaultsTests {
  private let thing: Endpoint = endpoint()

  private func targets(
    _ defaults: APIDefaults, _ calls: [Call], _ configure: (inout ClientConfiguration) -> Void = { _ in }
  ) async throws -> [String] {
    let transport = InMemoryTransport { _ in .json("{}") }
    var configuration = ClientConfiguration(transport: transport)
    configure(&configuration)
    let client = Client(auth: [], configuration: configuration).with(conventions: .standard, defaults: defaults)
    for call in calls { let _: Response<NoContent> = try await client.send(call) }
    return transport.requests.compactMap { $0.head.path }
  }

  @Test("The client's values replace those that every call carries, and the call's own replace both") func precedence()
    async throws
  {
    let defaults = APIDefaults(query: ["format": "json", "lang": "en"])
    var own = Call(thing)
    own.add("format", "xml", in: .query)
    var options = CallOptions()
    options.query["lang"] = "de"
    let added = Call(thing, options)
    #expect(
      try await targets(defaults, [Call(thing), own, added]) == [
        "/2/things?format=json&lang=en", "/2/things?format=xml&lang=en", "/2/things?lang=de&format=json",
      ])
    #expect(
      try await targets(defaults, [Call(thing), own]) { $0.query = ["format": "csv"] } == [
        "/2/things?format=csv&lang=en", "/2/things?format=xml&lang=en",
      ])
  }

  @Test("Nothing of it goes to other hosts") func otherHosts() async throws {
    let defaults = APIDefaults(headers: ["X-Version": "1"], query: ["format": "json"])
    #expect(try await targets(defaults, [Call(.get, "https://files.example/a?b=c", auth: .none)]) == ["/a?b=c"])
  }

  @Test("Names in a query are compared decoded") func encodedNames() async throws {
    var options = CallOptions()
    options.query = ["a b": "2", "c[]": "x&y"]
    let call = Call(.get, "https://api.example/x?a+b=1&a%20b=0&z&c%5B%5D=1", auth: .none, options: options)
    #expect(try await targets(.none, [call]) == ["/x?z&a%20b=2&c%5B%5D=x%26y"])
  }

  @Test("An API key is in no cassette, wherever it goes") func cassettes() async throws {
    // A server that writes the key into its redirect.
    let transport = InMemoryTransport { request in
      guard request.head.path == "/x?a=1&appid=s3cret" else { return .json("{}") }
      return TransportResponse(status: .found, headerFields: [.location: "/y?appid=s3cret&a=1"])
    }
    let recorder = CassetteRecorder()
    let configuration = ClientConfiguration(transport: transport, middleware: [recorder])
    for place in [APIKey.Place.header("X-Key"), .query("appid"), .cookie("till")] {
      let key = APIKey("s3cret", in: place, hosts: ["api.example"])
      _ = try await Client(auth: key, configuration: configuration).call(.get, "https://api.example/x?a=1")
    }
    #expect(
      transport.requests.compactMap { $0.head.path } == [
        "/x?a=1", "/x?a=1&appid=s3cret", "/y?a=1&appid=s3cret", "/x?a=1",
      ])
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("cassette-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try recorder.save(to: file)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("a=1"))
    #expect(!text.contains("s3cret"))
  }
}
