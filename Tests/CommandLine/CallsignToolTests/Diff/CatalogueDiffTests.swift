import CallsignCatalogue
import Testing

@testable import CallsignTool

@Suite("Differences of catalogues") struct CatalogueDiffTests {
  /// Loads a catalogue of one file, `pets.yaml`, with the usual `api:` section.
  private static func catalogue(_ text: String, errors: String = "{}") throws -> Catalogue {
    let api = """
      api:
        name: Pets
        hosts: {api: https://pets.example}
        schemes: {bearer: , oauth1: , oauth2: {read: , write: }}
        auth: [bearer]
        errors: \(errors)

      """
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "pets.yaml", bytes: Array((api + text).utf8))])
    return try #require(result.catalogue, "\(result.diagnostics.map(\.description))")
  }

  /// The lines of the report on a change, without the file's name and the summary.
  ///
  /// - Parameter errors: The bodies of the API's errors, before and after.
  private func lines(
    _ old: String, _ new: String, errors oldErrors: String = "{}", _ newErrors: String = "{}"
  ) throws -> [String] {
    let diff = CatalogueDiff(
      from: try Self.catalogue(old, errors: oldErrors), to: try Self.catalogue(new, errors: newErrors))
    guard !diff.changes.isEmpty else { return [] }
    return DiffReport(diff).text.split(separator: "\n").dropFirst().dropLast().map { String($0.dropFirst(2)) }
  }

  private func endpoint(_ rest: String) -> String {
    "endpoints:\n  getPet:\n" + rest.split(separator: "\n").map { "    \($0)\n" }.joined()
  }

  @Test("Equal catalogues have no changes") func equalCataloguesHaveNoChanges() throws {
    let text = endpoint("call: GET /pets/{id}\nparams: {id: string}")
    let diff = CatalogueDiff(from: try Self.catalogue(text), to: try Self.catalogue(text))
    #expect(diff.changes.isEmpty)
    #expect(!diff.hasBreaks)
    #expect(DiffReport(diff).text == "no changes")
    #expect(DiffReport(diff).json == "[]")
  }

  @Test("A changed type with the same name is described by its content")
  func sameNames() throws {
    #expect(
      try lines(
        endpoint("call: GET /pet\nreturns: Pet") + "models: {Pet: {id: string}}",
        endpoint("call: GET /pet\nreturns: Pet") + "models: {Pet: string}") == [
          "! ~ endpoint getPet: responds with string, not Pet",
          "! ~ model Pet: is another name for a type, not an object",
        ])
  }

  @Test("A body that has become required is told once, and breaks nobody")
  func requiredBodies() throws {
    func post(_ rest: String) -> String { endpoint("call: POST /pet\n" + rest) }
    let (optional, required) = (post("params: {a: string?}"), post("params: {a: string?}\nbody_required: true"))
    #expect(try lines(optional, required) == ["  ~ endpoint getPet: requires a body"])
    #expect(try lines(required, optional) == ["  ~ endpoint getPet: no longer requires a body"])
    let member = try lines(required, post("params: {a: string}"))
    #expect(member.count == 1 && member.first?.contains("a body") == false, "\(member)")
  }

  @Test("Another response status is reported, and breaks nobody")
  func statuses() throws {
    let old = endpoint("call: POST /pet\nreturns: string")
    #expect(
      try lines(old, endpoint("call: POST /pet\nreturns: string\nstatus: 201")) == [
        "  ~ endpoint getPet: responds with status 201, not 200"
      ])
    #expect(try lines(old, endpoint("call: POST /pet\nreturns: string\nstatus: 200")) == [])
  }

  @Test(
    "In requests, a narrower bound and another pattern break callers, and a wider bound does not",
    arguments: [
      ("int(1..100)", "int(1..50)", true), ("int(1..50)", "int(1..100)", false), ("int", "int(1..)", true),
      ("int(1..)", "int", false), ("int(1..9)", "int(2..9)", true), ("string(1..10)", "string(1..5)", true),
      ("[string](..9)", "[string](..3)", true), ("[string(..9)]", "[string(..3)]", true),
      ("{int(1..9)}", "{int(1..8)}", true), ("number(0..1.5)", "number(0..1.25)", true),
      ("int(..9007199254740993)", "int(..9007199254740992)", true), ("string(/a/)", "string(/b/)", true),
      ("string(/a/)", "string", false), ("string", "string(/a/)", true), ("PetID", "string(1..4)", true),
      ("PetID", "string(1..6)", false),
    ])
  func bounds(old: String, new: String, breaks: Bool) throws {
    let models = "models:\n  PetID: string(1..5)\n"
    let model = "  Pet: {name: '%'}\n"
    func check(_ call: String, _ rest: String, breaks: Bool, _ subject: String) throws {
      func text(_ type: String) -> String {
        endpoint(call.replacing("%", with: type)) + rest.replacing("%", with: type)
      }
      let found = try lines(text(old), text(new))
      #expect(found.count == 1 && found.first?.hasPrefix("\(breaks ? "!" : " ") ~ \(subject): is ") == true, "\(found)")
    }
    try check("call: POST /pets\nparams: {size: '%'}", models, breaks: breaks, "parameter getPet.size")
    try check("call: POST /pets\nparams: {pet: Pet}", models + model, breaks: breaks, "field Pet.name")
    try check("call: GET /pets\nreturns: Pet", models + model, breaks: false, "field Pet.name")
  }

  @Test("A narrower alias is breaking if it is sent")
  func aliases() throws {
    func text(_ call: String, _ bound: Int) -> String {
      endpoint("call: GET /pets\n\(call)") + "models: {PetID: string(1..\(bound))}"
    }
    let sent = "params: {id: PetID}"
    #expect(try lines(text(sent, 5), text(sent, 4)) == ["! ~ model PetID: is string(1..4), not string(1..5)"])
    #expect(try lines(text(sent, 4), text(sent, 5)) == ["  ~ model PetID: is string(1..5), not string(1..4)"])
    let responded = "returns: PetID"
    #expect(try lines(text(responded, 5), text(responded, 4)) == ["  ~ model PetID: is string(1..4), not string(1..5)"])
  }

  @Test("Models that had another name for callers are reported")
  func renames() throws {
    let catalogue = try Self.catalogue("models: {Pet: {id: string}, Owner: string}")
    let diff = CatalogueDiff(
      from: catalogue, to: catalogue, renames: [(old: "Animal", new: "Pet"), (old: "Beast", new: "Gone")])
    #expect(diff.changes == [Change(.changed, "model Pet", "was called `Animal`", isBreaking: true, group: "pets")])
  }

  @Test(
    "Changes of polling are reported",
    arguments: [
      (
        "returns: A", "returns: A\npoll: {header: Location}",
        ["  ~ endpoint getPet: has `getPetOperation` now, which follows what it starts"]
      ),
      (
        "returns: A\npoll: {header: Location}", "returns: A",
        ["! ~ endpoint getPet: `getPetOperation`, which waits for the operation's end, was removed"]
      ),
      (
        "poll: {header: Location, returns: A}", "poll: {header: Location, returns: B}",
        ["! ~ endpoint getPet: has states of B, not A"]
      ),
      (
        "poll: {ask: one}", "poll: {ask: two}",
        [
          "! ~ endpoint getPet: has states of B, not A",
          "  ~ endpoint getPet: asks in another way for the state of what it starts",
        ]
      ),
      (
        "poll: {ask: one, every: 1s}", "poll: {ask: one, every: 3s}",
        ["  ~ endpoint getPet: asks in another way for the state of what it starts"]
      ),
      (
        "poll: {ask: one, done: {x: a}}", "poll: {ask: one, done: {x: b}}",
        ["  ~ endpoint getPet: marks the end of its operation differently"]
      ),
      ("poll: {ask: one, cancel: two}", "poll: {ask: one}", ["! ~ endpoint getPet: can no longer be cancelled"]),
      ("poll: {ask: one}", "poll: {ask: one, cancel: two}", ["  ~ endpoint getPet: can be cancelled"]),
    ] as [(String, String, [String])])
  func polls(old: String, new: String, expected: [String]) throws {
    let others = """
        one: {call: GET /one, returns: A}
        two: {call: GET /two, returns: B}
      models: {A: {x: string}, B: {x: string}}
      """
    #expect(
      try lines(endpoint("call: POST /pets\n" + old) + others, endpoint("call: POST /pets\n" + new) + others)
        == expected)
  }

  @Test(
    "Changes of endpoints and parameters are reported, and which of them break callers",
    arguments: [
      // Parameters.
      ("params: {a: string?}", "params: {a: string?, b: int?}", ["  + parameter getPet.b: int"]),
      ("params: {a: string?}", "params: {a: string?, b: int}", ["! + parameter getPet.b: required, int"]),
      ("params: {a: string?, b: int?}", "params: {a: string?}", ["! - parameter getPet.b"]),
      ("params: {a: string?}", "params: {a: int?}", ["! ~ parameter getPet.a: is int, not string"]),
      ("params: {a: string?}", "params: {a: string(..5)?}", ["! ~ parameter getPet.a: is string(..5), not string"]),
      ("params: {a: date?}", "params: {a: date(day)?}", ["  ~ parameter getPet.a: is date(day), not date"]),
      ("params: {a: string?}", "params: {a: string | null?}", ["! ~ parameter getPet.a: is string | null, not string"]),
      ("params: {a: string?}", "params: {a: string}", ["! ~ parameter getPet.a: is required now"]),
      ("params: {a: string}", "params: {a: string?}", ["  ~ parameter getPet.a: may be left out now"]),
      (
        "params: {a: string, b: string}", "params: {a: string?, b: string}",
        ["  ~ parameter getPet.a: may be left out now", "! ~ endpoint getPet: the order of arguments is b, a"]
      ),
      (
        "params: {a: string?, b: string?}", "params: {b: string?, a: string?}",
        ["! ~ endpoint getPet: the order of arguments is b, a"]
      ),
      (
        "params: {a: string?}", "params: {a: {type: string?, name: first}}",
        ["! ~ parameter getPet.a: the label is `first`, not `a`"]
      ),
      (
        "params: {a: string?}", "params: {a: {type: string?, in: header}}",
        ["  ~ parameter getPet.a: is sent in the header, not in the query"]
      ),
      (
        "params: {a: '[string]?'}", "params: {a: {type: '[string]?', list: repeat}}",
        ["  ~ parameter getPet.a: is listed by repeat"]
      ),
      // Constants are not arguments.
      ("params: {a: string?}", "params: {a: string?, b: {value: x}}", ["  + parameter getPet.b: string"]),
      ("params: {a: string?, b: {value: x}}", "params: {a: string?}", ["  - parameter getPet.b"]),
      ("params: {a: {value: x}}", "params: {a: {value: y}}", ["  ~ parameter getPet.a: is sent as `y`"]),
      ("params: {a: string}", "params: {a: {value: x}}", ["! ~ parameter getPet.a: is not an argument any more"]),
      ("params: {a: {value: x}}", "params: {a: string}", ["! ~ parameter getPet.a: is an argument again"]),
      // Authorization.
      ("auth: [bearer, oauth1]", "auth: [bearer]", ["! ~ endpoint getPet: no longer accepts `oauth1`"]),
      ("auth: [bearer]", "auth: [bearer, oauth1]", ["  ~ endpoint getPet: accepts `oauth1`, too"]),
      (
        "auth: [oauth2(read)]", "auth: [oauth2(read, write)]",
        ["! ~ endpoint getPet: `oauth2` needs `write` in addition"]
      ),
      (
        "auth: [oauth2(read, write)]", "auth: [oauth2(read)]",
        ["  ~ endpoint getPet: `oauth2` no longer needs `write`"]
      ),
      ("auth: [bearer]", "auth: [none]", ["  ~ endpoint getPet: needs no credentials any more"]),
      ("auth: [bearer]", "auth: [bearer, none]", ["  ~ endpoint getPet: needs no credentials any more"]),
      (
        "auth: [[bearer, oauth1]]", "auth: [none, oauth1]",
        ["  ~ endpoint getPet: needs no credentials any more", "  ~ endpoint getPet: accepts `oauth1`, too"]
      ),
      ("auth: [bearer, none]", "auth: [bearer]", ["! ~ endpoint getPet: no longer accepts `none`"]),
      // Responses, pages, rules and the rest.
      ("returns: string", "returns: int", ["! ~ endpoint getPet: responds with int, not string"]),
      ("deprecated: false", "returns: int", ["! ~ endpoint getPet: responds with int, not nothing"]),
      ("returns: string", "returns: string\nstream: lines", ["! ~ endpoint getPet: is a stream now"]),
      (
        "params: {m: int(..5)?}\nreturns: json\nstream: lines",
        "params: {m: int(..5)?}\nreturns: json\nstream: {backfill: m}",
        ["  ~ endpoint getPet: sends again what a lost connection has missed"]
      ),
      (
        "params: {m: int(..5)?}\nreturns: json\nstream: {backfill: m}",
        "params: {m: int(..5)?}\nreturns: json\nstream: {backfill: m, id: a}",
        ["  ~ endpoint getPet: sends missed records again in another way"]
      ),
      (
        "params: {m: int(..5)?}\nreturns: json\nstream: {backfill: m}",
        "params: {m: int(..5)?}\nreturns: json\nstream: lines",
        ["  ~ endpoint getPet: no longer sends again what a lost connection has missed"]
      ),
      ("returns: string", "returns: string\ndeprecated: true", ["  ~ endpoint getPet: is deprecated"]),
      (
        "params: {page: int?}\nreturns: [string]\npages: {page: page, items: .}",
        "params: {page: int?}\nreturns: [string]",
        ["! ~ endpoint getPet: has no pages any more"]
      ),
      (
        "params: {a: string?, b: string?}", "params: {a: string?, b: string?}\nany_of: [a, b]",
        ["! ~ endpoint getPet: demands any_of [a, b]"]
      ),
      (
        "params: {a: string?, b: string?}\nany_of: [a, b]", "params: {a: string?, b: string?}",
        ["  ~ endpoint getPet: no longer requires any_of [a, b]"]
      ),
      ("limits: {user: 5/1m}", "limits: {user: 6/1m}", ["  ~ endpoint getPet: has other rate limits"]),
      ("summary: One.", "summary: Another.", []),
    ])
  func endpointsAndParameters(old: String, new: String, expected: [String]) throws {
    try #expect(lines(endpoint("call: GET /pet\n" + old), endpoint("call: GET /pet\n" + new)) == expected)
  }

  @Test(
    "Changes of a choice are reported, which is one argument for several parameters",
    arguments: [
      ("U? user: [id, name]", "U user: [id, name]", ["! ~ endpoint getPet: the argument `user` is required now"]),
      ("U user: [id, name]", "U? user: [id, name]", ["  ~ endpoint getPet: the argument `user` may be left out now"]),
      ("U user: [id, name]", "U user: {id: id, name: name}", []),
      (
        "U user: [id, name]", "U user: {id: id, handle: name}",
        [
          "  ~ endpoint getPet: `user` has the new case `.handle(name)`",
          "! ~ endpoint getPet: `user` is without the case `.name(name)`",
        ]
      ),
      (
        "U user: {id: id, name: [name, {O of: [a, b]}]}", "U user: {id: id, name: [name, {O of: {a: a, c: b}}]}",
        [
          "  ~ endpoint getPet: `of` has the new case `.c(b)`", "! ~ endpoint getPet: `of` is without the case `.b(b)`",
        ]
      ),
      (
        "U user: {id: id, name: [name, a], b: b}", "U user: {id: id, name: [name, b], a: a}",
        [
          "! ~ endpoint getPet: the case `name` of `user` is `.name(name, b:)`, not `.name(name, a:)`",
          "  ~ endpoint getPet: `user` has the new case `.a(a)`",
          "! ~ endpoint getPet: `user` is without the case `.b(b)`",
        ]
      ),
    ] as [(String, String, [String])])
  func choices(old: String, new: String, expected: [String]) throws {
    let parameters = "call: GET /pet\nparams: {id: string?, name: string?, a: string?, b: string?}\none_of:\n  "
    try #expect(lines(endpoint(parameters + old), endpoint(parameters + new)) == expected)
  }

  @Test("A choice has the position of its first parameter among the arguments") func orderOfChoices() throws {
    let rule = "\none_of: {U user: [id, name]}"
    let old = "call: GET /pet\nparams: {a: string, id: string?, name: string?, b: string}" + rule
    let new = "call: GET /pet\nparams: {id: string?, a: string, name: string?, b: string}" + rule
    try #expect(
      lines(endpoint(old), endpoint(new)) == ["! ~ endpoint getPet: the order of arguments is user, a, b"])
    // It makes no difference where its second parameter is.
    let other = "call: GET /pet\nparams: {a: string, id: string?, b: string, name: string?}" + rule
    try #expect(lines(endpoint(old), endpoint(other)) == [])
  }

  @Test(
    "Error bodies are compared with those of the API, and a case that loses something breaks callers",
    arguments: [
      (
        "{}", "{}", "errors: {404: A}", "errors: {404: B}",
        ["! ~ endpoint getPet: responds to errors of 404 with B, not A"]
      ),
      (
        "{}", "{}", "errors: {404: A, 409: B}", "errors: {404: A}",
        ["! ~ endpoint getPet: no longer describes the errors of 409"]
      ),
      (
        "{}", "{}", "errors: {404: A}", "errors: {404: A, 409: B}", ["  ~ endpoint getPet: describes the errors of 409"]
      ),
      ("{}", "{}", "errors: {404: A}", "summary: x", ["! ~ endpoint getPet: no longer has a type of its errors"]),
      (
        "{404: A, 500: A}", "{404: A, 500: B}", "errors: {404: B}", "errors: {404: B}",
        [
          "  ~ api: errors have other bodies",
          "! ~ endpoint getPet: responds to errors of 500 with B, not A",
        ]
      ),
      ("{500: A}", "{500: B}", "summary: x", "summary: x", ["  ~ api: errors have other bodies"]),
      ("{500: A}", "{500: A}", "errors: {404: B}", "errors: {404: B, 500: A}", []),
      ("{500: A}", "{500: A}", "errors: {404: B, 500: A}", "errors: {404: B}", []),
      ("{}", "{500: A}", "errors: {404: B}", "errors: {404: B}", ["  ~ api: errors have other bodies"]),
    ] as [(String, String, String, String, [String])])
  func errorBodies(oldAPI: String, newAPI: String, old: String, new: String, expected: [String]) throws {
    func text(_ own: String) -> String { endpoint("call: GET /pet\n" + own) + "models: {A: {x: int}, B: {y: int}}" }
    try #expect(lines(text(old), text(new), errors: oldAPI, newAPI) == expected)
  }

  @Test(
    "For a model that no response has, the report says what callers must give",
    arguments: [
      ("", "string?", "string", "! ~ field Pet.a: must be given now: no optional any more"),
      ("", "string", "string?", "! ~ field Pet.a: may be left out now: an optional"),
      ("returns: Pet", "string?", "string", "! ~ field Pet.a: is always there now: no optional any more"),
      ("errors: {404: Pet}", "string", "string?", "! ~ field Pet.a: may be missing now: an optional"),
    ])
  func onlySent(more: String, before: String, after: String, expected: String) throws {
    func text(_ type: String) -> String {
      endpoint("call: POST /pets\nparams: {pet: {type: Pet, in: body}}\n" + more) + "models: {Pet: {a: '\(type)'}}"
    }
    try #expect(lines(text(before), text(after)) == [expected])
  }

  @Test("Endpoints that are added, removed, moved and renamed are reported")
  func endpointsAddedRemovedMovedAndRenamed() throws {
    let old = """
      endpoints:
        getPet: {call: "GET /pets/{id}", params: {id: string}}
        getCat: {call: GET /cats}
        getDog: {call: GET /dogs}
      """
    let new = """
      endpoints:
        getPet: {call: "GET /animals/{id}", params: {id: string}}
        fetchCat: {call: GET /cats}
        getCow: {call: GET /cows}
      """
    try #expect(
      lines(old, new) == [
        "  ~ endpoint getPet: calls GET /animals/{id}, not GET /pets/{id}",
        "! ~ endpoint fetchCat: was called `getCat`",
        "  + endpoint getCow: GET /cows",
        "! - endpoint getDog: GET /dogs",
      ])
  }

  @Test(
    "Changes of models are reported, and which of them break callers",
    arguments: [
      ("Pet: {a: string?}", "Pet: {a: string?, b: int?}", ["  + field Pet.b: int"]),
      ("Pet: {a: string?}", "Pet: {a: string?, b: int}", ["  + field Pet.b: required, int"]),
      ("Pet: {a: string?, b: int?}", "Pet: {a: string?}", ["! - field Pet.b"]),
      ("Pet: {a: string?}", "Pet: {a: int?}", ["! ~ field Pet.a: is int, not string"]),
      ("Pet: {a: string?}", "Pet: {a: string}", ["! ~ field Pet.a: is always there now: no optional any more"]),
      ("Pet: {a: string?}", "Pet: {a: {type: string?, also: [b]}}", ["  ~ field Pet.a: is also read from `b`"]),
      ("Pet: {a: {type: string?, also: [b]}}", "Pet: {a: string?}", ["! ~ field Pet.a: is no longer read from `b`"]),
      (
        "A: {b: int}\n  Pet: {a: A}", "A: {b: int}\n  Pet: {a: {type: A, also: [.]}}",
        ["  ~ field Pet.a: may also be the whole response"]
      ),
      (
        "A: {b: int}\n  Pet: {a: {type: A, also: [.]}}", "A: {b: int}\n  Pet: {a: A}",
        ["! ~ field Pet.a: is no longer the whole response"]
      ),
      ("Pet: {a: string}", "Pet: {a: string?}", ["! ~ field Pet.a: may be missing now: an optional"]),
      ("Pet: {a: string?, b: int?}", "Pet: {b: int?, a: string?}", []),
      ("Pet: {a: string?}", "Pet: {a: {type: string?, name: b}}", ["! ~ field Pet.a: the property is `b`, not `a`"]),
      (
        "Pet: {a: string, $extra: json}", "Pet: {a: string}",
        ["! ~ model Pet: no longer keeps members that are not listed"]
      ),
      ("Pet: 'enum [a, b]'", "Pet: 'enum [a]'", ["! ~ model Pet: without the values `b`"]),
      (
        "Pet: 'enum [a]'", "Pet: 'enum [a, b]'",
        ["  ~ model Pet: with the new values `b`; a switch without `default` must name them"]
      ),
      (
        "Pet: {$enum: [a], $closed: true}", "Pet: {$enum: [a, b], $closed: true}",
        ["! ~ model Pet: with the new values `b`, which a closed enum cannot read"]
      ),
      (
        "Pet: {a: '[string]'}", "Pet: {a: '[string]?'}", ["  ~ field Pet.a: may be missing now: it then reads as empty"]
      ),
      ("Pet: {a: '[string]?'}", "Pet: {a: '[string]'}", ["  ~ field Pet.a: is always there now"]),
      (
        "Pet: {a: '[string]'}", "Pet: {a: '[string](..9)?'}",
        [
          "  ~ field Pet.a: is [string](..9), not [string]",
          "  ~ field Pet.a: may be missing now: it then reads as empty",
        ]
      ),
      (
        "IDs: '[string]'\n  Pet: {a: IDs}", "IDs: '[string]'\n  Pet: {a: IDs?}",
        ["  ~ field Pet.a: may be missing now: it then reads as empty"]
      ),
      (
        "Pet: {a: '[string] | null'}", "Pet: {a: '[string] | null?'}",
        ["! ~ field Pet.a: may be missing now: an optional"]
      ),
      (
        "A: {x: int}\n  B: {y: int}\n  Pet: {$tag: t, $union: {a: A, b: B}}",
        "A: {x: int}\n  B: {y: int}\n  Pet: {$tag: t, $union: {a: A, c: A, b: B}}",
        ["  ~ model Pet: `c` is a tag of A"]
      ),
      (
        "A: {x: int}\n  B: {y: int}\n  Pet: {$tag: t, $union: {a: A, c: A, b: B}}",
        "A: {x: int}\n  B: {y: int}\n  Pet: {$tag: t, $union: {a: A, b: B}}",
        ["! ~ model Pet: `c` is not a tag of A any more"]
      ),
      (
        "A: {x: int}\n  B: {y: int}\n  Pet: {$tag: t, $union: {a: A, c: A, b: B}}",
        "A: {x: int}\n  B: {y: int}\n  Pet: {$tag: t, $union: {a: A, b: B, c: B}}",
        ["! ~ model Pet: `c` is not a tag of A any more", "  ~ model Pet: `c` is a tag of B"]
      ),
      (
        "Pet: 'union [string, int]'", "Pet: 'union [string, bool]'",
        [
          "  ~ model Pet: with the new variant bool; a switch without `default` must name it",
          "! ~ model Pet: without the variant int",
        ]
      ),
      ("Pet: string", "Pet: int", ["! ~ model Pet: is int, not string"]),
      ("Pet: string", "Pet: string(..9)", ["  ~ model Pet: is string(..9), not string"]),
      ("Pet: string", "Pet: 'enum [a]'", ["! ~ model Pet: is an enum, not another name for a type"]),
      (
        "Pet: {a: string}", "Cat: {a: string}", ["  + model Cat", "! - model Pet: `Cat` is new and has the same shape"]
      ),
      (
        "Pet: {a: string?}", "Pet: {a: {type: string?, read_only: true}}",
        ["  ~ field Pet.a: is set by the API alone now"]
      ),
      (
        "Pet: {a: {type: string?, read_only: true}}", "Pet: {a: string?}", ["  ~ field Pet.a: can be sent now"]
      ),
      (
        "Pet: {a: string}", "Pet: {a: {type: string, read_only: true}}",
        ["  ~ field Pet.a: may be left out of the initializer"]
      ),
      (
        "Pet: {a: string?}", "Pet: {a: {type: string?, write_only: true}}",
        ["  ~ field Pet.a: is not in responses any more"]
      ),
      ("Pet: {a: {type: string?, write_only: true}}", "Pet: {a: string?}", ["  ~ field Pet.a: is also in responses"]),
      ("ID: string\n  Pet: {id: ID}", "ID: string\n  Pet: {id: string}", ["  ~ field Pet.id: is string, not ID"]),
    ])
  func models(old: String, new: String, expected: [String]) throws {
    try #expect(lines("models:\n  \(old)", "models:\n  \(new)") == expected)
  }

  /// A change breaks models that callers create more often than models that they only read.
  @Test("Changes of a model that is sent break other callers") func modelsInRequests() throws {
    let sending = "endpoints:\n  addPet: {call: POST /pets, params: {pet: Pet}}\nmodels:\n"
    try #expect(
      lines(sending + "  Pet: {a: string?}", sending + "  Pet: {a: string?, b: int}")
        == ["! + field Pet.b: required, int"])
    try #expect(
      lines(sending + "  Pet: {a: string?, b: int?}", sending + "  Pet: {b: int?, a: string?}")
        == ["! ~ model Pet: the order of the initializer's arguments is b, a"])
    try #expect(
      lines(sending + "  Pet: {a: '[string]?'}", sending + "  Pet: {a: '[string]'}")
        == ["! ~ field Pet.a: must be given to the initializer"])
    try #expect(
      lines(sending + "  Pet: {a: '[string]'}", sending + "  Pet: {a: '[string]?'}")
        == ["  ~ field Pet.a: may be missing now: it then reads as empty"])
  }

  @Test("Changes of the API itself are reported") func theAPIItself() throws {
    var new = try Self.catalogue("group: {summary: Pets.}")
    let old = new
    new.api.name = "Shop"
    new.api.hosts = [
      CatalogueHost(name: "api", url: "https://shop.example"), CatalogueHost(name: "files", url: "https://f.example"),
    ]
    new.api.schemes.removeAll { $0.name == "oauth1" }
    new.api.schemes[1].scopes = [Scope(name: "read"), Scope(name: "admin")]
    #expect(
      CatalogueDiff(from: old, to: new).changes.map { "\($0.isBreaking) \($0.kind) \($0.subject) \($0.detail)" } == [
        "true changed api the Swift type is `Shop`, not `Pets`",
        "false changed host api https://shop.example, not https://pets.example",
        "false added host files https://f.example",
        "false added scope admin ", "true removed scope write ", "true removed scheme oauth1 ",
      ])
  }

  @Test("Another default host is reported, and breaks callers if it needs something new")
  func defaultHost() throws {
    let api = CatalogueHost(name: "api", url: "https://pets.example")
    func host(_ variables: [HostVariable]) -> CatalogueHost {
      CatalogueHost(name: "files", url: "https://{shop}.example", variables: variables)
    }
    func changes(_ old: [CatalogueHost], _ new: [CatalogueHost]) throws -> [String] {
      var (before, after) = (
        try Self.catalogue("group: {summary: Pets.}"), try Self.catalogue("group: {summary: Pets.}")
      )
      (before.api.hosts, after.api.hosts) = (old, new)
      return CatalogueDiff(from: before, to: after).changes.map { "\($0.isBreaking) \($0.subject) \($0.detail)" }
    }
    let (plain, usual) = (host([]), host([HostVariable(name: "shop", defaultValue: "a")]))
    let needed = host([HostVariable(name: "shop")])
    for files in [plain, usual] {
      #expect(try changes([api, files], [files, api]) == ["false api the default host is `files`"])
    }
    #expect(try changes([api, needed], [needed, api]) == ["true api the default host is `files`"])
    #expect(
      try changes([api], [needed, api]) == [
        "false host files https://{shop}.example", "true api the default host is `files`",
      ])
    #expect(try changes([needed, api], [api, needed]) == ["false api the default host is `api`"])
    #expect(try changes([api], [api, needed]) == ["false host files https://{shop}.example"])
  }

  @Test("The report is grouped by file, and counted") func theReportIsGroupedByFileAndCounted() throws {
    let catalogue = try Self.catalogue("models:\n  Pet: {a: string}")
    var other = catalogue
    other.groups.append(
      Group(name: "cats", file: "cats.yaml", models: [Model(name: "Cat", shape: .alias(TypeReference(.scalar(.int))))]))
    other.groups[0].models = []
    let diff = CatalogueDiff(from: catalogue, to: other)
    #expect(
      DiffReport(diff).text == """
        pets.yaml
          ! - model Pet

        cats.yaml
            + model Cat

        1 breaking change, 1 other
        """)
    #expect(
      DiffReport(diff).json == """
        [
        {"file":"pets.yaml","change":"removed","subject":"model Pet","detail":"","breaking":true},
        {"file":"cats.yaml","change":"added","subject":"model Cat","detail":"","breaking":false}
        ]
        """)
    #expect(diff.hasBreaks)
  }
}
