import CallsignJSON
import TestSupport
import Testing

@testable import CallsignCommandLine

/// Tools as the APIs of models take them.
@Suite("Tools for assistants: names and schemas") struct ToolNameTests {
  private static let catalogue = """
    api: {name: Odd, hosts: {api: "https://o.example"}, schemes: {none: null}, auth: [none]}
    endpoints:
      issues/list-for-repo:
        call: GET /issues
        params: {$top: {type: int?, name: topCount}, "filter[name]": string?, _top: int?, plain.name: string?}
        any_of: [$top, "filter[name]"]
        returns: json
      issues_list:
        call: GET /other
        name: issuesList
        returns: json
      up load!: {call: GET /up, name: upLoad, returns: json}
      addPet: {call: POST /pets, params: {pet: Pet, dog: Dog}}
    models:
      Cat: {kind: {type: string, value: cat}, lives: int?}
      Dog: {kind: {type: string, value: dog}, legs: {type: int, value: "4"}}
      Pet: {$tag: kind, $union: {cat: Cat, dog: Dog}}
    """

  private func api() throws -> RecordedAPI { try RecordedAPI(Self.catalogue) { _ in (200, "{}") } }

  @Test("have names of letters, digits, _ and -, and are also found by the operation's own name")
  func names() async throws {
    let api = try api()
    let arguments: JSONValue = ["_top_2": 5, "filter_name_": "x", "_top": 6]
    let results = try await api.assistant(
      ("tools/list", [:]), ("tools/call", ["name": "issuesListForRepo", "arguments": arguments]),
      ("tools/call", ["name": "issues/list-for-repo", "arguments": ["$top": 7]]),
      ("tools/call", ["name": "upLoad", "arguments": [:]]))
    let tools = try #require(results[0]["tools"]?.array)
    #expect(tools.compactMap { $0["name"]?.string } == ["issuesListForRepo", "issues_list", "upLoad", "addPet"])
    let properties = try #require(tools.first?["inputSchema"]?["properties"]?.object)
    #expect(properties.keys.sorted() == ["_top", "_top_2", "filter_name_", "plain.name"])
    #expect(tools.first?["description"]?.string?.contains("_top_2, filter_name_.") == true, "\(tools)")
    for result in results.dropFirst() { #expect(result["isError"] == false, "\(result)") }
    #expect(
      Set(api.requests.map(\.target)) == [
        "/issues?%24top=5&filter%5Bname%5D=x&_top=6", "/issues?%24top=7", "/up",
      ], "\(api.lines)")
  }

  @Test("are cut to 64 characters, and stay apart")
  func unique() {
    let long = String(repeating: "a", count: 70)
    var taken: Set<String> = ["list"]
    func unique(_ name: String) -> String { ToolNames.unique(name, placeholder: "argument_1", among: &taken) }
    #expect(unique("list") == "list_2")
    #expect(unique(long) == String(long.prefix(64)))
    #expect(unique(long) == long.prefix(62) + "_2")
    #expect(unique("é") == "argument_1" && unique("名前") == "argument_1_2")
    #expect(unique("getユーザー名!") == "get_")
    #expect(
      taken.allSatisfy { ToolNames.fits($0) } && !ToolNames.fits(long) && !ToolNames.fits("") && !ToolNames.fits("a.b"))
  }

  @Test("state the API's names if these are not valid")
  func titles() async throws {
    let api = try RecordedAPI(
      """
      api: {name: Odd, hosts: {api: "https://o.example"}, schemes: {none: null}, auth: [none]}
      endpoints:
        getユーザー名:
          call: GET /users
          params: {"🎉": {type: int?, name: party}, plain: string?, 名前: {type: string?, name: title}, größe: string?}
          returns: json
      """
    ) { _ in (200, "{}") }
    let results = try await api.assistant(
      ("tools/list", [:]),
      ("tools/call", ["name": "get_", "arguments": ["argument_1": 5, "argument_3": "x", "gr_e": "y"]]))
    let tool = try #require(results[0]["tools"]?.array?.first)
    #expect(tool["name"] == "get_" && tool["title"] == "getユーザー名", "\(tool)")
    let properties = try #require(tool["inputSchema"]?["properties"]?.object)
    #expect(
      properties.mapValues { $0["title"] } == ["argument_1": "🎉", "plain": nil, "argument_3": "名前", "gr_e": "größe"])
    #expect(results[1]["isError"] == false, "\(results[1])")
    #expect(api.requests.map(\.target) == ["/users?%F0%9F%8E%89=5&%E5%90%8D%E5%89%8D=x&gr%C3%B6%C3%9Fe=y"])
  }

  @Test("have null among the variants of a union that may be null")
  func nullableUnions() async throws {
    let api = try RecordedAPI(
      """
      api: {name: Odd, hosts: {api: "https://o.example"}, schemes: {none: null}, auth: [none]}
      endpoints: {putMixed: {call: PUT /mixed, params: {value: Mixed | null, list: "[Mixed]?"}}}
      models: {Mixed: {$union: [string, int]}}
      """
    ) { _ in (200, "{}") }
    let list = try await api.assistant(("tools/list", [:]))[0]
    let properties = list["tools"]?.array?.first?["inputSchema"]?["properties"]
    let variants: [JSONValue] = [["type": "string"], ["type": "integer"]]
    #expect(properties?["value"]?["anyOf"] == .array(variants + [["type": "null"]]), "\(list)")
    #expect(properties?["list"]?["items"]?["anyOf"] == .array(variants), "\(list)")
  }

  @Test("say the tags of variants and the members that are constant, and another value is refused")
  func constants() async throws {
    let api = try api()
    let list = try await api.assistant(("tools/list", [:]))[0]
    let schema = try #require(list["tools"]?.array?.last?["inputSchema"]?["properties"])
    let variants = try #require(schema["pet"]?["anyOf"]?.array)
    #expect(variants.map { $0["properties"]?["kind"]?["enum"] } == [["cat"], ["dog"]])
    #expect(variants.allSatisfy { $0["required"]?.array?.contains("kind") == true }, "\(variants)")
    #expect(schema["dog"]?["properties"]?["kind"]?["const"] == "dog")
    #expect(schema["dog"]?["properties"]?["legs"]?["const"] == 4)
    #expect(schema["dog"]?["required"] == nil)
    let wrong = try await api.call("addPet", "pet:={\"kind\":\"cat\"}", "--dog.kind", "cat", "--dry-run")
    #expect(wrong.status == 64 && wrong.error.contains("dog.kind: must be dog"), "\(wrong.output) \(wrong.error)")
    let right = try await api.call(
      "addPet", "pet:={\"kind\":\"cat\"}", "--dog.kind", "dog", "--dog.legs", "4", "--dry-run")
    #expect(right.status == 0 && right.output.contains(#""dog":{"kind":"dog","legs":4}"#), "\(right.error)")
  }
}
