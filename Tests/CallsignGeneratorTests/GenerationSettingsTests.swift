import CallsignGenerator
import Foundation
import TestSupport
import Testing

@Suite struct GenerationSettingsTests {
  private let api = """
    api: {name: Shop, hosts: {main: https://shop.example}, auth: [none]}
    endpoints:
      getOne: {call: GET /one}
      getTwo: {call: GET /two}
    """

  private func run(_ settings: String) throws -> (report: GenerationJob.Report, text: String?) {
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    try input.write(api, to: "api.yaml")
    try input.write(settings, to: "callsign.yaml")
    let report = try GenerationJob(
      input: .folder(input.path), outputFolder: output.path, removesStale: false,
      settingsFile: input.path + "/callsign.yaml"
    ).run()
    return (report, try? output.read("api.generated.swift"))
  }

  @Test("callsign.yaml beside a catalogue chooses access level and endpoints, and is no catalogue file itself")
  func settings() throws {
    let (report, text) = try run("access: package\nonly: [getTwo]\n")
    #expect(report.diagnostics.map(\.description) == [])
    #expect(report.written == ["api.generated.swift"])
    #expect(text?.contains("\npackage struct Shop: ") == true)
    #expect(text?.contains("func getTwo(") == true)
    #expect(text?.contains("getOne") == false)
  }

  @Test(
    "Wrong settings are problems with a place",
    arguments: [
      ("access: secret\n", ":1:9: error: `access` is public, package or internal"),
      ("only: getOne\n", ":1:7: error: `only` is a list of endpoints or groups, such as `[lists, getUsersById]`"),
      ("acces: public\n", ":1:1: error: unknown key; settings have `access` and `only`"),
      ("[a]\n", ":1:1: error: settings are a mapping with the keys `access` and `only`"),
    ])
  func problems(settings: String, message: String) throws {
    let (report, text) = try run(settings)
    #expect(report.diagnostics.map(\.description).map { $0.hasSuffix("callsign.yaml" + message) } == [true])
    #expect(text == nil)
  }
}
