import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

/// Pages under names that few APIs use.
@Suite struct PageImportTests {
  private func pages(parameters: [String], headers: String = "", response: String, schemas: String = "") throws
    -> String?
  {
    let list = parameters.map { "{name: \($0)}" }.joined(separator: ", ")
    let headers = headers.isEmpty ? "" : "headers: {\(headers)}, "
    let imported = try Imported(
      document(
        paths: """
          /pets:
            get:
              operationId: getPets
              parameters: [\(list)]
              responses: {"200": {description: "", \(headers)content: {application/json: {schema: \(response)}}}}
          """,
        components: "schemas:\n    Pet: {type: object, required: [id], properties: {id: {type: string}}}"))
    imported.expectRoundTrip()
    let line = try imported.endpoint("getPets").split(separator: "\n").first { $0.hasPrefix("pages:") }
    return line.map { String($0.dropFirst(7)) }
  }

  private static let pets = "{type: array, items: {$ref: '#/components/schemas/Pet'}}"
  private static func whole(_ name: String) -> String { "\(name), in: query, schema: {type: integer}" }

  @Test(
    "Pages by offset and total have any names",
    arguments: [
      // As in Box's API, with a list of the order next to the entries.
      (
        ["offset", "limit"],
        "total_count: {type: integer}, entries: PETS, order: {type: array, items: {type: object, properties: {by: {type: string}}}}",
        "{offset: offset, items: entries, size: limit, total: total_count}"
      ),
      (
        ["$skip", "$top"], "pets: PETS, warnings: {type: array, items: {type: string}}, totalHits: {type: integer}",
        "{offset: $skip, items: pets, size: $top, total: totalHits}"
      ),
      (
        ["sysparm_offset", "sysparm_limit"],
        "rows: PETS, info: {type: object, properties: {grand_total: {type: integer}, total_pages: {type: integer}}}",
        "{offset: sysparm_offset, items: rows, size: sysparm_limit, total: info.grand_total}"
      ),
      (
        ["offset", "limit"], "entries: PETS, result_count: {type: integer}, total_pages: {type: integer}",
        "{offset: offset, items: entries, size: limit}"
      ),
    ])
  func offsets(parameters: [String], members: String, expected: String) throws {
    let response = "{type: object, properties: {\(members.replacing("PETS", with: Self.pets))}}"
    #expect(try pages(parameters: parameters.map(Self.whole), response: response) == expected)
  }

  @Test(
    "A header field can be the URL of the next page",
    arguments: ["Next-Page", "X-Next-Page-Url", "X-Next-Link", "Next"],
    ["{type: string, format: uri}", "{type: string}"])
  func urlHeaders(name: String, schema: String) throws {
    let token = "_token, in: query, schema: {type: string}"
    #expect(
      try pages(
        parameters: [Self.whole("_limit"), token], headers: "\(name): {schema: \(schema)}",
        response: "{type: object, properties: {data: \(Self.pets)}}")
        == "{link: next, next_header: \(name), items: data, size: _limit}")
  }

  @Test("The number of the next page is not a URL") func numberHeaders() throws {
    #expect(
      try pages(
        parameters: [Self.whole("page"), Self.whole("per_page")], headers: "X-Next-Page: {schema: {type: string}}",
        response: Self.pets) == #"{page: page, items: ".", size: per_page}"#)
  }
}
