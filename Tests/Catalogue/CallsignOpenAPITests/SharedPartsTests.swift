import CallsignCatalogue
import CallsignOpenAPI
import Testing

@Suite("Written files share what endpoints and models have in common")
struct SharedPartsTests {
  private func load(_ files: [CatalogueFile]) throws -> Catalogue {
    let sources = files.map { CatalogueSource(path: $0.path, bytes: Array($0.text.utf8)) }
    let result = CatalogueLoader().load(files: sources)
    #expect(result.diagnostics.map(\.description) == [])
    return try #require(result.catalogue)
  }

  private func catalogue(endpoints: Int, last: String = "") throws -> Catalogue {
    let names = (0..<endpoints).map { "pets\($0)" }
    let texts = names.map { name in
      """
        \(name):
          call: GET /\(name)/{id}
          params:
            id: string
            pet.fields: {type: "[string]?", summary: Fields of pets to get beside the usual ones.}
            shop.fields: {type: "[string]?", summary: Fields of shops to get beside the usual ones.}
            page_token: {type: string?, summary: The page to get.}
          returns: \(name)Page
          pages: {token: page_token, next: meta.next_token, previous: meta.previous_token, items: data}
      """
    }
    let models = names.map { name in
      """
        \(name)Page:
          data: {type: "[string]", summary: The \(name).}
          errors: {type: "[string]?", summary: Why parts of the response are missing.}
          meta: {type: Meta?, summary: Facts about the page.}
      """
    }
    let text = """
      api: {name: Shop, hosts: {api: https://shop.example}, auth: [none]}
      endpoints:
      \(texts.joined(separator: "\n"))
      models:
        Meta: {next_token: string?, previous_token: string?}
      \(models.joined(separator: "\n"))\(last)
      """
    return try load([CatalogueFile(path: "shop.yaml", text: text)])
  }

  @Test("the files say the same with mixins, and are shorter") func roundTrip() throws {
    let catalogue = try catalogue(endpoints: 6)
    let plain = CatalogueWriter().files(for: catalogue)
    var writer = CatalogueWriter()
    writer.sharesParts = true
    let shared = writer.files(for: catalogue)
    #expect(try load(shared) == catalogue)
    #expect(try load(plain) == catalogue)
    #expect(shared[0].text.contains("\n    like: [id, paged.page_token]\n"))
    #expect(shared[0].text.contains("\n  pets0Page:\n    data: \"[string] - The pets0.\"\n    errors:\n    meta:\n"))
    #expect(shared[0].text.utf8.count * 3 < plain[0].text.utf8.count * 2)
    #expect(writer.files(for: catalogue) == shared)
  }

  @Test("parts that two have in common are written twice, one member per line") func few() throws {
    let catalogue = try catalogue(endpoints: 2)
    var writer = CatalogueWriter()
    writer.sharesParts = true
    let files = writer.files(for: catalogue)
    #expect(try load(files) == catalogue)
    let lines = files[0].text.split(separator: "\n")
    #expect(!lines.contains { line in ["mixins:", "params:", "fields:", "group:"].contains { line.hasPrefix($0) } })
    #expect(files[0].text.contains("\n  Meta:\n    next_token: string?\n    previous_token: string?\n"))
  }

  @Test("facts shared by most parameters and fields with a name, and a file's credentials, are written once")
  func names() throws {
    let text = """
      api: {name: Shop, hosts: {api: https://shop.example}, schemes: {key: {$in: query, $name: key}, none: ~}}
      endpoints:
        a: {call: GET /a, auth: [key], params: {size: {type: int(1..9)?, summary: How many pets to get on each page of the response at most.}}}
        b: {call: GET /b, auth: [key], params: {size: {type: int(1..9)?, summary: How many pets to get on each page of the response at most.}}}
        c: {call: GET /c, auth: [none], params: {size: {type: int?, default: 7, summary: How many pets to get on each page of the response at most.}}}
        d: {call: GET /d, auth: [key], params: {size: int?, other: string?}}
      models:
        A: {made: {type: date?, also: [created], summary: When it was made.}, x: int}
        B: {made: {type: date?, also: [created], summary: When it was made.}, w: int}
        C: {made: {type: date?, default: "2020-01-01T00:00:00Z", also: [created], summary: When it was made.}}
        D: {made: string}
      """
    let catalogue = try load([CatalogueFile(path: "shop.yaml", text: text)])
    var writer = CatalogueWriter()
    writer.sharesParts = true
    let files = writer.files(for: catalogue)
    #expect(try load(files) == catalogue)
    let lines = files[0].text.split(separator: "\n").map(String.init)
    for text in [
      "group:\n  auth: [key]\n", "    auth: [none]\n",
      "  size: int(1..9)? - How many pets to get on each page of the response at most.\n",
      "    params:\n      size: {type: \"int?\", default: 7}\n", "  A:\n    made:\n    x: int\n",
      "  B:\n    made:\n    w: int\n",
      "    params:\n      size: {type: \"int?\", summary: ~}\n      other: string?\n",
    ] {
      #expect(files[0].text.contains("\n" + text), "\(text)")
    }
    #expect(lines.count { $0.contains("auth:") } == 2)
    #expect(lines.count { $0.contains("When it was made.") } < 3)
  }

  @Test("members are on separate lines, and so are many facts of one member") func block() throws {
    let long = String(repeating: "Many words. ", count: 8) + "End."
    let text = """
      api: {name: Shop, hosts: {api: https://shop.example}, schemes: {none: ~}}
      group: {summary: "Pets, and more.", auth: [none]}
      endpoints:
        a: {call: GET /a, params: {one: string?, two: {type: "int?", default: 3, summary: "\(long)"}}}
      models:
        Size: {$summary: "A size, in words.", $enum: [small, large, "a, b"]}
        Pet: {$summary: A pet., $union: [A, {name: second, type: "[B]"}]}
        A: {x: string}
        B: {w: {type: "string?", also: [z]}}
      """
    let written = try self.written(text).files[0].text
    for text in [
      "group:\n  summary: Pets, and more.\n",
      "    params:\n      one: string?\n      two:\n        type: \"int?\"\n        default: 3\n        summary: \(long)\n",
      "  Size:\n    $summary: A size, in words.\n    $enum: [small, large, \"a, b\"]\n",
      "  Pet:\n    $summary: A pet.\n    $union: [A, {name: second, type: [B]}]\n",
      "  A:\n    x: string\n", "  B:\n    w: {type: \"string?\", also: [z]}\n",
    ] {
      #expect(written.contains("\n" + text), "\(text)\n\(written)")
    }
  }

  private func written(
    _ text: String, templates: String? = nil
  ) throws -> (catalogue: Catalogue, files: [CatalogueFile], lines: [String]) {
    let catalogue = try load([CatalogueFile(path: "shop.yaml", text: text)])
    var writer = CatalogueWriter()
    writer.sharesParts = true
    if let templates {
      let overlay = CatalogueOverlay(CatalogueSource(path: "shop.overlay.yaml", bytes: Array(templates.utf8)))
      #expect(overlay.diagnostics.map(\.description) == [])
      writer.templates = overlay.templates
    }
    let files = writer.files(for: catalogue)
    #expect(try load(files) == catalogue)
    return (catalogue, files, files[0].text.split(separator: "\n").map(String.init))
  }

  @Test("a type has its summary after it, and an enum's list the few values with a name")
  func shortForms() throws {
    let values = (1...16).map { "value_\($0): ~" }.joined(separator: ", ")
    let lines = try written(
      """
      api: {name: Shop, hosts: {api: https://shop.example}, schemes: {none: ~}}
      group: {auth: [none]}
      endpoints:
        a: {call: GET /a, params: {size: {type: int?, summary: "How many, at most."}}}
      models:
        Pet:
          born: {type: date?, summary: When it was born.}
          code: {type: "string(/^a - b,)$/)?", summary: A code - of the shop's own.}
          odd: {type: string?, summary: "One: two."}
          kept: {type: string?, also: [old], summary: Has more to say.}
        Note: {$type: "string(..280)", $summary: What people say.}
        Kind: {$enum: {\(values), default: {name: usual}}}
      """
    ).lines
    for line in [
      "      size: int? - How many, at most.", "    odd: \"string? - One: two.\"",
      "    kept: {type: \"string?\", also: [old], summary: Has more to say.}",
      "  Note: string(..280) - What people say.",
    ] {
      #expect(lines.contains(line), "\(line)\n\(lines.joined(separator: "\n"))")
    }
    #expect(lines.contains { $0.contains("value_16, {default: {name: usual}}]") })
    #expect(lines.contains { $0.contains("(/^a - b,)$/)? - A code - of the shop's own.") })
  }

  @Test("an enum of the names of a model's fields names the model") func members() throws {
    let text = try written(
      """
      api: {name: Shop, hosts: {api: https://shop.example}, auth: [none]}
      models:
        Pet: {id: string, name: string, owner: string, born: date?}
        PetField: {$summary: A field of pets., $enum: [id, name, born]}
        PetOrder: enum [name, id]
        PetSize: enum [small, large, born]
        Store: {id: string, name: string, city: string}
        StoreField: enum [id, name, city]
      """
    ).files[0].text
    for part in [
      "  PetField:\n    $summary: A field of pets.\n    $members: Pet\n    $except: [owner]\n",
      "  PetOrder: enum [name, id]\n",
      "  PetSize: enum [small, large, born]\n", "  StoreField:\n    $members: Store\n",
    ] {
      #expect(text.contains("\n" + part), "\(part)\n\(text)")
    }
  }

  @Test("most endpoints' page and limits are the file's") func groupFacts() throws {
    let lines = try written(
      """
      api: {name: Shop, hosts: {api: https://shop.example}, auth: [none]}
      endpoints:
        a: {call: GET /a, docs: https://shop.example/a, limits: {user: 5/1s}}
        b: {call: GET /b, docs: https://shop.example/a, limits: {user: 5/1s}}
        c: {call: GET /c, docs: https://shop.example/a, limits: {user: 5/1s}}
        d: {call: GET /d, docs: https://shop.example/a, limits: {app: 9/1s}}
        e: {call: GET /e, docs: https://shop.example/a}
        f: {call: GET /f, limits: {user: 5/1s}}
        g: {call: GET /g, docs: https://shop.example/a, limits: {user: 5/1s}}
      """
    ).lines
    #expect(
      lines.starts(
        with: lines.prefix { $0 != "group:" } + ["group:", "  docs: https://shop.example/a", "  limits: {user: 5/1s}"]))
    #expect(lines.count { $0 == "    docs: ~" } == 1)
    #expect(lines.filter { $0.contains("    limits:") } == ["    limits: {app: 9/1s}", "    limits: ~"])
    #expect(lines.count { $0.contains("https://shop.example/a") } == 1)
  }

  @Test("models are made from an overlay's templates") func templates() throws {
    let (_, files, lines) = try written(
      """
      api: {name: Shop, hosts: {api: https://shop.example}, auth: [none]}
      models:
        Pet: {$summary: A pet., id: PetID}
        PetID: {$summary: The id of a pet., $type: "string(/^[0-9]+$/)"}
        PetEnvelope: {$summary: "A response: a pet.", data: {type: Pet, summary: A pet.}, errors: "[string]?"}
        PetsEnvelope: {$summary: A response with pets., data: {type: "[Pet]?", summary: The pets.}, errors: "[string]?"}
        OldPetsResponse: {$summary: Old., data: {type: "[Pet]?", summary: The old pets.}, errors: "[string]?"}
        OtherResponse: {$summary: A response with pets., data: {type: "[Pet]?", summary: Pets.}, errors: "[string]?"}
        MoreResponse: {$summary: A response with pets., data: {type: "[Pet]?", summary: The pets.}, errors: "[int]?"}
        Last: {$summary: "A response: a response: a pet.", data: {type: PetEnvelope, summary: "A response: a pet."}, errors: "[string]?"}
      """,
      templates: """
        models:
          Envelope<T>: {$summary: "A response: {T}", data: {type: T, summary: "{T}"}, errors: "[string]?"}
          Many<T, nouns>: {$summary: "A response with {nouns}.", data: "[T]? - The {nouns}.", errors: "[string]?"}
          ID<owner>: "string(/^[0-9]+$/) - The id of {owner}."
          Unused<T>: {other: T}
        """)
    for line in [
      "  Envelope<T>:", "    $summary: \"A response: {T}\"", "    data: T - {T}", "    errors: \"[string]?\"",
      "  ID<owner>: string(/^[0-9]+$/) - The id of {owner}.", "  PetID: ID<a pet>", "  PetEnvelope: Envelope<Pet>",
      "  PetsEnvelope: Many<Pet, pets>", "  OldPetsResponse: Many<Pet, old pets> - Old.",
    ] {
      #expect(lines.contains(line), "\(line)\n\(files[0].text)")
    }
    for name in ["OtherResponse", "MoreResponse", "Last"] {
      #expect(lines.contains("  \(name):"), "\(name)")
    }
    #expect(!files[0].text.contains("Unused"))
  }

  @Test("a regular expression of many types has the name that most of them give it, if there is one") func patterns()
    throws
  {
    let (_, files, lines) = try written(
      """
      api: {name: Shop, hosts: {api: https://shop.example}, auth: [none]}
      endpoints:
        getPet: {call: "GET /pets/{PetSid}", params: {PetSid: "string(34, /^PT[0-9a-f]{32}$/)"}}
        getPets: {call: GET /pets, params: {PetSid: "[string(34, /^PT[0-9a-f]{32}$/)](1..9)"}, returns: "{Pet}"}
      models:
        Pet: {id: "string(/^PT[0-9a-f]{32}$/)?", path: 'string(/^[a-z]+\\/[0-9a-f]{32}$/)'}
        Litter: {pet_sid: "string(/^PT[0-9a-f]{32}$/)", pets: "{string(/^PT[0-9a-f]{32}$/)}", code: "string(/^[a-z]$/)"}
        Store: {a: "string(/^[a-z]{20,30}$/)", b: "string(/^[a-z]{20,30}$/)", c: "string(/^[a-z]{20,30}$/)"}
        Town: {d: "string(/^[a-z]{20,30}$/)", e: "string(/^[a-z]{20,30}$/)", f: "string(/^[a-z]{20,30}$/)"}
        Kennel: {PetSid: "string(/^PT[0-9a-f]{32}$/)", path: 'string(/^[a-z]+\\/[0-9a-f]{32}$/)'}
        One: string(/^[a-z]+\\/[0-9a-f]{32}$/)
        Two: string(/^[a-z]+\\/[0-9a-f]{32}$/)
      """)
    for line in [
      "patterns:", "  pet_sid: /^PT[0-9a-f]{32}$/", "      PetSid: string(34, pet_sid)",
      "      PetSid: \"[string(34, pet_sid)](1..9)\"", "    pet_sid: string(pet_sid)", "    pets: {string(pet_sid)}",
      "    code: string(/^[a-z]$/)",
    ] {
      #expect(lines.contains(line), "\(line)\n\(files[0].text)")
    }
    #expect(lines.contains { $0.hasPrefix("  One: string(/^[a-z]+") })
    #expect(lines.count { $0.hasPrefix("  pet_sid: ") || $0.hasPrefix("  path: ") || $0.hasPrefix("  a: ") } == 1)
  }

  @Test("objects that differ in one member's type become uses of a template") func envelopes() throws {
    let rest = "request_id: string, took_milliseconds: \"int?\", links: \"{string}?\", warnings: \"[string]?\""
    let (_, files, lines) = try written(
      """
      api: {name: Shop, hosts: {api: https://shop.example}, auth: [none]}
      models:
        T: {id: string}
        Pet: {id: string}
        PetResponse: {data: "Pet?", \(rest)}
        PetsResponse: {data: "[Pet]?", \(rest)}
        TResponse: {$summary: One of them., data: "T?", \(rest)}
        CountsResponse: {data: "{int}?", \(rest)}
        MustResponse: {data: Pet, \(rest)}
        NamedResponse: {$name: Other, data: "int?", \(rest)}
        First: {a: int, item: Pet, of_what_was_asked_for: string}
        Second: {a: int, item: T, of_what_was_asked_for: string}
        Response: {a: int}
      """)
    for line in [
      "  PetResponse: Response2<Pet>", "  PetsResponse: Response2<[Pet]>",
      "  TResponse: Response2<T> - One of them.", "  CountsResponse: Response2<{int}>",
    ] {
      #expect(lines.contains(line), "\(line)\n\(files[0].text)")
    }
    #expect(files[0].text.contains("\n  Response2<Element>:\n    data: Element?\n    request_id: string\n"))
    #expect(files[0].text.components(separatedBy: "<Element>").count == 2)
  }
}
