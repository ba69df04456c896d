import Foundation
import TestSupport
import Testing

/// A stranger may have written a document, so none of its texts may move a terminal's cursor or look like another text.
@Suite struct StrangersTextTests {
  /// JSON's escapes of a cursor movement, of its C1 form, and of invisible characters that change what is seen.
  private static let marks = [
    #"\u001b[2J"#, #"\u009b2J"#, #"\u202e"#, #"\u2066"#, #"\u2028"#, #"\u200b"#, #"\ufeff"#, #"\u0007"#, #"\u007f"#,
    #"\udb40\udc41"#, #"\r"#, #"\b"#,
  ]

  private func document(_ mark: String, version: Int) -> String {
    let type = version == 1 ? "string" : "integer"
    return #"""
      {"openapi": "3.0.3", "info": {"title": "Odd \#(mark)API", "version": "\#(version)\#(mark)", "description": "D\#(mark)"},
      "servers": [{"url": "https://odd.test"}], "tags": [{"name": "t\#(mark)", "description": "T\#(mark)"}],
      "paths": {"/odd": {"get": {"operationId": "getOdd", "tags": ["t\#(mark)"], "summary": "Gets \#(mark)it",
      "description": "Long \#(mark)text", "parameters": [{"name": "kind\#(mark)", "in": "query", "description":
      "Kind \#(mark)of", "schema": {"type": "\#(type)", "default": "d\#(mark)", "enum": ["a\#(mark)", "b"]}}],
      "responses": {"200": {"description": "ok\#(mark)", "content": {"application/json": {"schema":
      {"type": "object", "properties": {"name\#(mark)": {"type": "\#(type)", "description": "N\#(mark)"},
      "word": {"type": "\#(mark)word"}}}}}}}}},
      "/more\#(version)": {"post": {"operationId": "make\#(version)", "summary": "Makes \#(mark)", "deprecated": true,
      "responses": {"204": {"description": "\#(mark)"}}}}}}
      """#
  }

  /// The characters of a text that a person does not see as they are.
  private func harmful(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar != "\n" && scalar != "\t"
      case .format, .lineSeparator, .paragraphSeparator: true
      default: scalar.properties.isDefaultIgnorableCodePoint
      }
    }
  }

  @Test("In no output of the command line", arguments: marks) func outputs(mark: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(document(mark, version: 1), to: "one.json")
    try folder.write(document(mark, version: 2), to: "two.json")
    let (one, two) = (folder.path + "/one.json", folder.path + "/two.json")
    let runs = [
      ["import-openapi", one, "--into", folder.path + "/a", "--summaries"],
      ["import-openapi", two, "--into", folder.path + "/b", "--summaries"],
      ["check", folder.path + "/a"], ["diff", folder.path + "/a", folder.path + "/b"], ["diff", one, two],
      ["diff", one, two, "--json"], ["call", one, "--list"], ["call", one], ["call", one, "getOdd", "--help"],
      ["call", one, "nothing"], ["call", one, "getOdd", "--kind", "nothing", "--dry-run"],
      ["package", one, "--into", folder.path + "/OddKit", "--callsign-path", folder.path, "--name", "Odd"],
    ]
    for arguments in runs {
      let outcome = try Tool.run(arguments)
      #expect(
        harmful(outcome.output + outcome.error) == [], "\(arguments.first ?? ""): \(outcome.output) \(outcome.error)")
      if arguments.contains("--json") {
        #expect((try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8))) != nil)
      }
    }
    #expect(harmful(try folder.read("OddKit/README.md")) == [])
    #expect(harmful(try folder.read("OddKit/Package.swift")) == [])
  }

  @Test("References of a document in a home folder are read only if the user says so") func homeFolder() throws {
    let home = try TemporaryFolder()
    try home.write(
      """
      openapi: 3.0.3
      info: {title: Pets, version: "1"}
      paths:
        /pets:
          get: {operationId: getPets, responses: {"200": {description: ok, content: {application/json: {schema: {$ref: ".ssh/key.yaml"}}}}}}
      """, to: "pets.yaml")
    try home.write("type: object\n", to: ".ssh/key.yaml")
    let environment = ["HOME": home.path]
    let arguments = ["import-openapi", home.path + "/pets.yaml", "--into", home.path + "/catalogue"]
    for folder in [nil, home.url] {
      let outcome = try Tool.run(arguments, environment: environment, in: folder)
      #expect(outcome.status != 0 || outcome.error.contains("--allow-references"), "\(outcome.error)")
      #expect(outcome.error.contains("is not read"))
    }
    let allowed = try Tool.run(arguments + ["--allow-references", home.path + "/.ssh"], environment: environment)
    #expect(allowed.status == 0, "\(allowed.error)")
    #expect(!allowed.error.contains("is not read"))
  }

  @Test("A package is not written through symbolic links", arguments: ["Sources", "Sources/PetsKit", "Tests"])
  func links(name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(document("", version: 1), to: "one.json")
    try folder.write("mine", to: "elsewhere/mine.txt")
    let link = folder.path + "/PetsKit/\(name)"
    try FileManager.default.createDirectory(
      atPath: (link as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/elsewhere")
    let outcome = try Tool.run(
      "package", folder.path + "/one.json", "--into", folder.path + "/PetsKit", "--callsign-path", folder.path,
      "--name",
      "Pets")
    #expect(outcome.status == 73)
    #expect(outcome.error.contains("symbolic link"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/elsewhere") == ["mine.txt"])
  }
}
