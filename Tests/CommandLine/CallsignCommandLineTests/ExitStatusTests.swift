import Foundation
import TestSupport
import Testing
import XSandbox

@Suite("Exit statuses match the table") struct ExitStatusTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      api: {name: Pets, hosts: {api: "https://p.example"}, schemes: {none: null}, auth: [none]}
      endpoints:
        getPet: {call: GET /pet}

      """, to: "catalogue/api.yaml")
    try folder.write("[1]", to: "list.json")
    try folder.write("users: [", to: "broken.yaml")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/list.json")
  }

  @Test("Credentials that cannot be read, and a file that is wrong")
  func credentials() async throws {
    for (file, status) in [("nope.json", 66), ("catalogue", 66), ("list.json", 65)] as [(String, Int32)] {
      for command in [["getUsersMe"], ["get", "2/users/me"], ["mcp"]] {
        let run = try await Run("xapi", command + ["--credentials", folder.path + "/" + file])
        #expect(run.status == status, "\(command) \(file): \(run.status) \(run.error)")
      }
      let run = try await Run(
        "callsign", ["call", folder.path + "/catalogue", "getPet", "--credentials", folder.path + "/" + file])
      #expect(run.status == status, "\(file): \(run.status) \(run.error)")
    }
  }

  @Test("A port that is taken")
  func ports() async throws {
    let server = try ScriptedServer.responding { _, _ in }
    defer { server.stop() }
    let port = "\(server.port)"
    for (program, words) in [
      ("callsign", ["mock", folder.path + "/catalogue", "--port", port]), ("xapi", ["sandbox", "--port", port]),
      ("xapi", ["mcp", "--http", port]), ("callsign", ["mcp", folder.path + "/catalogue", "--http", port]),
    ] {
      let run = try await Run(program, words)
      #expect(run.status == 69 && run.error.contains("listen on"), "\(words): \(run.status) \(run.error)")
    }
  }

  @Test("The inputs and outputs of a sandbox")
  func sandbox() async throws {
    for (words, status) in [
      (["--seed", "/nope"], 66), (["--seed", folder.path], 66), (["--seed", folder.path + "/broken.yaml"], 65),
      (["--credentials", "/nope/x"], 74), (["--fault", "GET /2/nope=429"], 64),
    ] as [([String], Int32)] {
      let run = try await Run("xapi", ["sandbox"] + words)
      #expect(run.status == status, "\(words): \(run.status) \(run.error)")
    }
    let fault = try await Run("xapi", ["sandbox", "--fault", "GET /2/users/7=429"])
    #expect(fault.error.contains("did you mean `GET /2/users/{id}`?"), "\(fault.error)")
  }

  @Test("A file to upload without bytes, and a body that a method would not accept")
  func contents() async throws {
    try folder.write("", to: "zero.png")
    let upload = try await Run(
      "xapi", ["upload", folder.path + "/zero.png", "--base-url", "http://127.0.0.1:1"],
      environment: ["X_OAUTH2_ACCESS_TOKEN": "a", "HOME": folder.path])
    #expect(upload.status == 65, "\(upload.status) \(upload.error)")
    let missing = try await Run(
      "xapi", ["upload", folder.path + "/none.png", "--base-url", "http://127.0.0.1:1"],
      environment: ["X_OAUTH2_ACCESS_TOKEN": "a", "HOME": folder.path])
    #expect(missing.status == 66, "\(missing.status) \(missing.error)")
    let decoded = try await Run("xapi", ["decode", "getUsersMe"], input: "{}")
    #expect(decoded.status == 65, "\(decoded.status) \(decoded.error)")
  }

  @Test("callsign call: --help lists the operations, and an option is never read as a catalogue or an operation")
  func words() async throws {
    let catalogue = folder.path + "/catalogue"
    let list = try await Run("callsign", ["call", catalogue])
    for word in ["--help", "-h"] {
      let help = try await Run("callsign", ["call", catalogue, word])
      #expect(help.status == 0 && help.output == list.output && help.output.contains("getPet"), "\(help.error)")
    }
    let option = try await Run("callsign", ["call", "--bogus"])
    #expect(option.status == 64 && option.error.contains("error: unknown option `--bogus`"), "\(option.error)")
    let operation = try await Run("callsign", ["call", catalogue, "--filter", "id"])
    #expect(
      operation.status == 64 && operation.error.contains("`--filter` is in the operation's place"), "\(operation.error)"
    )
  }
}
