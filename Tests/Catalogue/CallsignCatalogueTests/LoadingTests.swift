import CallsignCatalogue
import CatalogueTestSupport
import TestSupport
import Testing

@Suite("A catalogue becomes the model")
struct LoadingTests {
  @Test("an endpoint with everything")
  func endpoint() throws {
    let catalogue = try loadShop(
      """
      group:
        summary: Pets.
        host: files
        auth: [oauth1, oauth2(read, write)]
      endpoints:
        updatePet:
          call: PUT /pets/{id}
          summary: Changes a pet.
          details: |
            More.
            And more.
          docs: https://shop.example/docs
          limits: {user: 300/15m, app: 10000/24h}
          deprecated: use replacePet
          repeatable: false
          name: changePet
          params:
            id: PetID
            name: string(1..25)?
            nickname: string | null?
            tags: "[string](1..5)?"
            dry_run: {type: bool?, in: query, name: isTrial, summary: Only try.}
            labels: {type: [string], in: query, list: repeat, deprecated: true}
          together: [name, nickname]
          any_of: [[name, nickname], [name, tags]]
          returns: Pet
      models:
        PetID: string(/^[0-9]{1,19}$/)
        Pet:
          id: PetID
      """
    ).expectCatalogue()
    let endpoint = try catalogue.endpoint("updatePet")
    let text = TypeReference(.scalar(.string))
    #expect(
      endpoint
        == Endpoint(
          name: "updatePet", swiftName: "changePet", method: "PUT", path: "/pets/{id}", host: "files",
          summary: "Changes a pet.", details: "More.\nAnd more.\n", documentation: "https://shop.example/docs",
          auth: [
            AuthRequirement(scheme: "oauth1"), AuthRequirement(scheme: "oauth2", scopes: ["read", "write"]),
          ],
          limits: [
            RateLimit(subject: "user", requests: 300, windowSeconds: 900),
            RateLimit(subject: "app", requests: 10_000, windowSeconds: 86_400),
          ],
          deprecation: Deprecation(message: "use replacePet"), isRepeatable: false,
          parameters: [
            Parameter(name: "id", place: .path, type: TypeReference(.named("PetID"))),
            Parameter(
              name: "name", place: .field,
              type: TypeReference(
                .scalar(.string), isOptional: true, constraints: Constraints(minimum: "1", maximum: "25"))),
            Parameter(
              name: "nickname", place: .field,
              type: TypeReference(.scalar(.string), isOptional: true, isNullable: true)),
            Parameter(
              name: "tags", place: .field,
              type: TypeReference(
                .list(text), isOptional: true, constraints: Constraints(minimum: "1", maximum: "5"))),
            Parameter(
              name: "dry_run", swiftName: "isTrial", place: .query,
              type: TypeReference(.scalar(.bool), isOptional: true), summary: "Only try."),
            Parameter(
              name: "labels", place: .query, type: TypeReference(.list(text)), listStyle: .repeat,
              deprecation: Deprecation()),
          ],
          body: .json,
          rules: [
            ParameterRule(kind: .anyOf, parameters: ["name", "nickname"]),
            ParameterRule(kind: .anyOf, parameters: ["name", "tags"]),
            ParameterRule(kind: .together, parameters: ["name", "nickname"]),
          ],
          returns: TypeReference(.named("Pet"))))
    #expect(endpoint.parameters[3].type.location.line == 21)
    #expect(endpoint.parameters[3].type.location.column == 14)
  }

  /// The settings of an endpoint, written or by default.
  struct Defaults: Sendable {
    let name: String
    var auth = "oauth1"
    var host: String?
    var body: BodyFormat?
    var place: Parameter.Place?
  }

  @Test(
    "missing keys of an endpoint come from its group, otherwise from the API",
    arguments: [
      Defaults(name: "one"), Defaults(name: "two", body: .json, place: .field), Defaults(name: "three"),
      Defaults(name: "four", place: .query), Defaults(name: "five", body: .form, place: .field),
      Defaults(name: "six", auth: "bearer", host: "files"), Defaults(name: "seven", auth: "none", host: "api"),
    ])
  func defaults(expected: Defaults) throws {
    let catalogue = try load([
      "a.yaml": shopAPI,
      "b.yaml": """
      endpoints:
        one: {call: GET /one}
        two: {call: POST /two, params: {x: int}}
        three: {call: POST /three}
        four: {call: DELETE /four, params: {x: int}}
        five: {call: DELETE /five, body: form, params: {x: int}}
      """,
      "c.yaml": """
      group: {auth: [bearer], host: files}
      endpoints:
        six: {call: GET /six}
        seven: {call: GET /seven, auth: [none], host: api}
      """,
    ]).expectCatalogue()
    #expect(catalogue.groups.map(\.name) == ["a", "b", "c"])
    let endpoint = try catalogue.endpoint(expected.name)
    #expect(endpoint.auth == [AuthRequirement(scheme: expected.auth)])
    #expect(endpoint.host == expected.host)
    #expect(endpoint.body == expected.body)
    #expect(endpoint.parameters.first?.place == expected.place)
  }

  @Test("the API, its hosts and schemes")
  func api() throws {
    let catalogue = try load(
      """
      api:
        name: Petstore
        summary: A shop
          for pets.
        docs: https://petstore.example/docs
        hosts:
          api: https://petstore.example/v1/
          local: http://127.0.0.1:8080
        schemes:
          oauth1:
          oauth2: {$summary: Log in, read: See pets, write: }
          partner_key: A key of the portal.
        auth: [oauth1, oauth2(read)]
      """
    ).expectCatalogue()
    #expect(
      catalogue.api
        == API(
          name: "Petstore", summary: "A shop for pets.", documentation: "https://petstore.example/docs",
          hosts: [
            CatalogueHost(name: "api", url: "https://petstore.example/v1"),
            CatalogueHost(name: "local", url: "http://127.0.0.1:8080"),
          ],
          schemes: [
            Scheme(name: "oauth1"),
            Scheme(
              name: "oauth2", summary: "Log in",
              scopes: [Scope(name: "read", summary: "See pets"), Scope(name: "write")]),
            Scheme(name: "partner_key", summary: "A key of the portal."),
          ],
          defaultAuth: [AuthRequirement(scheme: "oauth1"), AuthRequirement(scheme: "oauth2", scopes: ["read"])]))
  }

  @Test("Hosts with variables, in both forms")
  func hostVariables() throws {
    let catalogue = try load(
      """
      api:
        name: Petstore
        hosts:
          api:
            url: https://{tenant}.petstore.example/{version}/
            variables:
              version: v2
              tenant: {summary: The name of your shop., name: shop}
          region:
            url: https://{region}.petstore.example
            variables: {region: {default: eu, values: [eu, us]}}
          plain: https://{tenant}.petstore.example
        auth: [none]
      """
    ).expectCatalogue()
    #expect(
      catalogue.api.hosts == [
        CatalogueHost(
          name: "api", url: "https://{tenant}.petstore.example/{version}",
          variables: [
            HostVariable(name: "tenant", swiftName: "shop", summary: "The name of your shop."),
            HostVariable(name: "version", defaultValue: "v2"),
          ]),
        CatalogueHost(
          name: "region", url: "https://{region}.petstore.example",
          variables: [HostVariable(name: "region", defaultValue: "eu", values: ["eu", "us"])]),
        CatalogueHost(
          name: "plain", url: "https://{tenant}.petstore.example", variables: [HostVariable(name: "tenant")]),
      ])
  }

  @Test("one_of as one argument, and pages of every style")
  func rulesAndPages() throws {
    let catalogue = try loadShop(
      """
      endpoints:
        a:
          call: GET /a
          params: {user_id: string?, screen_name: string?}
          one_of: {UserReference user: [user_id, screen_name]}
        b:
          call: GET /b
          params: {pagination_token: string?, max_results: int?}
          pages: {token: pagination_token, next: meta.next, previous: meta.previous, items: data, size: max_results}
          returns: Page
        c:
          call: GET /c
          params: {cursor: int?}
          pages: {cursor: cursor, next: meta.next, items: data}
          returns: Page
        d:
          call: GET /d
          params: {max_id: int?, since_id: int?, count: int?}
          pages: {max_id: max_id, items: ., id: id, since: since_id, size: count}
          returns: [Item]
        e:
          call: GET /e
          params: {page: int?, per_page: int?}
          pages: {page: page, items: ., size: per_page}
          returns: [Item]
      models:
        Item: {id: int, text: string}
        Page: {data: "[Item]?", meta: Meta?}
        Meta: {next: string?, previous: string?}
      """
    ).expectCatalogue()
    #expect(
      try catalogue.endpoint("a").rules == [
        ParameterRule(
          kind: .oneOf, parameters: ["user_id", "screen_name"], swiftType: "UserReference", swiftLabel: "user")
      ])
    #expect(
      try catalogue.endpoint("b").pages
        == Pagination(
          style: .token, parameter: "pagination_token", next: "meta.next", previous: "meta.previous", items: "data",
          size: "max_results"))
    #expect(
      try catalogue.endpoint("c").pages
        == Pagination(style: .cursor, parameter: "cursor", next: "meta.next", items: "data"))
    #expect(
      try catalogue.endpoint("d").pages
        == Pagination(style: .maxID, parameter: "max_id", items: ".", size: "count", id: "id", since: "since_id"))
    #expect(
      try catalogue.endpoint("e").pages == Pagination(style: .page, parameter: "page", items: ".", size: "per_page"))
  }

  @Test("models of every shape")
  func models() throws {
    let catalogue = try loadShop(
      """
      models:
        List:
          $summary: A list.
          $docs: https://shop.example/list
          $deprecated: use Board
          $name: ItemList
          $$ref: string?
          id: ListID
          parent: indirect List?
          owner: {type: User?, name: creator, summary: Who made it., deprecated: true}
          counts: {int}
          rows: [[int]]
          $extra: json
        User: {}
        ListID: {$summary: An id., $type: "string(1..)"}
        Names: {string}
        Users: [User]
        Colour: enum [red, "dark, blue",
          green]
        Mode:
          $enum: {a: the first, "1x": {name: single, summary: the second}, b: }
        Plain: {$enum: [x, y]}
        Problem:
          $tag: type
          $union: {not-found: User, gone: User, other: {name: rest, type: json}}
        Target: union [User, [int], string(1..2, /a,b/)]
        Spot:
          $union: [User, {name: spot, type: "[number]"}, {bool}]
      """
    ).expectCatalogue()
    let user = TypeReference(.named("User"))
    let int = TypeReference(.scalar(.int))
    let text = TypeReference(.scalar(.string))
    #expect(
      try catalogue.model("List")
        == Model(
          name: "List", swiftName: "ItemList", summary: "A list.", documentation: "https://shop.example/list",
          deprecation: Deprecation(message: "use Board"),
          shape: .object(
            fields: [
              Field(name: "$ref", type: TypeReference(.scalar(.string), isOptional: true)),
              Field(name: "id", type: TypeReference(.named("ListID"))),
              Field(name: "parent", type: TypeReference(.named("List"), isOptional: true, isIndirect: true)),
              Field(
                name: "owner", swiftName: "creator", type: TypeReference(.named("User"), isOptional: true),
                summary: "Who made it.", deprecation: Deprecation()),
              Field(name: "counts", type: TypeReference(.map(int))),
              Field(name: "rows", type: TypeReference(.list(TypeReference(.list(int))))),
            ], extra: TypeReference(.scalar(.json)))))
    #expect(try catalogue.model("User").shape == .object(fields: [], extra: nil))
    #expect(
      try catalogue.model("ListID")
        == Model(
          name: "ListID", summary: "An id.",
          shape: .alias(TypeReference(.scalar(.string), constraints: Constraints(minimum: "1")))))
    #expect(try catalogue.model("Names").shape == .alias(TypeReference(.map(text))))
    #expect(try catalogue.model("Users").shape == .alias(TypeReference(.list(user))))
    #expect(
      try catalogue.model("Colour").shape
        == .enumeration([EnumCase(value: "red"), EnumCase(value: "dark, blue"), EnumCase(value: "green")]))
    #expect(
      try catalogue.model("Mode").shape
        == .enumeration([
          EnumCase(value: "a", summary: "the first"),
          EnumCase(value: "1x", swiftName: "single", summary: "the second"), EnumCase(value: "b"),
        ]))
    #expect(try catalogue.model("Plain").shape == .enumeration([EnumCase(value: "x"), EnumCase(value: "y")]))
    #expect(
      try catalogue.model("Problem").shape
        == .union(
          Union(
            tag: "type",
            variants: [
              .init(tags: ["not-found", "gone"], type: user),
              .init(tags: ["other"], swiftName: "rest", type: TypeReference(.scalar(.json))),
            ])))
    #expect(
      try catalogue.model("Target").shape
        == .union(
          Union(variants: [
            .init(type: user), .init(type: TypeReference(.list(int))),
            .init(
              type: TypeReference(
                .scalar(.string), constraints: Constraints(minimum: "1", maximum: "2", pattern: "a,b"))),
          ])))
    #expect(
      try catalogue.model("Spot").shape
        == .union(
          Union(variants: [
            .init(type: user), .init(swiftName: "spot", type: TypeReference(.list(TypeReference(.scalar(.number))))),
            .init(type: TypeReference(.map(TypeReference(.scalar(.bool))))),
          ])))
  }

  @Test("a folder's files are read in the order of their relative paths")
  func folder() throws {
    let folder = try TemporaryFolder()
    try folder.write("endpoints: {b: {call: GET /b}}", to: "b.yaml")
    try folder.write("endpoints: {z: {call: GET /z}}", to: "a/z.yml")
    try folder.write(shopAPI, to: "api.yaml")
    try folder.write("nonsense", to: ".hidden.yaml")
    try folder.write("nonsense", to: "notes.txt")
    let catalogue = try CatalogueLoader().load(folder: folder.path).expectCatalogue()
    #expect(catalogue.groups.map(\.file) == ["a/z.yml", "api.yaml", "b.yaml"].map { folder.path + "/" + $0 })
    #expect(catalogue.groups.map(\.name) == ["z", "api", "b"])
  }
}
