import Callsign
import CallsignAuth
import FlyingFox
import Foundation

/// Takes the redirect of a login on this machine, for programs that have no URL scheme of their own (RFC 8252 §7.3).
///
/// ```swift
/// let loopback = try await LoopbackRedirect.start()
/// let login = try oauth2.beginLogin(scopes: ["photos.read"], redirectURI: loopback.uri)
/// print("Open \(login.url)")
/// try await login.complete(redirect: loopback.redirect(within: .seconds(300)))
/// ```
///
/// It listens on 127.0.0.1 alone, answers one redirect with a page that tells the person to go back, and closes. It does
/// not look into the redirect: whether that belongs to the login is for the login to say.
public final class LoopbackRedirect: Sendable {
  /// The redirect URI, such as `http://127.0.0.1:49152/callback`. Providers that compare redirect URIs with those
  /// registered want the port too: then it has to be chosen.
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
  ///   - page: The page that the person sees afterwards.
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

/// The page that the person sees in the browser after a login.
public struct LoopbackPage: Sendable, Hashable {
  /// The heading.
  public var title: String
  /// The sentence below it.
  public var text: String

  /// Words a page.
  ///
  /// - Parameters:
  ///   - title: The heading.
  ///   - text: The text below it, which says what to do now.
  public init(title: String = "Done", text: String = "Close this page and go back to the program that opened it.") {
    self.title = title
    self.text = text
  }

  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>\(Self.escaped(title))</title>
    <style>body { font: 1.1rem system-ui, sans-serif; margin: 20vh auto; max-width: 30rem; text-align: center }</style>
    </head>
    <body><h1>\(Self.escaped(title))</h1><p>\(Self.escaped(text))</p></body>
    </html>
    """
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}

/// Waits for the one request that counts.
///
/// `@unchecked Sendable`: `state` is touched only while `lock` is held; the rest does not change.
final class RedirectArrival: @unchecked Sendable {
  typealias Outcome = Result<URL, LoginError>

  private struct State {
    var authority = ""
    var outcome: Outcome?
    var waiters: [CheckedContinuation<Outcome, Never>] = []
  }

  private let lock = NSLock()
  private var state = State()
  private let path: String
  private let page: LoopbackPage

  init(path: String, page: LoopbackPage) {
    self.path = path
    self.page = page
  }

  /// Says under which name the listener is called.
  func expect(_ authority: String) { lock.withLock { state.authority = authority } }

  /// Ends the wait, unless it has ended.
  @discardableResult
  func end(_ outcome: Outcome) -> Bool {
    let waiters = lock.withLock { () -> [CheckedContinuation<Outcome, Never>]? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.waiters = [] }
      return state.waiters
    }
    waiters?.forEach { $0.resume(returning: outcome) }
    return waiters != nil
  }

  /// The redirect, once it is there, or why there is none.
  func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      let known = lock.withLock { () -> Outcome? in
        if state.outcome == nil { state.waiters.append(continuation) }
        return state.outcome
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Answers a request; browsers ask for more than the redirect, such as an icon.
  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let authority = lock.withLock { state.authority }
    let target = request.target
    let query = target.query()
    // A page of somebody else whose name leads here has another `Host`.
    guard target.path() == path, !query.isEmpty, request.headers[.host] == authority,
      let url = URL(string: "http://\(authority)\(path)?\(query)")
    else { return response(.notFound, "Not found", "There is nothing here.") }
    guard request.method == .GET else {
      return response(.methodNotAllowed, "Not allowed", "Only GET is answered.")
    }
    guard end(.success(url)) else {
      return response(.gone, "Over", "This login has ended. Begin it again where it was begun.")
    }
    return response(.ok, page.title, page.text)
  }

  private func response(_ status: HTTPStatusCode, _ title: String, _ text: String) -> HTTPResponse {
    HTTPResponse(
      statusCode: status,
      headers: [
        .contentType: "text/html; charset=utf-8", .connection: "close", HTTPHeader("Cache-Control"): "no-store",
        // The page's own address has the code in it.
        HTTPHeader("Referrer-Policy"): "no-referrer",
        HTTPHeader("Content-Security-Policy"): "default-src 'none'; style-src 'unsafe-inline'",
      ],
      body: Data(LoopbackPage(title: title, text: text).html.utf8))
  }
}
