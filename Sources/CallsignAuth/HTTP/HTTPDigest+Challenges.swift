import Callsign
import CallsignHTTP
import HTTPTypes

// What servers' answers teach.
extension HTTPDigest {
  /// Learns from an answer: a new nonce, a success, or a refusal.
  public func received(_ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext) {
    guard let url = request.destination else { return }
    let sent = SentDigest(request)
    if head.status == .unauthorized {
      guard let challenge = challenge(in: head.headerFields) else { return refused(sent, at: url) }
      learn(challenge, sent, at: url)
    } else if let sent, head.status.kind == .successful {
      succeeded(head.headerFields, sent, at: url)
    }
  }

  /// Tries again when there is a challenge that has not been answered yet.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    guard rejection.answer.status == .unauthorized, let url = rejection.request.destination else { return .giveUp }
    guard challenge(in: rejection.answer.headers) != nil else {
      let challenges = rejection.challenges
      guard !challenges.isEmpty else { return .giveUp }
      throw .authorization(
        AuthorizationError(
          .refused, advice: advice(challenges), response: APIError(answer: rejection.answer)))
    }
    let (nonce, isRefused) = state.withLock { state in
      (state.spaces[url]?.challenge.nonce, state.credentials.refusedOrigins.contains(url.origin))
    }
    return nonce != nil && nonce != SentDigest(rejection.request)?.nonce && !isRefused ? .tryAgain : .giveUp
  }

  private func challenge(in fields: HTTPFields) -> DigestChallenge? {
    DigestChallenge.best(of: HTTPChallenge.all(in: fields).filter { realm == nil || $0["realm"] == realm })
  }

  private func advice(_ challenges: [HTTPChallenge]) -> String {
    let digests = challenges.filter { $0.scheme == "digest" }
    guard let first = digests.first else {
      let schemes = Set(challenges.map(\.scheme)).sorted().joined(separator: " or ")
      return "the server asks for \(schemes.printable), not for digest; use an authenticator of that kind"
    }
    if let realm, !digests.contains(where: { $0["realm"] == realm }) {
      return "the server asks for another realm than \(realm.printable); give credentials for that one"
    }
    let algorithm = first["algorithm"] ?? "MD5"
    return """
      the server's challenge cannot be answered (algorithm \(algorithm.printable), qop \
      \((first["qop"] ?? "none").printable)); have it offer SHA-256 or MD5, and auth or auth-int
      """
  }

  /// Takes a challenge up, or sees that it is a refusal.
  private func learn(_ challenge: DigestChallenge, _ sent: SentDigest?, at url: AbsoluteURL) {
    // Without random numbers there is no answer, and the refusal stands.
    guard let cnonce = try? makeNonce() else { return }
    state.withLock { state in
      let isNew: Bool
      if let space = state.spaces[url], space.challenge.realm == challenge.realm {
        if challenge.isStale {
          isNew = true
        } else if let sent, sent.realm == space.challenge.realm, sent.nonce == space.challenge.nonce {
          // Some servers that restart forget their nonces and do not say `stale`: what they took once is tried once more.
          isNew = space.isProven
          state.spaces[url]?.isProven = false
          if !isNew { state.credentials.refusedOrigins.insert(url.origin) }
        } else {
          // Another call has learnt a newer challenge meanwhile.
          isNew = false
        }
      } else {
        isNew = true
      }
      guard isNew, let session = try? DigestSession(challenge, state.credentials, cnonce: cnonce) else { return }
      state.spaces.add(challenge, from: url, session: session)
    }
  }

  /// A refusal that asks for nothing.
  private func refused(_ sent: SentDigest?, at url: AbsoluteURL) {
    guard let sent else { return }
    state.withLock { state in
      guard state.spaces[url]?.challenge.nonce == sent.nonce else { return }
      state.credentials.refusedOrigins.insert(url.origin)
    }
  }

  /// Goes on with the nonce that the server names for the next request (RFC 7616 §3.5).
  private func succeeded(_ fields: HTTPFields, _ sent: SentDigest, at url: AbsoluteURL) {
    let information = HTTPField.Name("Authentication-Info").flatMap { fields[$0] }
    let next = information.flatMap { HTTPChallengeParser.readParameters($0)["nextnonce"] }
    state.withLock { state in
      guard var space = state.spaces[url], space.challenge.realm == sent.realm else { return }
      space.isProven = true
      // What an older request is told has been overtaken by what a newer one was.
      if let next, sent.nonce == space.challenge.nonce, next != sent.nonce {
        space.challenge.nonce = next
        space.nonceCount = 0
      }
      state.spaces[url] = space
    }
  }
}

/// What an answer to a challenge was made of.
private struct SentDigest {
  let realm: String?
  let nonce: String?

  /// `nil` when the request has none.
  init?(_ request: TransportRequest) {
    guard let field = request.head.headerFields[.authorization],
      let sent = HTTPChallengeParser.read(field).first, sent.scheme == "digest"
    else { return nil }
    realm = sent["realm"]
    nonce = sent["nonce"]
  }
}
