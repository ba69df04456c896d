import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import CallsignTool

/// Tests which files `callsign package` writes and which it does not change. `Scripts/internal/check-packages` builds such
/// packages.
@Suite("callsign package") struct PackageCommandTests {
  private static let documents = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Documents")

  private let folder: TemporaryFolder
  private var package: String { folder.path + "/ShopKit" }

  init() throws { folder = try TemporaryFolder() }

  private func document(_ name: String) -> String { Self.documents.appendingPathComponent(name + ".yaml").path }

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

  private func make(_ name: String, _ more: [String] = []) throws -> Int32 {
    do {
      var command = try CallsignTool.parseAsRoot(
        ["package", document(name), "--into", package, "--callsign-path", folder.path + "/callsign", "--quiet"] + more)
      try command.runInTest()
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      return CallsignTool.exitCode(for: error).rawValue
    }
  }

  private func read(_ path: String) throws -> String { try folder.read("ShopKit/" + path) }
  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: package + "/" + path) }

  @Test("The package has manifest, catalogue, overlay, settings, README and a test, named after folder and type")
  func contents() throws {
    #expect(try make("repositories", ["--name", "Shop"]) == 0)
    let manifest = try read("Package.swift")
    #expect(manifest.hasPrefix("// swift-tools-version: 6.2\n// Written by `callsign package`, "))
    #expect(manifest.contains(#".package(name: "callsign", path: "../callsign")"#))
    #expect(manifest.contains(#"plugins: [.plugin(name: "GenerateAPI", package: "callsign")]"#))
    #expect(manifest.contains(#"name: "ShopKitTests""#))
    #expect(try read("Sources/ShopKit/Catalogue/api.yaml").contains("  name: Shop\n"))
    #expect(try read("Sources/ShopKit/Catalogue/issues.yaml").contains("summary: List repository issues"))
    #expect(try read("Shop.overlay.yaml").hasPrefix("#"))
    #expect(try read("Sources/ShopKit/callsign.yaml").hasPrefix("#"))
    #expect(try read(".gitignore").contains(".build/"))
    #expect(!exists("Sources/ShopKit/Generated"))
    #expect(try run("check", package + "/Sources/ShopKit/Catalogue", "--quiet") == 0)
  }

  @Test(
    "README and test call a real operation of the API, with arguments of its types",
    arguments: [
      ("repositories", #"reposGet(owner: "owner", repo: "repo")"#, "/repos/owner/repo"),
      ("payments", "getCustomers()", "/v1/customers"),
      ("chat", "conversationsList()", "/api/conversations.list"),
      ("completions", #"retrieveModel(model: "model")"#, "/v1/models/model"),
      ("photos", #"getPerson(userID: "1")"#, "/services/rest/people.getInfo"),
    ])
  func sample(name: String, call: String, path: String) throws {
    #expect(try make(name, ["--name", "Shop"]) == 0)
    let readme = try read("README.md")
    #expect(readme.contains("try await shop.\(call)\n"), "\(readme)")
    let test = try read("Tests/ShopKitTests/ShopCallTests.swift")
    #expect(test.contains("try await shop.\(call)\n"))
    #expect(test.contains(#".first == "\#(path)")"#))
    #expect(readme.contains("$ callsign package \(name).yaml --into . --name Shop\n"))
  }

  @Test("Whatever characters a document's texts have, the package's files are text that its readers take")
  func oddCharacters() async throws {
    let odd = ##"a\u0000b\u007fc\u0085d\u2028e\ufeffg\u001b */ /* o `p` \" \\#(x) \\(y)"##
    try folder.write(
      """
      {"openapi": "3.1.0", "info": {"title": "\(odd)", "version": "\(odd)"},
      "servers": [{"url": "https://odd.example"}],
      "paths": {"/odd": {"get": {"operationId": "getOdd", "summary": "\(odd)", "responses": {"200": {"description": "",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Odd"}}}}}}}},
      "components": {"schemas": {"Odd": {"type": "object", "required": ["kind"], "properties": {
        "kind": {"const": "\(odd)"}, "\(odd)": {"type": "string"}, "one": {"type": "string", "enum": ["\(odd)"]}}}}}}
      """, to: "odd.json")
    #expect(
      try run(
        "package", folder.path + "/odd.json", "--into", package, "--callsign-path", folder.path, "--name", "Shop",
        "--quiet") == 0)
    let files = ["README.md", "Tests/ShopKitTests/ShopCallTests.swift", "Sources/ShopKit/Catalogue/api.yaml"]
    for file in files {
      let forbidden = try read(file).unicodeScalars.filter {
        $0 != "\n" && [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
      }
      #expect(forbidden.isEmpty, "\(file)")
    }
    let test = package + "/Tests/ShopKitTests/ShopCallTests.swift"
    try await ServerProcess.run("swiftc", ["-frontend", "-parse", "-swift-version", "6", test])
  }

  @Test("A required variable of a host is an argument in README and test")
  func hostVariables() throws {
    try folder.write(
      """
      openapi: 3.0.0
      info: {title: Tenants, version: "1"}
      servers: [{url: "https://{tenant}.api.example/{version}", variables: {version: {default: v2}}}]
      paths: {/me: {get: {operationId: getMe, responses: {"204": {description: ""}}}}}
      """, to: "tenants.yaml")
    #expect(
      try run(
        "package", folder.path + "/tenants.yaml", "--into", package, "--callsign-path", folder.path, "--quiet") == 0)
    #expect(try read("README.md").contains("let tenants = Tenants(auth: .none, tenant: \"…\")\n"))
    let test = try read("Tests/ShopKitTests/TenantsCallTests.swift")
    #expect(test.contains("auth: .standIn, tenant: \"tenant\",\n"))
    #expect(test.contains(#".first == "/v2/me""#))
  }

  @Test("A part of the API has the models that it needs and no others")
  func part() throws {
    #expect(try make("repositories", ["--name", "Shop", "--operations", "repos/get, issuesCreate"]) == 0)
    let repos = try read("Sources/ShopKit/Catalogue/repos.yaml")
    #expect(repos.contains("repos/get:") && !repos.contains("repos/delete:"))
    let issues = try read("Sources/ShopKit/Catalogue/issues.yaml")
    #expect(issues.contains("issues/create:") && !issues.contains("issues/list-for-repo:"))
    #expect(try run("check", package + "/Sources/ShopKit/Catalogue", "--quiet") == 0)

    #expect(try make("repositories", ["--name", "Shop", "--tag", "Repos"]) == 0)
    #expect(try read("Sources/ShopKit/Catalogue/repos.yaml").contains("repos/delete:"))
    #expect(!exists("Sources/ShopKit/Catalogue/issues.yaml"))
    #expect(try make("repositories", ["--name", "Shop", "--tag", "repos", "--tag", "issues"]) == 0)
    #expect(try read("Sources/ShopKit/Catalogue/repos.yaml").contains("repos/delete:"))
    #expect(try read("Sources/ShopKit/Catalogue/issues.yaml").contains("issues/list-for-repo:"))
    #expect(try read("README.md").contains("--tag repos,issues"))
    #expect(try make("repositories", ["--name", "Shop", "--operations", "repos/gett"]) == 64)
    #expect(try make("repositories", ["--name", "Shop", "--tag", "users"]) == 64)
  }

  @Test("A part of the API keeps a model that the overlay adds and no operation uses, with what it is made of")
  func addedModelsOfPart() throws {
    try FileManager.default.createDirectory(atPath: package, withIntermediateDirectories: true)
    try folder.write(
      """
      models:
        RepositoryEvent:
          $summary: What a webhook delivers.
          repository: FullRepository
          cause: EventCause
        EventCause: enum [created, deleted]
        Issue: {state: TicketState}
        TicketState: enum [open, closed]

      """, to: "ShopKit/Shop.overlay.yaml")
    try folder.write(
      try String(contentsOfFile: document("repositories"), encoding: .utf8)
        + """

        webhooks:
          repository:
            post:
              requestBody:
                content: {application/json: {schema: {$ref: "#/components/schemas/full-repository"}}}
              responses: {"200": {description: Done.}}

        """, to: "events.yaml")
    #expect(
      try run(
        "package", folder.path + "/events.yaml", "--name", "Shop", "--into", package, "--callsign-path", folder.path,
        "--operations", "repos/delete", "--quiet") == 0)
    let catalogue = package + "/Sources/ShopKit/Catalogue"
    let text = try FileManager.default.contentsOfDirectory(atPath: catalogue).map { name in
      try String(contentsOfFile: catalogue + "/" + name, encoding: .utf8)
    }.joined()
    for model in ["RepositoryEvent", "FullRepository", "EventCause"] {
      #expect(text.contains("  \(model):"), "\(model)")
    }
    for model in ["Issue", "TicketState"] { #expect(!text.contains("  \(model):"), "\(model)") }
  }

  @Test("A part of the API has the warnings about it, and about the document as a whole")
  func warningsOfPart() throws {
    try folder.write(
      #"""
      {"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": "https://shop.example"}, {"url": "/relative"}],
        "paths": {
          "/pets/{id}": {"parameters": [{"name": "shared", "in": "path", "schema": {"type": "string"}}],
            "get": {"operationId": "getPet", "tags": ["pets"], "summary": "Has a pet.",
              "responses": {"200": {"description": "", "content": {"application/json":
                {"schema": {"$ref": "#/components/schemas/Pet"}}}}}},
            "delete": {"operationId": "deletePet", "tags": ["admin"], "summary": "Removes a pet.",
              "parameters": [{"in": "query"}], "responses": {"204": {"description": ""}}}},
          "/users/{name}": {
            "get": {"operationId": "getUser", "tags": ["users"], "summary": "Has a user.",
              "responses": {"200": {"description": "", "content": {"application/json":
                {"schema": {"$ref": "#/components/schemas/User"}}}}}}}},
        "components": {"schemas": {
          "Pet": {"type": "object", "properties": {"size": {"type": "huge"}}},
          "User": {"type": "object", "properties": {"age": {"type": "old"}}}}}}
      """#, to: "shop.json")
    func places(_ more: String...) throws -> [String] {
      let run = try Tool.run(
        ["package", folder.path + "/shop.json", "--into", package, "--callsign-path", folder.path + "/callsign"] + more)
      #expect(run.status == 0, "\(run.error)")
      return run.error.split(separator: "\n").compactMap { line in
        line.split(separator: ": ").dropFirst().first { $0.hasPrefix("#") }.map(String.init)
      }
    }
    let all = try places()
    let (pet, user) = ("#/components/schemas/Pet/properties/size", "#/components/schemas/User/properties/age")
    let (admin, users) = ("#/paths/~1pets~1{id}/delete/parameters/0", "#/paths/~1users~1{name}/get")
    #expect(Set(all).isSuperset(of: [pet, user, admin, users]), "\(all)")
    let part = try places("--tag", "pets")
    #expect(part == all.filter { ![user, admin, users].contains($0) && !$0.hasSuffix("/delete") }, "\(part)")
    #expect(part.contains(pet) && part.contains { $0.hasSuffix("/get") } && part.contains { !$0.contains("/paths/") })
  }

  @Test("Another run updates its own files, and keeps those that people wrote or edited")
  func rerun() throws {
    #expect(try make("repositories", ["--name", "Shop", "--tag", "repos"]) == 0)
    let overlay = "api: {summary: My shop.}\n"
    try folder.write(overlay, to: "ShopKit/Shop.overlay.yaml")
    try folder.write("only: [repos/get]\n", to: "ShopKit/Sources/ShopKit/callsign.yaml")
    let readme = try read("README.md") + "\nMy own words.\n"
    try folder.write(readme, to: "ShopKit/README.md")
    try folder.write("// Mine.\n", to: "ShopKit/Sources/ShopKit/Convenience.swift")
    let before = try read("Package.swift")

    // Without the options that say where Callsign is: the manifest has them.
    #expect(try run("package", document("repositories"), "--into", package, "--name", "Shop", "--quiet") == 0)
    #expect(exists("Sources/ShopKit/Catalogue/issues.yaml"))
    #expect(try read("Sources/ShopKit/Catalogue/api.yaml").contains("summary: My shop."))
    #expect(try read("Package.swift") == before)
    #expect(try read("README.md") == readme)
    #expect(try read("Shop.overlay.yaml") == overlay)
    #expect(try read("Sources/ShopKit/callsign.yaml") == "only: [repos/get]\n")
    #expect(try read("Sources/ShopKit/Convenience.swift") == "// Mine.\n")
    #expect(try read("Tests/ShopKitTests/ShopCallTests.swift").contains("reposGet("))
  }

  @Test("A run under another name of the API moves what people wrote, and says so")
  func renamed() throws {
    let arguments = ["package", document("chat"), "--into", package, "--callsign-path", folder.path]
    #expect(try Tool.run(arguments + ["--name", "Shop"]).status == 0)
    try folder.write("api: {summary: Mine.}\n", to: "ShopKit/Shop.overlay.yaml")
    let own = try read("Sources/ShopKit/Shop+Conveniences.swift") + "extension Shop {}\n"
    try folder.write(own, to: "ShopKit/Sources/ShopKit/Shop+Conveniences.swift")
    let renamed = try Tool.run(arguments + ["--name", "Store"])
    #expect(renamed.status == 0)
    #expect(
      renamed.output.hasPrefix(
        """
        moved Shop.overlay.yaml to Store.overlay.yaml
        moved Sources/ShopKit/Shop+Conveniences.swift to Sources/ShopKit/Store+Conveniences.swift
        `Shop` is `Store` now; what you wrote may name it

        """))
    #expect(try read("Store.overlay.yaml") == "api: {summary: Mine.}\n")
    #expect(try read("Sources/ShopKit/Catalogue/api.yaml").contains("summary: Mine."))
    #expect(try read("Sources/ShopKit/Store+Conveniences.swift") == own)
    #expect(exists("Tests/ShopKitTests/StoreCallTests.swift") && !exists("Tests/ShopKitTests/ShopCallTests.swift"))

    // A test that somebody edited belongs to them. The overlay's own name counts, and the command line need not repeat it.
    let test = try read("Tests/ShopKitTests/StoreCallTests.swift") + "// Mine.\n"
    try folder.write(test, to: "ShopKit/Tests/ShopKitTests/StoreCallTests.swift")
    try folder.write("api: {name: Mart}\n", to: "ShopKit/Store.overlay.yaml")
    let again = try Tool.run(arguments)
    #expect(
      again.output.contains(
        "kept Tests/ShopKitTests/StoreCallTests.swift: it has been edited, and calls `Store`, which is `Mart` now\n"))
    #expect(try read("Tests/ShopKitTests/StoreCallTests.swift") == test)
    #expect(try read("Mart.overlay.yaml") == "api: {name: Mart}\n")
    #expect(try Tool.run(arguments).output.contains("of Mart, 0 files of the catalogue changed\n"))

    try folder.write("", to: "ShopKit/Other.overlay.yaml")
    let several = try Tool.run(arguments)
    #expect(several.status == 65)
    #expect(several.error.contains("there are several overlays, Mart.overlay.yaml, Other.overlay.yaml; say which"))
    #expect(try Tool.run(arguments + ["--name", "Mart"]).status == 0)
  }

  @Test("A folder with another name renames the module, unless someone has edited the manifest")
  func movedFolder() throws {
    #expect(try make("chat", ["--name", "Shop"]) == 0)
    try folder.write("// Mine.\n", to: "ShopKit/Tests/ShopKitTests/Mine.swift")
    func move(_ from: String, _ to: String) throws -> Tool.Outcome {
      try FileManager.default.moveItem(atPath: folder.path + "/" + from, toPath: folder.path + "/" + to)
      return try Tool.run("package", document("chat"), "--into", folder.path + "/" + to)
    }
    let moved = try move("ShopKit", "StoreKit")
    #expect(moved.status == 0)
    #expect(
      moved.output.contains(
        "moved Sources/ShopKit to Sources/StoreKit\nmoved Tests/ShopKitTests to Tests/StoreKitTests\n"))
    #expect(try folder.read("StoreKit/Tests/StoreKitTests/Mine.swift") == "// Mine.\n")
    #expect(try folder.read("StoreKit/Package.swift").contains(#"name: "StoreKitTests""#))
    let manifest = try folder.read("StoreKit/Package.swift") + "// Mine.\n"
    try folder.write(manifest, to: "StoreKit/Package.swift")
    #expect(try move("StoreKit", "MartKit").status == 0)
    #expect(try folder.read("MartKit/Sources/StoreKit/Catalogue/api.yaml").contains("name: Shop"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/MartKit/Sources/MartKit"))
  }

  @Test("A document with only webhooks is a package of models")
  func webhooksAlone() async throws {
    try folder.write(
      """
      openapi: 3.1.0
      info: {title: Hooks, version: "1"}
      webhooks:
        changed:
          post:
            requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}}
      components:
        schemas:
          Cause: {type: object, properties: {text: {type: string}}}
          Event: {type: object, required: [id], properties: {id: {type: string}, cause: {$ref: "#/components/schemas/Cause"}}}
      """, to: "hooks.yaml")
    let outcome = try Tool.run(
      "package", folder.path + "/hooks.yaml", "--into", package, "--callsign-path", folder.path, "--server",
      "https://hooks.example")
    #expect(outcome.output.contains("ShopKit: 2 models of Hooks, 2 files of the catalogue changed\n"))
    let readme = try read("README.md")
    #expect(
      readme.contains("2 models of “Hooks” in Swift, such as for what webhooks deliver: each is a type in `Hooks`."))
    #expect(readme.contains("let event = try Hooks.Event(jsonString: json)\nprint(event.id)\n"))
    #expect(readme.contains("ShopCallTests") == false && readme.contains("reads one model from JSON"))
    let test = "Tests/ShopKitTests/HooksCallTests.swift"
    #expect(try read(test).contains(#"#expect(event.id == "1")"#))
    try await ServerProcess.run("swiftc", ["-frontend", "-parse", "-swift-version", "6", package + "/" + test])
  }

  @Test("Commands to copy have paths with spaces in quotes")
  func spaces() throws {
    try FileManager.default.copyItem(atPath: document("chat"), toPath: folder.path + "/my chat.yaml")
    let outcome = try Tool.run(
      "package", folder.path + "/my chat.yaml", "--into", folder.path + "/Shop Kit", "--callsign-path", folder.path)
    #expect(outcome.output.hasSuffix("Next: cd '\(folder.path)/Shop Kit' && swift test\n"))
    #expect(try folder.read("Shop Kit/README.md").contains("$ callsign package 'my chat.yaml' --into .\n"))
  }

  @Test("The README's command finds the document and the folders that it may refer to, from the package's folder")
  func commandWithReferences() throws {
    try folder.write("Pet: {type: object, properties: {age: {type: integer}}}", to: "shared types/pet.yaml")
    try folder.write(
      """
      openapi: 3.0.0
      info: {title: Pets, version: "1"}
      servers: [{url: https://pets.example}]
      paths:
        /pet: {get: {operationId: getPet, responses: {"200": {description: "", content: {application/json: {schema: {$ref: "../shared types/pet.yaml#/Pet"}}}}}}}
      """, to: "api/pets.yaml")
    let outcome = try Tool.run(
      "package", folder.path + "/api/pets.yaml", "--into", package, "--callsign-path", folder.path,
      "--allow-references",
      folder.path + "/shared types")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(
      try read("README.md").contains(
        "$ callsign package ../api/pets.yaml --into . --allow-references '../shared types'\n"))
    let again = try Tool.run(
      ["package", "../api/pets.yaml", "--into", ".", "--allow-references", "../shared types", "--strict"],
      in: URL(fileURLWithPath: package))
    #expect(again.status == 0 && again.output.contains("0 files of the catalogue changed"), "\(again)")
  }

  @Test("Equal runs write equal files, and do not touch what did not change")
  func unchanged() throws {
    #expect(try make("payments", ["--name", "Shop"]) == 0)
    let files = ["/Tests/ShopKitTests/ShopCallTests.swift", "/Sources/ShopKit/Catalogue/api.yaml"].map { package + $0 }
    let date = Date(timeIntervalSince1970: 1_000_000)
    for file in files { try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file) }
    #expect(try make("payments", ["--name", "Shop"]) == 0)
    for file in files {
      #expect(try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date == date, "\(file)")
    }
  }

  @Test("--committed writes the Swift, by the settings, and a run without it removes the Swift again")
  func committed() throws {
    #expect(try make("chat", ["--name", "Shop", "--committed"]) == 0)
    #expect(try read("Package.swift").contains(#"exclude: ["Catalogue", "callsign.yaml"]"#))
    #expect(try read("Sources/ShopKit/Generated/api.generated.swift").contains("public struct Shop: APIClient"))
    try folder.write("access: internal\n", to: "ShopKit/Sources/ShopKit/callsign.yaml")
    #expect(try make("chat", ["--name", "Shop", "--committed"]) == 0)
    #expect(try read("Sources/ShopKit/Generated/api.generated.swift").contains("\nstruct Shop: APIClient"))
    #expect(try read("Tests/ShopKitTests/ShopCallTests.swift").contains("@testable import ShopKit"))
    #expect(try make("chat", ["--name", "Shop"]) == 0)
    #expect(!exists("Sources/ShopKit/Generated"))
    #expect(try read("Package.swift").contains("plugins:"))
  }

  @Test("A package that someone else started is not touched, and a module is not named like the type")
  func names() throws {
    try folder.write("// swift-tools-version: 6.2\n", to: "ShopKit/Package.swift")
    #expect(try make("chat", ["--name", "Shop"]) == 73)
    #expect(!exists("Sources"))
    let other = folder.path + "/Shop"
    #expect(
      try run(
        "package", document("chat"), "--into", other, "--name", "Shop", "--callsign-url",
        "https://git.example/callsign",
        "--callsign-version", "0.2.0", "--quiet") == 0)
    let manifest = try folder.read("Shop/Package.swift")
    #expect(manifest.contains(#"name: "ShopKit""#))
    #expect(manifest.contains(#".package(url: "https://git.example/callsign", from: "0.2.0")"#))
    #expect(try run("package", document("chat"), "--into", other, "--callsign-url", "a", "--callsign-path", "b") == 64)
    #expect(try run("package", other + "/none.json", "--into", other) == 66)
    for odd in [
      ["--into", ""], ["--into", other, "--operations", ""], ["--into", other, "--tag", " , "],
      ["--into", other, "--server", "https://a@b.example"], ["--into", other, "--callsign-url", "a \"b"],
      ["--into", other, "--callsign-url", "https://git.example/callsign", "--callsign-version", "new"],
    ] {
      #expect(try Tool.run(["package", document("chat")] + odd).status == 64, "\(odd)")
    }
    let taken = try Tool.run("package", document("chat"), "--into", folder.path + "/New", "--name", "Client")
    #expect(taken.status == 64)
    #expect(taken.error.contains("`Client` is also a type or module of Callsign or Swift Testing"))
    try folder.write("api: {name: Response}\n", to: "Shop/Shop.overlay.yaml")
    #expect(try run("package", document("chat"), "--into", other, "--quiet") == 65)
  }

  @Test("A dependency on a folder of this machine only is marked as such")
  func localDependency() throws {
    let arguments = ["package", document("chat"), "--into", package, "--name", "Shop"]
    let local = try Tool.run(arguments + ["--callsign-path", "/opt/callsign"])
    #expect(local.status == 0 && local.error.contains("--callsign-url URL"), "\(local.error)")
    #expect(
      try read("Package.swift").contains(
        "--callsign-url URL.\n    .package(name: \"callsign\", path: \"/opt/callsign\")"))
    let shared = try Tool.run(arguments + ["--callsign-url", "https://git.example/callsign"])
    #expect(!shared.error.contains("--callsign-url"), "\(shared.error)")
    let manifest = try read("Package.swift")
    #expect(!manifest.contains("--callsign-url") && manifest.contains("https://git.example/callsign"))
    let near = try Tool.run(arguments + ["--callsign-path", folder.path + "/callsign"])
    #expect(!near.error.contains("--callsign-url"), "\(near.error)")
  }

  @Test("A sample has no argument for what is always the same, or what the API sets")
  func sampleOfObject() throws {
    try folder.write(
      """
      openapi: 3.0.0
      info: {title: Chat, version: "1"}
      servers: [{url: "https://chat.example"}]
      paths:
        /chat:
          post:
            operationId: chat
            requestBody:
              required: true
              content:
                application/json:
                  schema:
                    type: object
                    required: [message]
                    properties: {message: {$ref: "#/components/schemas/Message"}}
            responses: {"204": {description: ""}}
      components:
        schemas:
          Message:
            type: object
            required: [id, role, text]
            properties: {id: {type: string, readOnly: true}, role: {type: string, enum: [user]}, text: {type: string}}
      """, to: "chat.yaml")
    #expect(
      try run("package", folder.path + "/chat.yaml", "--into", package, "--callsign-path", folder.path, "--quiet") == 0)
    #expect(try read("Tests/ShopKitTests/ChatCallTests.swift").contains(#"chat(message: .init(text: "text"))"#))
  }

  @Test("A sample's response is not a failure by the signs of the API")
  func sampleOfSuccess() throws {
    func operation(_ name: String) -> String {
      """
        /\(name):
          get:
            operationId: \(name)
            responses:
              "200":
                description: ""
                content:
                  application/json:
                    schema:
                      type: object
                      required: [error, status, \(name)]
                      properties:
                        error: {type: boolean}
                        status: {type: string, enum: [fail, ok]}
                        \(name): {type: string}

      """
    }
    try folder.write(
      "openapi: 3.0.0\ninfo: {title: Flags, version: '1'}\nservers: [{url: 'https://flags.example'}]\npaths:\n"
        + operation("one") + operation("two"), to: "flags.yaml")
    #expect(
      try run("package", folder.path + "/flags.yaml", "--into", package, "--callsign-path", folder.path, "--quiet") == 0
    )
    let test = try read("Tests/ShopKitTests/FlagsCallTests.swift")
    #expect(test.contains(#""error": false"#))
    #expect(test.contains(#""status": "ok""#))
  }
}
