import Callsign
import CallsignHTTP
import Foundation
import HTTPTypes

/// Username and password that are never sent, only hashed with what the server asks for (RFC 7616), by MD5 or SHA-256.
///
/// The first call takes two requests: one to be asked, one with the answer. Later ones answer unasked, with the same
/// nonce and a count, until the server wants another nonce; one body in a stream may therefore be read twice.
///
/// When a server refuses username and password, they are not used with it again until
/// ``replace(username:password:)``; calls fail at once. Calls that are under way at that moment have used them too.
///
/// Whoever records the traffic can try passwords against it, so this too belongs over TLS where the password is weak.
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
  ///   - realm: The only protection realm to answer for; `nil`, the default, answers for all.
  ///   - coversBody: Whether to cover the body too, where the server offers that (`auth-int`) and the body is not a
  ///     stream. Where the server offers nothing else the body is covered anyway. Default: `false`.
  ///   - hosts: The hosts that they are for.
  public convenience init(
    username: String, password: Secret, realm: String? = nil, coversBody: Bool = false, hosts: AllowedHosts = .catalogue
  ) {
    self.init(
      username: username, password: password, realm: realm, coversBody: coversBody, hosts: hosts,
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

  /// Puts others in the place of username and password, and forgets who refused them.
  public func replace(username: String, password: Secret) {
    state.withLock { $0 = State(credentials: UsernamePassword(username, password)) }
  }

  /// Only `digest`.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { requirement.scheme == "digest" }

  /// Sets `Authorization: Digest …`, if the server has asked before.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when the server has refused username and password before, or wants the
  ///   body covered and it is a stream.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    guard let url = request.destination else { return }
    do {
      let turn = try state.withLock { state throws(CallError) -> (ProtectionSpaces.Space, String)? in
        try state.credentials.check(for: url.origin)
        guard var space = state.spaces[url] else { return nil }
        space.nonceCount &+= 1
        state.spaces[url] = space
        return (space, state.credentials.username)
      }
      guard let (space, username) = turn else { return }
      let protection = try protection(for: request, space.challenge, context)
      let answer = DigestAuthorization(
        challenge: space.challenge, session: space.session, username: username, nonceCount: space.nonceCount,
        cnonce: try space.session.cnonce ?? makeNonce(), method: request.head.method.rawValue,
        uri: request.head.path ?? "/", protection: protection,
        bodyHash: protection == .requestAndBody ? try space.challenge.algorithm.hash(request.bytes) : nil)
      guard let authorization = try answer.authorization() else {
        throw CallError.authorization(
          AuthorizationError(
            .unavailable,
            advice: "the username or the server's challenge has a control character in it; correct what has"))
      }
      request.head.headerFields[.authorization] = authorization
    } catch let error as CryptographyError {
      throw .authorization(AuthorizationError(.unavailable, advice: "the challenge could not be answered: \(error)"))
    } catch let error as CallError {
      throw error
    } catch {
      throw .authorization(AuthorizationError(.unavailable, advice: "the challenge could not be answered; try again"))
    }
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

extension HTTPDigest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone.
  public var description: String { "HTTPDigest(\(Secret.redacted))" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension Authenticator where Self == HTTPDigest {
  /// Username and password that are never sent, only hashed with what the server asks for (RFC 7616).
  public static func digest(username: String, password: Secret) -> HTTPDigest {
    HTTPDigest(username: username, password: password)
  }
}
