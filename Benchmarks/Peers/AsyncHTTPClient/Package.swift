// swift-tools-version: 6.2
import PackageDescription

/// A transport to compare with. It is a separate package because it takes longer to build than everything else.
let package = Package(
  name: "async-http-client-peer",
  platforms: [.macOS(.v13)],
  dependencies: [.package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0")],
  targets: [
    .executableTarget(
      name: "AsyncHTTPClientPeer",
      dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
