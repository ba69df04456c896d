import Callsign
import CallsignCatalogue
import CallsignDynamic
import Testing

@Suite("Patterns of arguments") struct PatternTests {
  private func isRefused(_ code: String, _ pattern: String) throws -> Bool {
    let text = """
      api: {name: Pets, hosts: {api: "https://api.pets.example"}, auth: [none]}
      endpoints: {getPet: {call: GET /pet, params: {code: 'string(/\(pattern)/)'}, returns: string}}
      """
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "pets.yaml", bytes: Array(text.utf8))])
    let catalogue = try #require(result.catalogue, "\(result.diagnostics)")
    let operation = try DynamicAPI(catalogue, client: Client(auth: [])).operation("getPet")
    do throws(ArgumentError) {
      _ = try operation.call(["code": .string(code)])
      return false
    } catch {
      #expect(error.problems.map(\.kind) == [.pattern])
      return true
    }
  }

  @Test(
    "A text without a match is refused",
    arguments: [
      ("ab1", "^[a-z]+$"), ("GET,PUT", "^(GET|POST)(,(GET|POST))*$"), ("a-b", "^[a-z]{2,}-[a-z]+$"), ("x", "[0-9]+"),
      ("2026-1-1", "^\\d{4}-\\d{2}-\\d{2}$"), ("a.b", "^(?:[a-z]{1,3}:)?[a-z]$"),
      ("!!!", "^[a-z]+(-[a-z]+)*$"), ("-bad-!!", "^[A-Za-z0-9]+([._-][A-Za-z0-9]+){0,3}$"),
      ("a@b", "^[^@]+@[^@]+\\.[a-z]+$"),
      ("256.1.1.1", "^(25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)(\\.(25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)){3}$"),
      ("1,a", "^(\\d+,)*\\d+$"), ("a b", "^(?=[a-z]{2})[a-z]+$"), ("www.pets!", "^([\\w-]+\\.)+[\\w-]+$"),
      ("a,,b", "^([^,]+,(?!,))*[^,]+$"),
    ])
  func refusals(text: String, pattern: String) throws {
    #expect(try isRefused(text, pattern))
  }

  @Test("A text with a match is taken", arguments: [("ab", "^[a-z]+$"), ("GET,POST", "^(GET|POST)(,(GET|POST))*$")])
  func matches(text: String, pattern: String) throws {
    #expect(try !isRefused(text, pattern))
  }

  @Test(
    "A pattern that hides its repetitions is also left to the API", .timeLimit(.minutes(5)),
    arguments: [
      ("a", "^(a+(?!,))*b$"), ("a", "^(a+(?=a?))*b$"), ("a", "^((?<!,)a+)*b$"), ("a", "^((*nla:,)a+)*b$"),
      ("\u{E9}", "^(\u{E9}|e\u{301})*b$"), ("\u{E9}", "^(\u{E9}|[\u{E9}])*b$"),
      ("a", "^[\u{308}(a+)*]$"), ("\n", "^(\\012+)*b$"), ("A", "^(\\o{101}+)*b$"), ("\u{4}", "^(\\x4+)*b$"),
      ("\u{2028}", "^(\\v+\u{2028})*b$"), ("\u{663}", "^(\\d+\u{663})*b$"), ("\t", "^([^\\n]+\\t)*b$"),
      (",", "^([^!--a]+,)*b$"), (",", "^([^+--a]+,)*b$"), ("a", "^(a*)(\\g{1}a?)*b$"), ("a", "^(a*)(\\g1a?)*b$"),
    ])
  func hiddenRepetitions(character: String, pattern: String) throws {
    #expect(try !isRefused(String(repeating: character, count: 60) + "!", pattern))
  }

  @Test(
    "A pattern is matched by code points",
    arguments: [("e\u{301}", "^\u{E9}$", true), ("\u{E9}", "^\u{E9}$", false), ("\u{1F1E9}\u{1F1EA}", "^.{2}$", false)])
  func codePoints(text: String, pattern: String, isRefused expected: Bool) throws {
    #expect(try isRefused(text, pattern) == expected)
  }

  @Test(
    "A pattern that may take for ever is left to the API", .timeLimit(.minutes(5)),
    arguments: [
      "^([a-zA-Z0-9]+[-_.]?)+$", "^(a+)+$", "^(a|a)*$", "^([a-z]|[a-z0-9])*$", "^((a|aa)b?)*$", "^(?:a{1,}){2,}$",
      "^a*a*a*a*a*a*a*a*a*a*a*a*$", "^(\\w{1,3},?)+$", "^(aa?)*$", "^(a+){20}$", "^(?:\\u{61}+)+$", "^(a?a?)*$",
      "^(\\w+)\\1*$", "^\(String(repeating: "a?", count: 27))\(String(repeating: "a", count: 61))$",
      "^(a{0,9223372036854775807}){5,-9223372036854775808}(a+)+$",
    ])
  func slowPatterns(pattern: String) throws {
    #expect(try !isRefused(String(repeating: "a", count: 60) + "!", pattern))
  }
}
