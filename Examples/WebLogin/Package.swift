// swift-tools-version: 6.2
import PackageDescription

// A separate package, like yours. In yours, replace the path with the path or the URL of your copy of Callsign.
let package = Package(
  name: "WebLogin",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "callsign", path: "../.."),
    // Without the traits that add a configuration reader.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
  ],
  targets: [
    .target(
      name: "WebLogin",
      dependencies: [
        .product(name: "CallsignX", package: "callsign"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ]),
    .executableTarget(name: "WebLoginServer", dependencies: ["WebLogin"]),
    .testTarget(
      name: "WebLoginTests",
      dependencies: [
        "WebLogin", .product(name: "CallsignX", package: "callsign"), .product(name: "XSandbox", package: "callsign"),
      ]),
  ])
