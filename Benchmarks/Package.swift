// swift-tools-version: 6.1
import PackageDescription

/// Measurements, apart from the package so that its users build none of this. Started by `Scripts/bench`.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "callsign", path: "..")],
  targets: [
    .executableTarget(
      name: "JSONBenchmark", dependencies: [.product(name: "Callsign", package: "callsign")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
