// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as yours would be. Yours depends on
// `.package(url: "https://github.com/…/callsign", from: "…")` in place of the path.
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
