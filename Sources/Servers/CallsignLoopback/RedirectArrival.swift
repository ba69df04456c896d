import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import LoopbackSockets

/// Waits for the single request that counts, and keeps the browser waiting until the login has ended.
final class RedirectArrival: Sendable {
  typealias IsExpected = @Sendable (URL) -> Bool

  private struct State {
    var authority = ""
    /// Whether a URL is a response to the login; `nil` until this is known.
    var isExpected: IsExpected?
    var outcome: Result<URL, LoginError>?
    /// The final page.
    var page: LoopbackPage?
    var waits: [CancellableWait<Void>] = []
  }

  private let state = Locked(State())
  private let path: String

  init(path: String) { self.path = path }

  /// Sets the listener's authority as seen by clients.
  func listen(at authority: String) { change { $0.authority = authority } }

  /// Sets which redirects are responses to the login.
  func expect(_ isExpected: @escaping IsExpected) { change { $0.isExpected = isExpected } }

  /// Ends the wait unless it has already ended. Without a redirect, there is also no page to wait for.
  func end(_ outcome: Result<URL, LoginError>) {
    change { state in
      guard state.outcome == nil else { return }
      state.outcome = outcome
      if case .failure(let error) = outcome { state.page = .failed(error) }
    }
  }

  /// Shows the final page to the browser that brought the redirect.
  func conclude(_ page: LoopbackPage) { change { if $0.page == nil { $0.page = page } } }

  /// The redirect after it arrives, or the reason why there is none.
  func outcome() async -> Result<URL, LoginError> { await value { $0.outcome } }

  private func change(_ body: (inout State) -> Void) {
    let waits = state.withLock { state in
      body(&state)
      defer { state.waits = [] }
      return state.waits
    }
    for wait in waits { wait.end(with: ()) }
  }

  /// Waits until the state has a value.
  private func value<Value>(_ part: (State) -> Value?) async -> Value {
    while true {
      let wait = CancellableWait<Void>()
      let known = state.withLock { state in
        let known = part(state)
        if known == nil { state.waits.append(wait) }
        return known
      }
      if let known { return known }
      // A cancelled task still waits here, because its cancellation also ends the login. The wait is in a new task, because a wait
      // in a cancelled task returns immediately.
      _ = await Task { try? await wait.value() }.value
    }
  }

  /// Responds to a request. Browsers request more than the redirect, such as an icon, and any program on this machine can send
  /// requests.
  func respond(_ request: LoopbackRequest) async -> LoopbackResponse {
    let authority = state.withLock { $0.authority }
    // A page from another host name that resolves to this machine sends a different `Host`.
    guard request.path == path, let query = request.query, !query.isEmpty, request.host == authority,
      let url = URL(string: "http://\(authority)\(path)?\(query)")
    else { return Self.response(404, LoopbackPage(title: "Not found", text: "There is nothing here.")) }
    guard request.method == "GET" else {
      return Self.response(405, LoopbackPage(title: "Not allowed", text: "Only GET gets a response."))
    }
    // The redirect may arrive before the program has set what it waits for.
    _ = await value { $0.isExpected != nil || $0.outcome != nil ? true : nil }
    // If it was never set, the wait ended before it was known what would count as a response.
    let isExpected = state.withLock { $0.isExpected }?(url) ?? false
    guard isExpected else {
      return Self.response(
        400,
        LoopbackPage(
          title: "Not this login",
          text:
            "This is not the response to the login that a program is waiting for. Start the login again in that program."
        )
      )
    }
    let isFirst = state.withLock { $0.outcome == nil }
    end(.success(url))
    guard isFirst else {
      return Self.response(
        410, LoopbackPage(title: "Over", text: "This login has ended. Start it again in the program that asked for it.")
      )
    }
    let page = await value { $0.page }
    return Self.response(page.isFailure ? 400 : 200, page)
  }

  private static func response(_ status: Int, _ page: LoopbackPage) -> LoopbackResponse {
    LoopbackResponse(
      status: status,
      fields: [
        ("Content-Type", "text/html; charset=utf-8"), ("Connection", "close"), ("Cache-Control", "no-store"),
        // The page's URL contains the code.
        ("Referrer-Policy", "no-referrer"),
        ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
      ],
      body: .bytes(Data(page.html.utf8)))
  }
}

/// The page that the user sees in the browser after a login.
public struct LoopbackPage: Sendable, Hashable {
  /// The heading.
  public var title: String
  /// The sentence below the heading.
  public var text: String
  var isFailure = false

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - title: The heading.
  ///   - text: The text below it, which says what to do next.
  public init(title: String = "Done", text: String = "Close this page and go back to the program that opened it.") {
    self.title = title
    self.text = text
  }

  static func failed(_ error: LoginError) -> LoopbackPage {
    var page = LoopbackPage(title: "Not logged in", text: "The login has failed: \(error.description).")
    page.isFailure = true
    return page
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
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
