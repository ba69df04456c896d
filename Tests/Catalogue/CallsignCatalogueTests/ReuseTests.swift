import CallsignCatalogue
import CatalogueTestSupport
import TestSupport
import Testing

@Suite("Parts of a catalogue are written once")
struct ReuseTests {
  @Test("an endpoint has the keys of its mixins, with its own taking precedence")
  func endpoints() throws {
    let mixed = try load([
      "a.yaml": shopAPI,
      "mixins.yaml": """
      mixins:
        sized: {params: {max_results: int(1..100)?}}
        paged:
          summary: What lists have.
          like: sized
          params: {page_token: string?}
          limits: {user: 5/1s}
          pages: {token: page_token, next: meta.next, items: data, size: max_results}
        fielded: {params: {fields: {type: "[string]?", summary: What to get.}}}
      """,
      "shop.yaml": """
      endpoints:
        listPets:
          call: GET /pets/{shop}
          like: [paged, fielded]
          params:
            shop: string
            max_results: int(1..5)?
            fields: {summary: "What to get, all by default."}
          limits: {app: 9/1s}
          returns: PetPage
      models:
        PetPage: {data: [string], meta: Meta?}
        Meta: {next: string?}
      """,
    ]).expectCatalogue()
    let written = try loadShop(
      """
      endpoints:
        listPets:
          call: GET /pets/{shop}
          limits: {app: 9/1s, user: 5/1s}
          params:
            shop: string
            page_token: string?
            max_results: int(1..5)?
            fields: {type: "[string]?", summary: "What to get, all by default."}
          pages: {token: page_token, next: meta.next, items: data, size: max_results}
          returns: PetPage
      models:
        PetPage: {data: [string], meta: Meta?}
        Meta: {next: string?}
      """
    ).expectCatalogue()
    #expect(try mixed.endpoint("listPets") == written.endpoint("listPets"))
  }

  @Test("a model has the fields of its mixins and templates, with its own taking precedence")
  func models() throws {
    let mixed = try loadShop(
      """
      mixins:
        dated: {fields: {created: date, changed: {type: date?, summary: When it was changed.}}}
        named: {like: dated, fields: {name: string}}
      models:
        Response<T>: {data: {type: T, summary: What was asked for.}, errors: "[string]?", $extra: json}
        Pet: {$like: named, id: string, changed: {summary: When it was groomed.}}
        PetResponse: {$like: "Response<[Pet]?>", $summary: Pets., data: {summary: The pets.}, count: int}
      """
    ).expectCatalogue()
    let written = try loadShop(
      """
      models:
        Pet: {id: string, name: string, created: date, changed: {type: date?, summary: When it was groomed.}}
        PetResponse:
          $summary: Pets.
          count: int
          data: {type: "[Pet]?", summary: The pets.}
          errors: "[string]?"
          $extra: json
      """
    ).expectCatalogue()
    for name in ["Pet", "PetResponse"] { #expect(try mixed.model(name) == written.model(name)) }
    #expect(mixed.groups.flatMap(\.models).count == 2)
  }

  @Test("a template's models are named after their types, or as the catalogue states")
  func templates() throws {
    let catalogue = try load([
      "a.yaml": shopAPI,
      "models.yaml": """
      models:
        Response<T>: {$summary: A response., data: T, next: "indirect Response<T>?"}
        Either<A, B>: {$union: [A, B]}
        Found: Response<Pet>
        Pair: {$type: "Either<Pet, [string]>", $summary: One of them.}
        Pet: {id: string}
      """,
      "shop.yaml": """
      endpoints:
        getPet: {call: GET /pet, returns: Response<Pet>}
        listPets: {call: GET /pets, returns: "Response<[Pet]>"}
        countPets: {call: GET /count, returns: "Response<{int | null}>"}
        anyPet: {call: GET /any, returns: "Either<Pet, Response<Pet>>"}
      """,
    ]).expectCatalogue()
    func returns(_ name: String) throws -> String? { try catalogue.endpoint(name).returns?.text }
    #expect(try returns("getPet") == "Found")
    #expect(try returns("listPets") == "PetListResponse")
    #expect(try returns("countPets") == "IntMapResponse")
    #expect(try returns("anyPet") == "PetFoundEither")
    #expect(
      catalogue.groups.map { $0.models.map(\.name) } == [
        [], ["Found", "Pair", "Pet"], ["PetListResponse", "IntMapResponse", "PetFoundEither"],
      ])
    #expect(
      try catalogue.model("PetListResponse")
        == Model(
          name: "PetListResponse", summary: "A response.",
          shape: .object(
            fields: [
              Field(name: "data", type: TypeReference(parsing: "[Pet]")),
              Field(name: "next", type: TypeReference(parsing: "indirect PetListResponse?")),
            ], extra: nil)))
    #expect(try catalogue.model("Pair").summary == "One of them.")
  }

  @Test("parameters and fields take the description of their names, completed in place")
  func names() throws {
    let named = try load([
      "a.yaml": shopAPI,
      "names.yaml": """
      params:
        kind: {type: "[string]?", summary: Which pets.}
        size: {type: int(1..100)?, default: 10, summary: How many.}
        shop: string
      fields:
        id: {type: string, summary: Its id.}
        made: {type: date?, also: [created], summary: When it was made.}
      """,
      "shop.yaml": """
      mixins:
        sized: {params: {size: {default: 20}}}
        dated: {fields: {made}}
      endpoints:
        listPets: {call: "GET /pets/{shop}", params: {shop, kind, size}}
        countPets: {call: GET /count, params: {kind: string?, size: {type: int?, summary: ~}}}
        findPets: {call: GET /find, like: sized, params: {size: {summary: How many pets.}}}
        sortPets: {call: GET /sort, params: {size: {type: int?, default: 3, summary: So many.}}}
      models:
        Pet: {id, made}
        Cat: {$like: dated, id: int}
        Response<T>: {id, data: T}
        PetResponse: Response<Pet>
      """,
    ]).expectCatalogue()
    let written = try loadShop(
      """
      endpoints:
        listPets:
          call: GET /pets/{shop}
          params:
            shop: string
            kind: {type: "[string]?", summary: Which pets.}
            size: {type: int(1..100)?, default: 10, summary: How many.}
        countPets: {call: GET /count, params: {kind: {type: string?, summary: Which pets.}, size: int?}}
        findPets: {call: GET /find, params: {size: {type: int(1..100)?, default: 20, summary: How many pets.}}}
        sortPets: {call: GET /sort, params: {size: {type: int?, default: 3, summary: So many.}}}
      models:
        Pet:
          id: {type: string, summary: Its id.}
          made: {type: date?, also: [created], summary: When it was made.}
        Cat: {id: {type: int, summary: Its id.}, made: {type: date?, also: [created], summary: When it was made.}}
        PetResponse: {id: {type: string, summary: Its id.}, data: Pet}
      """
    ).expectCatalogue()
    for name in ["listPets", "countPets", "findPets", "sortPets"] {
      #expect(try named.endpoint(name) == written.endpoint(name), "\(name)")
    }
    for name in ["Pet", "Cat", "PetResponse"] { #expect(try named.model(name) == written.model(name), "\(name)") }
  }

  @Test("the description of a name has a type and occurs once")
  func nameMistakes() {
    expectProblems(
      """
      params: {size: int?, kind: , size: string, other: {summary: x}}
      fields: [id]
      endpoints:
        a: {call: GET /a, params: {size, kind, other: {summary: y}}}
      models:
        A: {size: , id: int}
      """,
      """
      1:22: error: the parameter `kind` has no type; write one, such as `string`
      1:30: error: the key `size` is in this mapping already, in line 1; remove or rename one
      1:44: error: the parameter `other` has no type; write one, such as `string`
      2:9: error: `fields` must be a mapping from names, not a list
      6:13: error: field `size` has no type; write one, such as `string`
      """)
  }

  @Test("a pattern has a name")
  func patterns() throws {
    let catalogue = try loadShop(
      """
      patterns: {digits: '/^[0-9]{1,19}$/', path: '/^a\\/b$/'}
      models: {A: string(digits), B: "string(1..9, path)"}
      """
    ).expectCatalogue()
    #expect(try catalogue.model("A").shape == .alias(TypeReference(parsing: "string(/^[0-9]{1,19}$/)")))
    #expect(try catalogue.model("B").shape == .alias(TypeReference(parsing: "string(1..9, /^a\\/b$/)")))
  }

  @Test("mixins that cannot be merged are reported at their place")
  func mistakes() {
    expectProblems(
      """
      mixins:
        paged: {params: {size: int?}}
        sized: {params: {size: string?}, auth: [none]}
        open: {auth: [oauth1], fields: {a: string}}
        round: {like: trip}
        trip: {like: round}
        dated: {fields: {at: date}}
        typo: {parms: {}}
      endpoints:
        a: {call: GET /a, like: [paged, sized]}
        b: {call: GET /b, like: pagd}
        c: {call: GET /c, like: [round]}
        d: {call: GET /d, like: dated}
        e: {call: GET /e, like: [paged, sized], params: {size: int?}}
      models:
        A: {$like: dated, at: day}
        B: {$like: paged}
        C: {$like: dated, $enum: [x]}
      """,
      """
      4:3: error: a mixin is for endpoints or for models; put `fields` and `auth` into two
      5:3: error: the mixin is like itself: `round` → `trip` → `round`; remove one `like`
      8:10: error: unknown key `parms` in mixin `typo`; did you mean `params`?
      10:35: error: `size` also comes from another mixin; write it here, or leave one mixin out
      11:27: error: unknown mixin `pagd`; did you mean `paged`?
      13:27: error: endpoint `d` has no fields, and this mixin has; name one with `params`
      16:25: error: unknown type `day`; declare it under `models:`, or use one of the built-in types
      17:14: error: a model has no `params`, and this mixin has; name one with `fields`
      18:7: error: `$like` is about fields, and `$enum` has none; remove one of them
      """)
  }

  @Test("mixins and templates that nothing is made of are warnings, and no others")
  func unused() {
    expectProblems(
      """
      mixins:
        paged: {like: sized, params: {page: int?}}
        sized: {params: {size: int?}}
        lone: {like: paged}
        dated: {fields: {at: date}}
        ended: {fields: {end: date}}
      endpoints:
        a: {call: GET /a, like: paged, returns: "[Response<A>]"}
      models:
        A: {$like: dated}
        Response<T>: {data: T}
        Page<T>: {data: "[T]", inner: Inner<T>}
        Inner<T>: {data: T}
        Base<T>: {data: T}
        Kind<nouns>: enum [a]
        B: {$like: Base<A>, b: int}
        C: Kind<cats>
      """,
      """
      4:3: warning: nothing is like the mixin `lone`; remove it, or name it in a `like`
      6:3: warning: nothing is like the mixin `ended`; remove it, or name it in a `like`
      12:3: warning: the template `Page` is not used; remove it, or use it as a type
      13:3: warning: the template `Inner` is not used; remove it, or use it as a type
      """)
  }

  @Test("a template's texts have words, and the summaries of its types")
  func texts() throws {
    let made = try load([
      "a.yaml": shopAPI,
      "models.yaml": """
      models:
        Response<T>: {$summary: "A response: {T}", data: {type: T, summary: "{T}"}, note: "string? - {other} of {T}"}
        Page<T, nouns>: {$summary: "A page of {nouns}.", data: "[T] - The {nouns}."}
        ID<owner>: string(1..9) - The id of {owner}.
        PetResponse: Response<Pet>
        Pets: Page<Pet, cats and dogs> - What there is.
      """,
      "shop.yaml": """
      models:
        Pet: {$summary: A pet., id: PetID}
        PetID: ID<a pet>
        Found: {$like: "Page<Pet, found pets>", $summary: Found., count: int}
      endpoints:
        listPets: {call: GET /pets, returns: "Page<Pet, pets>"}
      """,
    ]).expectCatalogue()
    let written = try loadShop(
      """
      models:
        Pet: {$summary: A pet., id: PetID}
        PetID: {$summary: The id of a pet., $type: string(1..9)}
        PetResponse:
          $summary: "A response: a pet."
          data: {type: Pet, summary: A pet.}
          note: {type: string?, summary: "{other} of a pet."}
        Pets: {$summary: What there is., data: {type: [Pet], summary: The cats and dogs.}}
        Found: {$summary: Found., count: int, data: {type: [Pet], summary: The found pets.}}
        PetPage: {$summary: A page of pets., data: {type: [Pet], summary: The pets.}}
      """
    ).expectCatalogue()
    for name in ["PetID", "PetResponse", "Pets", "Found", "PetPage"] {
      #expect(try made.model(name) == written.model(name), "\(name)")
    }
    #expect(try made.endpoint("listPets").returns?.text == "PetPage")
  }

  @Test("missing parts of a template's texts are reported at their place")
  func textMistakes() {
    expectProblems(
      """
      models:
        Response<T>: {$summary: "A response: {T}", data: T}
        Page<T, nouns>: {$summary: "A page of {nouns}.", data: "[T]"}
        Pet: {id: string}
        A: {a: Response<Pet>, b: Response<int>, c: "Page<Pet>", d: "Page<Pet, >"}
      """,
      """
      2:27: error: `{T}` is the summary of `Pet`, which has none
      2:27: error: `{T}` is the summary of `int`, which has none
      5:47: error: the template is `Page<T, nouns>`, and this gives it 1 parts
      5:73: error: words are missing here, which the template's texts have in the place of a name
      """)
  }

  @Test("an enum has the names of a model's fields")
  func members() throws {
    let catalogue = try load([
      "a.yaml": shopAPI,
      "b.yaml": "models: {PetField: {$summary: A field., $members: Pet, $except: [owner]}}",
      "c.yaml": """
      mixins: {named: {fields: {name: string}}}
      models:
        Pet: {$like: named, id: string, owner: string}
        Fields<T>: {$members: T}
        StoreField: Fields<Store>
        Store: {id: string}
      """,
    ]).expectCatalogue()
    #expect(
      try catalogue.model("PetField")
        == Model(
          name: "PetField", summary: "A field.", shape: .enumeration([EnumCase(value: "id"), EnumCase(value: "name")])))
    #expect(try catalogue.model("StoreField").shape == .enumeration([EnumCase(value: "id")]))
  }

  @Test("an impossible enum of fields is reported at its place")
  func memberMistakes() {
    expectProblems(
      """
      models:
        A: {id: string, name: string}
        B: {$members: C}
        D: {$members: B}
        E: {$members: A, $except: [nam, x]}
        F: {$members: A, $enum: [a]}
        G: {$except: [a], x: int}
        H: {$members: A, $of: int}
        I: {$members: A, $except: id}
      """,
      """
      3:17: error: unknown model `C`; name one that is an object
      4:17: error: `B` has no fields; name a model that is an object
      5:30: error: `A` has no field `nam`; did you mean `name`?
      5:35: error: `A` has no field `x`; remove it
      6:7: error: a model has only one of `$enum`, `$members`, `$union`, `$type` and fields with `$extra`; remove one
      7:7: error: `$except` leaves out names of `$members`; add that, or remove it
      8:20: error: `$of` is about an `$enum`; add that, or remove it
      9:29: error: `$except` lists names of fields, such as `[id]`
      """)
  }

  @Test("a summary may follow a type, and a group has a page and limits for its endpoints")
  func shortForms() throws {
    let short = try load([
      "a.yaml": shopAPI,
      "shop.yaml": """
      group: {docs: https://shop.example/pets, limits: {user: 5/1s}}
      params: {size: int(1..9)? - How many.}
      mixins: {named: {fields: {name: "string? - Its name, if any."}}}
      endpoints:
        a: {call: GET /a, params: {size, kind: "[string]? - Which - kinds."}}
        b: {call: GET /b, docs: ~, limits: ~, params: {day: date(yyyy - MM) - The day.}}
        c: {call: GET /c, docs: https://shop.example/c, limits: {app: 1/1s}}
      models:
        Pet: {$like: named, code: 'string(/a - b/)? - Its code.', $$x: int - An x.}
        Note: string(..280) - What people say.
        Kind: {$enum: [small, {large: Very large., odd: {name: strange}}]}
      """,
    ]).expectCatalogue()
    let long = try load([
      "a.yaml": shopAPI,
      "shop.yaml": """
      endpoints:
        a:
          call: GET /a
          docs: https://shop.example/pets
          limits: {user: 5/1s}
          params:
            size: {type: int(1..9)?, summary: How many.}
            kind: {type: "[string]?", summary: Which - kinds.}
        b: {call: GET /b, params: {day: {type: date(yyyy - MM), summary: The day.}}}
        c: {call: GET /c, docs: https://shop.example/c, limits: {app: 1/1s}}
      models:
        Pet:
          code: {type: "string(/a - b/)?", summary: Its code.}
          $$x: {type: int, summary: An x.}
          name: {type: string?, summary: "Its name, if any."}
        Note: {$type: string(..280), $summary: What people say.}
        Kind: {$enum: {small: ~, large: Very large., odd: {name: strange}}}
      """,
    ]).expectCatalogue()
    #expect(short == long)
  }

  @Test("a template that cannot be used is reported at its place")
  func templateMistakes() {
    expectProblems(
      """
      patterns: {digits: 0-9, digits2: '/[0-9]/'}
      models:
        Response<T>: {data: T}
        Deep<T>: {data: "Deep<[T]>"}
        Wrong<int>: {data: int}
        Response<U>: {data: U}
        A: {a: Responze<string>, b: "Response<string, int>", c: Response<string, d: Deep<string>}
        B: {a: string(digit2), b: int(digits2), c: Response}
      """,
      """
      1:20: error: a pattern is a regular expression between slashes, such as `/^[0-9]+$/`
      4:20: error: the template `Deep` asks for itself without end; give a part of it a name
      5:3: error: `int` is a word of the type language; give the template's type another name
      6:3: error: the template `Response` already exists in line 3; remove or rename one
      7:10: error: unknown template `Responze`; did you mean `Response`?
      7:32: error: the template is `Response<T>`, and this gives it 2 types
      7:67: error: the `<` is never closed; write the types with commas between, and `>`
      8:17: error: unknown pattern `digit2`; did you mean `digits2`?
      8:33: error: only a string has a pattern; remove it
      8:46: error: unknown type `Response`; declare it under `models:`, or use one of the built-in types
      """)
  }

  @Test("mixins of two files with one name are two mistakes of one")
  func twice() {
    let result = load([
      "a.yaml": shopAPI + "\nmixins: {paged: {params: {size: int?}}}\n",
      "b.yaml": "mixins: {paged: {params: {size: int?}}}\n",
    ])
    #expect(
      result.diagnostics.map(\.description) == [
        "b.yaml:1:10: error: the mixin `paged` already exists in a.yaml:7:10; remove or rename one"
      ])
  }
}
