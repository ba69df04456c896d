// swift-tools-version: 6.2
import PackageDescription

// A separate package, like yours. In yours, replace the path with the path or the URL of your copy of Callsign.
let package = Package(
  name: "Timeline",
  // For Observation.
  platforms: [.macOS(.v14), .iOS(.v17), .visionOS(.v1)],
  products: [
    .library(name: "TimelineModels", targets: ["TimelineModels"]),
    .library(name: "TimelineViews", targets: ["TimelineViews"]),
  ],
  dependencies: [.package(name: "callsign", path: "../..")],
  targets: [
    // Everything except pixels: builds and is tested on Linux, too.
    .target(
      name: "TimelineModels",
      dependencies: [
        .product(name: "CallsignX", package: "callsign"), .product(name: "CallsignAuth", package: "callsign"),
        .product(name: "XText", package: "callsign"),
      ]),
    .target(name: "TimelineViews", dependencies: ["TimelineModels"]),
    .executableTarget(name: "Timeline", dependencies: ["TimelineViews"]),
    .testTarget(
      name: "TimelineModelsTests", dependencies: ["TimelineModels", .product(name: "XSandbox", package: "callsign")]),
  ])
