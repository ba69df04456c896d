import CallsignCatalogue
import CallsignOpenAPI
import CatalogueTestSupport
import Testing

/// A catalogue to merge overlays onto, in two files.
let importedFiles: KeyValuePairs<String, String> = [
  "api.yaml": shopAPI,
  "pets.yaml": """
  group: {summary: Pets.}
  endpoints:
    getPet: {call: "GET /pets/{id}", auth: [oauth1], params: {id: string, owner_id: string?, limit: {type: int?, default: 10}}, returns: Pet}
    addPet: {call: POST /pets, auth: [oauth1], params: {name: string?, owner_id: string, kind: string?}, one_of: [name, kind]}
    listPets: {call: GET /pets, auth: [oauth1], params: {owner_id: string?, page: string?}, returns: PetPage}
  models:
    Color: enum [red, green]
    Either: union [Pet, string]
    Owner: {json}
    Pet: {id: string, owner_id: string?, born: string?, tags: "[string]?", color: Color?, either: indirect Either?, owner: Owner?}
    PetPage: {data: "[Pet]?", next: string?}
  """,
]

func merging(_ overlay: String, onto files: KeyValuePairs<String, String> = importedFiles) -> LoadResult {
  CatalogueOverlay(CatalogueSource(path: "o.yaml", bytes: Array(overlay.utf8)))
    .merged(onto: files.map { CatalogueSource(path: $0.key, bytes: Array($0.value.utf8)) })
}

@Suite("Merging an overlay")
struct OverlayMergeTests {
  @Test("the content of mixins is changed like that of the endpoint or model itself")
  func mixins() throws {
    let files: KeyValuePairs = [
      "api.yaml": shopAPI + """

        mixins:
          paged: {params: {page: string?, limit: {type: int?, default: 10}}}
          dated: {fields: {born: string?, died: string?}}
        """,
      "pets.yaml": """
      endpoints:
        listPets: {call: GET /pets, like: paged, auth: [oauth1], params: {kind: string?}, returns: Pet}
        listOwners: {call: GET /owners, like: paged, auth: [oauth1], returns: Pet}
      models:
        Pet: {$like: dated, id: string}
      """,
    ]
    let catalogue = try merging(
      """
      endpoints:
        listPets: {first: [page], params: {limit: {summary: How many.}}}
        listOwners: {params: {limit: ~}}
      params: {page: {name: start}}
      models:
        Pet: {died: ~, born: date}
      """, onto: files
    ).expectCatalogue()
    let pets = try catalogue.endpoint("listPets").parameters
    #expect(pets.map(\.name) == ["page", "kind", "limit"])
    #expect(pets.map(\.swiftName) == ["start", nil, nil])
    #expect(pets.map(\.summary) == [nil, nil, "How many."])
    let owners = try catalogue.endpoint("listOwners").parameters
    #expect(owners.map(\.name) == ["page"])
    #expect(owners.map(\.swiftName) == ["start"])
    let fields = try catalogue.fields("Pet")
    #expect(fields.map(\.name) == ["id", "born"])
    #expect(fields[1].type.kind == .scalar(.date(.rfc3339)))
  }

  @Test("an overlay can also have short summaries, templates and enums of fields")
  func shortForms() throws {
    let overlay = """
      groups: {pets: {docs: https://shop.example/pets}}
      params: {limit: {summary: How many.}}
      endpoints: {listPets: {docs: https://shop.example/all, add: {near: string? - Where.}}}
      models:
        Response<T>: {$summary: "A response: {T}", data: {type: T, summary: "{T}"}}
        Broken<T>: {data: T, at}
        Pet: {$summary: A pet., born: date? - When it was born., $add: {chip: string? - Its chip.}}
        PetResponse: Response<Pet>
        PetField: {$members: Pet, $except: [owner]}
        Color: {$members: Owner}
        Owner: {name: string - Its name.}
      """
    let result = merging(overlay)
    let catalogue = try #require(result.catalogue)
    #expect(try catalogue.endpoint("getPet").documentation == "https://shop.example/pets")
    #expect(try catalogue.endpoint("listPets").documentation == "https://shop.example/all")
    #expect(try catalogue.endpoint("listPets").parameters.last?.summary == "Where.")
    #expect(try catalogue.fields("Pet").first { $0.name == "born" }?.summary == "When it was born.")
    #expect(try catalogue.fields("Pet").last?.summary == "Its chip.")
    #expect(try catalogue.fields("PetResponse").map(\.summary) == ["A pet."])
    #expect(try catalogue.model("PetResponse").summary == "A response: a pet.")
    #expect(try catalogue.model("Color").shape == .enumeration([EnumCase(value: "name")]))
    guard case .enumeration(let cases) = try catalogue.model("PetField").shape else {
      Issue.record("not .enumeration")
      return
    }
    #expect(cases.map(\.value).prefix(2) == ["id", "owner_id"] && !cases.map(\.value).contains("owner"))
    let templates = CatalogueOverlay(CatalogueSource(path: "o.yaml", bytes: Array(overlay.utf8))).templates
    #expect(templates.map(\.name) == ["Response"])
    #expect(templates.first?.parameters == ["T"])
  }

  @Test("a group's credentials and host apply to all that the overlay leaves, adds or moves there")
  func groupRules() throws {
    let files: KeyValuePairs = [
      "api.yaml": """
      api: {name: Shop, hosts: {main: https://shop.example, files: https://files.example}, schemes: {oauth1: , key: }}
      """,
      "pets.yaml": """
      endpoints:
        getPet: {call: GET /pet, auth: [oauth1], host: files}
        addPet: {call: POST /pets, auth: [oauth1]}
      """,
      "orders.yaml": "endpoints: {getOrder: {call: GET /order, auth: [oauth1]}}",
    ]
    let catalogue = try merging(
      """
      groups:
        pets: {auth: [key], host: ~}
        fresh: {summary: New ones., auth: [key], host: files}
      endpoints:
        getOrder: {group: pets}
        addPet: {group: orders, auth: [oauth1]}
        newPet: {call: GET /new, group: pets}
        openPet: {call: GET /open, group: pets, auth: [none], host: files}
        freshPet: {call: GET /fresh, group: fresh}
      """, onto: files
    ).expectCatalogue()
    func facts(_ name: String) throws -> String {
      let endpoint = try catalogue.endpoint(name)
      return "\(endpoint.auth.map(\.scheme)) \(endpoint.host ?? "-")"
    }
    #expect(try facts("getPet") == #"["key"] -"#)
    #expect(try facts("getOrder") == #"["key"] -"#)
    #expect(try facts("newPet") == #"["key"] -"#)
    #expect(try facts("openPet") == #"["none"] files"#)
    #expect(try facts("freshPet") == #"["key"] files"#)
    #expect(try facts("addPet") == #"["oauth1"] -"#)
    #expect(catalogue.groups.first { $0.name == "fresh" }?.summary == "New ones.")
  }

  @Test("an endpoint without credentials takes those that the overlay gives to all")
  func authOfAdded() throws {
    let files: KeyValuePairs = [
      "api.yaml": "api: {name: Shop, hosts: {main: https://shop.example}}",
      "pets.yaml": "endpoints: {getPet: {call: GET /pet, auth: [none]}}",
    ]
    let catalogue = try merging("api: {auth: [bearer]}\nendpoints: {ping: {call: GET /ping}}", onto: files)
      .expectCatalogue()
    #expect(try catalogue.endpoint("ping").auth.map(\.scheme) == ["bearer"])
  }

  @Test("a file goes with the last of its endpoints and models, and a model that errors have is in use")
  func emptiedFiles() throws {
    let files: KeyValuePairs = [
      "api.yaml": """
      api: {name: Shop, hosts: {main: https://shop.example}, auth: [oauth1], errors: {default: Problem}}
      models: {Problem: {message: string}}
      """,
      "pets.yaml": "group: {summary: Pets.}\nendpoints: {getPet: {call: GET /pet}}",
      "orders.yaml": "endpoints: {getOrder: {call: GET /order}}",
    ]
    let result = merging(
      "endpoints: {getPet: ~, getOrder: {group: trade}}\nmodels: {Problem: {$add: {cause: Cause?}}, Cause: string}",
      onto: files)
    #expect(result.diagnostics == [])
    #expect(try result.expectCatalogue().groups.map(\.name) == ["api", "models", "trade"])
    let added = merging("api: {errors: {404: Missing}}\nmodels: {Missing: {id: string}}", onto: files)
    #expect(added.diagnostics == [])
  }

  @Test("an API without its default host reports where its calls go")
  func defaultHost() throws {
    let files: KeyValuePairs = [
      "api.yaml":
        "api: {name: Shop, hosts: {main: https://shop.example, files: https://files.example}, auth: [oauth1]}",
      "pets.yaml": "endpoints: {getPet: {call: GET /pet, host: files}}",
    ]
    let result = merging("api: {hosts: {main: ~}}", onto: files)
    #expect(
      result.diagnostics.map(\.description) == [
        "o.yaml:1:15: warning: without `main`, calls without a named host go to `files`"
      ])
    #expect(result.catalogue?.api.hosts.map(\.name) == ["files"])
    let refused = merging("api: {hosts: {files: ~}}", onto: files)
    #expect(
      refused.diagnostics.map(\.description) == [
        "o.yaml:1:15: error: `files` is removed here, but `getPet` of the import uses it; change that, too"
      ])
    #expect(merging("api: {hosts: {main: ~, files: ~, other: https://o.example}}", onto: files).catalogue == nil)
  }

  @Test("a group's page and limits are taken from one endpoint by `~`, once or twice")
  func groupFacts() throws {
    let groups = "groups: {pets: {docs: https://shop.example/pets, limits: {user: 5/1s}}}\n"
    let overlay = groups + "endpoints: {getPet: {docs: ~, limits: ~}, listPets: {docs: ~}}"
    for files in [importedFiles, ["api.yaml": shopAPI, "pets.yaml": writtenOutPets]] {
      let result = merging(overlay, onto: files)
      #expect(result.diagnostics == [])
      let catalogue = try #require(result.catalogue)
      let facts = try ["getPet", "listPets", "addPet"].map { name in
        let endpoint = try catalogue.endpoint(name)
        return "\(endpoint.documentation ?? "-") \(endpoint.limits.count)"
      }
      #expect(facts == ["- 0", "- 1", "https://shop.example/pets 1"])
    }
    // A group without content has nothing to remove.
    let nothing = merging("endpoints: {getPet: {docs: ~}}")
    #expect(nothing.diagnostics.map(\.message).contains { $0.contains("nothing to remove") })
  }

  /// The same endpoints, after the test's overlay.
  private var writtenOutPets: String {
    """
    group: {summary: Pets., docs: https://shop.example/pets, limits: {user: 5/1s}}
    endpoints:
      getPet: {call: "GET /pets/{id}", docs: ~, limits: ~, params: {id: string}, returns: Pet}
      addPet: {call: POST /pets, params: {name: string?}}
      listPets: {call: GET /pets, docs: ~, returns: Pet}
    models:
      Pet: {id: string}
    """
  }

  @Test("the result of a template is changed like any model, and a template replaces one with its name")
  func templates() throws {
    let files: KeyValuePairs = [
      "api.yaml": shopAPI,
      "pets.yaml": """
      fields: {errors: "[string]? - Mistakes."}
      mixins: {dated: {fields: {at: date}}}
      endpoints:
        getPet: {call: "GET /pets/{id}", auth: [oauth1], params: {id: string}, returns: PetResponse}
        listPets: {call: GET /pets, auth: [oauth1], params: {page: string?}, returns: PetPage}
        getNames: {call: GET /names, auth: [oauth1], returns: Named}
      models:
        Response<T>: {$summary: "A response: {T}", data: "T? - {T}", errors}
        Page<T, nouns>: {$summary: "A page of {nouns}.", $like: dated, data: "[T] - The {nouns}.", $extra: T}
        ID<owner>: string(1..9) - The id of {owner}.
        PetID: ID<a pet>
        Pet: {$summary: A pet., id: PetID}
        PetResponse: Response<Pet>
        PetPage: {$type: "Page<Pet, pets>", $docs: https://shop.example/pages}
        Named: {$like: "Response<Pet>", name: string}
        Store: {$summary: A store., name: string}
        Outer<T>: {inner: "{[Response<T>]}?"}
        StoreOuter: Outer<Store>
      """,
    ]
    let before = try merging("", onto: files).expectCatalogue()
    let sources = files.map { CatalogueSource(path: $0.key, bytes: Array($0.value.utf8)) }
    #expect(try before == CatalogueLoader().load(files: sources).expectCatalogue())
    let result = merging(
      """
      models:
        Response<U>: {$summary: "A response: {U}", data: "U? - {U}", errors}
        PetResponse: {errors: {summary: What went wrong.}, $add: {seen: bool?}}
        PetPage: {$summary: Pets., at: ~}
        PetID: {$summary: An id.}
        Named: {data: ~}
      """, onto: files)
    #expect(result.diagnostics == [])
    let catalogue = try #require(result.catalogue)
    #expect(try catalogue.model("PetResponse").summary == "A response: a pet.")
    #expect(try catalogue.fields("PetResponse").map(\.name) == ["data", "errors", "seen"])
    #expect(try catalogue.fields("PetResponse").map(\.summary) == ["A pet.", "What went wrong.", nil])
    #expect(try catalogue.model("PetPage").summary == "Pets.")
    #expect(try catalogue.model("PetPage").documentation == "https://shop.example/pages")
    #expect(try catalogue.fields("PetPage").map(\.name) == ["data"])
    #expect(try catalogue.model("PetID").summary == "An id.")
    #expect(try catalogue.fields("Named").map(\.name) == ["name", "errors"])
  }

  @Test("enums, names of fields and unions from templates are changed too")
  func otherTemplates() throws {
    let files: KeyValuePairs = [
      "api.yaml": shopAPI,
      "pets.yaml": """
      endpoints:
        getPet:
          call: GET /pets/{id}
          auth: [oauth1]
          params: {id: string, kind: PetKind?, fields: "[PetField]?"}
          returns: Found
        getOther: {call: "GET /other/{id}", auth: [oauth1], params: {id: Mode, kind: StoreKind?}, returns: Told}
      models:
        Kind<nouns>:
          $summary: Kinds of {nouns}.
          $enum: {a: "The first {nouns}.", b: {name: second, summary: "{nouns}"}, c: ~}
        PetKind: Kind<pets>
        StoreKind: Kind<stores>
        Word<nouns>: enum [x, y]
        Mode: Word<words>
        Names<T>: {$members: T, $except: [born]}
        PetField: Names<Pet>
        Either<T>: {$summary: "One or many.", $union: [T, {name: many, type: "[T]"}]}
        Found: Either<Pet>
        Tagged<T>: {$tag: kind, $union: {pet: T, store: Store}}
        Told: Tagged<Pet>
        Pet: {kind: {value: pet}, id: string, born: date?, name: string?}
        Store: {kind: {value: store}, id: string}
      """,
    ]
    let sources = files.map { CatalogueSource(path: $0.key, bytes: Array($0.value.utf8)) }
    let before = try CatalogueLoader().load(files: sources).expectCatalogue()
    #expect(try merging("", onto: files).expectCatalogue() == before)
    let result = merging(
      """
      models:
        PetKind: {$enum: {a: First., c: {name: third}, b: ~}, $add: [d]}
        Mode: {$enum: {x: Cross.}}
        PetField: {$except: [name]}
        Found: {$docs: https://shop.example/found}
        Store: {kind: {value: shop}}
        Told: {$tag: kind, $union: {pet: Pet, shop: Store}}
      """, onto: files)
    #expect(result.diagnostics == [])
    let catalogue = try #require(result.catalogue)
    func cases(_ model: String) throws -> [String] {
      guard case .enumeration(let cases) = try catalogue.model(model).shape else { return [] }
      return cases.map { "\($0.value) \($0.swiftName ?? "-") \($0.summary ?? "-")" }
    }
    #expect(try cases("PetKind") == ["a - First.", "c third -", "d - -"])
    #expect(try catalogue.model("PetKind").summary == "Kinds of pets.")
    #expect(try cases("StoreKind") == ["a - The first stores.", "b second stores", "c - -"])
    #expect(try cases("Mode") == ["x - Cross.", "y - -"])
    #expect(try cases("PetField") == ["kind - -", "id - -", "born - -"])
    #expect(try catalogue.model("Found").shape == before.model("Found").shape)
    #expect(try catalogue.model("Found").documentation == "https://shop.example/found")
    guard case .union(let told) = try catalogue.model("Told").shape else {
      Issue.record("not .union")
      return
    }
    #expect(told.tag == "kind" && told.variants.map(\.tags) == [["pet"], ["shop"]])
  }

  @Test("an endpoint's summary, limits, label, type, order and a new parameter")
  func endpoints() throws {
    let catalogue = try merging(
      """
      endpoints:
        getPet: Gets a pet.
        addPet:
          summary: Adds a pet.
          limits: {user: 5/1m}
          first: [kind]
          params: {owner_id: {name: owner}, kind: Color?}
          add: {color: {type: Color?, summary: Its color.}}
        listPets:
          pages: {token: page, next: next, items: data}
          auth: [bearer]
          host: files
          params: {owner_id: ~}
      """
    ).expectCatalogue()
    #expect(try catalogue.endpoint("getPet").summary == "Gets a pet.")
    let add = try catalogue.endpoint("addPet")
    #expect(add.parameters.map(\.name) == ["kind", "name", "owner_id", "color"])
    #expect(add.parameters.map(\.swiftName) == [nil, nil, "owner", nil])
    #expect(add.parameters[0].type == TypeReference(.named("Color"), isOptional: true))
    #expect(add.parameters[3].place == .field)
    #expect(add.limits == [RateLimit(subject: "user", requests: 5, windowSeconds: 60)])
    #expect(add.rules.count == 1, "what the overlay does not name stays")
    let list = try catalogue.endpoint("listPets")
    #expect(list.pages?.parameter == "page")
    #expect(list.auth == [AuthRequirement(scheme: "bearer")])
    #expect(list.host == "files")
    #expect(list.parameters.map(\.name) == ["page"])
  }

  @Test("endpoints and models are added and removed")
  func additions() throws {
    let catalogue = try merging(
      """
      endpoints:
        addPet: ~
        countPets: {call: GET /pets/count, auth: [oauth1], group: pets, returns: Count}
        ping: {call: GET /ping, auth: [none], params: {echo: string}}
      models:
        Count: {total: int}
        Pet: {either: ~}
        Either: ~
      """
    ).expectCatalogue()
    #expect(!catalogue.groups.flatMap(\.endpoints).contains { $0.name == "addPet" })
    #expect(catalogue.groups.first { $0.name == "pets" }?.endpoints.map(\.name) == ["getPet", "listPets", "countPets"])
    #expect(catalogue.groups.first { $0.name == "pets" }?.models.map(\.name).contains("Count") == true)
    #expect(catalogue.groups.first { $0.name == "added" }?.endpoints.map(\.name) == ["ping"])
    #expect(!catalogue.groups.flatMap(\.models).contains { $0.name == "Either" })
  }

  @Test("a model's fields, forms and values")
  func models() throws {
    let catalogue = try merging(
      """
      models:
        Pet:
          $summary: A pet.
          id: PetID
          born: {type: date(day)?, summary: When it was born., also: [birthday]}
          tags: {summary: Words.}
          $add: {weight: number?}
        PetID: string(/^[0-9]+$/)
        Color: {$summary: A color., $enum: {red: {name: crimson}, green: Like grass.}, $add: [blue]}
        Either: {$union: [Pet, int]}
        Owner: {name: string}
      """
    ).expectCatalogue()
    let fields = try catalogue.fields("Pet")
    #expect(try catalogue.model("Pet").summary == "A pet.")
    #expect(fields.map(\.name) == ["id", "owner_id", "born", "tags", "color", "either", "owner", "weight"])
    #expect(fields[0].type == TypeReference(.named("PetID")))
    #expect(fields[2].aliases == ["birthday"])
    #expect(fields[2].type == TypeReference(.scalar(.date(.day)), isOptional: true))
    #expect(fields[3].type.isOptional, "a type that is not mentioned stays")
    guard case .enumeration(let cases) = try catalogue.model("Color").shape else {
      Issue.record("no enum")
      return
    }
    #expect(cases.map(\.value) == ["red", "green", "blue"])
    #expect(cases.map(\.swiftName) == ["crimson", nil, nil])
    #expect(cases.map(\.summary) == [nil, "Like grass.", nil])
    guard case .union(let union) = try catalogue.model("Either").shape else {
      Issue.record("no union")
      return
    }
    #expect(union.variants.map(\.type.kind) == [.named("Pet"), .scalar(.int)])
    let owner = try catalogue.fields("Owner")
    #expect(owner.map(\.name) == ["name"])
  }

  @Test("rules for all parameters and fields keep optional ones, and do not repeat existing facts")
  func rules() throws {
    let catalogue = merging(
      """
      params:
        owner_id: {name: owner, type: OwnerID}
        limit: {summary: How many., type: OwnerID}
      fields:
        owner_id: OwnerID
        tags: "[Tag]"
      models: {OwnerID: string(1..20), Tag: string}
      """)
    #expect(
      catalogue.diagnostics.map(\.description) == [
        "o.yaml:3:3: warning: nothing called `limit` is a plain text in the import, so the type changes nothing"
      ])
    let merged = try #require(catalogue.catalogue)
    let owner = try merged.endpoint("getPet").parameters[1]
    #expect(owner.swiftName == "owner")
    #expect(owner.type == TypeReference(.named("OwnerID"), isOptional: true))
    #expect(try merged.endpoint("getPet").parameters[2].summary == "How many.")
    #expect(try merged.endpoint("getPet").parameters[2].defaultValue == .single("10"))
    #expect(try merged.endpoint("addPet").parameters[1].type == TypeReference(.named("OwnerID")))
    let fields = try merged.fields("Pet")
    #expect(fields[1].type == TypeReference(.named("OwnerID"), isOptional: true))
    #expect(fields[3].type == TypeReference(.list(TypeReference(.named("Tag"))), isOptional: true))
  }

  @Test("`~` under `params` and `fields` removes everywhere except where the overlay has a separate entry")
  func removalsEverywhere() throws {
    let result = merging(
      """
      params: {owner_id: ~, limit: ~, page: ~}
      fields: {owner_id: ~, next: ~}
      endpoints:
        addPet: {params: {owner_id: {summary: The owner.}}}
        getPet: {add: {limit: string?}}
      models:
        PetPage: {next: {summary: The next page.}}
      """)
    #expect(result.diagnostics.map(\.description) == [])
    let catalogue = try #require(result.catalogue)
    let endpoints = Dictionary(uniqueKeysWithValues: catalogue.groups.flatMap(\.endpoints).map { ($0.name, $0) })
    #expect(endpoints["getPet"]?.parameters.map(\.name) == ["id", "limit"])
    #expect(endpoints["getPet"]?.parameters.last?.type.text == "string?")
    #expect(endpoints["addPet"]?.parameters.map(\.name) == ["name", "owner_id", "kind"])
    #expect(endpoints["listPets"]?.parameters.isEmpty == true)
    let models = Dictionary(uniqueKeysWithValues: catalogue.groups.flatMap(\.models).map { ($0.name, $0) })
    func fields(_ name: String) -> [String] {
      if case .object(let fields, _)? = models[name]?.shape { fields.map(\.name) } else { [] }
    }
    #expect(fields("Pet") == ["id", "born", "tags", "color", "either", "owner"])
    #expect(fields("PetPage") == ["data", "next"])
  }

  @Test("the API's facts, hosts and schemes, and a group's credentials")
  func api() throws {
    let catalogue = try merging(
      """
      api:
        summary: A shop.
        hosts: {files: ~, api: https://other.example}
        schemes: {oauth2: {read: See pets., $summary: Codes., write: ~}, bearer: A token., partner: }
        docs: https://shop.example/docs
      groups:
        pets: {summary: All about pets., auth: [bearer], host: api}
      endpoints: {addPet: {auth: [partner]}}
      """
    ).expectCatalogue()
    #expect(catalogue.api.summary == "A shop.")
    #expect(catalogue.api.hosts == [CatalogueHost(name: "api", url: "https://other.example")])
    #expect(catalogue.api.schemes.map(\.name) == ["oauth1", "oauth2", "bearer", "partner"])
    #expect(catalogue.api.schemes[1].summary == "Codes.")
    #expect(catalogue.api.schemes[1].scopes == [Scope(name: "read", summary: "See pets.")])
    #expect(catalogue.groups.first { $0.name == "pets" }?.summary == "All about pets.")
    #expect(try catalogue.endpoint("getPet").auth == [AuthRequirement(scheme: "bearer")])
    #expect(try catalogue.endpoint("addPet").auth == [AuthRequirement(scheme: "partner")])
  }

  @Test(
    "an empty overlay changes nothing",
    arguments: ["", "{}", "# Nothing yet.\n", "endpoints:\nmodels: {}\nimport:\n"])
  func empty(overlay: String) throws {
    let files = importedFiles.map { CatalogueSource(path: $0.key, bytes: Array($0.value.utf8)) }
    let before = try #require(CatalogueLoader().load(files: files).catalogue)
    #expect(try merging(overlay).expectCatalogue() == before)
  }
}

extension Catalogue {
  fileprivate func fields(_ name: String) throws -> [Field] {
    guard case .object(let fields, _) = try model(name).shape else {
      Issue.record("\(name) is no object")
      return []
    }
    return fields
  }
}
