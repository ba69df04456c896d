import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// Username and password that are never sent, but only hashed with the server's challenge (RFC 7616), with MD5 or
/// SHA-256.
///
/// The first call takes two requests: one to get the challenge, and one with the response to it. Later requests contain
/// the response at once, with the same nonce and a count, until the server wants another nonce. A streamed body may
/// therefore be read twice.
///
/// If a server refuses username and password, they are not used with it again for a minute. The time doubles after each
/// further refusal, up to an hour, and ends with ``replace(username:password:)``. In the meantime, calls fail at once.
/// Calls that are under way at that moment have already used them; if they are refused too, that does not count again.
///
/// If a server sends a proof that it knows the password (`rspauth`, RFC 7616 §3.5), the proof must be correct, or the
/// call fails, because the response then comes from somebody else. A proof that covers the response's body (`auth-int`)
/// is not checked.
///
/// Anybody who records the traffic can try passwords against it, so use TLS if the password is weak.
public final class HTTPDigest: Authenticator {
  struct State {
    var credentials: UsernamePassword
    var spaces = ProtectionSpaces()
  }

  let state: Locked<State>
  let realm: String?
  private let coversBody: Bool

  /// The hosts that username and password are for.
  public let hosts: AllowedHosts
  /// Makes `cnonce`; by default 128 bits of the system's secure random source.
  let makeNonce: @Sendable () throws(CryptographyError) -> String

  /// Keeps username and password.
  ///
  /// - Parameters:
  ///   - username: Taken as UTF-8 in composed form.
  ///   - password: Taken likewise.
  ///   - realm: The only protection realm to respond for; `nil`, the default, responds for all.
  ///   - coversBody: Whether to cover the body too, if the server offers that (`auth-int`) and the body is not a stream. If the
  ///     server offers nothing else, the body is covered anyway. Default: `false`.
  ///   - hosts: The hosts that they are for.
  public convenience init(
    username: String, password: any SecretConvertible, realm: String? = nil, coversBody: Bool = false,
    hosts: AllowedHosts = .catalogue
  ) {
    self.init(
      username: username, password: Secret(password), realm: realm, coversBody: coversBody, hosts: hosts,
      makeNonce: { () throws(CryptographyError) in try SecureRandom.nonce() })
  }

  init(
    username: String, password: Secret, realm: String?, coversBody: Bool, hosts: AllowedHosts,
    makeNonce: @escaping @Sendable () throws(CryptographyError) -> String
  ) {
    state = Locked(State(credentials: UsernamePassword(username, password)))
    self.realm = realm
    self.coversBody = coversBody
    self.hosts = hosts
    self.makeNonce = makeNonce
  }

  /// A hash that is different in each process.
  public var identity: CredentialIdentity { state.withLock { $0.credentials }.identity("digest") }

  /// Replaces username and password, and forgets which servers refused the old ones.
  public func replace(username: String, password: any SecretConvertible) {
    state.withLock { $0 = State(credentials: UsernamePassword(username, Secret(password))) }
  }

  /// Only `digest`.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { requirement.scheme == "digest" }

  /// Sets `Authorization: Digest …`, if the server has asked before.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when the server has refused username and password before, or wants the
  ///   body covered and it is a stream.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    let url = request.url
    do {
      // Its own, even if another call has learnt a newer one: some servers take each nonce once.
      let own = context.refusal.flatMap { challenge(in: $0.headers) }
      let cnonce = try makeNonce()
      let turn = try state.withLock { state throws -> Turn? in
        try state.credentials.check(for: url.origin, context.time.now())
        guard var space = state.spaces[url], own != nil || space.isShared else { return nil }
        let isShared = own == nil || own?.nonce == space.challenge.nonce || own?.realm != space.challenge.realm
        let challenge = isShared ? space.challenge : own ?? space.challenge
        let session =
          isShared ? space.session : try DigestSession(challenge, state.credentials, cnonce: cnonce)
        let count = space.use(challenge.nonce)
        state.spaces[url] = space
        return Turn(challenge: challenge, session: session, count: count, username: state.credentials.username)
      }
      guard let turn else { return }
      let protection = try protection(for: request, turn.challenge, context)
      let response = DigestAuthorization(
        challenge: turn.challenge, session: turn.session, username: turn.username, nonceCount: turn.count,
        cnonce: turn.session.cnonce ?? cnonce, method: request.head.method.rawValue,
        uri: request.head.path ?? "/", protection: protection,
        bodyHash: protection == .requestAndBody ? try turn.challenge.algorithm.hash(request.bytes) : nil)
      guard let authorization = try response.authorization() else {
        throw CallError.authorization(
          AuthorizationError(
            .unavailable,
            advice: "the username or the server's challenge has a control character in it; correct what has"))
      }
      request.headerFields[.authorization] = authorization
    } catch let error as CryptographyError {
      throw .authorization(AuthorizationError(.unavailable, advice: "the challenge could get no response: \(error)"))
    } catch let error as CallError {
      throw error
    } catch {
      throw .authorization(AuthorizationError(.unavailable, advice: "the challenge could get no response; try again"))
    }
  }

  /// The challenge that a request responds to, and how.
  private struct Turn {
    let challenge: DigestChallenge
    let session: DigestSession
    /// The number of times that the challenge's nonce has been used, this time included.
    let count: UInt32
    let username: String
  }

  private func protection(
    for request: TransportRequest, _ challenge: DigestChallenge, _ context: AuthenticationContext
  ) throws(CallError) -> DigestProtection? {
    let offers = challenge.protections
    if offers.isEmpty { return nil }
    if case .stream = request.body {
      if offers.contains(.request) { return .request }
      throw .invalidCall(
        InvalidCall(
          endpoint: context.endpoint,
          reason: .body("the server wants a digest of the body; give it as data, not as a stream")))
    }
    return offers.contains(.requestAndBody) && (coversBody || !offers.contains(.request)) ? .requestAndBody : .request
  }
}

extension TransportRequest {
  /// The bytes of a body that is in memory.
  fileprivate var bytes: Data {
    guard case .data(let data) = body else { return Data() }
    return data
  }
}

extension HTTPDigest: RedactedStringConvertible {}

extension Authenticator where Self == HTTPDigest {
  /// Username and password that are never sent, only hashed with the server's challenge (RFC 7616).
  public static func digest(username: String, password: any SecretConvertible) -> HTTPDigest {
    HTTPDigest(username: username, password: password)
  }
}

// Learns from the responses of servers.
extension HTTPDigest {
  /// Learns from a response: a new nonce, a success, or a refusal.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when the response's proof that the server knows the password is wrong.
  public func received(
    _ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext
  ) throws(CallError) {
    let url = request.url
    let sent = SentDigest(request)
    let now = context.time.now()
    if head.status == .unauthorized {
      guard let challenge = challenge(in: head.headerFields) else { return refused(sent, at: url, context.number, now) }
      learn(challenge, sent, at: url, context.number, now)
    } else if let sent {
      state.withLock { if $0.spaces[url]?.challenge.nonce == sent.nonce { $0.spaces[url]?.isShared = true } }
      if head.status.kind == .successful { try succeeded(head.headerFields, sent, at: url) }
    }
  }

  /// Tries again when there is a challenge that has had no response yet.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    guard rejection.rawResponse.status == .unauthorized else { return .giveUp }
    let url = rejection.request.url
    guard challenge(in: rejection.rawResponse.headers) != nil else {
      let challenges = rejection.challenges
      guard !challenges.isEmpty else { return .giveUp }
      throw .authorization(
        AuthorizationError(
          .refused, advice: advice(challenges), response: APIError(rawResponse: rejection.rawResponse)))
    }
    let (nonce, isRefused) = state.withLock { state in
      (state.spaces[url]?.challenge.nonce, state.credentials.isRefused(by: url.origin, context.time.now()))
    }
    return nonce != nil && nonce != SentDigest(rejection.request)?.nonce && !isRefused ? .tryAgain : .giveUp
  }

  private func challenge(in fields: HTTPFields) -> DigestChallenge? {
    DigestChallenge.best(of: HTTPChallenge.all(in: fields).filter { realm == nil || $0["realm"] == realm })
  }

  private func advice(_ challenges: [HTTPChallenge]) -> String {
    let digests = challenges.filter { $0.scheme == "digest" }
    guard let first = digests.first else {
      let schemes = Array(Set(challenges.map(\.scheme))).sortedAsNames().joined(separator: " or ")
      return "the server asks for \(schemes.printable), not for digest; use an authenticator of that kind"
    }
    if let realm, !digests.contains(where: { $0["realm"] == realm }) {
      return "the server asks for another realm than \(realm.printable); give credentials for that one"
    }
    let algorithm = first["algorithm"] ?? "MD5"
    return """
      the server's challenge cannot get a response (algorithm \(algorithm.printable), qop \
      \((first["qop"] ?? "none").printable)); have it offer SHA-256 or MD5, and auth or auth-int
      """
  }

  /// Takes a challenge up, or sees that it is a refusal.
  private func learn(
    _ challenge: DigestChallenge, _ sent: SentDigest?, at url: AbsoluteURL, _ number: UInt64,
    _ now: Date
  ) {
    // Without random numbers, no response is possible, and the refusal stands.
    guard let cnonce = try? makeNonce() else { return }
    state.withLock { state in
      let isNew: Bool
      if let space = state.spaces[url], space.challenge.realm == challenge.realm {
        if challenge.isStale || sent == nil && !space.isShared {
          isNew = true
        } else if let sent, sent.realm == space.challenge.realm, sent.nonce == space.challenge.nonce {
          // Some servers that restart forget their nonces and do not say `stale`: what they took once is tried once more.
          isNew = space.isProven
          if !state.credentials.isRefusalKnown(by: url.origin, ofAttempt: number) {
            state.spaces[url]?.isProven = false
            if isNew {
              state.credentials.noteUncountedRefusal(of: url.origin)
            } else {
              state.credentials.noteRefusal(by: url.origin, ofAttempt: number, now)
            }
          }
        } else {
          // Another call has received a newer challenge in the meantime.
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
  private func refused(
    _ sent: SentDigest?, at url: AbsoluteURL, _ number: UInt64, _ now: Date
  ) {
    guard let sent else { return }
    state.withLock { state in
      guard state.spaces[url]?.challenge.nonce == sent.nonce else { return }
      state.credentials.noteRefusal(by: url.origin, ofAttempt: number, now)
    }
  }

  /// Goes on with the nonce that the server names for the next request (RFC 7616 §3.5), once its proof is right.
  private func succeeded(_ fields: HTTPFields, _ sent: SentDigest, at url: AbsoluteURL) throws(CallError) {
    let parameters = fields[.authenticationInfo].map { HTTPChallengeParser.readParameters($0) } ?? [:]
    try state.withLock { state throws(CallError) in
      guard var space = state.spaces[url], space.challenge.realm == sent.realm else { return }
      if let proof = parameters["rspauth"], sent.isProvable(by: space),
        let expected = (try? sent.expectedProof(space)) ?? nil, !Secret(expected).isEqual(toHexadecimal: proof)
      {
        throw .authorization(
          AuthorizationError(
            .refused,
            advice: """
              the server does not prove rightly that it knows the password (rspauth), so the response may be somebody \
              else's; see whether something stands between this machine and \(url.host.printable)
              """))
      }
      space.isProven = true
      state.credentials.forgetRefusals(by: url.origin)
      // A newer response overrides what an older one says.
      if let next = parameters["nextnonce"], sent.nonce == space.challenge.nonce, next != sent.nonce {
        space.challenge.nonce = next
        space.nonceCount = 0
      }
      state.spaces[url] = space
    }
  }
}

extension Secret {
  /// Compares with hexadecimal digits in upper or lower case, in a time that does not depend on where they differ.
  fileprivate func isEqual(toHexadecimal text: String) -> Bool { self == Secret(text.lowercased()) }
}

/// The challenge that a sent request responded.
private struct SentDigest {
  let realm: String?
  let nonce: String?
  private let parameters: [String: String]

  /// `nil` when the request has none.
  init?(_ request: TransportRequest) {
    guard let field = request.headerFields[.authorization],
      let sent = HTTPChallengeParser.read(field).first, sent.scheme == "digest"
    else { return nil }
    realm = sent["realm"]
    nonce = sent["nonce"]
    parameters = sent.parameters
  }

  /// Whether the space has the key that the request was hashed with: only that of a `-sess` algorithm changes with the nonce.
  func isProvable(by space: ProtectionSpaces.Space) -> Bool {
    guard parameters["algorithm"] == space.challenge.algorithmName else { return false }
    return nonce == space.challenge.nonce || !space.challenge.algorithm.isPerSession
  }

  /// A server's proof that it knows the password: a response as to a challenge, with an empty method. `nil` if it
  /// covers the response's body, or in the form without `qop`, which has none.
  func expectedProof(_ space: ProtectionSpaces.Space) throws(CryptographyError) -> String? {
    guard parameters["qop"] == DigestProtection.request.rawValue, let nonce, let count = parameters["nc"],
      let cnonce = parameters["cnonce"], let uri = parameters["uri"]
    else { return nil }
    let algorithm = space.challenge.algorithm
    return try algorithm.hash(
      space.session.key, nonce, count, cnonce, DigestProtection.request.rawValue, algorithm.hash(":\(uri)"))
  }
}
