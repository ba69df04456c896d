import CallsignCatalogue
import CallsignGenerator
import CallsignSupport
import Foundation

import enum CallsignJSON.JSONValue

/// The files of a package other than its catalogue.
struct PackageTexts {
  let layout: PackageLayout
  let catalogue: Catalogue
  let dependency: CallsignDependency
  /// Whether the package contains the generated Swift code instead of letting the plugin generate it in every build.
  let isCommitted: Bool
  /// The document's title and version on one line.
  let origin: String
  /// The arguments that recreate the package, without those for the location of Callsign.
  let command: String
  /// The access level of the generated code.
  let access: String
  let sample: SampleCall?
  /// An example model to show instead of a call if the API has no operations.
  let sampleModel: SampleModel?

  var files: [PackageFile] {
    [
      PackageFile(path: "Package.swift", owner: .machine(.swift), text: manifest),
      PackageFile(path: "README.md", owner: .machine(.markdown), text: readme.printableLines),
      PackageFile(path: layout.test, owner: .machine(.swift), text: test),
      PackageFile(path: layout.overlay, owner: .people, text: overlay),
      PackageFile(path: layout.settings, owner: .people, text: settings),
      PackageFile(path: layout.conveniences, owner: .people, text: layout.begunConveniences),
      PackageFile(path: ".gitignore", owner: .people, text: ".build/\n.swiftpm/\nPackage.resolved\n.DS_Store\n"),
    ]
  }

  private var client: String { SwiftName.escaped(layout.apiName) }
  private var variable: String {
    let name = SwiftName.member(layout.apiName)
    return name == layout.apiName ? "client" : SwiftName.escaped(name)
  }

  /// The schemes that the selected operations accept.
  private var schemes: [String] {
    var schemes: [String] = []
    for requirement in catalogue.groups.flatMap(\.endpoints).flatMap(\.auth)
    where !schemes.contains(requirement.scheme) {
      schemes.append(requirement.scheme)
    }
    return schemes
  }

  /// The sentence that names the product for the API's logins; empty if the API has none.
  private var products: String {
    schemes.contains { ["oauth1", "oauth2", "basic", "digest"].contains($0) }
      ? "\nLogins and passwords are in the product `CallsignAuth` of `callsign`; add it to the target that uses them.\n"
      : ""
  }

  // MARK: Manifest

  private var manifest: String {
    let note =
      dependency.isOnThisMachineOnly
      ? "    // This folder is on one machine only. To share the package, run `callsign package` with --callsign-url URL.\n"
      : ""
    let plugins =
      isCommitted
      ? "exclude: [\"Catalogue\", \"callsign.yaml\"]"
      : "plugins: [.plugin(name: \"GenerateAPI\", package: \"callsign\")]"
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(layout.module)",
        platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
        products: [
          .library(name: "\(layout.module)", targets: ["\(layout.module)"])
        ],
        dependencies: [
      \(note)    \(dependency.text)
        ],
        targets: [
          .target(
            name: "\(layout.module)",
            dependencies: [.product(name: "Callsign", package: "callsign")],
            \(plugins)),
          .testTarget(
            name: "\(layout.tests)",
            dependencies: ["\(layout.module)", .product(name: "Callsign", package: "callsign")]),
        ]
      )

      """
  }

  // MARK: README

  private var readme: String {
    let source =
      isCommitted
      ? "`\(layout.generated)`, which is made from the catalogue in `\(layout.catalogue)`"
      : "the catalogue in `\(layout.catalogue)`; each build makes the Swift from it"
    return """
      # \(layout.module)

      \(subject)

      \(example)\(credentials)
      ## In another package

      ```swift
      .package(path: "\(layout.folder.lastPathComponent)"),                                   // or its URL
      .product(name: "\(layout.module)", package: "\(layout.folder.lastPathComponent)"),      // in the target
      ```

      ## What is where

      The \(hasOperations ? "methods" : "types") come from \(source). Do not edit it: each run writes it from the document.

      - `\(layout.overlay)` is yours: better names, types, summaries, limits. Each run merges it onto the document.
      - `\(layout.settings)` is yours: who sees the API, which part of it there is, and a protocol for mocks.
      - `\(layout.test)` \(testSubject); add your own tests next to it.

      When the document has changed, this updates the package, and keeps what you have written or edited:

      ```console
      $ \(command)
      $ swift test
      ```

      """
  }

  private var hasOperations: Bool { catalogue.endpointCount > 0 }

  /// A sentence about the document's operations, or about its models if it has none.
  private var subject: String {
    if hasOperations {
      return "\(catalogue.endpointCount.counting("operation")) of \(origin) in Swift: each is a method of `\(client)`."
    }
    return
      "\(catalogue.modelCount.counting("model")) of \(origin) in Swift, such as for what webhooks deliver: each is a type in "
      + "`\(client)`. The document has no operations to call."
  }

  private var testSubject: String {
    if sample != nil { return "calls one operation against a response from memory" }
    return sampleModel == nil ? "looks at the descriptions of all operations" : "reads one model from JSON"
  }

  /// Lines that decode a model from JSON.
  private func reading(_ sample: SampleModel) -> [String]? {
    guard let text = try? sample.json.jsonString(.pretty) else { return nil }
    return ["let json = #\"\"\""] + SwiftLiteral.json(text).split(separator: "\n").map { "  " + $0 }
      + ["  \"\"\"#", "let \(sample.variable) = try \(sample.type)(jsonString: json)"]
  }

  private var modelExample: String {
    guard let sampleModel, let reading = reading(sampleModel) else { return "" }
    let value = sampleModel.property.map { "\(sampleModel.variable).\($0.name)" } ?? sampleModel.variable
    let lines =
      ["```swift", "import Callsign", "import \(layout.module)", ""] + reading + ["print(\(value))", "```", ""]
    return lines.joined(separator: "\n") + "\n"
  }

  private var example: String {
    guard let sample else { return modelExample }
    let credentials = expression(of: sample.endpoint.auth.first?.scheme ?? "none")
    var lines = ["```swift", "import Callsign"]
    if let module = credentials.module { lines.append("import \(module)") }
    if sample.needsFoundation { lines.append("import Foundation") }
    lines += ["import \(layout.module)", ""]
    let variables = SampleCall.hostArguments(sample.endpoint, catalogue.api).map { ", \($0.label): \"…\"" }.joined()
    lines.append("let \(variable) = \(client)(auth: \(credentials.expression)\(variables))")
    if sample.response == nil {
      lines.append("try await \(variable).\(sample.expression)")
    } else {
      lines.append("let response = try await \(variable).\(sample.expression)")
      lines.append("print(\(sample.property.map { "response.\($0.name)" } ?? "response.value"))")
    }
    lines += ["```", ""]
    if let summary = sample.endpoint.summary {
      lines += ["`\(sample.endpoint.method) \(sample.endpoint.path)`: \(SwiftLiteral.comment(summary))", ""]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var credentials: String {
    let rows = schemes.map { scheme in
      "| `\(scheme)` | `\(expression(of: scheme).expression)` |"
    }
    guard schemes != ["none"], !rows.isEmpty else { return "" }
    return """
      ## Credentials

      | the API accepts | in Swift |
      |---|---|
      \(rows.joined(separator: "\n"))
      \(products)

      """
  }

  /// The Swift expression for credentials of a scheme, and the module to import in addition to `Callsign`. The client itself
  /// creates the credentials if they are a key.
  private func expression(of scheme: String) -> (expression: String, module: String?) {
    guard catalogue.api.schemes.first(where: { $0.name == scheme })?.key != nil else {
      return Self.credentials(scheme, of: client)
    }
    return ("\(client).\(SwiftName.escaped(SwiftName.member(scheme)))(\"…\")", nil)
  }

  /// The Swift expression for credentials of a common scheme.
  private static func credentials(_ scheme: String, of client: String) -> (expression: String, module: String?) {
    switch scheme {
    case "none": (".none", nil)
    case "bearer": (".bearer(\"…\")", nil)
    case "oauth2": (".userToken(\"…\")", nil)
    case "basic": (".basic(username: \"…\", password: \"…\")", "CallsignAuth")
    case "digest": (".digest(username: \"…\", password: \"…\")", "CallsignAuth")
    case "oauth1":
      (
        ".oauth1(OAuth1(consumerKey: \"…\", consumerSecret: \"…\", token: \"…\", tokenSecret: \"…\"))",
        "CallsignAuth"
      )
    default: (".apiKey(\"…\", in: .header(\"…\"), scheme: \"\(scheme)\")", nil)
    }
  }

  // MARK: Test

  private var test: String {
    let importing = (access == "internal" ? "@testable " : "") + "import \(layout.module)"
    if sample == nil, let sampleModel, let reading = reading(sampleModel) {
      let check =
        sampleModel.property.map { "\(sampleModel.variable).\($0.name) == \($0.value)" }
        ?? "try !\(sampleModel.variable).jsonString().isEmpty"
      let lines =
        [
          "import Callsign", "import Testing", importing, "",
          "/// Reads one model. The JSON is made up from the catalogue.",
          "@Suite(\"\(layout.apiName)\") struct \(layout.apiName)CallTests {",
          "  @Test(\"\(sampleModel.type) is read from JSON\") func read() throws {",
        ] + (reading + ["#expect(\(check))"]).map { "    " + $0 } + ["  }", "}", ""]
      return lines.joined(separator: "\n")
    }
    guard let sample else {
      return """
        import Callsign
        import Testing
        \(importing)

        @Suite("\(layout.apiName)") struct \(layout.apiName)CallTests {
          @Test("Each operation has a description") func descriptions() {
            #expect(\(client).endpoints.count == \(catalogue.endpointCount))
          }
        }

        """
    }
    var lines: [String] = ["import Callsign"]
    if sample.needsFoundation { lines.append("import Foundation") }
    lines += ["import Testing", importing, ""]
    lines.append(
      "/// Calls one operation of the API. The response comes from memory, and is made up from the catalogue.")
    lines.append("@Suite(\"\(layout.apiName)\") struct \(layout.apiName)CallTests {")
    lines.append(
      "  @Test(\"\(sample.endpoint.methodName) sends its request and reads the response\") func call() async throws {")
    if let response = sample.response, let text = try? response.jsonString(.pretty) {
      lines.append("    let json = #\"\"\"")
      lines += SwiftLiteral.json(text).split(separator: "\n").map { "      " + $0 }
      lines.append("      \"\"\"#")
      lines.append("    let transport = InMemoryTransport { _ in .json(json) }")
    } else {
      lines.append("    let transport = InMemoryTransport { _ in TransportResponse(status: .noContent) }")
    }
    lines.append("    let \(variable) = \(client)(")
    let variables = SampleCall.hostArguments(sample.endpoint, catalogue.api)
      .map { ", \($0.label): \(SwiftLiteral.string($0.value))" }
    lines.append("      auth: .standIn\(variables.joined()),")
    lines.append(
      "      configuration: ClientConfiguration(transport: transport, hosts: .all(to: \"https://api.test\")))")
    lines.append("    let response = try await \(variable).\(sample.expression)")
    lines.append("    #expect(response.rawResponse.status.code == \(sample.response == nil ? 204 : 200))")
    if sample.response != nil { lines.append(contentsOf: responseChecks(sample)) }
    lines.append("    let request = try #require(transport.requests.first)")
    lines.append("    #expect(request.head.method == .\(sample.endpoint.method.lowercased()))")
    if let path = sample.path {
      lines.append("    #expect(request.head.path?.split(separator: \"?\").first == \"\(path)\")")
    }
    lines += ["  }", "}", ""]
    return lines.joined(separator: "\n")
  }

  private func responseChecks(_ sample: SampleCall) -> [String] {
    guard let type = sample.responseType else { return [] }
    var lines = ["    let value: \(type) = response.value"]
    if let property = sample.property {
      lines.append("    #expect(value.\(property.name) == \(property.value))")
    } else {
      lines.append("    #expect(try !value.jsonString().isEmpty)")
    }
    return lines
  }

  // MARK: Files for people

  private var overlay: String {
    """
    # What you know better than the document: merged onto its import by each run of `callsign package`, never written by it.
    # In the syntax of the catalogue (`spec/README.md` of Callsign). For example:
    #
    # api: {summary: Sells birds.}

    """
  }

  private var settings: String {
    """
    # Settings of the generated API; all may be left out. Written once, and yours since then.
    #
    # access: public                   # public, package or internal
    # only: [\(sample?.endpoint.methodName ?? "getOne")]                   # operations or files of the catalogue, with the models that they need
    # protocol: \(layout.apiName)Protocol          # a protocol with the same methods, for mocks

    """
  }
}
