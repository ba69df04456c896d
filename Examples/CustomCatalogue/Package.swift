// swift-tools-version: 6.2
import PackageDescription

// A separate package, like yours. In yours, replace the path with the path or the URL of your copy of Callsign.
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
