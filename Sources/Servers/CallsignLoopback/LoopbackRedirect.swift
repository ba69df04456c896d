import Callsign
import CallsignAuth
import Foundation
import LoopbackSockets

/// Receives the redirect of a login on this machine, for programs without a URL scheme (RFC 8252 §7.3).
///
/// ```swift
/// let loopback = try await LoopbackRedirect.start()
/// let login = try oauth2.beginLogin(scopes: ["photos.read"], redirectURI: loopback.uri)
/// print("Open \(login.url)")
/// try await loopback.complete(login)
/// ```
///
/// It listens only on 127.0.0.1, and accepts only the redirect of the login that it waits for: any other request gets an error page
/// and changes nothing. The user's page appears after the login has succeeded or failed, and shows the result.
public final class LoopbackRedirect: Sendable {
  /// The redirect URI, such as `http://127.0.0.1:8765/callback`. Register it with providers that compare redirect URIs including
  /// their ports.
  public let uri: String

  /// The default port. It is always the same, so that you can register the redirect URI.
  public static let defaultPort: UInt16 = 8765

  private let listener: LoopbackListener
  private let arrival: RedirectArrival
  private let page: LoopbackPage

  private init(uri: String, listener: LoopbackListener, arrival: RedirectArrival, page: LoopbackPage) {
    self.uri = uri
    self.listener = listener
    self.arrival = arrival
    self.page = page
  }

  deinit {
    // A browser that still waits for its page must not wait for an object that no longer exists.
    arrival.end(.failure(.cancelled))
    listener.cancel()
  }

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - port: The port, ``defaultPort`` by default. 0 takes any free port, for providers that do not compare ports.
  ///   - path: The path of the redirect URI. Other paths get a 404 and are ignored.
  ///   - page: The page that the user sees after a success.
  /// - Throws: ``LoginError/invalidSetup(_:)`` if the port is taken, or the path does not begin with a slash or is not
  ///   percent-encoded.
  public static func start(
    port: UInt16 = LoopbackRedirect.defaultPort, path: String = "/callback", page: LoopbackPage = LoopbackPage()
  ) async throws(LoginError) -> LoopbackRedirect {
    guard path.hasPrefix("/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !path.contains("?"),
      !path.contains("#")
    else { throw .invalidSetup("the loopback path begins with a slash and is percent-encoded, such as /callback") }

    let arrival = RedirectArrival(path: path)
    let listener: LoopbackListener
    do {
      listener = try await LoopbackListener.start(port: port, limits: RequestLimits(body: 0)) {
        await arrival.respond($0)
      }
    } catch {
      throw .invalidSetup(
        "port \(port) of 127.0.0.1 cannot be listened on; end the program that has it, or take another")
    }
    // Browsers leave out the scheme's default port.
    let authority = listener.port == 80 ? "127.0.0.1" : "127.0.0.1:\(listener.port)"
    arrival.listen(at: authority)
    return LoopbackRedirect(uri: "http://\(authority)\(path)", listener: listener, arrival: arrival, page: page)
  }

  /// Waits for the user to return, completes the login, and stops listening.
  ///
  /// - Parameters:
  ///   - login: The login, started with ``uri``.
  ///   - limit: How long to wait for the user; five minutes by default.
  ///   - pasted: Returns the redirect that the user pastes. Use it for a browser on another machine, where the redirect fails but
  ///     its URL is in the address bar. It is called again if the text is not a response to this login, and is not called any more
  ///     after it returns `nil`. ``standardInput`` is one implementation.
  /// - Returns: The token that is now in the store.
  /// - Throws: ``LoginError/timedOut``, ``LoginError/cancelled`` if the task is cancelled or you call ``stop()``, or the reason why
  ///   the login failed.
  @discardableResult
  public func complete(
    _ login: OAuth2Authorization, within limit: Duration = .seconds(300),
    pasted: (@Sendable () async -> String?)? = nil
  ) async throws(LoginError) -> StoredToken {
    let url = try await redirect(within: limit, pasted) { login.isCompleted(by: $0) }
    return try await conclude { () throws(LoginError) in try await login.complete(redirect: url) }
  }

  /// The same for an OAuth 1.0a login.
  ///
  /// - Returns: The token, which you keep in an ``OAuth1Account``.
  public func complete(
    _ login: OAuth1Authorization, within limit: Duration = .seconds(300),
    pasted: (@Sendable () async -> String?)? = nil
  ) async throws(LoginError) -> OAuth1Token {
    let url = try await redirect(within: limit, pasted) { login.isCompleted(by: $0) }
    return try await conclude { () throws(LoginError) in try await login.complete(redirect: url) }
  }

  /// The redirect that responds to the login, from the browser or pasted.
  private func redirect(
    within limit: Duration, _ pasted: (@Sendable () async -> String?)?, _ isExpected: @escaping @Sendable (URL) -> Bool
  ) async throws(LoginError) -> URL {
    arrival.expect(isExpected)
    let timer = Task { [arrival] in
      // Cancelled after the redirect arrives.
      guard (try? await Task.sleep(for: min(limit, .longestWait))) != nil else { return }
      arrival.end(.failure(.timedOut))
    }
    let reader = Task { [arrival] in
      while !Task.isCancelled, let text = await pasted?() {
        guard let url = URL(string: text.trimmingCharacters(in: .whitespacesAndNewlines)), isExpected(url) else {
          continue
        }
        return arrival.end(.success(url))
      }
    }
    let outcome = await withTaskCancellationHandler {
      await arrival.outcome()
    } onCancel: {
      arrival.end(.failure(.cancelled))
    }
    timer.cancel()
    reader.cancel()
    if case .failure = outcome { await close() }
    return try outcome.get()
  }

  /// Completes the login, shows the result in the browser, and stops listening.
  private func conclude<Value>(
    _ complete: () async throws(LoginError) -> Value
  ) async throws(LoginError) -> Value {
    do throws(LoginError) {
      let value = try await complete()
      arrival.conclude(page)
      await close()
      return value
    } catch {
      arrival.conclude(.failed(error))
      await close()
      throw error
    }
  }

  /// Stops listening. Pending calls throw ``LoginError/cancelled``.
  public func stop() async {
    arrival.end(.failure(.cancelled))
    await close()
  }

  /// The page is still being sent: its connection gets a moment to finish.
  private func close() async { await listener.stop(within: .seconds(1)) }

  /// A line from standard input, for ``complete(_:within:pasted:)->StoredToken``; `nil` at its end.
  public static let standardInput: @Sendable () async -> String? = {
    await withCheckedContinuation { continuation in
      // Uses a separate thread, because reading blocks, and continues after the wait has ended.
      Thread.detachNewThread { continuation.resume(returning: readLine()) }
    }
  }
}
