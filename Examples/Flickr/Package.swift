// swift-tools-version: 6.2
import PackageDescription

// A separate package, like yours. In yours, replace the path with the path or the URL of your copy of Callsign.
let package = Package(
  name: "Flickr",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
  products: [.library(name: "FlickrKit", targets: ["FlickrKit"])],
  dependencies: [
    .package(name: "callsign", path: "../.."),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.22.0"),
  ],
  targets: [
    .target(
      name: "FlickrKit",
      dependencies: [
        .product(name: "Callsign", package: "callsign"), .product(name: "CallsignAuth", package: "callsign"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ], plugins: [.plugin(name: "GenerateAPI", package: "callsign")]),
    .executableTarget(name: "FlickrPhotos", dependencies: ["FlickrKit"]),
    .testTarget(
      name: "FlickrKitTests", dependencies: ["FlickrKit", .product(name: "FlyingFox", package: "FlyingFox")]),
  ])
