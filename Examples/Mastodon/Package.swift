// swift-tools-version: 6.2
import PackageDescription

// A separate package, like yours. In yours, replace the path with the path or the URL of your copy of Callsign.
let package = Package(
  name: "Mastodon",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
  products: [.library(name: "MastodonKit", targets: ["MastodonKit"])],
  dependencies: [
    .package(name: "callsign", path: "../.."),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
  ],
  targets: [
    .target(
      name: "MastodonKit",
      dependencies: [
        .product(name: "Callsign", package: "callsign"), .product(name: "CallsignAuth", package: "callsign"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ], plugins: [.plugin(name: "GenerateAPI", package: "callsign")]),
    .executableTarget(
      name: "Toot", dependencies: ["MastodonKit", .product(name: "CallsignLoopback", package: "callsign")]),
    .testTarget(
      name: "MastodonKitTests", dependencies: ["MastodonKit", .product(name: "CallsignMock", package: "callsign")]),
  ])
