// swift-tools-version: 6.1
import PackageDescription

/// Measurements, apart from the package so that its users build none of this. Started by `Scripts/bench`.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "callsign", path: ".."),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
  ],
  targets: [
    // Requests to valgrind, which are macros of C, and the bare HMAC of libcrypto as a peer.
    .target(name: "Callgrind", linkerSettings: [.linkedLibrary("crypto", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "Callgrind",
        .product(name: "Callsign", package: "callsign"),
        .product(name: "CallsignAuth", package: "callsign"),
        .product(name: "CallsignDynamic", package: "callsign"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // Apart, because a text's rules need nothing else to be built.
    .executableTarget(
      name: "TextBench", dependencies: [.product(name: "XText", package: "callsign")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
