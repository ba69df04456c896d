import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The requests that an API has refused recently. They decide whether another refusal may lead to a renewal of the
/// token.
struct RejectedRequests: Sendable {
  /// The time of the last renewal after a refusal, and how many seconds must pass before another.
  private var renewal: (date: Date, pause: TimeInterval)?
  /// The first request that was refused with a token, by method and URL.
  private var first: (token: Secret, target: String)?

  /// Notes that a refusal has led to a renewal. A token that is refused again so soon is not refused for its age.
  ///
  /// - Parameter inVain: Whether the renewal gave the same token again.
  mutating func noteRenewal(_ date: Date, inVain: Bool) { renewal = (date, inVain ? 60 : 10) }

  /// Whether a refusal may lead to a renewal now.
  func mayRenew(_ now: Date) -> Bool { renewal.map { abs(now.timeIntervalSince($0.date)) >= $0.pause } ?? true }

  /// Notes a response. If the API accepts with the next token the same request that it had refused, the renewal was
  /// what the request needed, and the next refusal may lead to another at once. It does not count if other requests are
  /// accepted, because some endpoints refuse every token.
  ///
  /// - Parameter token: The present token; a request with another one does not count.
  /// - Returns: Whether the API accepts the token, if that is new.
  mutating func note(
    _ status: HTTPResponse.Status, to request: TransportRequest, with token: StoredToken
  ) -> Bool {
    guard status == .unauthorized || status.kind == .successful && (first != nil || token.refused != nil),
      request.headerFields[.authorization].map({ $0 == "Bearer \(token.accessToken.reveal())" }) ?? false
    else { return false }
    let target = "\(request.method.rawValue) \(request.url.text)"
    if status == .unauthorized {
      if first?.token != token.accessToken { first = (token.accessToken, target) }
      return false
    }
    if let first, first.token != token.accessToken, first.target == target { (renewal, self.first) = (nil, nil) }
    return true
  }
}
