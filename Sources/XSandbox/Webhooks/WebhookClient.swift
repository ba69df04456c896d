import CallsignHTTP
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Calls webhooks on loopback: challenges, and deliveries that are signed with the app's consumer secret.
struct WebhookClient: Sendable {
  /// Made for the first call: most sandboxes have no webhook.
  private let session = SessionHolder()
  /// The consumer secret of an app, by its consumer key.
  private let secret: @Sendable (String) async -> String

  init(secret: @escaping @Sendable (String) async -> String) { self.secret = secret }

  /// X waits for three seconds; a busy machine may take longer.
  private static let timeout: TimeInterval = 20

  /// Sends a challenge (a “challenge response check”), which only whoever has the consumer secret can answer.
  /// - Returns: The reason for which it failed; `nil` for the right answer.
  func challenge(_ url: String, app: String) async -> String? {
    guard let address = Self.address(url) else {
      return "the sandbox calls webhooks on 127.0.0.1, [::1] and localhost alone"
    }
    let token = (0..<4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
    let parameters = [(name: "crc_token", value: token), (name: "nonce", value: String(token.reversed()))]
    guard let target = URL(string: CallbackURL.adding(parameters, to: address.absoluteString)) else {
      return "the address cannot have a query"
    }
    var request = URLRequest(url: target)
    request.timeoutInterval = Self.timeout
    guard let (body, response) = try? await session.current.data(for: request),
      let response = response as? HTTPURLResponse
    else { return "there was no answer" }
    guard response.statusCode == 200 else { return "the status of the answer is \(response.statusCode), not 200" }
    guard let answer = (try? JSON(parsing: body))?["response_token"]?.string else {
      return "the answer is no JSON object with a member response_token"
    }
    let right = await signature(of: Data(token.utf8), app)
    return ConstantTime.equal(answer, right) ? nil : "response_token is not the HMAC of crc_token"
  }

  /// Delivers an event.
  /// - Returns: The status of the answer; 0 where there was none.
  func deliver(_ body: Data, to url: String, app: String) async -> Int {
    guard let address = Self.address(url) else { return 0 }
    var request = URLRequest(url: address)
    request.httpMethod = "POST"
    request.httpBody = body
    request.timeoutInterval = Self.timeout
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue(await signature(of: body, app), forHTTPHeaderField: "x-twitter-webhooks-signature")
    let answer = try? await session.current.data(for: request)
    return (answer?.1 as? HTTPURLResponse)?.statusCode ?? 0
  }

  func stop() { session.end() }

  private func signature(of bytes: Data, _ app: String) async -> String {
    let key = Array(await secret(app).utf8)
    return "sha256=" + Data(HMACSHA256.authenticationCode(of: Array(bytes), key: key)).base64EncodedString()
  }

  /// An address on loopback; `nil` for any other, which would send data off this machine.
  static func address(_ text: String) -> URL? {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host?.lowercased(), ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host), url.user == nil
    else { return nil }
    return url
  }
}

/// A session that exists once it is needed.
private final class SessionHolder: Sendable {
  private let session = Locked<URLSession?>(nil)

  var current: URLSession {
    session.withLock { session in
      if let session { return session }
      let new = URLSession(configuration: .ephemeral, delegate: NoRedirects(), delegateQueue: nil)
      session = new
      return new
    }
  }

  func end() {
    session.withLock { session in
      session?.invalidateAndCancel()
      session = nil
    }
  }
}

/// Follows no redirect: it could lead off loopback.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }
}
