// swift-tools-version: 6.2
import PackageDescription

// A separate package, like yours. In yours, replace the path with the path or the URL of your copy of Callsign.
let package = Package(
  name: "ServerWithAsyncHTTPClient",
  platforms: [.macOS(.v13)],
  products: [.library(name: "AsyncHTTPClientTransport", targets: ["AsyncHTTPClientTransport"])],
  dependencies: [
    .package(name: "callsign", path: "../.."),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
  ],
  targets: [
    .target(
      name: "AsyncHTTPClientTransport",
      dependencies: [
        .product(name: "Callsign", package: "callsign"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .executableTarget(
      name: "PostPhoto",
      dependencies: [
        "AsyncHTTPClientTransport", .product(name: "CallsignX", package: "callsign"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "AsyncHTTPClientTransportTests",
      dependencies: [
        "AsyncHTTPClientTransport", .product(name: "CallsignX", package: "callsign"),
        .product(name: "XSandbox", package: "callsign"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
  ])
