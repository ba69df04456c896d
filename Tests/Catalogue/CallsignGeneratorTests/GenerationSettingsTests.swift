import CallsignCatalogue
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

  @Test("callsign.yaml next to a catalogue sets access level and endpoints, and is not read as a catalogue file")
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
      ("acces: public\n", ":1:1: error: unknown key; settings have `access`, `only` and `protocol`"),
      (
        "protocol: a b\n", ":1:11: error: `protocol` is the Swift name of the protocol, such as `ShopProtocol`"
      ),
      ("[a]\n", ":1:1: error: settings are a mapping with the keys `access`, `only` and `protocol`"),
    ])
  func problems(settings: String, message: String) throws {
    let (report, text) = try run(settings)
    #expect(report.diagnostics.map(\.description).map { $0.hasSuffix("callsign.yaml" + message) } == [true])
    #expect(text == nil)
  }

  @Test(
    "A folder's settings hold without being named, those around a folder `Catalogue` too, and options come before them")
  func settingsOfFolder() throws {
    for (catalogue, settings) in [
      ("", "callsign.yaml"), ("Catalogue/", "callsign.yaml"), ("Catalogue/", "Catalogue/callsign.yml"),
    ] {
      let input = try TemporaryFolder()
      let output = try TemporaryFolder()
      try input.write(api, to: catalogue + "api.yaml")
      try input.write("access: package\nonly: [getTwo]\n", to: settings)
      var job = GenerationJob(
        input: .folder(input.path + "/" + catalogue), outputFolder: output.path, removesStale: true)
      #expect(try job.run().diagnostics.map(\.description) == [])
      let text = try output.read("api.generated.swift")
      #expect(text.contains("\npackage struct Shop: ") && !text.contains("getOne"))
      job.overrides = GenerationSettings(access: "internal", only: ["getOne"])
      _ = try job.run()
      let other = try output.read("api.generated.swift")
      #expect(other.contains("\nstruct Shop: ") && other.contains("func getOne(") && !other.contains("getTwo"))
    }
    // Settings around a folder of another name are somebody else's.
    let input = try TemporaryFolder()
    let output = try TemporaryFolder()
    try input.write(api, to: "shop/api.yaml")
    try input.write("access: package\n", to: "callsign.yaml")
    _ = try GenerationJob(input: .folder(input.path + "/shop"), outputFolder: output.path, removesStale: true).run()
    #expect(try output.read("api.generated.swift").contains("\npublic struct Shop: "))
  }

  @Test("A protocol can have the name of a type of the runtime or language, which then gets its module's name")
  func protocolNames() throws {
    let client = try run("protocol: APIClient\n").text
    #expect(client?.contains("\npublic struct Shop: Callsign.APIClient {") == true)
    #expect(client?.contains("\nextension Shop: APIClient {}\n") == true)
    let sendable = try run("protocol: Sendable\n").text
    #expect(sendable?.contains("\npublic protocol Sendable: Swift.Sendable {\n") == true)
  }

  @Test(
    "A protocol cannot have a name that generated code needs",
    arguments: ["Swift", "Foundation", "Callsign", "Self", "Shop"])
  func takenProtocolNames(name: String) throws {
    let (report, text) = try run("protocol: \(name)\n")
    #expect(report.diagnostics.map { $0.message.hasSuffix("; call it `ShopProtocol`") } == [true])
    #expect(text == nil)
  }

  @Test("A protocol has the methods, with default arguments in an extension")
  func protocolOfMethods() throws {
    let (report, text) = try run("protocol: ShopProtocol\n")
    #expect(report.diagnostics.map(\.description) == [])
    let requirement = "  func getOne(options: CallOptions) async throws(CallError) -> Response<NoContent>\n"
    #expect(text?.contains("\npublic protocol ShopProtocol: Sendable {\n") == true)
    #expect(text?.contains(requirement) == true)
    #expect(text?.contains("\nextension Shop: ShopProtocol {}\n") == true)
    #expect(text?.contains("public func getOne(\n    options: CallOptions? = nil\n  ) async throws(CallError)") == true)
    #expect(try run("").text?.contains("protocol") == false)
  }
}
