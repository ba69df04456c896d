import CallsignHTTP
import CallsignSupport
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Calls webhooks on loopback: challenges, and deliveries signed with the app's client secret and consumer secret.
///
/// X may send both signatures if an app has both secrets (<https://docs.x.com/x-api/webhooks/introduction#signature-headers>), so
/// the sandbox does too.
struct WebhookClient: Sendable {
  /// Created for the first call, because most sandboxes have no webhook.
  private let session = SessionHolder()
  /// Finds an app by its consumer key.
  private let app: @Sendable (String) async -> SandboxApp?

  init(app: @escaping @Sendable (String) async -> SandboxApp?) { self.app = app }

  /// X waits three seconds, but a busy machine may take longer.
  private static let timeout: TimeInterval = 20

  /// Sends a challenge (a “challenge response check”), which only a holder of the app's secret can pass. If the app has both
  /// secrets, either is accepted: X expects the client secret, and existing servers respond with the consumer secret.
  /// - Returns: The reason why it failed; `nil` for the correct response.
  func challenge(_ url: String, app: String) async -> String? {
    guard let address = Self.address(url) else {
      return "the sandbox calls webhooks only on 127.0.0.1, [::1] and localhost"
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
    else { return "no response arrived" }
    guard response.statusCode == 200 else { return "the status of the response is \(response.statusCode), not 200" }
    guard let signature = (try? JSON(parsing: body))?["response_token"]?.string else {
      return "the response is not JSON object with a member response_token"
    }
    let right = await signatures(of: Data(token.utf8), app)
    return right.contains { ConstantTime.equal(signature, $0.value) }
      ? nil : "response_token is not the HMAC of crc_token"
  }

  /// Delivers an event.
  /// - Returns: The status of the response; 0 if there was none.
  func deliver(_ body: Data, to url: String, app: String) async -> Int {
    guard let address = Self.address(url) else { return 0 }
    var request = URLRequest(url: address)
    request.httpMethod = "POST"
    request.httpBody = body
    request.timeoutInterval = Self.timeout
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    for signature in await signatures(of: body, app) {
      request.setValue(signature.value, forHTTPHeaderField: signature.field)
    }
    let response = try? await session.current.data(for: request)
    return (response?.1 as? HTTPURLResponse)?.statusCode ?? 0
  }

  func stop() { session.end() }

  /// The signatures with an app's secrets, each with its header field.
  private func signatures(of bytes: Data, _ key: String) async -> [(field: String, value: String)] {
    guard let app = await self.app(key) else { return [] }
    func signature(by secret: String) -> String {
      let code = HMACCode.sha256(of: Array(bytes), key: Array(secret.utf8))
      return "sha256=" + Data(code).base64EncodedString()
    }
    var signatures = [(field: "x-twitter-webhooks-signature", value: signature(by: app.consumerSecret))]
    if let secret = app.clientSecret {
      signatures.append((field: "x-twitter-webhooks-signature-oauth2", value: signature(by: secret)))
    }
    return signatures
  }

  /// A loopback URL; `nil` for any other, which would send data off this machine.
  static func address(_ text: String) -> URL? {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host?.lowercased(), ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host), url.user == nil
    else { return nil }
    return url
  }
}

/// A session that is created on first use.
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

/// Follows no redirects, because they could lead off loopback.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }
}
