#if os(Linux)
  import Foundation
  import TestSupport

  /// A proxy that the process's environment names for all hosts but those below `excepted.example`.
  ///
  /// Changing the environment while another thread reads it is not safe, and programs that are started inherit it. So it is
  /// for the process of an exit test, before that has made a transport.
  enum ProxyEnvironment {
    /// Responds to every request itself, with the request line as the body.
    private static let server: Result<ScriptedServer, any Error> = Result {
      let server = try ScriptedServer.responding { request, peer in
        guard request.method != "CONNECT" else { return try peer.respond("403 Forbidden") }
        try peer.respond("200 OK", ["Via: 1.1 test"], Array("\(request.method) \(request.target)".utf8))
      }
      setenv("http_proxy", server.url(""), 1)
      setenv("https_proxy", server.url(""), 1)
      setenv("no_proxy", "excepted.example", 1)
      unsetenv("all_proxy")
      return server
    }

    static func prepare() throws { _ = try server.get() }
  }
#endif
