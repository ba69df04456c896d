// swift-tools-version: 6.2
import PackageDescription

let swift6: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  // As in the package's own manifest.
  .unsafeFlags(
    [
      "-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link", "-Xllvm", "-force-attribute=nounwind",
    ],
    .when(platforms: [.linux], configuration: .release)),
]
/// As in the package's own manifest, too.
let sized: [SwiftSetting] = swift6 + [.unsafeFlags(["-Osize"], .when(configuration: .release))]
let sizedByFunctions: [SwiftSetting] =
  sized
  + [
    .unsafeFlags(
      ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"],
      .when(platforms: [.linux], configuration: .release))
  ]
let partlySized: [SwiftSetting] =
  swift6
  + [.unsafeFlags(["-Xllvm", "-force-attribute=optsize"], .when(platforms: [.linux], configuration: .release))]
let generator: [SwiftSetting] = swift6 + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Measurements, apart from the package so that its users build none of this. Started by `Scripts/bench`.
///
/// The runtime's modules are targets of this package, by links to their folders: a dependency on the package itself would
/// have the build plugins of all its targets built and run first, and every package fetched that any of them needs.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "Bench", targets: ["Bench"]),
    .executable(name: "DynamicBench", targets: ["DynamicBench"]),
    .executable(name: "TextBench", targets: ["TextBench"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
  ],
  targets: [
    // As in the package's own manifest.
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .target(name: "CallsignFoundation", swiftSettings: swift6),
    .target(name: "CallsignJSON", dependencies: ["CallsignFoundation"], exclude: ["layers"], swiftSettings: swift6),
    .target(name: "CallsignModels", dependencies: ["CallsignFoundation", "CallsignJSON"], swiftSettings: swift6),
    .target(
      name: "CallsignHTTP",
      dependencies: [
        "CallsignFoundation", .product(name: "HTTPTypes", package: "swift-http-types"),
        .target(name: "CCurl", condition: .when(platforms: [.linux])),
      ],
      exclude: ["layers"], swiftSettings: partlySized + [.define("URLSession")]),
    .target(
      name: "CallsignCore",
      dependencies: [
        "CallsignFoundation", "CallsignJSON", "CallsignHTTP",
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["layers"], swiftSettings: sized),
    .target(
      name: "Callsign",
      dependencies: [
        "CallsignCore", "CallsignFoundation", "CallsignModels",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      exclude: ["layers"], swiftSettings: sizedByFunctions),
    .target(
      name: "CallsignCryptography",
      dependencies: [
        "CallsignFoundation", "CallsignHTTP", .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: sized),
    .target(
      name: "CallsignTokenStores",
      dependencies: ["CallsignCryptography", "CallsignFoundation", "CallsignHTTP", "CallsignJSON"],
      swiftSettings: sizedByFunctions
    ),
    .target(
      name: "CallsignAuth",
      dependencies: ["CallsignCore", "CallsignCryptography", "CallsignFoundation", "CallsignTokenStores"],
      exclude: ["layers"], swiftSettings: sizedByFunctions),
    .target(name: "CallsignYAML", dependencies: ["CLibYAML"], swiftSettings: generator),
    .target(
      name: "CallsignCatalogue", dependencies: ["CallsignFoundation", "CallsignYAML"], exclude: ["layers"],
      swiftSettings: generator),
    .target(
      name: "CallsignDynamic", dependencies: ["Callsign", "CallsignCatalogue", "CallsignFoundation"],
      swiftSettings: swift6),

    // Requests to valgrind, which are macros of C, and the bare HMAC of libcrypto as a peer.
    .target(name: "Callgrind", linkerSettings: [.linkedLibrary("crypto", .when(platforms: [.linux]))]),
    // The work that is measured.
    .target(
      name: "Workload",
      dependencies: [
        "Callgrind", "Callsign", "CallsignAuth", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: swift6),
    .executableTarget(name: "Bench", dependencies: ["Workload"], swiftSettings: swift6),
    // Calls by a catalogue that was read. Apart, because the catalogue's reader takes as long to build as all the rest.
    .executableTarget(name: "DynamicBench", dependencies: ["Workload", "CallsignDynamic"], swiftSettings: swift6),
    // Apart, because a text's rules need nothing else to be built.
    .target(name: "XText", dependencies: ["CallsignFoundation"], exclude: ["layers"], swiftSettings: swift6),
    .executableTarget(name: "TextBench", dependencies: ["XText"], swiftSettings: swift6),
  ]
)
