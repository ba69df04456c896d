import Foundation
import TestSupport

/// A proxy that the process's environment names for hosts other than those of the tests' own servers.
///
/// The environment is set once, before the first transport is made: changing it while another thread reads it is not safe.
enum ProxyEnvironment {
  /// Answers every request itself, with the request line as the body.
  private static let server: ScriptedServer? = {
    let server = try? ScriptedServer.answering { request, peer in
      guard request.method != "CONNECT" else { return try peer.answer("403 Forbidden") }
      try peer.answer("200 OK", ["Via: 1.1 test"], Array("\(request.method) \(request.target)".utf8))
    }
    if let server {
      setenv("http_proxy", server.url(""), 1)
      setenv("https_proxy", server.url(""), 1)
      setenv("no_proxy", "127.0.0.1,localhost,.invalid", 1)
      unsetenv("all_proxy")
    }
    return server
  }()

  static func prepare() { _ = server }
}
