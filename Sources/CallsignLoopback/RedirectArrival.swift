import Callsign
import CallsignAuth
import FlyingFox
import Foundation

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

  /// Settles what comes of it, unless that is settled.
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

  /// What came of it.
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
