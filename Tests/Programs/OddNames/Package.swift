// swift-tools-version: 6.2
import PackageDescription

/// A stranger's package. `Scripts/internal/check-packages` builds and runs it.
let package = Package(
  name: "OddNames",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "callsign", path: "../../..")],
  targets: [
    .executableTarget(
      name: "OddNames", dependencies: [.product(name: "Callsign", package: "callsign")],
      plugins: [.plugin(name: "GenerateAPI", package: "callsign")])
  ]
)
