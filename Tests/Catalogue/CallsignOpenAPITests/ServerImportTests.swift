import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite struct ServerImportTests {
  private func imported(
    _ servers: String, options: ImportOptions = ImportOptions()
  ) throws -> Imported {
    try Imported(
      """
      openapi: 3.0.3
      info: {title: Pet Store, version: "7"}
      servers: \(servers)
      paths:
        /pets: {get: {operationId: getPets, responses: {"204": {description: ""}}}}
        /files:
          get: {operationId: getFile, responses: {"204": {description: ""}}}
          servers: [{url: https://files.example}]
      """, options: options)
  }

  @Test(
    "A variable for the scheme is https if the document allows it, and other variables stay",
    arguments: [
      ("{enum: [http, https], default: http}", "https://{region}.pets.example/v1"),
      ("{enum: [https, http], default: https}", "https://{region}.pets.example/v1"),
      ("{default: http}", "http://{region}.pets.example/v1"),
      ("{enum: [HTTPS], default: HTTPS}", "https://{region}.pets.example/v1"),
    ])
  func schemes(variable: String, url: String) throws {
    let imported = try imported(
      "[{url: '{scheme}://{region}.pets.example/v1', variables: {scheme: \(variable), region: {default: eu}}}]")
    #expect(imported.catalogue.api.hosts.first?.url == url)
    #expect(
      imported.catalogue.api.hosts.first?.variables.map(\.name) == ["region"]
        && imported.catalogue.api.hosts.first?.variables.map(\.defaultValue) == ["eu"])
    let said = url.hasPrefix("https") ? "`https`" : "`http`, so credentials are only sent to this machine"
    #expect(
      imported.result.warnings.map(\.message).contains("the server's variable `scheme` is fixed at \(said)"))
    imported.expectRoundTrip()
  }

  @Test(
    "A relative server of an operation is next to the document's own",
    arguments: [
      ("https://pets.example/v1", "/v2/", "https://pets.example/v2"),
      ("https://pets.example/v1", "v2", "https://pets.example/v2"),
      ("https://pets.example/v1", "/", "https://pets.example"),
      ("http://localhost:8080", "/v{number}", "http://localhost:8080/v2"),
      ("https://{region}.pets.example/{stage}", "/v2", "https://{region}.pets.example/v2"),
    ])
  func relative(server: String, url: String, expected: String) throws {
    func imported(_ options: ImportOptions = ImportOptions()) throws -> Imported {
      try Imported(
        """
        openapi: 3.0.3
        info: {title: Pet Store, version: "7"}
        servers: [{url: '\(server)', variables: {region: {default: eu}, stage: {default: v1}}}]
        paths:
          /pets: {get: {operationId: getPets, responses: {"204": {description: ""}}}}
          /files:
            get: {operationId: getFile, responses: {"204": {description: ""}}}
            servers: [{url: '\(url)', variables: {number: {default: 2}}}]
        """, options: options)
    }
    let found = try imported()
    let hosts = found.catalogue.api.hosts
    #expect(hosts.map(\.url) == (expected == server ? [server] : [server, expected]))
    #expect(hosts.last?.variables.map(\.name) == (expected.contains("{") ? ["region"] : []))
    #expect(found.warnings.contains { $0.contains("is relative; it is taken as `\(expected)`") })
    found.expectRoundTrip()
    let other = try imported(ImportOptions(servers: ["api": "https://other.example/v1"]))
    #expect(other.catalogue.api.hosts.last?.url.hasPrefix("https://other.example") == true)
  }

  @Test("A relative server is resolved by the document's own address") func ownAddress() throws {
    func document(_ servers: String) -> String {
      """
      openapi: 3.2.0
      $self: https://pets.example/api/openapi.yaml
      info: {title: Pet Store, version: "7"}
      \(servers)
      paths:
        /pets: {get: {operationId: getPets, responses: {"204": {description: ""}}}}
        /files:
          get: {operationId: getFile, responses: {"204": {description: ""}}}
          servers: [{url: v2}]
      """
    }
    let imported = try Imported(document("servers: [{url: ../v1}]"))
    #expect(imported.catalogue.api.hosts.map(\.url) == ["https://pets.example/v1", "https://pets.example/api/v2"])
    #expect(imported.warnings.isEmpty)
    imported.expectRoundTrip()
    let without = try Imported(document(""))
    #expect(without.catalogue.api.hosts.map(\.url) == ["https://pets.example", "https://pets.example/api/v2"])
    #expect(without.warnings.isEmpty)
  }

  @Test("A server on this machine is called over http if that is the default") func loopback() throws {
    let imported = try imported(
      "[{url: '{scheme}://{host}:{port}', variables: {scheme: {enum: [http, https], default: http}, host: {default: localhost}, "
        + "port: {default: '80'}}}]")
    #expect(imported.catalogue.api.hosts.first?.url == "http://{host}:{port}")
    imported.expectRoundTrip()
  }

  @Test(
    "An empty default that leaves a host incomplete does not count, and one of a path leaves no slash",
    arguments: [
      ("https://{tenant}.pets.example", "https://{tenant}.pets.example", [String?.none]),
      ("https://pets.example:{tenant}/v1", "https://pets.example/v1", []),
      ("https://{tenant}api.pets.example", "https://{tenant}api.pets.example", [""]),
      ("https://pets.example/{tenant}", "https://pets.example", []),
      ("https://pets.example/{tenant}/v1", "https://pets.example/v1", []),
    ])
  func emptyDefaults(url: String, expected: String, defaults: [String?]) throws {
    let imported = try imported("[{url: '\(url)', variables: {tenant: {default: ''}}}]")
    #expect(imported.catalogue.api.hosts.first?.url == expected)
    #expect(imported.catalogue.api.hosts.first?.variables.map(\.defaultValue) == defaults)
    if defaults == [nil] {
      #expect(
        imported.warnings == [
          "the `default` of the variable `tenant` is empty, and with it a part of the host; it must be given to the client"
        ])
    }
    imported.expectRoundTrip()
  }

  @Test("A URL for a missing host is refused, and the hosts are named") func unknownHosts() throws {
    let servers = "[{url: https://pets.example}]"
    #expect(
      throws: ImportError.invalid(
        "unknown host `nope`, so it cannot get another URL; the hosts are `api`, `files`", at: "#/servers")
    ) { try imported(servers, options: ImportOptions(servers: ["nope": "https://a.example"])) }
    let both = ImportOptions(servers: ["api": "https://a.example", "files": "https://b.example"])
    #expect(
      try imported(servers, options: both).catalogue.api.hosts.map(\.url) == ["https://a.example", "https://b.example"])
  }

  @Test(
    "If a base URL is given, the document's servers cause no messages",
    arguments: ["[{url: /api}]", "[]", "[{}]", "[{url: 'https://{a}.example'}]"])
  func givenURL(servers: String) throws {
    let imported = try imported(servers, options: ImportOptions(servers: ["api": "https://a.example/v1"]))
    #expect(imported.warnings.filter { $0.contains("server") } == [])
    #expect(imported.catalogue.api.hosts.first?.url == "https://a.example/v1")
  }

  @Test("A webhook's payload that is a list has a model for its elements") func listsToWebhooks() throws {
    func document(_ schema: String) -> String {
      """
      openapi: 3.1.0
      info: {title: Pet Store, version: "7"}
      servers: [{url: https://pets.example}]
      paths: {}
      webhooks:
        newPets: {post: {requestBody: {content: {application/json: {schema: \(schema)}}}, responses: {}}}
      """
    }
    let imported = try Imported(document("{type: array, items: {type: object, properties: {name: {type: string}}}}"))
    #expect(try imported.model("NewPetsPayload") == "NewPetsPayload:\n  name: string?")
    imported.expectRoundTrip()
    #expect(
      throws: ImportError.notOpenAPI(
        "the document's `paths` have no operations, and its webhooks no payloads that are objects")
    ) { try Imported(document("{type: string}")) }
  }
}
