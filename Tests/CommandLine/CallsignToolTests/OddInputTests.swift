import Foundation
import TestSupport
import Testing

@Suite("Files that a command cannot use are named, with what to do")
struct OddInputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("openapi: 3.0.0\ninfo:\n\ttitle: x\n", to: "tab.yaml")
    try folder.write("[1, 2]", to: "list.json")
    try folder.write("", to: "empty.yaml")
    try folder.write("{", to: "open.json")
    try folder.write("openapi: 3.0.0\n---\nopenapi: 3.0.0\n", to: "two.yaml")
    try folder.write(
      """
      openapi: 3.0.0
      info: {title: Shop, version: "1"}
      servers: [{url: https://shop.example}]
      paths: {/pets: {get: {operationId: getPets, responses: {"204": {description: ""}}}}}
      """, to: "my shop.yaml")
    try FileManager.default.createDirectory(atPath: folder.path + "/folder", withIntermediateDirectories: true)
  }

  private func run(_ arguments: String...) throws -> (status: Int32, text: String) {
    let outcome = try Tool.run(arguments.map { $0.replacing("@", with: folder.path + "/") })
    let lines = (outcome.output + outcome.error).split(separator: "\n").filter { $0.contains("error: ") }
    return (outcome.status, lines.map { $0.replacing(folder.path + "/", with: "") }.joined(separator: "\n"))
  }

  @Test(
    "documents",
    arguments: [
      ("none.yaml", 66, "the file does not exist"), ("folder", 66, "this is a folder; name a file in it"),
      ("empty.yaml", 65, "the document is empty"),
      ("list.json", 65, "not an OpenAPI document: the top level is not an object"),
      (
        "tab.yaml", 65,
        "3:1: found character that cannot start any token; indent with spaces instead of tabs, and put a text that begins so "
          + "in quotes"
      ),
      ("open.json", 65, "2:1: did not find expected node content; a value is missing, or the text ends in the middle"),
      ("two.yaml", 65, "2:1: a second document begins here; put it into a separate file"),
    ])
  func documents(file: String, status: Int32, problem: String) throws {
    for command in ["import-openapi", "package"] {
      let outcome = try run(command, "@" + file, "--into", "@into")
      #expect(outcome.status == status)
      #expect(outcome.text == "\(file): error: \(problem)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/into"))
  }

  @Test(
    "the password of a URL in a file's place is not shown",
    arguments: [
      ["call", "@", "a"], ["check", "@"], ["import-openapi", "@", "--into", "into"], ["mock", "@"], ["mcp", "@"],
    ])
  func password(words: [String]) throws {
    let url = "https://user:PASSWORD?PASSWORD@127.0.0.1:1/openapi.json?key=PASSWORD#PASSWORD"
    let outcome = try Tool.run(words.map { $0 == "@" ? url : $0 })
    #expect(outcome.status != 0)
    let text = outcome.output + outcome.error
    #expect(text.contains("https://127.0.0.1:1/openapi.json: error: "), "\(text)")
    #expect(!text.contains("PASSWORD"))
  }

  @Test("a document in a catalogue's place", arguments: ["check", "generate"])
  func documentForCatalogue(command: String) throws {
    let more = command == "generate" ? ["--into", "@into"] : []
    let outcome = try Tool.run(([command, "@my shop.yaml"] + more).map { $0.replacing("@", with: folder.path + "/") })
    #expect(outcome.status == 1)
    #expect(
      outcome.output + outcome.error
        == "\(folder.path)/my shop.yaml: error: this is an OpenAPI document; `callsign import-openapi '\(folder.path)/my shop.yaml' "
        + "--into FOLDER` makes a catalogue of it\n")
  }

  @Test("folders that are files")
  func occupied() throws {
    try folder.write("", to: "file")
    #expect(try Tool.run("new", folder.path + "/catalogue").status == 0)
    for (arguments, problem) in [
      (["generate", "@catalogue", "--into", "@file"], "file: error: the sources cannot be written: File exists"),
      (
        ["generate", "@catalogue", "--into", "@file/a"], "file/a: error: the sources cannot be written: Not a directory"
      ),
      (
        ["import-openapi", "@my shop.yaml", "--into", "@file"], "file: error: the folder cannot be written: File exists"
      ),
      (["package", "@my shop.yaml", "--into", "@file"], "file: error: the package cannot be written: File exists"),
    ] {
      let outcome = try Tool.run(arguments.map { $0.replacing("@", with: folder.path + "/") })
      #expect(outcome.status == 73)
      #expect(outcome.error.hasSuffix("\(folder.path)/\(problem)\n"), "\(outcome.error)")
    }
  }

  @Test(
    "options that a catalogue or its Swift cannot have",
    arguments: [
      (["--server", "https://me@shop.example"], "--server https://me@shop.example: a catalogue holds no credentials"),
      (["--server", "https://shop.example?a=b"], "--server 'https://shop.example?a=b': a base URL ends with its path"),
      (["--server", "nonsense"], "--server nonsense: "),
      (["--into", ""], "--into is empty"),
    ])
  func options(options: [String], problem: String) throws {
    let into = options.contains("--into") ? [] : ["--into", folder.path + "/into"]
    let outcome = try Tool.run(["import-openapi", folder.path + "/my shop.yaml"] + into + options)
    #expect(outcome.status == 64)
    #expect(outcome.error.hasPrefix("error: \(problem)"), "\(outcome.error)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/into"))
  }

  @Test("a protocol that Swift cannot have", arguments: [("a b", 64), ("Petstore", 1), ("PetstoreProtocol", 0)])
  func protocolName(name: String, status: Int32) throws {
    #expect(try Tool.run("new", folder.path + "/catalogue").status == 0)
    let arguments = ["generate", folder.path + "/catalogue", "--into", folder.path + "/into", "--protocol", name]
    #expect(try Tool.run(arguments).status == status)
  }

  @Test("a reader of only the first lines still gets all files", arguments: ["import-openapi", "package"])
  func closedPipe(command: String) async throws {
    let paths = (0..<400).map { number in
      "  /pets\(number): {get: {operationId: getPets\(number), responses: {'204': {description: ''}}}}"
    }
    try folder.write(
      "openapi: 3.0.0\ninfo: {title: Shop, version: '1'}\nservers: [{url: 'https://shop.example'}]\npaths:\n"
        + paths.joined(separator: "\n"), to: "large.yaml")
    let tool = Program.products.appendingPathComponent("callsign").path
    let more = command == "package" ? "--callsign-path \(folder.path)" : ""
    try await ServerProcess.run(
      "sh", ["-c", "\(tool) \(command) \(folder.path)/large.yaml --into \(folder.path)/into \(more) 2>&1 | true"])
    let catalogue = folder.path + "/into" + (command == "package" ? "/Sources/into/Catalogue" : "")
    #expect(try Tool.run("check", catalogue).output == "Shop: 400 endpoints and 0 models in 2 files\n")
  }

  @Test("inputs to compare")
  func comparison() throws {
    let missing = try run("diff", "@none.yaml")
    #expect(missing.status == 66 && missing.text == "none.yaml: error: the file does not exist")
    #expect(try run("diff", "@list.json", "@my shop.yaml").status == 65)
    #expect(try run("diff", "@my shop.yaml", "@folder").status == 65)
  }
}
