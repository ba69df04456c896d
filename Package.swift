// swift-tools-version: 6.2
import PackageDescription

/// `Scripts/test` sets this; someone who builds the package with a newer compiler must not be stopped by its warnings.
let warningsAreErrors = Context.environment["CALLSIGN_WARNINGS_AS_ERRORS"] != nil
let swift6: [SwiftSetting] =
  [.swiftLanguageMode(.v6)] + (warningsAreErrors ? [.unsafeFlags(["-warnings-as-errors"])] : [])

/// Names of test targets, separated by commas: the others are left out, so that a change is tried without building them.
let chosenTests = Context.environment["CALLSIGN_TESTS"].map { $0.split(separator: ",").map(String.init) }

/// The fuzzer's library, or `seeded` where the toolchain has none. `Scripts/fuzz` sets it; nobody else builds the targets.
let fuzzer = Context.environment["CALLSIGN_FUZZ"]

/// `Scripts/test --sanitize thread` sets this.
let sanitizesThreads = Context.environment["CALLSIGN_SANITIZER"] == "thread"

/// Targets that need libpq. `Scripts/test --quick` leaves them out where it is missing.
let fleetTargets = ["CPostgres", "CallsignPostgres", "CallsignPostgresTool", "Fleet", "CallsignPostgresTests"]
let leavesOutFleet = Context.environment["CALLSIGN_WITHOUT_POSTGRES"] != nil

/// `Scripts/test` sets this, so that the tests of CallsignObservability share what it builds: a trait sets a condition for all
/// targets. What the other trait enables is defined where it is used: SwiftPM gives two traits to the compiler now in this order,
/// now in that, and would build everything anew each time.
let testsTraits = Context.environment["CALLSIGN_ALL_TRAITS"] != nil
let urlSession: [SwiftSetting] = testsTraits ? [.define("URLSession")] : []

let package = Package(
  name: "callsign",
  // No watchOS: most watches have 32 bits, and ids and dates need 64. CallsignJSON does not compile for them.
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
  products: [
    .library(name: "Callsign", targets: ["Callsign"]),
    .library(name: "CallsignCore", targets: ["CallsignCore"]),
    .library(name: "CallsignAuth", targets: ["CallsignAuth"]),
    .library(name: "CallsignHTTPAuthentication", targets: ["CallsignHTTPAuthentication"]),
    .library(name: "CallsignTesting", targets: ["CallsignTesting"]),
    .library(name: "CallsignMock", targets: ["CallsignMock"]),
    .library(name: "CallsignMockServer", targets: ["CallsignMockServer"]),
    .library(name: "CallsignCLICredentials", targets: ["CallsignCLICredentials"]),
    .library(name: "CallsignLoopback", targets: ["CallsignLoopback"]),
    .library(name: "CallsignObservability", targets: ["CallsignObservability"]),
    .library(name: "CallsignPostgres", targets: ["CallsignPostgres"]),
    .library(name: "CallsignX", targets: ["CallsignX"]),
    .library(name: "CallsignXv1", targets: ["CallsignXv1"]),
    .library(name: "XSandbox", targets: ["XSandbox"]),
    .library(name: "XText", targets: ["XText"]),
    .library(name: "CallsignCatalogue", targets: ["CallsignCatalogue"]),
    .library(name: "CallsignDynamic", targets: ["CallsignDynamic"]),
    .library(name: "CallsignOverlay", targets: ["CallsignOverlay"]),
    .library(name: "CallsignGenerator", targets: ["CallsignGenerator"]),
    .executable(name: "callsign-postgres", targets: ["CallsignPostgresTool"]),
    .executable(name: "callsign", targets: ["CallsignTool"]),
    .executable(name: "xapi", targets: ["XAPITool"]),
    .plugin(name: "GenerateAPI", targets: ["GenerateAPI"]),
    .plugin(name: "GenerateAPICommand", targets: ["GenerateAPICommand"]),
  ],
  traits: [
    // Who does not enable the first neither fetches nor builds swift-metrics and swift-distributed-tracing; who does not enable
    // the second doesn't link Foundation on Linux. On Apple's systems `URLSession` is what calls are made with.
    .trait(name: "Observability", description: "CallsignObservability: metrics and traces of calls."),
    .trait(name: "URLSession", description: "URLSessionTransport on Linux, which links Foundation."),
    .default(enabledTraits: testsTraits ? ["Observability"] : []),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.22.0"),
  ],
  targets: [
    // The runtime that generated code and its users link.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .yum(["libcurl-devel"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"])]),
    // zlib, for what is sent compressed. Without `pkgConfig`, as SwiftPM would tell every user of the package to install it.
    .systemLibrary(name: "CZLib"),
    // Foundation, as far as it is needed.
    .target(name: "CallsignFoundation", swiftSettings: swift6),
    .target(
      name: "CallsignJSON", dependencies: ["CallsignFoundation"], exclude: ["layers"], swiftSettings: swift6),
    // Apart from the values, so that it is compiled beside what makes calls, and not linked by who makes untyped ones alone.
    .target(name: "CallsignModels", dependencies: ["CallsignFoundation", "CallsignJSON"], swiftSettings: swift6),
    .target(
      name: "CallsignHTTP",
      dependencies: [
        "CallsignFoundation", .product(name: "HTTPTypes", package: "swift-http-types"),
        .target(name: "CCurl", condition: .when(platforms: [.linux])),
      ],
      exclude: ["layers"],
      swiftSettings: swift6 + urlSession + (sanitizesThreads ? [.define("CALLSIGN_THREAD_SANITIZER")] : [])),
    // Calls and nothing else, so that programs that need no more don't link pages, streams and uploads, and so that these are
    // compiled beside CallsignAuth.
    .target(
      name: "CallsignCore",
      dependencies: [
        "CallsignFoundation", "CallsignJSON", "CallsignHTTP",
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["layers"], swiftSettings: swift6),
    .target(
      name: "Callsign",
      dependencies: [
        "CallsignCore", "CallsignFoundation", "CallsignModels",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      exclude: ["layers"], swiftSettings: swift6),
    // What logins need and what needs nothing of calls, so that it is compiled beside CallsignCore. The first waits for
    // CallsignModels to let CallsignCore, for which the whole client waits, begin before it.
    .target(
      name: "CallsignCryptography",
      dependencies: [
        "CallsignFoundation", "CallsignHTTP", "CallsignModels",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: swift6),
    .target(
      name: "CallsignTokenStores",
      dependencies: ["CallsignCryptography", "CallsignFoundation", "CallsignHTTP", "CallsignJSON"],
      swiftSettings: swift6),
    .target(
      name: "CallsignAuth",
      dependencies: ["CallsignCore", "CallsignCryptography", "CallsignFoundation", "CallsignTokenStores"],
      exclude: ["layers"], swiftSettings: swift6),
    // Basic and Digest. Apart from the other logins, so that those who sign in to X neither build nor link them.
    .target(
      name: "CallsignHTTPAuthentication", dependencies: ["CallsignAuth", "CallsignCore", "CallsignFoundation"],
      exclude: ["layers"], swiftSettings: swift6),
    .target(
      name: "CallsignTesting", dependencies: ["CallsignAuth", "CallsignCore"], exclude: ["layers"],
      swiftSettings: swift6),

    // Accounts that command-line tools keep, in YAML; apart from the runtime, so that others don't link libyaml.
    .target(
      name: "CallsignCLICredentials", dependencies: ["CallsignAuth", "CallsignHTTP", "CallsignYAML", "XCore"],
      swiftSettings: swift6),
    // Logging in from a command line. Apart, because it brings an HTTP server along.
    .target(
      name: "CallsignLoopback",
      dependencies: ["CallsignAuth", "LoopbackSockets", .product(name: "FlyingFox", package: "FlyingFox")],
      swiftSettings: swift6),

    // What a program that watches itself wants to know; empty without the trait.
    .target(
      name: "CallsignObservability",
      dependencies: [
        "CallsignCore",
        .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Observability"])),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Observability"])),
      ],
      swiftSettings: swift6),

    // What the servers of a fleet share. Nothing else depends on it, so that nobody else needs libpq. Without `pkgConfig`,
    // as SwiftPM would tell every user of the package to install it.
    .systemLibrary(name: "CPostgres"),
    .target(
      name: "CallsignPostgres",
      dependencies: [
        "CPostgres", "Callsign", "CallsignAuth", "CallsignFoundation", .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["layers"], swiftSettings: swift6),
    .executableTarget(
      name: "CallsignPostgresTool",
      dependencies: ["CallsignPostgres", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: swift6),

    // Starts other programs, with pipes that no third one has.
    .target(name: "ChildProcesses", path: "Tests/ChildProcesses", swiftSettings: swift6),
    // A PostgreSQL of a test's or a fleet's own.
    .target(
      name: "PostgresServer", dependencies: ["ChildProcesses"], path: "Tests/PostgresServer", swiftSettings: swift6),

    // YAML texts as trees. Apple's systems have no libyaml for apps; Yams brings a copy.
    .systemLibrary(
      name: "CLibYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .yum(["libyaml-devel"])]),
    .target(
      name: "CallsignYAML",
      dependencies: [
        .target(name: "CLibYAML", condition: .when(platforms: [.linux])),
        .product(
          name: "Yams", package: "Yams",
          condition: .when(platforms: [.macOS, .iOS, .tvOS, .visionOS])),
      ],
      swiftSettings: swift6),

    // From YAML to Swift text.
    .target(
      name: "CallsignCatalogue", dependencies: ["CallsignFoundation", "CallsignYAML"], exclude: ["layers"],
      swiftSettings: swift6),
    .target(
      name: "CallsignGenerator", dependencies: ["CallsignCatalogue", "CallsignFoundation"], exclude: ["layers"],
      swiftSettings: swift6),
    // What people change of an imported catalogue; apart from the catalogue, as whoever generates code builds that.
    .target(
      name: "CallsignOverlay", dependencies: ["CallsignCatalogue", "CallsignYAML"], swiftSettings: swift6),
    .target(
      name: "CallsignOpenAPI",
      dependencies: ["CallsignCatalogue", "CallsignFoundation", "CallsignJSON", "CallsignOverlay", "CallsignYAML"],
      exclude: ["layers"], swiftSettings: swift6),
    // The cost of regular expressions; apart from the catalogue, as whoever generates code builds that.
    .target(name: "CallsignPatterns", dependencies: ["CallsignFoundation"], swiftSettings: swift6),
    // Calls from a catalogue, without Swift text.
    .target(
      name: "CallsignDynamic",
      dependencies: [
        "Callsign", "CallsignCatalogue", "CallsignFoundation", "CallsignPatterns",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swift6),
    .target(name: "CallsignDiff", dependencies: ["CallsignCatalogue"], swiftSettings: swift6),

    // A server made of a catalogue, in memory; and the same behind a socket, apart because it brings an HTTP server along.
    .target(
      name: "CallsignMock",
      dependencies: [
        "CallsignCatalogue", "CallsignHTTP", "CallsignJSON", "CallsignPatterns",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      exclude: ["layers"], swiftSettings: swift6),
    .target(
      name: "CallsignMockServer",
      dependencies: [
        "CallsignConsole", "CallsignMock", "LoopbackSockets", .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"), .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swift6),
    // The sockets of servers on loopback, for FlyingFox.
    .target(
      name: "LoopbackSockets",
      dependencies: [
        .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      swiftSettings: swift6),
    // The page on which the sandbox and a mock show what they are asked, and the style of all their pages.
    .target(name: "CallsignConsole", dependencies: ["LoopbackSockets"], swiftSettings: swift6),

    // What the build plugin runs, and the same behind a command line.
    .executableTarget(
      name: "GenerateAPITool", dependencies: ["CallsignExcerpts", "CallsignFoundation", "CallsignGenerator"],
      swiftSettings: swift6),
    .executableTarget(
      name: "CallsignTool",
      dependencies: [
        "CallsignAuth", "CallsignCatalogue", "CallsignCommandLine", "CallsignCore", "CallsignDiff",
        "CallsignDynamic", "CallsignExcerpts", "CallsignFoundation", "CallsignGenerator", "CallsignHTTP",
        "CallsignJSON", "CallsignLoopback", "CallsignMockServer", "CallsignOpenAPI", "CallsignOverlay", "CallsignYAML",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["layers"], swiftSettings: swift6),
    .plugin(name: "GenerateAPI", capability: .buildTool(), dependencies: ["GenerateAPITool"]),
    .plugin(
      name: "GenerateAPICommand",
      capability: .command(
        intent: .custom(
          verb: "generate-api", description: "Writes the Swift sources of a catalogue into a folder."),
        permissions: [.writeToPackageDirectory(reason: "Writes the generated Swift files.")]),
      dependencies: ["GenerateAPITool"]),

    // The rules of a post's text; apart, for an app's compose field. It uses nothing of CallsignModels, and waits for it all the
    // same: SwiftPM starts first what waits for nothing, and in a release build, where a module is one process, XText would
    // keep back CallsignHTTP or CallsignCore, for which the whole client waits.
    .target(
      name: "XText", dependencies: ["CallsignFoundation", "CallsignModels"], exclude: ["layers"], swiftSettings: swift6),

    // A catalogue cut into excerpts, of which a call reads those that it needs.
    .target(name: "CallsignExcerpts", dependencies: ["CallsignCatalogue", "CallsignYAML"], swiftSettings: swift6),
    // X's catalogues inside a program, cut at build time by the tool that everyone builds anyway: SwiftPM builds what the
    // plugins of all targets need, whether or not a program uses the targets.
    .plugin(name: "EmbedCatalogues", capability: .buildTool(), dependencies: ["GenerateAPITool"]),
    .target(
      name: "XCatalogue", dependencies: ["CallsignExcerpts"], swiftSettings: swift6, plugins: ["EmbedCatalogues"]),

    // The filter language of the command lines.
    .target(name: "CallsignJMESPath", dependencies: ["CallsignJSON"], swiftSettings: swift6),
    // What both command lines make calls with.
    .target(
      name: "CallsignCommandLine",
      dependencies: [
        "CallsignAuth", "CallsignCatalogue", "CallsignDynamic", "CallsignFoundation", "CallsignHTTPAuthentication",
        "CallsignJMESPath", "CallsignLoopback", "CallsignYAML", "LoopbackSockets",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
      ], exclude: ["layers"],
      swiftSettings: swift6),

    // The X API, and a local server that judges its client.
    .target(
      name: "XCore", dependencies: ["Callsign", "CallsignAuth", "CallsignFoundation", "XText"], exclude: ["layers"],
      swiftSettings: swift6),
    .target(
      name: "CallsignX", dependencies: ["Callsign", "CallsignFoundation", "XCore", "XText"], exclude: ["layers"],
      swiftSettings: swift6, plugins: ["GenerateAPI"]),
    .target(
      name: "CallsignXv1", dependencies: ["Callsign", "CallsignFoundation", "XCore"], exclude: ["layers"],
      swiftSettings: swift6, plugins: ["GenerateAPI"]),
    .executableTarget(
      name: "XAPITool",
      dependencies: [
        "Callsign", "CallsignCLICredentials", "CallsignCommandLine", "CallsignDynamic", "CallsignLoopback", "CallsignX",
        "CallsignXv1", "XCatalogue", "XSandbox", "XText",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["layers"],
      swiftSettings: swift6),
    .target(
      name: "XSandbox",
      dependencies: [
        "CZLib", "CallsignCatalogue", "CallsignConsole", "CallsignHTTP", "CallsignJSON", "CallsignMock",
        "CallsignYAML", "LoopbackSockets", "XCatalogue", "XText",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ],
      exclude: ["layers"], swiftSettings: swift6),
    .executableTarget(
      name: "Demo",
      dependencies: ["CallsignX", "CallsignXv1", "CallsignCatalogue", "CallsignDynamic", "CallsignMock", "XSandbox"],
      path: "Examples/Demo", swiftSettings: swift6),
    // Runs the client under random faults, and accounts for every record.
    .executableTarget(
      name: "Soak",
      dependencies: [
        "CallsignX", "CallsignXv1", "ChildProcesses", "XSandbox",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ],
      path: "Examples/Soak", swiftSettings: swift6),

    // Runs many servers of a fleet on one database, kills, stops and disconnects them, and accounts for everything.
    .executableTarget(
      name: "Fleet", dependencies: ["CallsignPostgres", "CallsignX", "ChildProcesses", "PostgresServer", "XSandbox"],
      path: "Examples/Fleet",
      swiftSettings: swift6),

    // A package of its own for its readers, and built here with the rest.
    .executableTarget(
      name: "Bot", dependencies: ["CallsignX"], path: "Examples/Bot/Sources/Bot", swiftSettings: swift6),
    .testTarget(
      name: "BotTests", dependencies: ["Bot", "CallsignX", "XSandbox"], path: "Examples/Bot/Tests/BotTests",
      swiftSettings: swift6),

    .target(
      name: "FlickrKit",
      dependencies: ["Callsign", "CallsignAuth", .product(name: "HTTPTypes", package: "swift-http-types")],
      path: "Examples/Flickr/Sources/FlickrKit",
      swiftSettings: swift6, plugins: ["GenerateAPI"]),
    .executableTarget(
      name: "FlickrPhotos", dependencies: ["FlickrKit"], path: "Examples/Flickr/Sources/FlickrPhotos",
      swiftSettings: swift6),
    .testTarget(
      name: "FlickrKitTests", dependencies: ["FlickrKit", .product(name: "FlyingFox", package: "FlyingFox")],
      path: "Examples/Flickr/Tests/FlickrKitTests", swiftSettings: swift6),
    .target(
      name: "GitHubKit", dependencies: ["Callsign"], path: "Examples/GitHub/Sources/GitHubKit", swiftSettings: swift6,
      plugins: ["GenerateAPI"]),
    .executableTarget(
      name: "GitHubIssues", dependencies: ["Callsign", "GitHubKit"], path: "Examples/GitHub/Sources/GitHubIssues",
      swiftSettings: swift6),
    .testTarget(
      name: "GitHubKitTests", dependencies: ["Callsign", "CallsignMockServer", "GitHubKit"],
      path: "Examples/GitHub/Tests/GitHubKitTests", swiftSettings: swift6),
    .target(
      name: "MastodonKit",
      dependencies: ["Callsign", "CallsignAuth", .product(name: "HTTPTypes", package: "swift-http-types")],
      path: "Examples/Mastodon/Sources/MastodonKit",
      swiftSettings: swift6, plugins: ["GenerateAPI"]),
    .executableTarget(
      name: "Toot", dependencies: ["CallsignLoopback", "MastodonKit"], path: "Examples/Mastodon/Sources/Toot",
      swiftSettings: swift6),
    .testTarget(
      name: "MastodonKitTests", dependencies: ["CallsignMock", "MastodonKit"],
      path: "Examples/Mastodon/Tests/MastodonKitTests", swiftSettings: swift6),

    .testTarget(name: "CallsignYAMLTests", dependencies: ["CallsignYAML"], swiftSettings: swift6),
    .testTarget(
      name: "CallsignCatalogueTests", dependencies: ["CallsignCatalogue", "CallsignOverlay", "CallsignYAML"],
      swiftSettings: swift6),
    // What tests of several targets use.
    .target(
      name: "TestSupport", dependencies: ["Callsign", "CallsignTokenStores", "ChildProcesses", "PostgresServer"],
      path: "Tests/TestSupport", swiftSettings: swift6),
    // Tests of every method of X's catalogues, made from them without the generator.
    .executableTarget(
      name: "MethodTestsTool", dependencies: ["CallsignYAML"], path: "Tests/MethodTests/Tool", swiftSettings: swift6),
    .plugin(name: "GenerateMethodTests", capability: .buildTool(), dependencies: ["MethodTestsTool"]),
    .target(
      name: "MethodTestSupport", dependencies: ["CallsignDynamic", "TestSupport", "XCore"],
      path: "Tests/MethodTests/Support", swiftSettings: swift6),
    .testTarget(
      name: "CallsignXMethodTests", dependencies: ["CallsignX", "MethodTestSupport"], path: "Tests/MethodTests/V2",
      swiftSettings: swift6,
      plugins: ["GenerateMethodTests"]),
    .testTarget(
      name: "CallsignXv1MethodTests", dependencies: ["CallsignXv1", "MethodTestSupport"], path: "Tests/MethodTests/V1",
      swiftSettings: swift6,
      plugins: ["GenerateMethodTests"]),
    .testTarget(
      name: "CallsignGeneratorTests", dependencies: ["CallsignCatalogue", "CallsignGenerator"], exclude: ["Golden"],
      swiftSettings: swift6),
    .testTarget(
      name: "GeneratedCodeTests", dependencies: ["Callsign"],
      // With it, what is generated must say what others see of its imports.
      swiftSettings: swift6 + [.enableUpcomingFeature("InternalImportsByDefault")], plugins: ["GenerateAPI"]),
    .testTarget(name: "CallsignOpenAPITests", dependencies: ["CallsignOpenAPI"], swiftSettings: swift6),
    .testTarget(
      name: "CallsignMockTests",
      dependencies: ["CallsignMock", "CallsignMockServer", "CallsignOpenAPI", "CallsignX", "CallsignXv1"],
      swiftSettings: swift6),
    .testTarget(name: "CallsignDiffTests", dependencies: ["CallsignDiff"], swiftSettings: swift6),
    .testTarget(
      name: "CallsignTests",
      dependencies: ["CallsignFoundation", "CallsignHTTPAuthentication", "CallsignTesting", "XCore"],
      swiftSettings: swift6),
    .testTarget(
      name: "CallsignCLICredentialsTests", dependencies: ["CallsignCLICredentials"], swiftSettings: swift6),
    .testTarget(name: "ChildProcessesTests", dependencies: ["CallsignHTTP"], swiftSettings: swift6),
    .testTarget(
      name: "TokenStoreTests", dependencies: ["CallsignAuth", "TokenStoreProbe"], swiftSettings: swift6),
    // What the tests of token stores start as other processes.
    .executableTarget(
      name: "TokenStoreProbe",
      dependencies: ["Callsign", "CallsignAuth"] + (leavesOutFleet ? [] : ["CallsignPostgres"]),
      path: "Tests/Probes/TokenStoreProbe",
      swiftSettings: swift6 + (leavesOutFleet ? [] : [.define("CALLSIGN_POSTGRES")])),
    .testTarget(
      name: "CallsignPostgresTests",
      dependencies: [
        "CallsignPostgres", "CallsignPostgresTool", "CallsignX", "Fleet", "PostgresServer", "TokenStoreProbe",
        "XSandbox",
      ], swiftSettings: swift6),
    .testTarget(
      name: "CallsignTransportTests", dependencies: ["CallsignAuth", "XCore"],
      swiftSettings: swift6 + urlSession),
    .testTarget(
      name: "OAuth2Tests",
      dependencies: ["CallsignAuth", "CallsignHTTPAuthentication", "XCore", "CallsignLoopback", "OAuth2Probe"],
      exclude: ["Support/authorization_server.py"], swiftSettings: swift6),
    // What the tests of OAuth 2.0 start as other processes.
    .executableTarget(
      name: "OAuth2Probe", dependencies: ["Callsign", "CallsignAuth"], path: "Tests/Probes/OAuth2Probe",
      swiftSettings: swift6),
    .testTarget(
      name: "HTTPAuthenticationTests", dependencies: ["CallsignAuth", "CallsignHTTPAuthentication"],
      swiftSettings: swift6),
    .testTarget(
      name: "OAuth1LoginTests",
      dependencies: ["CallsignTesting", "XCore", "XSandbox", .product(name: "Logging", package: "swift-log")],
      exclude: ["Provider"],
      swiftSettings: swift6),
    .testTarget(
      name: "CallsignToolTests", dependencies: ["CallsignTool"], exclude: ["Documents"], swiftSettings: swift6),
    .testTarget(name: "CallsignDynamicTests", dependencies: ["CallsignDynamic", "XCatalogue"], swiftSettings: swift6),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "CallsignCommandLine", "CallsignHTTP", "CallsignMockServer", "CallsignTool", "CallsignYAML", "XAPITool",
        "XSandbox",
      ],
      swiftSettings: swift6),
    .testTarget(name: "CallsignJMESPathTests", dependencies: ["CallsignJMESPath"], swiftSettings: swift6),
    // Logins and consoles in a real browser.
    .testTarget(
      name: "BrowserTests", dependencies: ["CallsignLoopback", "CallsignMockServer", "CallsignX", "XSandbox"],
      swiftSettings: swift6),
    .testTarget(name: "XTextTests", dependencies: ["XText", "CallsignYAML", "XAPITool"], swiftSettings: swift6),
    .testTarget(
      name: "XSandboxTests",
      dependencies: ["CallsignAuth", "CallsignDynamic", "CallsignMock", "XCatalogue", "XCore", "XSandbox"],
      swiftSettings: swift6),
    .testTarget(name: "XCoreTests", dependencies: ["XCore"], swiftSettings: swift6),
    .testTarget(
      name: "CallsignXTests", dependencies: ["CallsignTesting", "CallsignX", "XSandbox", "UploadProbe"],
      swiftSettings: swift6),
    // What measures an upload's memory in a process of its own.
    .executableTarget(
      name: "UploadProbe", dependencies: ["CallsignX", "XSandbox"], path: "Tests/Probes/UploadProbe",
      swiftSettings: swift6),
    // What `Scripts/internal/check-memory` runs under valgrind.
    .executableTarget(
      name: "MemoryProbe", dependencies: ["CallsignX"], path: "Tests/Probes/MemoryProbe", swiftSettings: swift6),
    .testTarget(
      name: "CallsignXv1Tests", dependencies: ["CallsignTesting", "CallsignX", "CallsignXv1", "XAPITool", "XSandbox"],
      swiftSettings: swift6),
    .testTarget(name: "DemoTests", dependencies: ["Demo", "CallsignX", "XSandbox"], swiftSettings: swift6),
    .testTarget(name: "SoakTests", dependencies: ["Soak"], swiftSettings: swift6),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "CallsignHTTPAuthentication", "CallsignLoopback", "CallsignTesting", "CallsignCLICredentials", "CallsignX",
        "XSandbox", "XText",
      ],
      exclude: ["Programs"], swiftSettings: swift6),
  ]
)

#if os(Linux)
  // A package of its own for its readers. Here it is tested; Observation, which it needs, is not in macOS 13. Its views are in
  // its package alone, and `Scripts/internal/check-apple-glue` checks their types.
  package.targets += [
    .target(
      name: "TimelineModels", dependencies: ["CallsignAuth", "CallsignX", "XText"],
      path: "Examples/Timeline/Sources/TimelineModels", swiftSettings: swift6),
    .testTarget(
      name: "TimelineModelsTests", dependencies: ["CallsignX", "TimelineModels", "XSandbox"],
      path: "Examples/Timeline/Tests/TimelineModelsTests", swiftSettings: swift6),
  ]
#endif

/// What the build plugins run. SwiftPM builds it in the configuration of the program that is built, before that: optimized it
/// takes half a minute longer to build, and then runs for half a second. It builds it again with the program; file by file, as
/// in debug builds, that finds nothing to do.
let generatorTargets: Set = [
  "CallsignCatalogue", "CallsignExcerpts", "CallsignGenerator", "CallsignYAML", "GenerateAPITool",
]
for target in package.targets where generatorTargets.contains(target.name) {
  target.swiftSettings?.append(
    .unsafeFlags(
      ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode", "-incremental"],
      .when(configuration: .release)))
}

/// Makes a clean debug build take a tenth less time. The compiler doesn't index the standard library and Foundation, which
/// whoever else imports them does; gives each of its processes so few files that two processors end together; and doesn't
/// verify its own intermediate code.
let fasterDebugBuild = SwiftSetting.unsafeFlags(
  ["-index-ignore-system-modules", "-driver-batch-size-limit", "12", "-Xfrontend", "-disable-llvm-verify"],
  .when(platforms: [.linux], configuration: .debug))
for target in package.targets where target.type == .regular || target.type == .executable {
  target.swiftSettings?.append(fasterDebugBuild)
}

/// Takes another tenth off, for those who only use the package: its larger modules are compiled whole, so that no declaration
/// is read in several processes. Not CallsignX, which one processor would compile alone, nor what is built for the plugins,
/// which SwiftPM builds twice. The compiler remarks that it is not incremental then; who works on Callsign has builds that are.
let wholeModule = SwiftSetting.unsafeFlags(
  ["-whole-module-optimization", "-num-threads", "2", "-no-emit-module-separately-wmo", "-disable-batch-mode"],
  .when(platforms: [.linux], configuration: .debug))
let wholeModuleTargets: Set = [
  "Callsign", "CallsignAuth", "CallsignCore", "CallsignCryptography", "CallsignHTTP", "CallsignJSON", "CallsignModels",
  "CallsignTokenStores", "XText",
]
if !testsTraits, chosenTests == nil {
  for target in package.targets where wholeModuleTargets.contains(target.name) {
    target.swiftSettings?.append(wholeModule)
  }
}

/// A section for each function, and none kept because it is public: the linker leaves out what a program doesn't call. No tables
/// either by which C++ would unwind Swift's frames, which it must not do: they are a fifth of a stripped program. Debuggers have
/// them in the debug information, and Swift's backtraces go by frame pointers. Apple's linker needs none of it.
let smallerPrograms = SwiftSetting.unsafeFlags(
  [
    "-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link", "-Xllvm", "-force-attribute=nounwind",
  ],
  .when(platforms: [.linux], configuration: .release))
for target in package.targets where target.type == .regular { target.swiftSettings?.append(smallerPrograms) }
/// Asks for types by functions, and not by names whose places are among a file's data: whoever asks so in one function has the
/// program keep all that the file's data name, such as each asynchronous function of it. Without it a program that imports
/// CallsignX is 75 KB larger. The modules below, which every program uses more of, are larger with it.
for target in package.targets
where [
  "Callsign", "CallsignAuth", "CallsignTokenStores", "CallsignX", "CallsignXv1", "XCore", "XText",
].contains(target.name) {
  target.swiftSettings?.append(
    .unsafeFlags(
      ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"],
      .when(platforms: [.linux], configuration: .release)))
}

/// Modules that a program spends little of its time in are compiled for size, which also takes less time. The way of each call
/// and of its signature is marked `@_optimize(speed)` there.
let sizedTargets: Set = [
  "Callsign", "CallsignAuth", "CallsignCore", "CallsignCryptography", "CallsignHTTPAuthentication",
  "CallsignTokenStores", "XCore",
]
for target in package.targets where sizedTargets.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
}
/// Compiles no generic functions for each of X's types. The modules of X name things and call the runtime: no call would be
/// faster, and it is a fifth of the time that these modules take, for which the whole build waits.
for target in package.targets where ["CallsignX", "CallsignXv1", "XCore"].contains(target.name) {
  target.swiftSettings?.append(
    .unsafeFlags(["-Xllvm", "-sil-disable-pass=generic-specializer"], .when(configuration: .release)))
}
/// Here the optimizer of Swift goes for speed, and LLVM alone for size: no call takes longer by it.
for target in package.targets where target.name == "CallsignHTTP" {
  target.swiftSettings?.append(
    .unsafeFlags(["-Xllvm", "-force-attribute=optsize"], .when(platforms: [.linux], configuration: .release)))
}

if let fuzzer {
  let isSeeded = fuzzer == "seeded"
  let readers = [
    "Callsign", "CallsignAuth", "CallsignCLICredentials", "CallsignCatalogue", "CallsignCore", "CallsignCryptography",
    "CallsignHTTP", "CallsignHTTPAuthentication", "CallsignJMESPath", "CallsignJSON", "CallsignModels",
    "CallsignOpenAPI", "CallsignOverlay", "CallsignTesting", "CallsignTokenStores", "CallsignYAML",
  ]
  // Nothing else can be linked: what the fuzzer counts has no place to be counted there.
  package.products = []
  package.targets.removeAll {
    !(readers + ["CallsignFoundation", "XCore", "XText", "CCurl", "CCrypto", "CLibYAML"]).contains($0.name)
  }
  for target in package.targets where readers.contains(target.name) {
    target.swiftSettings = swift6 + [.unsafeFlags(["-enable-testing"] + (isSeeded ? [] : ["-sanitize=fuzzer"]))]
  }
  package.targets.append(
    .executableTarget(
      name: "Fuzz", dependencies: readers.map { .init(stringLiteral: $0) }, path: "Tests/Fuzz", exclude: ["Corpora"],
      swiftSettings: swift6 + (isSeeded ? [] : [.define("CALLSIGN_LIBFUZZER")]),
      linkerSettings: isSeeded ? [] : [.unsafeFlags([fuzzer]), .linkedLibrary("stdc++")]))
}

if leavesOutFleet {
  package.targets.removeAll { fleetTargets.contains($0.name) }
  package.products.removeAll { ["CallsignPostgres", "callsign-postgres"].contains($0.name) }
}

for target in package.targets where target.type == .test { target.dependencies += ["ChildProcesses", "TestSupport"] }

if let chosenTests {
  package.targets.removeAll { $0.type == .test && !chosenTests.contains($0.name) }
}
