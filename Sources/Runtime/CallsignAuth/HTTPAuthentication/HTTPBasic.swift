import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// Sends username and password with every request (RFC 7617), over TLS or to this machine only.
///
/// If a server refuses them, they are not sent to it again for a minute. The time doubles after each further refusal,
/// up to an hour, and ends with ``replace(username:password:)``. In the meantime, calls fail at once. If the server has
/// accepted them before, one refusal counts as the server's mistake, and only the second in a row counts. Calls that
/// are under way at that moment have already sent them; if they are refused too, that does not count again.
public final class HTTPBasic: Authenticator {
  /// The requests that contain username and password.
  public enum Sending: Sendable, Hashable {
    /// With every request.
    case preemptively
    /// After a server has asked for them, and then with every request to the part of the server that asked: the folder
    /// of the path, and everything below it (RFC 7617 §2.2). The first call takes two requests.
    case onChallenge
  }

  private struct State {
    var credentials: UsernamePassword
    /// Folders whose server asked for these credentials, as whole URLs.
    var askedFor: Set<String> = []
  }

  /// The most folders to remember. For others, the server would ask again.
  private static let askedForLimit = 1024

  private let state: Locked<State>
  private let realm: String?
  private let sending: Sending

  /// The hosts that username and password are for.
  public let hosts: AllowedHosts

  /// Keeps username and password.
  ///
  /// - Parameters:
  ///   - username: The username, which must not contain a colon. Sent as UTF-8 in composed form.
  ///   - password: The password, sent in the same form.
  ///   - realm: The protection realm that they are for; they are then sent only if a server has named it. `nil`, the
  ///     default, is for all realms.
  ///   - sending: When to send them. Default: always, or on challenge if there is a realm.
  ///   - hosts: The hosts that they are for.
  public init(
    username: String, password: any SecretConvertible, realm: String? = nil, sending: Sending? = nil,
    hosts: AllowedHosts = .catalogue
  ) {
    state = Locked(State(credentials: UsernamePassword(username, Secret(password))))
    self.realm = realm
    self.sending = realm == nil ? sending ?? .preemptively : .onChallenge
    self.hosts = hosts
  }

  /// A hash that is different in each process.
  public var identity: CredentialIdentity { state.withLock { $0.credentials }.identity("basic") }

  /// Replaces username and password, and forgets which servers refused them.
  public func replace(username: String, password: any SecretConvertible) {
    state.withLock { $0 = State(credentials: UsernamePassword(username, Secret(password))) }
  }

  /// Only `basic`.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { requirement.scheme == "basic" }

  /// Sets `Authorization: Basic …`, if it is time to.
  ///
  /// - Throws: ``CallError/authorization(_:)`` if the request would travel unencrypted to another machine, if the
  ///   server has refused username and password before, or if the username contains a colon.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    let url = request.url
    let state = state.withLock { $0 }
    try state.credentials.check(for: url.origin, context.time.now())
    // By bytes, as the server reads them: a colon with an accent on it is one character.
    guard !state.credentials.username.utf8.contains(UInt8(ascii: ":")) else {
      throw .authorization(
        AuthorizationError(
          .unavailable, advice: "HTTP Basic has no way to send a username with a colon; use another name or HTTP Digest"
        ))
    }
    if sending == .onChallenge, !state.askedFor.contains(where: { (url.origin + url.path).hasPrefix($0) }) { return }
    try request.refuseUnencryptedCredentials("a password")
    request.headerFields[.authorization] = Self.field(state.credentials)
  }

  /// Notes a server that refuses or accepts username and password.
  public func received(
    _ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext
  ) throws(CallError) {
    let url = request.url
    let sent = request.headerFields[.authorization]
    let now = context.time.now()
    let isAskedFor =
      head.status == .unauthorized && HTTPChallenge.all(in: head.headerFields).contains(where: matchesRealm)
    state.withLock { state in
      if sent == nil {
        guard isAskedFor else { return }
        if state.askedFor.count >= Self.askedForLimit { state.askedFor = [] }
        state.askedFor.insert(url.origin + url.folder)
      } else if sent == Self.field(state.credentials) {
        // A response to the earlier credentials does not apply to the new ones.
        if head.status == .unauthorized {
          state.credentials.noteRefusal(by: url.origin, ofAttempt: context.number, now)
        } else if head.status.kind == .successful {
          state.credentials.noteSuccess(with: url.origin)
        }
      }
    }
  }

  /// Tries again if the server asks for credentials that were not sent yet.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    guard rejection.rawResponse.status == .unauthorized else { return .giveUp }
    let challenges = rejection.challenges
    if challenges.contains(where: matchesRealm) {
      return rejection.request.headerFields[.authorization] == nil ? .tryAgain : .giveUp
    }
    guard !challenges.isEmpty else { return .giveUp }
    let schemes = Array(Set(challenges.map(\.scheme))).sortedAsNames().joined(separator: " or ")
    let advice =
      challenges.contains { $0.scheme == "basic" }
      ? "the server asks for another realm than \((realm ?? "").printable); give credentials for that one"
      : "the server asks for \(schemes.printable), not for basic; use an authenticator of that kind"
    throw .authorization(
      AuthorizationError(.refused, advice: advice, response: APIError(rawResponse: rejection.rawResponse)))
  }

  /// Whether a server has refused them so recently that they are not sent.
  func isRefused(by origin: String, _ now: Date) -> Bool {
    state.withLock { $0.credentials.isRefused(by: origin, now) }
  }

  /// Whether a request carries them.
  func hasSent(_ request: TransportRequest) -> Bool {
    request.headerFields[.authorization] == state.withLock { Self.field($0.credentials) }
  }

  private func matchesRealm(_ challenge: HTTPChallenge) -> Bool {
    challenge.scheme == "basic" && (realm == nil || challenge["realm"] == realm)
  }

  private static func field(_ credentials: UsernamePassword) -> String {
    "Basic " + Data("\(credentials.username):\(credentials.password.reveal())".utf8).base64EncodedString()
  }
}

extension HTTPBasic: RedactedStringConvertible {}

extension Authenticator where Self == HTTPBasic {
  /// Sends username and password with every request (RFC 7617), over TLS or to this machine only.
  public static func basic(username: String, password: any SecretConvertible) -> HTTPBasic {
    HTTPBasic(username: username, password: password)
  }
}

/// A username and a password, and the servers that have refused them.
struct UsernamePassword: Sendable {
  /// In composed form, so that equal names are equal bytes (RFC 7617 §2.1, RFC 8265 §3.4).
  let username: String
  let password: Secret
  /// The servers, by scheme, host and port, that refused them.
  private var refusals: [String: Refusals] = [:]
  /// The servers that accepted them since they last refused them.
  private var proven: Set<String> = []
  /// For each server that has refused them, the last attempt that had begun by then, including forgiven refusals.
  private var lastRefusals: [String: UInt64] = [:]

  /// The most servers to remember.
  private static let limit = 1024

  private struct Refusals {
    /// The number of refusals in a row.
    var count: Int
    /// The time of the last refusal.
    var noted: Date
    /// The time until which they are not sent.
    var end: Date

    /// Whether that still applies. ``end`` does not apply after a clock was set back.
    func holds(at now: Date) -> Bool { now < end && now >= noted - 5 }
  }

  init(_ username: String, _ password: Secret) {
    self.username = username.composed
    self.password = Secret(password.reveal().composed)
  }

  /// Only this process knows it, so a hash reveals nothing even about a password that is easy to guess.
  private static let salt = (try? SecureRandom.nonce()) ?? UUID().uuidString

  func identity(_ scheme: String) -> CredentialIdentity {
    CredentialIdentity(scheme, hashing: [Self.salt, username, password.reveal()])
  }

  /// Refuses to send credentials that a server is known to refuse: at best the call would fail again, at worst the
  /// account would be locked.
  func check(for origin: String, _ now: Date) throws(CallError) {
    let hasControl = (username + password.reveal()).unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    if hasControl {
      throw .authorization(
        AuthorizationError(
          .unavailable, advice: "the username or password has a line break or another control character; remove it"))
    }
    guard isRefused(by: origin, now) else { return }
    throw .authorization(
      AuthorizationError(
        .refused,
        advice: """
          \(origin.printable) has refused this username and password, and they are not sent again for a while; ask for \
          others and pass them to replace(username:password:)
          """))
  }

  /// Whether a server has refused them so recently that they are not sent.
  func isRefused(by origin: String, _ now: Date) -> Bool { refusals[origin]?.holds(at: now) ?? false }

  /// Notes that a server has accepted them.
  mutating func noteSuccess(with origin: String) {
    forgetRefusals(by: origin)
    if proven.count >= Self.limit { proven = [] }
    proven.insert(origin)
  }

  /// Resets the count of a server's refusals.
  mutating func forgetRefusals(by origin: String) { refusals[origin] = nil }

  /// Whether a server has refused them since an attempt began. A refusal of that attempt then does not count again.
  func isRefusalKnown(by origin: String, ofAttempt number: UInt64) -> Bool {
    lastRefusals[origin].map { number <= $0 } ?? false
  }

  /// Notes that a server has refused them now, without counting it.
  mutating func noteUncountedRefusal(of origin: String) {
    if lastRefusals.count >= Self.limit { lastRefusals = [:] }
    lastRefusals[origin] = AuthenticationContext.latestNumber
  }

  /// Notes that a server has refused them. The first refusal is forgiven if the server accepted them before. Refusals
  /// of requests that were under way together count as one.
  mutating func noteRefusal(by origin: String, ofAttempt number: UInt64, _ now: Date) {
    if isRefusalKnown(by: origin, ofAttempt: number) { return }
    noteUncountedRefusal(of: origin)
    if proven.remove(origin) != nil { return }
    let count = (refusals[origin]?.count ?? 0) + 1
    if refusals.count >= Self.limit { refusals = refusals.filter { $0.value.holds(at: now) } }
    refusals[origin] = Refusals(
      count: count, noted: now, end: now + min(60 * pow(2, Double(min(count, 20) - 1)), 3600))
  }
}

extension UsernamePassword: RedactedStringConvertible {}

extension AbsoluteURL {
  /// The path up to its last slash.
  var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/" }
}
