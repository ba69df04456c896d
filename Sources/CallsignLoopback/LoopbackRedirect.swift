import Callsign
import CallsignAuth
import FlyingFox
import Foundation

/// Takes the redirect of a login on this machine, for programs that have no URL scheme of their own (RFC 8252 §7.3).
///
/// ```swift
/// let loopback = try await LoopbackRedirect.start()
/// let login = try oauth2.beginLogin(scopes: [.tweetRead, .usersRead], redirectURI: loopback.uri)
/// print("Open \(login.url)")
/// try await login.complete(redirect: loopback.redirect(within: .seconds(300)))
/// ```
///
/// It listens on 127.0.0.1 alone, answers one redirect with a page that tells the person to go back, and closes. It does
/// not look into the redirect: whether that belongs to the login is for the login to say.
public final class LoopbackRedirect: Sendable {
  /// The redirect URI, such as `http://127.0.0.1:49152/callback`. Providers that know redirect URIs by heart, X among
  /// them, want it registered: then the port has to be chosen.
  public let uri: String

  private let server: HTTPServer
  private let running: Task<Void, Never>
  private let arrival: RedirectArrival

  private init(uri: String, server: HTTPServer, running: Task<Void, Never>, arrival: RedirectArrival) {
    self.uri = uri
    self.server = server
    self.running = running
    self.arrival = arrival
  }

  deinit { running.cancel() }

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - port: The port; 0, the default, takes any that is free.
  ///   - path: The path of the redirect URI. Other paths are answered with 404 and do not count.
  ///   - page: What the person sees afterwards.
  /// - Throws: ``LoginError/invalidSetup(_:)`` when the port is taken or the path is none.
  public static func start(
    port: UInt16 = 0, path: String = "/callback", page: LoopbackPage = LoopbackPage()
  ) async throws(LoginError) -> LoopbackRedirect {
    guard path.hasPrefix("/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !path.contains("?"),
      !path.contains("#")
    else { throw .invalidSetup("the loopback path begins with a slash and is percent-encoded, such as /callback") }

    let arrival = RedirectArrival(path: path, page: page)
    let address: sockaddr_in
    do { address = try .inet(ip4: "127.0.0.1", port: port) } catch { throw .invalidSetup("there is no loopback here") }
    let server = HTTPServer(
      address: address, logger: .disabled, handler: ClosureHTTPHandler { request in arrival.answer(request) })
    let listening = Task { try await server.waitUntilListening(timeout: 60) }
    let running = Task {
      // It ends with an error when the port is taken, which must not be waited out, and when it is stopped.
      try? await server.run()
      listening.cancel()
    }
    do { try await listening.value } catch {
      running.cancel()
      throw .invalidSetup(
        "port \(port) of 127.0.0.1 cannot be listened on; end the program that has it, or take another")
    }
    guard case .ip4(_, let actual) = await server.listeningAddress else {
      running.cancel()
      throw .invalidSetup("the loopback listener has no port; try again")
    }
    let authority = "127.0.0.1:\(actual)"
    arrival.expect(authority)
    return LoopbackRedirect(uri: "http://\(authority)\(path)", server: server, running: running, arrival: arrival)
  }

  /// Waits for the person to come back, and stops listening.
  ///
  /// - Parameter limit: How long to wait; five minutes by default.
  /// - Returns: The URL with which the provider sent the person back, for the login to complete with.
  /// - Throws: ``LoginError/timedOut``, or ``LoginError/cancelled`` when the task is cancelled or ``stop()`` is called.
  public func redirect(within limit: Duration = .seconds(300)) async throws(LoginError) -> URL {
    let timer = Task { [arrival] in
      // Cancelled when the redirect is there.
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      arrival.end(.failure(.timedOut))
    }
    let outcome = await withTaskCancellationHandler {
      await arrival.outcome()
    } onCancel: {
      arrival.end(.failure(.cancelled))
    }
    timer.cancel()
    await close()
    return try outcome.get()
  }

  /// Stops listening. Who waits gets ``LoginError/cancelled``.
  public func stop() async {
    arrival.end(.failure(.cancelled))
    await close()
  }

  /// The page is on its way yet: its connection has a moment to finish.
  private func close() async {
    await server.stop(timeout: 1)
    await running.value
  }
}
