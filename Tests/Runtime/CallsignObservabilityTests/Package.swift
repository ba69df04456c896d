// swift-tools-version: 6.2
import PackageDescription

// Tests of `CallsignObservability`, in a separate package: the trait fetches swift-metrics and swift-distributed-tracing, and sets
// a condition for all of Callsign's targets, so they are compiled again. `Scripts/nightly` runs these tests.
let package = Package(
  name: "callsign-observability-tests",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "callsign", path: "../../..", traits: ["Observability"]),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
  ],
  targets: [
    .testTarget(
      name: "CallsignObservabilityTests",
      dependencies: [
        .product(name: "Callsign", package: "callsign"), .product(name: "CallsignObservability", package: "callsign"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
