import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// What an API has refused lately: it decides whether another refusal may lead to a renewal of the token.
struct RejectedRequests: Sendable {
  /// The time at which a refusal has last led to a renewal, and the seconds for which another may not.
  private var renewal: (date: Date, pause: TimeInterval)?
  /// The first request that was refused with a token, by method and URL.
  private var first: (token: Secret, target: String)?

  /// Notes that a refusal has led to a renewal. A token that is refused again so soon is not refused for its age.
  ///
  /// - Parameter inVain: Whether the renewal gave the same token again.
  mutating func noteRenewal(_ date: Date, inVain: Bool) { renewal = (date, inVain ? 60 : 10) }

  /// Whether a refusal may lead to a renewal now.
  func mayRenew(_ now: Date) -> Bool { renewal.map { abs(now.timeIntervalSince($0.date)) >= $0.pause } ?? true }

  /// Notes a response. Where the API accepts with the next token the very request that it had refused, the renewal was what
  /// the request lacked, and the next refusal may lead to another at once. That other requests are accepted says nothing:
  /// some endpoints refuse whatever the token is.
  ///
  /// - Parameter token: The present token; a request with another one says nothing of it.
  /// - Returns: Whether the API takes the token, where that is news.
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
