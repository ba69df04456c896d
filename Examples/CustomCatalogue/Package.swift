// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as yours would be. Yours depends on
// `.package(url: "https://github.com/…/callsign", from: "…")` in place of the path.
let package = Package(
  name: "CustomCatalogue",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "callsign", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.22.0"),
  ],
  targets: [
    .executableTarget(
      name: "CustomCatalogue",
      dependencies: [
        .product(name: "Callsign", package: "callsign"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      plugins: [.plugin(name: "GenerateAPI", package: "callsign")])
  ]
)
