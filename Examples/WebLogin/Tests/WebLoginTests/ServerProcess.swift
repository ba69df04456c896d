import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A running `WebLoginServer`.
///
/// `@unchecked Sendable`: nothing changes after `init`, and `Process` guards itself.
final class ServerProcess: @unchecked Sendable {
  let port: Int
  private let process = Process()

  /// - Parameters:
  ///   - port: The port to listen on.
  ///   - environment: Its settings.
  init(port: Int, _ environment: [String: String]) throws {
    self.port = port
    // Next to the tests.
    let arguments = CommandLine.arguments
    let bundle = arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
    let products = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    let candidates = [products, Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent()]
      .map { $0.appendingPathComponent("WebLoginServer") }
    guard let program = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw CocoaError(.fileNoSuchFile)
    }
    process.executableURL = program
    var settings = environment
    settings["WEB_PORT"] = String(port)
    process.environment = settings
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  var isRunning: Bool { process.isRunning }

  /// Ends it as a service manager does, and waits.
  func stop() {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// A port that was free a moment ago.
  static func freePort() throws -> Int {
    #if os(Linux)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, kind, 0)
    guard listener >= 0 else { throw CocoaError(.fileReadUnknown) }
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(UInt32(0x7F00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { address in
        bind(listener, address.baseAddress, length) == 0 && getsockname(listener, address.baseAddress, &length) == 0
      }
    }
    guard isBound else { throw CocoaError(.fileReadUnknown) }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
