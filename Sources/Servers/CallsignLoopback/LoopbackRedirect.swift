import Callsign
import CallsignAuth
import Foundation
import LoopbackSockets

/// Takes the redirect of a login on this machine, for programs that have no URL scheme of their own (RFC 8252 §7.3).
///
/// ```swift
/// let loopback = try await LoopbackRedirect.start()
/// let login = try oauth2.beginLogin(scopes: ["photos.read"], redirectURI: loopback.uri)
/// print("Open \(login.url)")
/// try await loopback.complete(login)
/// ```
///
/// It listens on 127.0.0.1 alone, and only the redirect of the login that it waits for counts: any other request gets an
/// error page and changes nothing. The person's page appears once the login has succeeded or failed, and says so.
public final class LoopbackRedirect: Sendable {
  /// The redirect URI, such as `http://127.0.0.1:8765/callback`, to be registered with providers that compare redirect URIs
  /// with their ports.
  public let uri: String

  /// The port unless another is chosen: always the same, so that the redirect URI can be registered.
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
    // A browser that still waits for its page must not wait for somebody who is gone.
    arrival.end(.failure(.cancelled))
    listener.cancel()
  }

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - port: The port, ``defaultPort`` by default; 0 takes any that is free, for providers that do not compare it.
  ///   - path: The path of the redirect URI. Other paths get 404 and do not count.
  ///   - page: The page that the person sees after a success.
  /// - Throws: ``LoginError/invalidSetup(_:)`` when the port is taken, or the path does not begin with a slash
  ///   or is not percent-encoded.
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
    // Browsers leave out the scheme's own port.
    let authority = listener.port == 80 ? "127.0.0.1" : "127.0.0.1:\(listener.port)"
    arrival.listen(at: authority)
    return LoopbackRedirect(uri: "http://\(authority)\(path)", listener: listener, arrival: arrival, page: page)
  }

  /// Waits for the person to come back, completes the login, and stops listening.
  ///
  /// - Parameters:
  ///   - login: The login, begun with ``uri``.
  ///   - limit: How long to wait for the person; five minutes by default.
  ///   - pasted: Gives the redirect as the person pastes it, for a browser on another machine, where the redirect leads
  ///     nowhere and its URL stands in the address field. It is asked again after what is no response to this login, and no
  ///     more after `nil`. ``standardInput`` is one.
  /// - Returns: The token that is in the store now.
  /// - Throws: ``LoginError/timedOut``, ``LoginError/cancelled`` when the task is cancelled or ``stop()`` is called, or why
  ///   the login failed.
  @discardableResult
  public func complete(
    _ login: OAuth2Authorization, within limit: Duration = .seconds(300),
    pasted: (@Sendable () async -> String?)? = nil
  ) async throws(LoginError) -> StoredToken {
    let url = try await redirect(within: limit, pasted) { login.isCompleted(by: $0) }
    return try await conclude { () throws(LoginError) in try await login.complete(redirect: url) }
  }

  /// The same for a login by OAuth 1.0a.
  ///
  /// - Returns: The token, which an ``OAuth1Account`` keeps.
  public func complete(
    _ login: OAuth1Authorization, within limit: Duration = .seconds(300),
    pasted: (@Sendable () async -> String?)? = nil
  ) async throws(LoginError) -> OAuth1Token {
    let url = try await redirect(within: limit, pasted) { login.isCompleted(by: $0) }
    return try await conclude { () throws(LoginError) in try await login.complete(redirect: url) }
  }

  /// The redirect that is a response to the login, from the browser or pasted.
  private func redirect(
    within limit: Duration, _ pasted: (@Sendable () async -> String?)?, _ isExpected: @escaping @Sendable (URL) -> Bool
  ) async throws(LoginError) -> URL {
    arrival.expect(isExpected)
    let timer = Task { [arrival] in
      // Cancelled when the redirect is there.
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

  /// Completes the login, shows its end in the browser, and stops listening.
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

  /// Stops listening. Who waits gets ``LoginError/cancelled``.
  public func stop() async {
    arrival.end(.failure(.cancelled))
    await close()
  }

  /// The page is on its way yet: its connection has a moment to finish.
  private func close() async { await listener.stop(within: .seconds(1)) }

  /// A line of the program's standard input, for ``complete(_:within:pasted:)->StoredToken``: `nil` at its end.
  public static let standardInput: @Sendable () async -> String? = {
    await withCheckedContinuation { continuation in
      // A thread of its own, because reading blocks, and goes on when nobody waits any more.
      Thread.detachNewThread { continuation.resume(returning: readLine()) }
    }
  }
}
