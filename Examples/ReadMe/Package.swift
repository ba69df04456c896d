// swift-tools-version: 6.2
import PackageDescription

// A separate package, like yours. In yours, replace the path with the path or the URL of your copy of Callsign.
let package = Package(
  name: "ReadMe",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "callsign", path: "../..")],
  targets: [
    .executableTarget(
      name: "ReadMe",
      dependencies: [
        .product(name: "CallsignX", package: "callsign"),
        .product(name: "XSandbox", package: "callsign"),
      ])
  ])
