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
    .executableTarget(
      name: "JSONBenchmark", dependencies: [.product(name: "Callsign", package: "callsign")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "SigningBenchmark", dependencies: [.product(name: "CallsignAuth", package: "callsign")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "HTTPBenchmark",
      dependencies: [
        .product(name: "Callsign", package: "callsign"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
