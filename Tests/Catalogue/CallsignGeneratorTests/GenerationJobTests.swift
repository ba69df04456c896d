import CallsignGenerator
import Foundation
import TestSupport
import Testing

@Suite struct GenerationJobTests {
  private let api = "api: {name: Shop, hosts: {main: https://shop.example}, auth: [none]}\n"

  private func job(_ input: TemporaryFolder, _ output: TemporaryFolder, only: [String] = []) -> GenerationJob {
    GenerationJob(
      input: .folder(input.path), outputFolder: output.path, options: GenerationOptions(only: only), removesStale: true)
  }

  private func endpoint(_ name: String, path: String = "/x") -> String {
    "endpoints:\n  \(name): {call: GET \(path)}\n"
  }

  @Test("Only files whose text changed are written")
  func writesOnlyChanges() throws {
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    try input.write(api + endpoint("getOne"), to: "one.yaml")
    try input.write(endpoint("getTwo"), to: "two.yml")
    let first = try job(input, output).run()
    #expect(first.written == ["one.generated.swift", "two.generated.swift"])
    #expect(first.diagnostics.isEmpty)

    let second = try job(input, output).run()
    #expect(second.written == [])
    #expect(second.unchanged == ["one.generated.swift", "two.generated.swift"])

    try input.write(endpoint("getTwo", path: "/y"), to: "two.yml")
    #expect(try job(input, output).run().written == ["two.generated.swift"])
  }

  @Test("A run with nothing changed writes nothing; any change of file, output, settings or options is seen")
  func unchangedRuns() throws {
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    let state = try TemporaryFolder()
    let names = ["one.generated.swift", "two.generated.swift"]
    try input.write(api + endpoint("getOne"), to: "one.yaml")
    try input.write(endpoint("getTwo"), to: "two.yaml")
    try input.write("access: public\n", to: "callsign.yaml")
    var job = GenerationJob(
      input: .files([("\(input.path)/one.yaml", [names[0]]), ("\(input.path)/two.yaml", [names[1]])]),
      outputFolder: output.path, removesStale: false, settingsFile: "\(input.path)/callsign.yaml",
      stateFile: "\(state.path)/state")
    #expect(try job.run().written == names)
    #expect(try state.names() == ["state"])
    #expect(try job.run().unchanged == names)

    try input.write(endpoint("getTwo", path: "/y"), to: "two.yaml")
    #expect(try job.run().written == ["two.generated.swift"])
    #expect(try output.read("two.generated.swift").contains("\"/y\""))
    try output.write("// Touched.\n", to: "one.generated.swift")
    #expect(try job.run().written == ["one.generated.swift"])
    try output.remove("two.generated.swift")
    #expect(try job.run().written == ["two.generated.swift"])
    job.options.emitsIntoClient = false
    #expect(try job.run().written == names)
    #expect(try job.run().unchanged == names)
    try input.write("access: internal\n", to: "callsign.yaml")
    #expect(try job.run().written == names)
    job.overrides.access = "package"
    #expect(try job.run().written == names)
    #expect(try job.run().unchanged == names)
  }

  @Test("Each run reports mistakes and warnings, until they are fixed")
  func stateOfRunsWithDiagnostics() throws {
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    let state = try TemporaryFolder()
    let job = GenerationJob(
      input: .files([("\(input.path)/one.yaml", ["one.generated.swift"])]), outputFolder: output.path,
      removesStale: false, stateFile: "\(state.path)/state")
    try input.write(api + endpoint("getOne"), to: "one.yaml")
    _ = try job.run()
    try input.write(api + "endpoints:\n  getOne: {call: GET /x, returns: Usr}\n", to: "one.yaml")
    for _ in 1...2 { #expect(try job.run().diagnostics.hasErrors) }
    #expect(try state.names() == [])
    try input.write(api + endpoint("getOne"), to: "one.yaml")
    #expect(try job.run().unchanged == ["one.generated.swift"])
    #expect(try state.names() == ["state"])

    // An API that has its target's name gets a warning.
    var warned = job
    warned.moduleName = "Shop"
    let first = try warned.run()
    #expect(first.diagnostics.map(\.severity) == [.warning])
    for _ in 1...2 {
      let next = try warned.run()
      #expect(next.diagnostics == first.diagnostics)
      #expect(next.unchanged == ["one.generated.swift"])
    }
    let kept = try state.read("state")
    let message = try #require(first.diagnostics.first?.message)
    #expect(kept.contains(message))

    // The next run reads them there; a state that is cut off makes it do all its work.
    let other = String(repeating: "x", count: message.utf8.count)
    try state.write(kept.replacingOccurrences(of: message, with: other), to: "state")
    #expect(try warned.run().diagnostics.map(\.message) == [other])
    for count in [1, 10, message.utf8.count + 5] {
      try state.write(String(decoding: kept.utf8.dropLast(count), as: UTF8.self), to: "state")
      #expect(try warned.run().diagnostics == first.diagnostics)
      #expect(try state.read("state") == kept)
    }
  }

  @Test("An error anywhere leaves every output as it was")
  func errorsWriteNothing() throws {
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    try input.write(api + endpoint("getOne"), to: "one.yaml")
    try input.write("endpoints:\n  getTwo: {call: GET /x, returns: Usr}\n", to: "two.yaml")
    let report = try job(input, output).run()
    #expect(report.diagnostics.hasErrors)
    #expect(report.diagnostics.first?.description.contains("two.yaml:2:") == true)
    #expect(report.written == [])
    #expect(try output.names() == [])
  }

  @Test("The outputs of a removed catalogue file are removed; the user's own files are not")
  func removesStale() throws {
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    try input.write(api + endpoint("getOne"), to: "one.yaml")
    try input.write(endpoint("getTwo"), to: "two.yaml")
    try output.write("// My own.\n", to: "mine.generated.swift")
    try output.write("// Mine, too.\n", to: "Mine.swift")
    _ = try job(input, output).run()
    try input.remove("two.yaml")
    #expect(try job(input, output).run().removed == ["two.generated.swift"])
    #expect(try output.names() == ["Mine.swift", "mine.generated.swift", "one.generated.swift"])
  }

  @Test("Equal names in several folders, and names that differ only in case, have separate outputs")
  func equalNames() throws {
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    try input.write(api + endpoint("getOne"), to: "lists.yaml")
    try input.write(endpoint("getTwo"), to: "a/lists.yaml")
    try input.write(endpoint("getThree"), to: "b/Lists.yml")
    try input.write(endpoint("getFour"), to: "a_lists.yaml")
    try input.write(endpoint("getFive"), to: "other.yaml")
    let names = try job(input, output).run().written
    #expect(names.count == 5)
    #expect(Set(names.map { $0.lowercased() }).count == 5)
    #expect(names.contains("other.generated.swift"))
    let texts = try names.map(output.read)
    for name in ["getOne", "getTwo", "getThree", "getFour", "getFive"] {
      #expect(texts.filter { $0.contains("func \(name)(") }.count == 1)
    }
  }

  @Test("`only` keeps endpoints or groups, and the models that they need")
  func only() throws {
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    try input.write(
      api + """
        endpoints:
          getOne: {call: GET /one, returns: One}
          getTwo: {call: GET /two, returns: Two}
        models:
          One: {part: Part?}
          Two: {a: string}
          Part: {b: string}
        """, to: "one.yaml")
    try input.write(endpoint("getThree"), to: "three.yaml")
    try input.write(endpoint("getFour"), to: "four.yaml")
    _ = try job(input, output, only: ["getOne", "three"]).run()
    let one = try output.read("one.generated.swift")
    #expect(one.contains("func getOne("))
    #expect(!one.contains("getTwo"))
    #expect(one.contains("struct One") && one.contains("struct Part"))
    #expect(!one.contains("struct Two"))
    #expect(try output.read("three.generated.swift").contains("func getThree("))
    #expect(try !output.read("four.generated.swift").contains("getFour"))

    let advice = "error: `only` names `getOn`, which is neither an endpoint nor a group; did you mean `getOne`?"
    #expect(try job(input, output, only: ["getOn"]).run().diagnostics.map(\.description) == [advice])
    // In a build, an error is found by its file.
    try input.write("only: [getOn]\n", to: "callsign.yaml")
    #expect(try job(input, output).run().diagnostics.map(\.description) == ["\(input.path)/callsign.yaml: \(advice)"])
  }

  @Test("`only` keeps the types of a response's header fields, and drops them with the fields")
  func onlyWithHeaders() throws {
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    try input.write(
      api + """
        endpoints:
          getOne: {call: GET /one, response_headers: {X-Count: Count}, returns: One}
          getTwo: {call: GET /two}
        models:
          One: {a: string}
          Count: int
        """, to: "one.yaml")
    #expect(try job(input, output, only: ["getOne"]).run().diagnostics.map(\.description) == [])
    let one = try output.read("one.generated.swift")
    #expect(one.contains("typealias Count = Int") && one.contains("var count: Int?"))
    _ = try job(input, output, only: ["getTwo"]).run()
    #expect(try !output.read("one.generated.swift").contains("Count"))
  }

  @Test("A property of a response is declared once, whichever endpoints and names of its type have it")
  func responseHeaders() throws {
    let text = try generated(
      api + """
        endpoints:
          a: {call: GET /a, response_headers: {Status: string, X-Rate: int}, returns: One}
          b: {call: GET /b, response_headers: {X-Rate: int}, returns: Other}
          c: {call: GET /c, response_headers: {X-Rate: int}, returns: "[One]"}
          d: {call: GET /d, response_headers: {X-Rate: int}, returns: "[Other]"}
        models:
          One: {status: string}
          Other: One

        """)
    #expect(text.split(separator: "var status: ").count == 3)
    #expect(text.split(separator: "var rate: Int?").count == 3)
    #expect(!text.contains("Value == [Shop.Other]"))
  }

  @Test("The access level is that of the options", arguments: AccessLevel.allCases)
  func access(level: AccessLevel) throws {
    let text = try generated(
      api + endpoint("getOne") + "models: {One: {a: string}}\n", options: GenerationOptions(access: level))
    let modifier = level == .internal ? "" : "\(level.rawValue) "
    #expect(text.contains("\n\(modifier)struct Shop: "))
    #expect(text.contains(" \(modifier)func getOne("))
    #expect(text.contains("\n  \(modifier)struct One: "))
    #expect(text.contains("public ") == (level == .public))
  }

  @Test(
    "Foundation is imported publicly only if a declaration names one of its types",
    arguments: [
      ("a: {type: string, summary: \"The URL, the Date and the Data.\"}", "", false),
      ("a: string", "call: GET /a, params: {Date: {type: string, in: header}, URL2: string?}", false),
      ("a: URL2", "", false),
      ("a: url", "", true), ("a: \"[date]\"", "", true), ("a: uuid?", "", true),
      ("a: string", "call: GET /a, params: {since: date}", true),
    ])
  func foundationImport(field: String, call: String, isPublic: Bool) throws {
    let endpoint = call.isEmpty ? "call: GET /a" : call
    // A model may have the name of a type of Foundation, which then is named with its module.
    for name in ["One", "Date"] {
      let text = try generated(
        api + """
          endpoints: {getOne: {\(endpoint), returns: \(name)}}
          models:
            \(name): {\(field)}
            URL2: {b: int}

          """)
      #expect(text.contains("public import Foundation") == isPublic, "\(text)")
    }
  }

  @Test("`only` also accepts the names of methods, unless they are another endpoint's name")
  func onlyMethods() throws {
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    try input.write(
      api + """
        endpoints:
          repos/get: {call: GET /one}
          getTwo: {call: GET /two, name: fetch}
          fetch: {call: GET /three, name: load}
        """, to: "one.yaml")
    let report = try job(input, output, only: ["reposGet", "fetch"]).run()
    #expect(report.diagnostics.map(\.description) == [])
    let text = try output.read("one.generated.swift")
    #expect(text.contains("func reposGet(") && text.contains("func load("))
    #expect(!text.contains("func fetch("))
  }

  @Test("A page's size is a plain number, even if the argument can be null or the catalogue has the number")
  func pageSizes() throws {
    let text = try generated(
      api + """
        endpoints:
          getOne:
            call: GET /one
            params: {offset: int?, limit: int | null?}
            returns: [string]
            pages: {offset: offset, items: ., size: limit}
          getTwo:
            call: GET /two
            params: {page: int?, per_page: {type: int, value: 100}}
            returns: [string]
            pages: {page: page, items: ., size: per_page}
        """)
    #expect(text.contains("size: limit?.value,"))
    #expect(text.contains("size: 100,"))
  }
}
