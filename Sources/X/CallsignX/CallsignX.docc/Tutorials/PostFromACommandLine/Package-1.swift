// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "hello",
  platforms: [.macOS(.v13)],
  dependencies: [.package(url: "https://github.com/…/callsign", from: "0.2.0")],
  targets: [
    .executableTarget(
      name: "hello",
      dependencies: [
        .product(name: "CallsignX", package: "callsign"),
        .product(name: "CallsignLoopback", package: "callsign"),
      ])
  ])
