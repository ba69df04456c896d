// swift-tools-version: 6.2
import PackageDescription

// The folders of `Sources`, lowest first. A module uses modules of its own room and of earlier rooms, and only
// `CommandLine` uses `Servers`. `Sources/layers` has the order of folders inside modules; `Scripts/lint` checks both.
enum Room: String {
  case system = "System"
  case runtime = "Runtime"
  case catalogue = "Catalogue"
  case x = "X"
  case servers = "Servers"
  case fleet = "Fleet"
  case commandLine = "CommandLine"
}

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// A library in `Sources/<room>/<name>`.
func module(
  _ name: String, _ room: Room, _ dependencies: [Target.Dependency], settings extra: [SwiftSetting] = [],
  plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(room.rawValue)/\(name)", swiftSettings: settings + extra,
    plugins: plugins)
}

/// For the modules that the build plugin runs. Every user's release build compiles them first: 65 s on two cores with this flag,
/// over 110 s without.
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// A program in `Sources/<room>/<name>`.
func program(
  _ name: String, _ room: Room, _ dependencies: [Target.Dependency], settings extra: [SwiftSetting] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/\(room.rawValue)/\(name)", swiftSettings: settings + extra)
}

/// A C library of the system, described in `Sources/System/<name>`. Without `pkgConfig`, SwiftPM does not warn users who
/// lack the library and use none of the products that need it.
func system(_ name: String, pkgConfig: String? = nil, apt: String, yum: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt]), .yum([yum])])
}

/// The tests of a module, in `Tests/<room>/<name>`.
func tests(
  _ name: String, _ room: Room, _ dependencies: [Target.Dependency], exclude: [String] = [],
  settings extra: [SwiftSetting] = [], plugins: [Target.PluginUsage] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport", "ChildProcesses"], path: "Tests/\(room.rawValue)/\(name)",
    exclude: exclude, swiftSettings: settings + extra, plugins: plugins)
}

/// A library that several tests use, in `Tests/Support/<name>`.
func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/Support/\(name)", swiftSettings: settings)
}

/// A program that scripts or tests run, in `Tests/Programs/<name>`.
func testProgram(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], settings extra: [SwiftSetting] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Tests/Programs/\(name)", exclude: exclude,
    swiftSettings: settings + extra)
}

extension Target.Dependency {
  static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
  static let logging = product(name: "Logging", package: "swift-log")
  static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
  static let nioCore = product(name: "NIOCore", package: "swift-nio")
  static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
  static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
  static let curl = target(name: "CCurl", condition: .when(platforms: [.linux]))
  static let crypto = target(name: "CCrypto", condition: .when(platforms: [.linux]))
  static let zlib = target(name: "CZLib", condition: .when(platforms: [.linux]))
}

/// Leaves out everything that needs libpq, for contributors who work without it.
let withoutPostgres = Context.environment["CALLSIGN_WITHOUT_POSTGRES"] != nil

/// Names of test targets, separated by commas. The others are not built.
let chosenTests = Context.environment["CALLSIGN_TESTS"].map { $0.split(separator: ",").map(String.init) }

let libraries: [Target] = [
  system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", yum: "libcurl-devel"),
  system("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", yum: "openssl-devel"),
  system("CLibYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev", yum: "libyaml-devel"),
  system("CZLib", apt: "zlib1g-dev", yum: "zlib-devel"),

  // The runtime: the modules that generated code and its users link. It names no API.
  module("CallsignSupport", .runtime, []),
  module("CallsignJSON", .runtime, ["CallsignSupport"]),
  module("CallsignHTTP", .runtime, ["CallsignSupport", .httpTypes, .curl, .zlib]),
  module("Callsign", .runtime, ["CallsignSupport", "CallsignJSON", "CallsignHTTP", .httpTypes, .logging]),
  module("CallsignAuth", .runtime, ["Callsign", .httpTypes, .crypto]),
  module("CallsignTesting", .runtime, ["CallsignAuth"]),
  // Metrics and traces of calls. Empty without the trait.
  module(
    "CallsignObservability", .runtime,
    [
      "Callsign",
      .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Observability"])),
      .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Observability"])),
    ]),

  // From a document to a catalogue, and from a catalogue to Swift or to a call.
  module(
    "CallsignYAML", .catalogue,
    [
      .target(name: "CLibYAML", condition: .when(platforms: [.linux])),
      // Apple platforms have no libyaml for apps.
      .product(
        name: "Yams", package: "Yams", condition: .when(platforms: [.macOS, .iOS, .tvOS, .visionOS])),
    ], settings: unoptimized),
  module("CallsignCatalogue", .catalogue, ["CallsignSupport", "CallsignYAML"], settings: unoptimized),
  module("CallsignGenerator", .catalogue, ["CallsignCatalogue"], settings: unoptimized),
  module("CallsignOpenAPI", .catalogue, ["CallsignCatalogue", "CallsignJSON"]),
  module("CallsignDynamic", .catalogue, ["Callsign", "CallsignCatalogue", .httpTypes]),
  // The build plugin runs this program, so every user builds it.
  program("GenerateAPITool", .catalogue, ["CallsignGenerator"], settings: unoptimized),

  // Everything about X.
  module("XText", .x, ["CallsignSupport"]),
  module("XCore", .x, ["Callsign", "CallsignAuth", "XText"]),
  module("CallsignX", .x, ["XCore"], plugins: ["GenerateAPI"]),
  module("CallsignXv1", .x, ["XCore"], plugins: ["GenerateAPI"]),
  module("XCatalogue", .x, ["CallsignCatalogue"], plugins: ["EmbedCatalogues"]),
  module("CallsignCLICredentials", .x, ["CallsignYAML", "XCore"]),

  // Servers on loopback.
  module("LoopbackSockets", .servers, ["CallsignSupport", .httpTypes, .nioCore, .nioPosix, .nioHTTP1]),
  module("CallsignLoopback", .servers, ["CallsignAuth", "LoopbackSockets"]),
  module("CallsignMock", .servers, ["CallsignCatalogue", "CallsignHTTP", "CallsignJSON", .httpTypes]),
  module("CallsignMockServer", .servers, ["CallsignMock", "LoopbackSockets"]),
  module("XSandbox", .servers, ["CZLib", "CallsignMockServer", "XCatalogue", "XText", .crypto]),

  // Both command lines.
  module(
    "CallsignCommandLine", .commandLine, ["CallsignAuth", "CallsignDynamic", "CallsignLoopback", .argumentParser]),
  program(
    "CallsignTool", .commandLine,
    ["CallsignCommandLine", "CallsignGenerator", "CallsignMockServer", "CallsignOpenAPI", .argumentParser]),
  program(
    "XAPITool", .commandLine,
    [
      "CallsignCLICredentials", "CallsignCommandLine", "CallsignX", "CallsignXv1", "XCatalogue", "XSandbox",
      .argumentParser,
    ]),
]

let plugins: [Target] = [
  .plugin(name: "GenerateAPI", capability: .buildTool(), dependencies: ["GenerateAPITool"]),
  .plugin(
    name: "GenerateAPICommand",
    capability: .command(
      intent: .custom(verb: "generate-api", description: "Writes the Swift sources of a catalogue into a folder."),
      permissions: [.writeToPackageDirectory(reason: "Writes the generated Swift files.")]),
    dependencies: ["GenerateAPITool"]),
  // For this package only: X's catalogues as Swift, and tests of every method.
  .plugin(name: "EmbedCatalogues", capability: .buildTool(), dependencies: ["GenerateAPITool"]),
  .plugin(name: "GenerateMethodTests", capability: .buildTool(), dependencies: ["MethodTestsTool"]),
]

let testTargets: [Target] = [
  tests("CallsignSupportTests", .runtime, ["CallsignSupport"]),
  tests("CallsignJSONTests", .runtime, ["Callsign"]),
  tests("CallsignHTTPTests", .runtime, ["XCore", .zlib]),
  tests("CallsignTests", .runtime, ["CallsignTesting", "XCore"]),
  tests(
    "CallsignAuthTests", .runtime,
    ["CallsignLoopback", "CallsignTesting", "OAuth2Probe", "TokenStoreProbe", "XCore", "XSandbox"],
    exclude: ["OAuth1/Provider", "OAuth2/Support/authorization_server.py"]),
  tests("CallsignTestingTests", .runtime, ["CallsignTesting", "XCore"]),

  tests("CallsignYAMLTests", .catalogue, ["CallsignYAML"]),
  tests("CallsignCatalogueTests", .catalogue, ["CallsignCatalogue", "CatalogueTestSupport"]),
  tests("CallsignGeneratorTests", .catalogue, ["CallsignGenerator"], exclude: ["Golden"]),
  // With the feature, generated code must state the visibility of its imports.
  tests(
    "GeneratedCodeTests", .catalogue, ["Callsign"], settings: [.enableUpcomingFeature("InternalImportsByDefault")],
    plugins: ["GenerateAPI"]),
  tests("CallsignOpenAPITests", .catalogue, ["CallsignOpenAPI", "CatalogueTestSupport"]),
  tests("CallsignDynamicTests", .catalogue, ["CallsignDynamic", "XCatalogue"]),

  tests("XTextTests", .x, ["XText", "CallsignYAML", "XAPITool"]),
  tests("XCoreTests", .x, ["XCore"]),
  tests("CallsignXTests", .x, ["CallsignTesting", "CallsignX", "UploadProbe", "XSandbox"]),
  tests("CallsignXv1Tests", .x, ["CallsignTesting", "CallsignX", "CallsignXv1", "XAPITool", "XSandbox"]),
  tests("CallsignXMethodTests", .x, ["CallsignX", "MethodTestSupport"], plugins: ["GenerateMethodTests"]),
  tests("CallsignXv1MethodTests", .x, ["CallsignXv1", "MethodTestSupport"], plugins: ["GenerateMethodTests"]),
  tests("CallsignCLICredentialsTests", .x, ["CallsignCLICredentials"]),

  tests("LoopbackSocketsTests", .servers, ["LoopbackSockets"]),
  tests("CallsignMockTests", .servers, ["CallsignMockServer", "CallsignOpenAPI", "CallsignX", "CallsignXv1"]),
  tests("CallsignMockServerTests", .servers, ["CallsignLoopback", "CallsignMockServer", "CallsignX", "XSandbox"]),
  tests("XSandboxTests", .servers, ["CallsignDynamic", "XCore", "XSandbox"], exclude: ["Clients/tour.py"]),

  tests("CallsignCommandLineTests", .commandLine, ["CallsignTool", "XAPITool"]),
  tests("CallsignToolTests", .commandLine, ["CallsignTool"], exclude: ["Documents"]),

  .testTarget(
    name: "DocumentationTests",
    dependencies: [
      "CallsignCLICredentials", "CallsignLoopback", "CallsignTesting", "CallsignX", "TestSupport", "XSandbox",
    ],
    exclude: ["Programs"], swiftSettings: settings),
  .testTarget(
    name: "DemoTests", dependencies: ["Demo", "TestSupport"], path: "Tests/Programs/DemoTests",
    swiftSettings: settings),
  .testTarget(
    name: "SoakTests", dependencies: ["Soak", "TestSupport"], path: "Tests/Programs/SoakTests",
    swiftSettings: settings),
]

let testHelpers: [Target] = [
  support("TestSupport", ["XCore", "ChildProcesses", "PostgresServer"]),
  // Starts programs with pipes that other programs do not inherit.
  support("ChildProcesses", []),
  support("PostgresServer", ["ChildProcesses"]),
  support("CatalogueTestSupport", ["CallsignCatalogue"]),
  support("MethodTestSupport", ["CallsignDynamic", "TestSupport", "XCore"]),

  testProgram("Demo", ["CallsignX", "CallsignXv1", "CallsignDynamic", "XSandbox"]),
  testProgram("Soak", ["CallsignX", "CallsignXv1", "ChildProcesses", "XSandbox", .crypto]),
  testProgram(
    "Fuzz",
    [
      "CallsignCLICredentials", "CallsignCommandLine", "CallsignOpenAPI", "CallsignTesting", "TestSupport", .httpTypes,
    ], exclude: ["Corpora"]),
  testProgram("MethodTestsTool", ["CallsignYAML"]),
  testProgram("OAuth2Probe", ["CallsignAuth"]),
  testProgram("UploadProbe", ["CallsignX", "XSandbox"]),
  testProgram("MemoryProbe", ["CallsignX"]),
  testProgram(
    "TokenStoreProbe", ["CallsignAuth"] + (withoutPostgres ? [] : ["CallsignPostgres"]),
    settings: withoutPostgres ? [] : [.define("CALLSIGN_POSTGRES")]),
]

/// Servers that share a PostgreSQL database. Nothing else depends on them, so other users need no libpq.
let fleet: [Target] = [
  system("CPostgres", apt: "libpq-dev", yum: "libpq-devel"),
  module("CallsignPostgres", .fleet, ["CPostgres", "CallsignAuth", .logging]),
  program("CallsignPostgresTool", .fleet, ["CallsignPostgres", .argumentParser]),
  tests(
    "CallsignPostgresTests", .fleet,
    ["CallsignPostgresTool", "CallsignX", "Fleet", "PostgresServer", "TokenStoreProbe", "XSandbox"]),
  testProgram("Fleet", ["CallsignPostgres", "CallsignX", "ChildProcesses", "PostgresServer", "XSandbox"]),
]

let package = Package(
  name: "callsign",
  // watchOS is missing because most watches have 32 bits, and identifiers and dates need 64.
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
  products: [
    .library(name: "Callsign", targets: ["Callsign"]),
    .library(name: "CallsignAuth", targets: ["CallsignAuth"]),
    .library(name: "CallsignTesting", targets: ["CallsignTesting"]),
    .library(name: "CallsignObservability", targets: ["CallsignObservability"]),
    .library(name: "CallsignX", targets: ["CallsignX"]),
    .library(name: "CallsignXv1", targets: ["CallsignXv1"]),
    .library(name: "XText", targets: ["XText"]),
    .library(name: "XSandbox", targets: ["XSandbox"]),
    .library(name: "CallsignCLICredentials", targets: ["CallsignCLICredentials"]),
    .library(name: "CallsignLoopback", targets: ["CallsignLoopback"]),
    .library(name: "CallsignMock", targets: ["CallsignMock"]),
    .library(name: "CallsignMockServer", targets: ["CallsignMockServer"]),
    .library(name: "CallsignCatalogue", targets: ["CallsignCatalogue"]),
    .library(name: "CallsignGenerator", targets: ["CallsignGenerator"]),
    .library(name: "CallsignOpenAPI", targets: ["CallsignOpenAPI"]),
    .library(name: "CallsignDynamic", targets: ["CallsignDynamic"]),
    .executable(name: "callsign", targets: ["CallsignTool"]),
    .executable(name: "xapi", targets: ["XAPITool"]),
    .plugin(name: "GenerateAPI", targets: ["GenerateAPI"]),
    .plugin(name: "GenerateAPICommand", targets: ["GenerateAPICommand"]),
  ]
    + (withoutPostgres
      ? []
      : [
        .library(name: "CallsignPostgres", targets: ["CallsignPostgres"]),
        .executable(name: "callsign-postgres", targets: ["CallsignPostgresTool"]),
      ]),
  traits: [
    .trait(
      name: "Observability",
      description:
        "CallsignObservability: metrics and traces of calls. Fetches swift-metrics and swift-distributed-tracing."),
    .trait(name: "URLSession", description: "URLSessionTransport on Linux. Links Foundation."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
  ],
  targets: libraries + plugins + testHelpers + (withoutPostgres ? [] : fleet)
    + testTargets.filter { chosenTests?.contains($0.name) ?? true }
)
