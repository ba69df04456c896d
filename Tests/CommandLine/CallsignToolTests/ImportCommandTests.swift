import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import CallsignTool

@Suite("callsign import-openapi and callsign diff") struct ImportCommandTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("callsign-import-\(UUID().uuidString)")

  private func file(_ name: String, _ text: String) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent(name)
    try text.write(to: url, atomically: true, encoding: .utf8)
    return url.path
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  private func document(_ paths: String) -> String {
    """
    openapi: 3.0.0
    info: {title: Pets, version: "1"}
    servers: [{url: https://pets.example}]
    paths:
      \(paths)
    """
  }

  private func run(_ arguments: String...) throws -> Int32 {
    do {
      var command = try CallsignTool.parseAsRoot(arguments)
      try command.runInTest()
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      return CallsignTool.exitCode(for: error).rawValue
    }
  }

  @Test("A strict import fails if anything of the document is lost, and writes nothing") func strict() throws {
    let lossy = try file(
      "lossy.yaml",
      document(
        "/a: {get: {operationId: a, parameters: [{name: q, in: query, schema: {type: string, not: {enum: [x]}}}], "
          + "responses: {'204': {description: ''}}}}"))
    let whole = try file("whole.yaml", document("/a: {get: {operationId: a, responses: {'204': {description: ''}}}}"))
    let into = folder.path + "/Catalogue"
    let outcome = try Tool.run("import-openapi", lossy, "--into", into, "--strict")
    #expect(outcome.status == 65)
    #expect(outcome.error.contains("`not` cannot be expressed in a catalogue"))
    #expect(outcome.error.contains("error: the catalogue would not say all that the document does (1 warning)"))
    #expect(!FileManager.default.fileExists(atPath: into))
    let quiet = try Tool.run("import-openapi", lossy, "--into", into, "--strict", "--quiet")
    #expect(quiet.status == 65 && quiet.error.contains("`not`"))
    #expect(try run("package", lossy, "--into", folder.path + "/Kit", "--strict", "--quiet") == 65)
    #expect(try run("import-openapi", lossy, "--into", into, "--quiet") == 0)
    #expect(try run("import-openapi", whole, "--into", into, "--strict", "--quiet") == 0)
  }

  @Test("A misspelt tag or operation gets a suggestion") func slips() throws {
    let path = try file(
      "slips.yaml",
      document("/a: {get: {operationId: listFolders, tags: [Folders], responses: {'204': {description: ''}}}}"))
    let tag = try Tool.run("package", path, "--into", folder.path + "/Kit", "--tag", "Folderz")
    #expect(tag.status == 64 && tag.error.contains("the document has no tag `Folderz`; did you mean `Folders`?"))
    let operation = try Tool.run("package", path, "--into", folder.path + "/Kit", "--operations", "listFoldes")
    #expect(operation.error.contains("did you mean `listFolders`?"))
  }

  @Test("Files outside the document's folder are read if the user names their folder, and reported if not")
  func referencesOutside() throws {
    for name in ["api/own", "shared"] {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/" + name, withIntermediateDirectories: true)
    }
    _ = try file("shared/types.yaml", "Pet: {type: object, properties: {name: {type: string}}}")
    _ = try file("api/own/types.yaml", "Pet: {type: object, properties: {age: {type: integer}}}")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/api/link.yaml", withDestinationPath: "../shared/types.yaml")
    func operation(_ name: String, _ reference: String) -> String {
      "/\(name): {get: {operationId: \(name), responses: {'200': {description: '', content: {application/json: "
        + "{schema: {$ref: '\(reference)#/Pet'}}}}}}}"
    }
    let references = ["above": "../shared/types.yaml", "link": "link.yaml", "own": "own/types.yaml"]
    let path = try file(
      "api/pets.yaml",
      document(references.sorted { $0.key < $1.key }.map { operation($0.key, $0.value) }.joined(separator: "\n  ")))
    let into = folder.path + "/Catalogue"

    let refused = try Tool.run("import-openapi", path, "--into", into)
    let lines = refused.error.split(separator: "\n").filter { $0.contains("--allow-references") }
    #expect(refused.status == 0 && lines.count == 2, "\(refused.error)")
    #expect(
      lines.first?.hasSuffix(
        "warning: `../shared/types.yaml` is outside the document's folder, or that is a home folder, and it is not read; "
          + "name a folder that it is in by --allow-references; what refers to it is broken") == true)
    #expect(try #require(text("Catalogue/other.yaml")).contains("age: int?"))
    #expect(try #require(text("Catalogue/other.yaml")).contains("name: string?") == false)
    #expect(try Tool.run("import-openapi", path, "--into", into, "--strict").status == 65)

    let allowed = try Tool.run(
      "import-openapi", path, "--into", into, "--strict", "--allow-references", folder.path + "/shared")
    #expect(allowed.status == 0, "\(allowed.error)")
    #expect(try #require(text("Catalogue/other.yaml")).contains("name: string?"))

    let inside = try Tool.run(["import-openapi", path, "--into", into, "--strict"], in: folder)
    #expect(inside.status == 0, "\(inside.error)")
  }

  @Test("Commands that read a document in place of a catalogue say how many warnings there are of it, and once")
  func warningsOfDocuments() throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/api", withIntermediateDirectories: true)
    _ = try file("types.yaml", "Pet: {type: object, properties: {name: {type: string}}}")
    let response =
      "responses: {'200': {description: '', content: {application/json: {schema: {$ref: '../types.yaml#/Pet'}}}}}"
    let path = try file("api/pets.yaml", document("/pet: {get: {operationId: getPet, \(response)}}"))
    let same = try file(
      "api/same.yaml", document("/pet: {get: {operationId: getPet, responses: {'204': {description: ''}}}}"))
    // Both the skipped file and the references to it.
    let line = "\(path): 2 warnings; `callsign import-openapi \(path) --into FOLDER` shows them\n"
    let list = try Tool.run("call", path)
    #expect(list.error == line && list.output.hasPrefix("getPet "))
    #expect(try Tool.run("call", path, "getPet", "--help").error == line)
    #expect(try Tool.run("call", same).error == "")
    for option in [["--allow-references", folder.path], ["--allow-references=\(folder.path)"]] {
      let words = [path, "getPet", "--base-url", "http://127.0.0.1:9", "--dry-run"]
      let run = try Tool.run(["call"] + option + words, input: "")
      #expect(
        run.status == 0 && !run.error.contains("warning") && run.output.contains(" http://127.0.0.1:9/pet"), "\(run)")
    }
    #expect(try Tool.run("call", "--allow-references").status == 64)
    for (words, response) in [
      ("--al", "--allow-references\tA folder whose files it may refer to.\n"), ("--allow-references ", ":files\n"),
      ("--allow-references \(folder.path) \(path) getP", "getPet\tCalls GET /pet.\n"),
    ] {
      #expect(try Tool.run("__complete", "callsign call \(words)").output == response)
    }
    #expect(try Tool.run("diff", path, same).error == line)
    #expect(try Tool.run("diff", same, path).error == line)
    #expect(try Tool.run("diff", path, same, "--allow-references", folder.path).error == "")
    #expect(try Tool.run("diff", same, path, "--quiet").error == "")
    _ = try file("api/pets.overlay.yaml", "endpoints: {getPet: Gets the pet.}")
    #expect(try Tool.run("diff", path).error == line)
    #expect(try Tool.run(["mcp", path], input: "").error == line)
    #expect(try Tool.run(["mcp", path, "--allow-references", folder.path], input: "").error == "")
  }

  @Test("Files that both documents refer to are compared") func differencesOfReferences() throws {
    func write(_ version: String, _ type: String) throws -> String {
      try FileManager.default.createDirectory(atPath: folder.path + "/" + version, withIntermediateDirectories: true)
      _ = try file("\(version)/types.yaml", "Pet: {type: object, properties: {age: {type: \(type)}}}")
      return try file(
        "\(version)/pets.yaml",
        document(
          "/pets: {get: {operationId: getPets, responses: {'200': {description: '', content: {application/json: "
            + "{schema: {$ref: 'types.yaml#/Pet'}}}}}}}"))
    }
    let outcome = try Tool.run("diff", try write("old", "integer"), try write("new", "string"))
    #expect(outcome.output.contains("Pet.age"), "\(outcome)")
  }

  @Test("Credentials that the document forgets are given, also to a package") func auth() throws {
    let path = try file(
      "pets.yaml", document("/pets: {get: {operationId: getPets, responses: {200: {description: ''}}}}"))
    let into = folder.path + "/Catalogue"
    #expect(
      try run("import-openapi", path, "--into", into, "--auth", "bearer", "--auth", "oauth2(read)", "--quiet") == 0)
    #expect(try #require(text("Catalogue/other.yaml")).contains("auth: [bearer, oauth2(read)]"))
    #expect(try run("import-openapi", path, "--into", into, "--auth", "nope", "--quiet") == 65)
    #expect(try run("import-openapi", path, "--into", into, "--auth", "oauth2(", "--quiet") == 64)
    let package = folder.path + "/PetsKit"
    #expect(
      try run(
        "package", path, "--into", package, "--callsign-path", folder.path, "--auth", "oauth2(read)", "--quiet") == 0)
    #expect(try #require(text("PetsKit/Sources/PetsKit/Catalogue/other.yaml")).contains("auth: [oauth2(read)]"))
    #expect(try #require(text("PetsKit/README.md")).contains("--auth 'oauth2(read)'"))
  }

  @Test("A document's control characters do not reach the terminal")
  func controlCharacters() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"""
      {"openapi": "3.0.3", "info": {"title": "Odd\u001b[2J\u009b", "version": "1\u0007"},
      "paths": {"/odd": {"get": {"operationId": "get\u001b[31mOdd", "responses": {"200": {"description": "", "content":
      {"application/json": {"schema": {"type": "\u001b[5mword"}}}}}}, "post": {"operationId": "makeOdd", "summary":
      "Makes\u001b[2J", "parameters": [{"name": "\u0007kind", "in": "query", "schema": {"type": "string", "enum":
      ["a\u009b"]}}], "responses": {"204": {"description": ""}}}}}}
      """#, to: "odd.json")
    let outcome = try Tool.run("import-openapi", folder.path + "/odd.json", "--into", folder.path + "/catalogue")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("2 endpoints"))
    #expect(outcome.error.contains("warning: "))
    let help = try Tool.run("call", folder.path + "/odd.json", "makeOdd", "--help")
    #expect(help.status == 0 && help.output.contains("\u{FFFD}kind"), "\(help.error)")
    for text in [outcome.output, outcome.error, help.output, help.error] {
      let controls = text.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
      #expect(controls.isEmpty, "\(text.debugDescription)")
    }
  }

  @Test("Import writes only changed files, and removes those that it no longer needs")
  func importWritesOnlyWhatChangedAndRemovesWhatItNoLongerHas() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try file(
      "first.yaml",
      document(
        "/a: {get: {operationId: getA, tags: [a], responses: {}}, put: {operationId: putA, tags: [b], responses: {}}}"))
    let second = try file(
      "second.yaml", document("/a: {get: {operationId: getA, tags: [a], responses: {}}}"))
    let into = folder.appendingPathComponent("catalogue").path
    _ = try file("catalogue.overlay.yaml", "endpoints: {getA: Gets the a.}")
    #expect(try run("import-openapi", first, "--into", into, "--quiet") == 0)
    #expect(text("catalogue/a.yaml")?.contains("summary: Gets the a.") == true)
    #expect(text("catalogue/b.yaml") != nil)
    #expect(try run("check", into, "--quiet") == 0)

    // The importer must not remove parts that somebody added.
    _ = try file("catalogue/own.yaml", "models: {Own: string}\n")
    let date = Date(timeIntervalSince1970: 1_000_000)
    let untouched = folder.appendingPathComponent("catalogue/a.yaml").path
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: untouched)
    #expect(try run("import-openapi", second, "--into", into, "--quiet") == 0)
    #expect(text("catalogue/b.yaml") == nil)
    #expect(text("catalogue/own.yaml") != nil)
    let attributes = try FileManager.default.attributesOfItem(atPath: untouched)
    #expect(attributes[.modificationDate] as? Date == date)
  }

  @Test("Exit codes of bad input") func exitCodesOfBadInput() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let bad = try file("bad.json", "{\"swagger\": \"2.0\"}")
    let into = folder.appendingPathComponent("catalogue").path
    #expect(try run("import-openapi", bad, "--into", into) == 65)
    #expect(try run("import-openapi", folder.appendingPathComponent("none").path, "--into", into) == 66)
    #expect(try run("import-openapi", bad) == 64)
    #expect(!FileManager.default.fileExists(atPath: into))
    let overlay = try file("bad.overlay.yaml", "endpoints: [a]")
    let good = try file("good.yaml", document("/a: {get: {operationId: getA, responses: {}}}"))
    #expect(try run("import-openapi", good, "--into", into, "--overlay", overlay) == 65)
    #expect(!FileManager.default.fileExists(atPath: into))
    _ = try file("catalogue.notes.yaml", "operations: {getA: Gets the a.}")
    #expect(try run("import-openapi", good, "--into", into) == 65, "notes are not passed over silently")
    try FileManager.default.removeItem(at: folder.appendingPathComponent("catalogue.notes.yaml"))
    let occupied = try file("occupied", "")
    #expect(try run("import-openapi", good, "--into", occupied, "--quiet") == 73)
  }

  @Test("Diff shows what an overlay changes") func diffSaysWhatAnOverlayChanges() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let api = try file("api.yaml", document("/a: {get: {operationId: getA, responses: {}}}"))
    #expect(try run("diff", api) == 64, "there is nothing to compare with")
    let harmless = try file("harmless.overlay.yaml", "endpoints: {getA: {limits: {user: 5/1m}}}")
    #expect(try run("diff", api, "--overlay", harmless, "--quiet") == 0)
    _ = try file("api.overlay.yaml", "endpoints: {getA: {name: fetch}}")
    #expect(try run("diff", api, "--quiet") == 1, "the overlay beside the document is found")
    let into = folder.appendingPathComponent("catalogue").path
    #expect(try run("import-openapi", api, "--into", into, "--quiet") == 0)
    #expect(text("catalogue/other.yaml")?.contains("name: fetch") == true)
    #expect(text("catalogue/api.yaml")?.contains("api.overlay.yaml") == true)
    #expect(try run("diff", into, "--overlay", harmless) == 65, "a folder has the overlay in it already")
    let bad = try file("bad.overlay.yaml", "endpoints: {getA: {returns: Nothing}}")
    #expect(try run("diff", api, "--overlay", bad) == 65)
  }

  @Test(
    "An API's name that no catalogue may have is refused before anything is read",
    arguments: ["foo-bar", "foo", "", "Self", "Callsign", "../Shop", "A: b"])
  func badNames(name: String) throws {
    let folder = try TemporaryFolder()
    for command in ["import-openapi", "package"] {
      let outcome = try Tool.run(command, folder.path + "/none.yaml", "--into", folder.path + "/into", "--name", name)
      #expect(outcome.status == 64)
      #expect(outcome.error.hasPrefix("error: --name: "), "\(outcome.error)")
    }
  }

  @Test("Diff shows the names that an overlay gives to the API and its models")
  func diffTellsNames() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      document("/a: {get: {operationId: getA, responses: {}}}")
        + "\ncomponents: {schemas: {}}\n", to: "api.yaml")
    try folder.write("api: {name: Zoo}\n", to: "api.overlay.yaml")
    let outcome = try Tool.run("diff", folder.path + "/api.yaml")
    #expect(outcome.output.contains("! ~ api: the Swift type is `Zoo`, not `Pets`"))
    #expect(outcome.status == 1)
  }

  @Test("An overlay next to the document that is not read, because the folder has one, is named")
  func twoOverlays() throws {
    let folder = try TemporaryFolder()
    try folder.write(document("/a: {get: {operationId: getA, responses: {}}}"), to: "api.yaml")
    try folder.write("endpoints: {getA: Gets.}\n", to: "api.overlay.yaml")
    try folder.write("endpoints: {getA: Gets the a.}\n", to: "shop.overlay.yaml")
    let (api, shop) = (folder.path + "/api.yaml", folder.path + "/shop")
    let both = try Tool.run("import-openapi", api, "--into", shop)
    let warning =
      "\(folder.path)/api.overlay.yaml: warning: nothing of this is merged, as \(shop).overlay.yaml is; move its lines "
      + "there, or name one with --overlay\n"
    #expect(both.status == 0 && both.error == warning)
    #expect(both.output == "Pets 1: 1 endpoint and 0 models in 2 files (2 changed), 0 warnings\n")
    #expect(try Tool.run("import-openapi", api, "--into", shop, "--quiet").error == "")
    #expect(
      try Tool.run("import-openapi", api, "--into", shop, "--overlay", shop + ".overlay.yaml").error == "")
    #expect(try Tool.run("diff", api, shop).error == warning)
    // The folder's own has been merged into its files.
    #expect(try Tool.run("diff", shop, shop).error == "")
  }

  @Test("Diff compares folders and documents") func diffComparesFoldersAndDocuments() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let old = try file("old.yaml", document("/a: {get: {operationId: getA, responses: {}}}"))
    let new = try file(
      "new.yaml",
      document("/a: {get: {operationId: getA, responses: {}}, delete: {operationId: deleteA, responses: {}}}"))
    let into = folder.appendingPathComponent("catalogue").path
    #expect(try run("import-openapi", old, "--into", into, "--quiet") == 0)
    #expect(try run("diff", into, new, "--quiet") == 0)
    #expect(try run("diff", new, into, "--quiet") == 1)
    #expect(try run("diff", old, old, "--json") == 0)
    let bad = try file("bad.json", "{}")
    #expect(try run("diff", bad, into) == 65)
    #expect(try run("diff", into, folder.appendingPathComponent("none").path) == 65)
    #expect(try run("diff", into) == 64)
  }

  @Test("Import does not write over a file that somebody wrote")
  func importKeepsOwnFiles() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let pets = try file("pets.yaml", document("/a: {get: {operationId: getA, tags: [a], responses: {}}}"))
    let own = "# My own.\nmodels: {Own: string}\n"
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("catalogue"), withIntermediateDirectories: true)
    _ = try file("catalogue/api.yaml", own)
    let into = folder.appendingPathComponent("catalogue").path
    #expect(try run("import-openapi", pets, "--into", into, "--quiet") == 73)
    #expect(text("catalogue/api.yaml") == own)
    #expect(text("catalogue/a.yaml") == nil)
  }
}
