// swift-tools-version: 6.2
import PackageDescription

/// Measurements. `Benchmarks/bench` builds and starts them.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "Bench", targets: ["Bench"]),
    .executable(name: "DynamicBench", targets: ["DynamicBench"]),
    .executable(name: "TextBench", targets: ["TextBench"]),
  ],
  dependencies: [
    // The trait adds URLSessionTransport, which DefaultTransport is compared with.
    .package(name: "callsign", path: "..", traits: ["URLSession"]),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
  ],
  targets: [
    // Requests to valgrind, which are C macros, and the bare HMAC of libcrypto as a peer.
    .target(name: "Callgrind", linkerSettings: [.linkedLibrary("crypto", .when(platforms: [.linux]))]),
    // Shared by the programs: measured rounds, and the data that they use.
    .target(
      name: "Workload",
      dependencies: [
        "Callgrind", .product(name: "Callsign", package: "callsign"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]),
    .executableTarget(
      name: "Bench", dependencies: ["Workload", .product(name: "CallsignAuth", package: "callsign")]),
    // Calls through a catalogue that is loaded at run time. It is a separate program because it also builds the catalogue reader.
    .executableTarget(
      name: "DynamicBench",
      dependencies: [
        "Workload", .product(name: "CallsignCatalogue", package: "callsign"),
        .product(name: "CallsignDynamic", package: "callsign"),
      ]),
    .executableTarget(name: "TextBench", dependencies: [.product(name: "XText", package: "callsign")]),
  ]
)
