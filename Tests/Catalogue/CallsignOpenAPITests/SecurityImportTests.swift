import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite struct SecurityImportTests {
  private func document(security: String = "", own: String = "", schemes: String = "") -> String {
    """
    openapi: 3.0.3
    info: {title: Pet Store, version: "7"}
    servers: [{url: https://pets.example}]
    \(security)
    paths:
      /pets:
        get: {operationId: getPets, responses: {"204": {description: ""}}\(own)}
        post: {operationId: addPet, responses: {"204": {description: ""}}}
    components: {securitySchemes: {\(schemes)}}
    """
  }

  private func auth(_ imported: Imported) -> [String: [AuthRequirement]] {
    Dictionary(
      imported.catalogue.groups.flatMap(\.endpoints).map { ($0.name, $0.auth) }, uniquingKeysWith: { first, _ in first }
    )
  }

  private static let none = [AuthRequirement(scheme: "none")]

  @Test(
    "Credentials that a document forgets can be given, in a catalogue's words",
    arguments: [
      (["bearer"], [AuthRequirement(scheme: "bearer")]),
      (["bearer", "basic"], [AuthRequirement(scheme: "bearer"), AuthRequirement(scheme: "basic")]),
      (["oauth2(read, write)"], [AuthRequirement(scheme: "oauth2", scopes: ["read", "write"])]),
      (["[tok, basic]"], [AuthRequirement(scheme: "tok", others: [AuthRequirement(scheme: "basic")])]),
      (["Tok"], [AuthRequirement(scheme: "tok")]), (["none"], none),
    ])
  func givenAuth(words: [String], expected: [AuthRequirement]) throws {
    let imported = try Imported(
      document(own: ", security: []", schemes: "Tok: {type: apiKey, in: header, name: X-Tok}"),
      options: ImportOptions(auth: ImportOptions.auth(words)))
    #expect(auth(imported) == ["getPets": Self.none, "addPet": expected])
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("A document in which no operation has credentials states none")
  func emptyLists() throws {
    let imported = try Imported(
      document(security: "security: []"), options: ImportOptions(auth: ImportOptions.auth(["basic"])))
    #expect(
      auth(imported) == ["getPets": [AuthRequirement(scheme: "basic")], "addPet": [AuthRequirement(scheme: "basic")]])
  }

  @Test("The word before a key is read from the scheme's description")
  func keyPrefixes() throws {
    for (description, prefix) in [
      (#"'Token-based authentication with required prefix "Token"'"#, "Token "),
      ("'curl -H \"Authorization: Token YOUR-KEY\"'", "Token "), ("'`Authorization: Bearer <key>`'", "Bearer "),
      ("'Authorization: ApiKey {key}'", "ApiKey "), ("'The key, as Authorization: it is long.'", nil),
      ("'A key.'", nil),
    ] as [(String, String?)] {
      let scheme = "tok: {type: apiKey, in: header, name: Authorization, description: \(description)}"
      let imported = try Imported(document(security: "security: [{tok: []}]", schemes: scheme))
      #expect(imported.catalogue.api.schemes.first?.key?.prefix == prefix, "\(description)")
      imported.expectRoundTrip()
    }
  }

  @Test(
    "Unknown credentials are refused, and the known ones are named",
    arguments: [
      (
        "tokk",
        "unknown scheme `tokk` for --auth; the schemes are `oauth1`, `oauth2`, `bearer`, `basic`, `digest`, `none`, `tok`"
      ),
      ("bearer(read)", "`bearer` has no scopes; give --auth without them"),
    ])
  func unknownAuth(word: String, problem: String) throws {
    let text = document(schemes: "tok: {type: apiKey, in: header, name: X-Tok}")
    let options = ImportOptions(auth: try ImportOptions.auth([word]))
    #expect(throws: ImportError.invalid(problem, at: "#/components/securitySchemes")) {
      try Imported(text, options: options)
    }
  }

  @Test("Words that are not credentials are refused", arguments: ["oauth2(read", "a b", "", "{a: b}", "]"])
  func noAuth(word: String) {
    #expect(throws: ImportError.self) { try ImportOptions.auth([word]) }
  }

  @Test("Given credentials change nothing if the document states them")
  func saidAuth() throws {
    let imported = try Imported(
      document(security: "security: [{tok: []}]", schemes: "tok: {type: apiKey, in: header, name: X-Tok}"),
      options: ImportOptions(auth: ImportOptions.auth(["bearer"])))
    #expect(auth(imported)["getPets"] == [AuthRequirement(scheme: "tok")])
    #expect(
      imported.warnings == ["the document says which credentials its operations take, so --auth changes nothing"])
  }

  @Test("Schemes that no operation uses are reported, with the repair")
  func forgottenSecurity() throws {
    let schemes = "tok: {type: apiKey, in: header, name: X-Tok}, b: {type: http, scheme: bearer}"
    let imported = try Imported(document(schemes: schemes))
    #expect(
      imported.warnings == [
        "the document has the schemes `tok`, `bearer`, but no operation asks for credentials; if they do, give --auth tok, "
          + "or say `auth: [tok]` under `api` of the overlay"
      ])
    #expect(try Imported(document(security: "security: []", schemes: schemes)).warnings == [])
    #expect(try Imported(document(own: ", security: []", schemes: schemes)).warnings == [])
    #expect(try Imported(document(schemes: schemes), overlay: "api: {auth: [tok]}").warnings == [])
    #expect(try Imported(document()).warnings == [])
  }

  @Test("Security that is not a list is read as a list, and refused by a strict import")
  func securityWithoutList() throws {
    let text = document(own: ", security: {tok: []}", schemes: "tok: {type: apiKey, in: header, name: X-Tok}")
    let imported = try Imported(text)
    #expect(auth(imported) == ["getPets": [AuthRequirement(scheme: "tok")], "addPet": Self.none])
    #expect(imported.warnings == ["`security` must be a list; it is read as a list of this one"])
    #expect(throws: ImportError.invalid("`security` must be a list", at: "#/paths/~1pets/get/security")) {
      try Imported(text, options: ImportOptions(isStrict: true))
    }
  }

  @Test(
    "A client certificate is the connection's, and no credential of a request",
    arguments: [
      ("[{tls: []}]", none), ("[{tls: [], key: []}]", [AuthRequirement(scheme: "key")]),
      ("[{tls: []}, {key: []}, {}]", [AuthRequirement(scheme: "none"), AuthRequirement(scheme: "key")]),
    ])
  func clientCertificates(security: String, expected: [AuthRequirement]) throws {
    let imported = try Imported(
      document(
        security: "security: \(security)",
        schemes: "tls: {type: mutualTLS}, key: {type: apiKey, in: header, name: X-Key}"))
    #expect(auth(imported)["getPets"] == expected)
    #expect(
      imported.result.warnings.map(\.description).contains {
        $0.contains("note: the server asks for a client certificate")
      })
    imported.expectRoundTrip()
  }

  @Test("A scope that names several is reported") func severalScopes() throws {
    let imported = try Imported(
      document(
        own: ", security: [{o: ['a,b']}]",
        schemes:
          "o: {type: oauth2, flows: {implicit: {authorizationUrl: 'https://a.example', scopes: {'a,b': x, c: y}}}}"
      ))
    #expect(
      imported.result.warnings.map(\.description).contains(
        "#/components/securitySchemes: note: the scope `a,b` is read as `a`, `b`"))
    imported.expectRoundTrip()
  }
}
