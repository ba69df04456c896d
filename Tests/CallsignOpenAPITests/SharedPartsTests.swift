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
          errors: {type: "[string]?", summary: Why parts of the answer are missing.}
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
    let lines = shared[0].text.split(separator: "\n")
    #expect(lines.contains("    like: [id, paged.page_token]"))
    #expect(lines.contains("  pets0Page: {data: {type: [string], summary: The pets0.}, errors, meta}"))
    #expect(shared[0].text.utf8.count * 3 < plain[0].text.utf8.count * 2)
    #expect(writer.files(for: catalogue) == shared)
  }

  @Test("what two have in common is written twice, and on one line where it fits") func few() throws {
    let catalogue = try catalogue(endpoints: 2)
    var writer = CatalogueWriter()
    writer.sharesParts = true
    let files = writer.files(for: catalogue)
    #expect(try load(files) == catalogue)
    let lines = files[0].text.split(separator: "\n")
    #expect(!lines.contains { line in ["mixins:", "params:", "fields:", "group:"].contains { line.hasPrefix($0) } })
    #expect(lines.contains("  Meta: {next_token: string?, previous_token: string?}"))
  }

  @Test("what is said of most parameters and fields of a name, and of a file's credentials, is written once")
  func names() throws {
    let text = """
      api: {name: Shop, hosts: {api: https://shop.example}, schemes: {key: {$in: query, $name: key}, none: ~}}
      endpoints:
        a: {call: GET /a, auth: [key], params: {size: {type: int(1..9)?, summary: How many pets to get.}}}
        b: {call: GET /b, auth: [key], params: {size: {type: int(1..9)?, summary: How many pets to get.}}}
        c: {call: GET /c, auth: [none], params: {size: {type: int?, default: 7, summary: How many pets to get.}}}
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
    for line in [
      "group: {auth: [key]}", "    auth: [none]", "  size: {type: int(1..9)?, summary: How many pets to get.}",
      "    params: {size: {type: int?, default: 7}}", "  A: {made, x: int}", "  B: {made, w: int}",
      "    params: {size: {type: int?, summary: ~}, other: string?}",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    #expect(lines.count { $0.contains("auth:") } == 2)
    #expect(lines.count { $0.contains("When it was made.") } < 3)
  }

  @Test("enums, unions and parameters without words of their own are on few lines")
  func compact() throws {
    let names = (1...12).map { "parameter_number_\($0): string?" }.joined(separator: ", ")
    let values = (1...20).map { "value_number_\($0)" }.joined(separator: ", ")
    let text = """
      api: {name: Shop, hosts: {api: https://shop.example}, schemes: {none: ~}}
      group: {summary: "Pets, and more.", auth: [none]}
      endpoints:
        a: {call: GET /a, params: {\(names)}}
      models:
        Size: {$summary: "A size, in words.", $enum: [small, large, "a, b"]}
        Level: {$summary: A level., $of: int, $closed: true, $enum: [1, 2]}
        Pet: {$summary: A pet., $union: [A, {name: second, type: "[B]"}]}
        Long: {$summary: A long one., $enum: [\(values)]}
        Said: {$enum: {a: the first, b: ~}}
        A: {x: string}
        B: {y: string}
      """
    let catalogue = try load([CatalogueFile(path: "shop.yaml", text: text)])
    var writer = CatalogueWriter()
    writer.sharesParts = true
    let files = writer.files(for: catalogue)
    #expect(try load(files) == catalogue)
    let lines = files[0].text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for line in [
      "group: {summary: \"Pets, and more.\"}",
      "  Size: {$summary: \"A size, in words.\", $enum: [small, large, \"a, b\"]}",
      "  Level: {$summary: A level., $of: int, $closed: true, $enum: [\"1\", \"2\"]}",
      "  Pet: {$summary: A pet., $union: [A, {name: second, type: [B]}]}", "    $summary: A long one.",
    ] {
      #expect(lines.contains(line), "\(line)\n\(files[0].text)")
    }
    let start = try #require(lines.firstIndex { $0.hasPrefix("    params: {parameter_number_1: string?,") })
    #expect(lines[start + 3].hasSuffix("parameter_number_12: string?}"))
    #expect(lines.allSatisfy { $0.count <= 120 })
  }
}
