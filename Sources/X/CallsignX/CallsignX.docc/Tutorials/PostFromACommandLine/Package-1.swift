// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "hello",
  platforms: [.macOS(.v13)],
  dependencies: [.package(path: "../callsign")],
  targets: [
    .executableTarget(
      name: "hello",
      dependencies: [
        .product(name: "CallsignX", package: "callsign"),
        .product(name: "CallsignLoopback", package: "callsign"),
      ])
  ])
