// swift-tools-version: 6.2
import PackageDescription

// A separate package, like yours. In yours, replace the path with the path or the URL of your copy of Callsign.
let package = Package(
  name: "OpenAI",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
  products: [.library(name: "OpenAIKit", targets: ["OpenAIKit"])],
  dependencies: [
    .package(name: "callsign", path: "../.."),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
  ],
  targets: [
    .target(
      name: "OpenAIKit",
      dependencies: [
        .product(name: "Callsign", package: "callsign"), .product(name: "HTTPTypes", package: "swift-http-types"),
      ], plugins: [.plugin(name: "GenerateAPI", package: "callsign")]),
    .executableTarget(name: "Ask", dependencies: ["OpenAIKit", .product(name: "Callsign", package: "callsign")]),
    .testTarget(
      name: "OpenAIKitTests",
      dependencies: [
        "OpenAIKit", .product(name: "Callsign", package: "callsign"),
        .product(name: "CallsignAuth", package: "callsign"), .product(name: "CallsignMock", package: "callsign"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]),
  ])
