import Foundation
import Testing

@Suite("callsign check and callsign new")
struct CheckAndNewTests {
  @Test("new creates a catalogue that passes check, and overwrites nothing")
  func newThenCheck() throws {
    let folder = NSTemporaryDirectory() + "callsign-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try Tool.run("new", folder).status == 0)
    let check = try Tool.run("check", folder)
    #expect(check.output == "Petstore: 4 endpoints and 5 models in 2 files\n")
    #expect(check.status == 0)

    let pets = URL(fileURLWithPath: folder + "/pets.yaml")
    try Data("# mine\n".utf8).write(to: pets)
    try FileManager.default.removeItem(atPath: folder + "/api.yaml")
    let again = try Tool.run("new", folder)
    #expect(again.status == 1)
    #expect(
      again.error == "\(folder)/pets.yaml: error: the file exists; choose another folder, or move it away\n")
    #expect(try String(contentsOf: pets, encoding: .utf8) == "# mine\n")
    #expect(!FileManager.default.fileExists(atPath: folder + "/api.yaml"))
  }

  @Test("problems are reported line by line, and the status is 1")
  func problems() throws {
    let file = NSTemporaryDirectory() + "callsign-" + UUID().uuidString + ".yaml"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data("api: {name: Shop, hosts: {a: https://a.example}}\nmodels: {A: Strin, B: {b: Shoe}}\n".utf8)
      .write(to: URL(fileURLWithPath: file))
    let check = try Tool.run("check", file)
    #expect(
      check.output == """
        \(file):2:13: error: unknown type `Strin`; did you mean `string`?
        \(file):2:27: error: unknown type `Shoe`; declare it under `models:`, or use one of the built-in types

        """)
    #expect(check.status == 1)
  }

  @Test("an API of its target's name gets a warning at the name, and the status is 0")
  func targetOfTheAPIsName() throws {
    let folder = NSTemporaryDirectory() + "callsign-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try Tool.run("new", folder).status == 0)
    let lines = try String(contentsOfFile: folder + "/api.yaml", encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("name: Petstore") })
    let check = try Tool.run("check", "--quiet", "--target", "Petstore", folder)
    #expect(
      check.output.hasPrefix("\(folder)/api.yaml:\(line + 1):9: warning: `Petstore` is also the name of the target"))
    #expect(check.output.contains("rename the target, or give the API another `name`"))
    #expect(check.status == 0)
    #expect(try Tool.run("check", "--quiet", "--target", "Pet-store", folder).output == "")
    #expect(try Tool.run("check", "--quiet", folder).output == "")
  }

  @Test(
    "a wrong call has its own status", arguments: [["check"], ["new"], ["chek", "x"], ["check", "a", "b"]])
  func usage(arguments: [String]) throws {
    #expect(try Tool.run(arguments).status == 64)
  }
}
