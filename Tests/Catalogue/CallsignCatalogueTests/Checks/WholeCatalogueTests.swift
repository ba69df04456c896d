import CallsignCatalogue
import CatalogueTestSupport
import TestSupport
import Testing

@Suite("A catalogue of several files")
struct WholeCatalogueTests {
  private func problems(_ files: KeyValuePairs<String, String>) -> [String] {
    load(files).diagnostics.map(\.description)
  }

  @Test("equal names in two files are reported with both places")
  func duplicates() {
    #expect(
      problems([
        "a.yaml": shopAPI,
        "b.yaml": "endpoints:\n  get: {call: GET /a}\n  fetch_all: {call: GET /c}\nmodels:\n  Pet: {id: int}\n",
        "c.yaml": "endpoints:\n  get: {call: GET /b}\n  fetchAll: {call: GET /d}\nmodels:\n  Pet: string\n",
      ]) == [
        "c.yaml:2:3: error: the endpoint `get` is declared already, in b.yaml:2:3; rename or remove one",
        "c.yaml:3:3: error: `fetch_all` and `fetchAll` both have the Swift method `fetchAll`, the other in b.yaml:3:3; "
          + "give one a `name:`",
        "c.yaml:5:3: error: the model `Pet` is declared already, in b.yaml:5:3; rename or remove one",
      ])
  }

  @Test("no file has `api:`")
  func noAPI() {
    #expect(
      problems(["b.yaml": "models: {A: int}\n"]) == [
        "b.yaml:1:1: error: no file of the catalogue has an `api:` section; write one with `name` and `hosts`, as in "
          + "spec/README.md"
      ])
  }

  @Test("two files have `api:`")
  func twoAPIs() {
    #expect(
      problems(["a.yaml": shopAPI, "b.yaml": "group: {summary: x}\n" + shopAPI]) == [
        "b.yaml:2:1: error: a catalogue has one `api:` section, and a.yaml:1:1 has it; remove this one"
      ])
  }

  @Test("a file that cannot be read makes no names of other files unknown")
  func brokenFile() {
    #expect(
      problems([
        "a.yaml": shopAPI, "b.yaml": "models:\n  A: {b: B}\nendpoints: none", "c.yaml": "models: {B: [int}",
      ]) == [
        "b.yaml:3:12: error: `endpoints` must be a mapping from names, not a text",
        "c.yaml:1:17: error: invalid YAML: continue a list in brackets with `,` or end it with `]`; after a type such as "
          + "`[T]?` put all of it in quotes (from line 1)",
      ])
  }

  @Test("missing and wrong entries of the API section")
  func apiSection() {
    #expect(
      problems(["a.yaml": "api:\n  nam: Shop\n"]) == [
        "a.yaml:1:1: error: `api` has no `name`; give the Swift type that carries the methods, such as `name: Petstore`",
        "a.yaml:1:1: error: `api` has no `hosts`; name one, such as `hosts: {api: https://api.example.com}`",
        "a.yaml:2:3: error: unknown key `nam` in `api`; did you mean `name`?",
      ])
    #expect(
      problems(["a.yaml": "api:\n  name: pet-store\n  hosts: {a: https://a.example}\n  auth: [oauth]\n"]) == [
        "a.yaml:2:9: error: `pet-store` is not a Swift name; use letters, digits and `_`, not beginning with a digit",
        "a.yaml:4:10: error: unknown auth scheme `oauth`; did you mean `oauth1`?",
      ])
    #expect(
      problems(["a.yaml": "api:\n  name: shop\n  hosts:\n"]) == [
        "a.yaml:2:9: error: a Swift type's name begins with a capital: `Shop`",
        "a.yaml:3:3: error: `hosts` is empty; name one, such as `api: https://api.example.com`",
      ])
  }

  @Test(
    "a host is an absolute https or http URL",
    arguments: [
      ("api.example.com", "`api.example.com` is not an absolute URL; write one such as `https://api.example.com/v1`"),
      ("/v1", "`/v1` is not an absolute URL; write one such as `https://api.example.com/v1`"),
      ("ftp://a.example", "a host is reached by `https`, not `ftp`; write one such as `https://api.example.com/v1`"),
      ("https://me:pw@a.example", "a catalogue holds no credentials; remove the part before `@`"),
      ("https://a.example?x=y", "a base URL ends with its path; remove what follows `?` or `#`"),
    ])
  func host(url: String, problem: String) {
    let text = "api:\n  name: Shop\n  hosts:\n    api: \(url)\n  auth: [none]\n"
    #expect(load(text).diagnostics.map(\.description) == ["api.yaml:4:10: error: \(problem)"])
  }

  @Test(
    "http is only for loopback", arguments: ["http://localhost:8080", "http://127.0.0.1:1/v1", "http://[::1]:8080"])
  func loopback(url: String) throws {
    let text = "api:\n  name: Shop\n  hosts:\n    api: \(url)\n  auth: [none]\n"
    #expect(try load(text).expectCatalogue().api.hosts.map(\.url) == [url])
  }

  @Test("an endpoint without any authorization is reported")
  func noAuth() {
    let api = "api:\n  name: Shop\n  hosts: {api: https://a.example}\nendpoints:\n  a: {call: GET /a}\n"
    #expect(
      problems(["a.yaml": api]) == [
        "a.yaml:5:3: error: `a` has no `auth`; write `auth:` here, under `group:` or under `api:` "
          + "(`[none]` when the call needs no credentials)"
      ])
  }

  @Test("folders and files that cannot be read are refused")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let loader = CatalogueLoader()
    #expect(
      loader.load(folder: folder.path + "/none").diagnostics.map(\.description) == [
        "\(folder.path)/none: error: the file or folder does not exist; name a folder with catalogue files (*.yaml)"
      ])
    #expect(
      loader.load(folder: folder.path).diagnostics.map(\.description) == [
        "\(folder.path): error: no catalogue file (*.yaml) is in this folder; `callsign new` begins one"
      ])
    try folder.write(String(repeating: "# comment\n", count: 1 << 20), to: "a.yaml")
    #expect(
      loader.load(folder: folder.path).diagnostics.map(\.description) == [
        "\(folder.path)/a.yaml: error: the file has 10 MB; a catalogue file may have 8 MB: split it by groups of "
          + "endpoints"
      ])
  }
}
