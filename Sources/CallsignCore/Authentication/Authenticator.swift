import CallsignFoundation
import CallsignHTTP
import HTTPTypes
import Logging

/// Puts credentials on requests.
///
/// A client holds one or several. For each call it takes the first that satisfies what the endpoint accepts, and asks
/// it anew for every attempt. Credentials that change, such as tokens that are refreshed, live in the authenticator,
/// which is asked by many tasks at once and has to let them wait for one refresh.
public protocol Authenticator: Sendable {
  /// The hosts that the credentials are for.
  var hosts: AllowedHosts { get }

  /// Tells these credentials from others, without giving them away.
  var identity: CredentialIdentity { get }

  /// Tells the app that the credentials were given to from others, without giving it away: an API may limit all accounts of
  /// an app together. Default: `nil`, not known.
  var appIdentity: CredentialIdentity? { get }

  /// Gets to know what ``satisfies(_:)`` goes by, such as the scopes of a stored token. It is called before each choice,
  /// so it must be quick when there is nothing new. The default does nothing.
  func prepare() async

  /// Whether the credentials are of this kind and, for OAuth 2.0, cover all its scopes.
  func satisfies(_ requirement: AuthRequirement) -> Bool

  /// Puts credentials on a request that is otherwise complete. It is called for every attempt, and only for hosts in
  /// ``hosts``. It may take its time, for instance to fetch a token first.
  ///
  /// - Throws: ``CallError``, mostly ``CallError/authorization(_:)``; the call ends with it.
  func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError)

  /// Sees each answer to a request that it put credentials on, or left without, before the client makes anything of
  /// it: of successes too, and of the rejection of the last attempt. The default is to learn nothing.
  ///
  /// - Throws: ``CallError`` for an answer that must not be believed; the call ends with it.
  func received(
    _ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext
  ) throws(CallError)

  /// Sees an answer with status 401 or 403, and decides whether a further attempt could succeed: after a refresh, or
  /// now that a challenge is known. Each try of a call is repeated once at most. The default is to give up.
  ///
  /// - Throws: ``CallError``, in place of the one that the answer would become.
  func rejected(_ rejection: Rejection, context: AuthenticationContext) async throws(CallError) -> RejectionRecovery
}

extension Authenticator {
  /// Not known.
  public var appIdentity: CredentialIdentity? { nil }

  /// Does nothing.
  public func prepare() async {}

  /// Learns nothing.
  public func received(
    _ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext
  ) throws(CallError) {}

  /// Gives up.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery { .giveUp }
}

/// An authenticator's reply to a rejection.
public enum RejectionRecovery: Sendable, Hashable {
  /// Nothing can be done; the answer becomes the call's error.
  case giveUp
  /// The request is to be sent once more, with credentials put on it anew.
  case tryAgain
}

/// A request that the API refused for its credentials.
public struct Rejection: Sendable {
  /// The request as it was sent, credentials included.
  public let request: TransportRequest
  /// The answer, with `WWW-Authenticate` among its header fields where the API challenges.
  public let rawResponse: RawResponse
}

/// The call as an authenticator sees it, and what it has to work with.
public struct AuthenticationContext: Sendable {
  /// The endpoint's name in the catalogue, or the method and path of an untyped call.
  public let endpoint: String
  /// The alternative that the authenticator was chosen for; `nil` when the catalogue says nothing of what it accepts.
  public let requirement: AuthRequirement?
  /// 1 for the first attempt of a call.
  public let attempt: Int
  /// The transport for requests of the authenticator's own, such as the one for a token.
  public let transport: any Transport
  /// The base URLs that such requests really go to.
  public let hosts: BaseURLOverrides
  /// Tells the time.
  public let time: any TimeSource
  /// Takes messages that name no credentials.
  public let logger: Logger
  /// The attempt's number in this process: its credentials were put on after those of all lower ones.
  package let number: UInt64

  package init(
    endpoint: String, requirement: AuthRequirement?, attempt: Int, transport: any Transport, hosts: BaseURLOverrides,
    time: any TimeSource, logger: Logger, number: UInt64? = nil
  ) {
    self.endpoint = endpoint
    self.requirement = requirement
    self.attempt = attempt
    self.transport = transport
    self.hosts = hosts
    self.time = time
    self.logger = logger
    self.number = number ?? Self.nextNumber()
  }

  // Not a clock, which each call would have to read.
  private static let lastNumber = Locked<UInt64>(0)

  private static func nextNumber() -> UInt64 {
    lastNumber.withLock { last in
      last += 1
      return last
    }
  }

  /// The number of the attempt that has begun last.
  package static var latestNumber: UInt64 { lastNumber.withLock { $0 } }
}

/// One kind of credentials that an endpoint accepts: a scheme and, for OAuth 2.0, the scopes that it must cover.
public struct AuthRequirement: Sendable, Hashable, CustomStringConvertible {
  /// `oauth1`, `oauth1_consumer`, `oauth2`, `bearer`, `basic`, `digest`, `none`, or a catalogue's own word.
  public var scheme: String
  /// The scopes that are needed, all of them.
  public var scopes: [String]
  /// Further credentials that must go along; mostly none.
  public var others: [AuthRequirement]

  /// States a requirement.
  ///
  /// - Parameters:
  ///   - scheme: The kind of credentials.
  ///   - scopes: The scopes that are needed. Default: none.
  ///   - others: Further credentials that must go along. Default: none.
  public init(scheme: String, scopes: [String] = [], others: [AuthRequirement] = []) {
    self.scheme = scheme
    self.scopes = scopes
    self.others = others
  }

  /// As generated code writes it: `oauth2(pets.write pets.read)`, and `app_id + app_key` for what goes together.
  public var description: String {
    let own = scopes.isEmpty ? scheme : "\(scheme)(\(scopes.joined(separator: " ")))"
    return ([own] + others.map(\.description)).joined(separator: " + ")
  }

  /// Reads alternatives separated by `|`, as ``Endpoint/auth`` has them. Empty text has none.
  static func alternatives(_ text: String) -> [AuthRequirement] {
    text.split(separator: "|").compactMap { alternative in
      let parts: [Substring] = alternative.split(separator: " + ")
      let together = parts.compactMap(one)
      guard var first = together.first else { return nil }
      first.others = Array(together.dropFirst())
      return first
    }
  }

  /// Reads a scheme and its scopes, if it has any.
  private static func one(_ text: Substring) -> AuthRequirement? {
    let parts = text.split(separator: "(", maxSplits: 1)
    guard let scheme = parts.first?.split(separator: " ").first else { return nil }
    let scopes = parts.dropFirst().first?.split { " ),".contains($0) } ?? []
    return AuthRequirement(scheme: String(scheme), scopes: scopes.map(String.init))
  }
}

/// Tells credentials apart without giving them away: rate limits, caches and logs go by it.
///
/// Two authenticators that act for the same account with the same token have the same identity, whatever client they
/// are in.
public struct CredentialIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The scheme, and an account's name or the first digits of a hash. It holds no secret.
  public let description: String
  /// The description's hash: it is looked up several times for each call.
  private let hash: Int

  /// Names credentials by the account that they belong to.
  ///
  /// - Parameters:
  ///   - scheme: The kind of credentials, such as `oauth2`.
  ///   - account: A name that no other account of the scheme has, such as service and account of a
  ///     `TokenKey`. It must be no secret.
  public init(_ scheme: String, account: String) { self.init("\(scheme):\(account.printable)") }

  private init(_ description: String) {
    self.description = description
    hash = description.hashValue
  }

  /// Names credentials by a hash of what they consist of, for those that belong to no named account.
  ///
  /// The hash is keyed at random by each process: it cannot be guessed from outside, and means nothing to another process.
  ///
  /// - Parameters:
  ///   - scheme: The kind of credentials.
  ///   - parts: All that tells them from others, secrets included; 128 bits of hash are kept.
  public init(_ scheme: String, hashing parts: [String]) {
    let words = [0, 1].map { (half: Int) in
      var hasher = Hasher()
      hasher.combine(half)
      hasher.combine(parts)
      return UInt(bitPattern: hasher.finalize())
    }
    self.init("\(scheme):" + words.map { String($0, radix: 16) }.joined(separator: "-"))
  }

  /// Whether both are the same credentials.
  public static func == (left: Self, right: Self) -> Bool {
    left.hash == right.hash && left.description == right.description
  }

  /// Hashes the hash of the description.
  public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// No credentials: for APIs, or parts of them, that everyone may call.
public struct NoAuthentication: Authenticator {
  /// There is nothing to protect.
  public let hosts = AllowedHosts.catalogue
  /// The same for everyone.
  public let identity = CredentialIdentity("none", account: "")

  /// Makes it.
  public init() {}

  /// Only `none`.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { requirement.scheme == "none" }

  /// Leaves the request as it is.
  public func authenticate(
    _ request: inout TransportRequest, context: AuthenticationContext
  ) async throws(CallError) {}
}

extension Authenticator where Self == NoAuthentication {
  /// No credentials.
  public static var none: NoAuthentication { NoAuthentication() }
}

/// Stands in for credentials of every kind in tests that reach no API: it satisfies each scheme, and sends nothing.
///
/// ```swift
/// let transport = InMemoryTransport { _ in .json(#"{"id": "7"}"#) }
/// let petstore = Petstore(auth: .standIn, configuration: ClientConfiguration(transport: transport))
/// ```
public struct StandInCredentials: Authenticator {
  /// There is nothing to protect.
  public let hosts = AllowedHosts.catalogue
  /// The same for everyone.
  public let identity = CredentialIdentity("stand-in", account: "")

  /// Makes it.
  public init() {}

  /// Every requirement.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { true }

  /// Leaves the request as it is.
  public func authenticate(
    _ request: inout TransportRequest, context: AuthenticationContext
  ) async throws(CallError) {}
}

extension Authenticator where Self == StandInCredentials {
  /// Satisfies every scheme and sends nothing, for tests.
  public static var standIn: StandInCredentials { StandInCredentials() }
}

/// The one of a client's credentials that a call gets.
struct AuthenticatorSelection: Sendable {
  /// The credentials; `nil` for a call that goes without any.
  var authenticator: (any Authenticator)?
  /// The alternative that they were chosen for; `nil` where the catalogue states none.
  var requirement: AuthRequirement?

  /// A call without credentials.
  init() {}

  /// Picks the first accepted authenticator whose scopes suffice and that may be used for the host.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when none fits; it names what would.
  @_optimize(speed)
  nonisolated(nonsending) init(
    from authenticators: [any Authenticator], accepted alternatives: [AuthRequirement], for endpoint: String,
    at url: AbsoluteURL, isNamedByCatalogue: Bool
  ) async throws(CallError) {
    let hasJoint = alternatives.contains { !$0.others.isEmpty }
    if hasJoint { for authenticator in authenticators { await authenticator.prepare() } }
    var isOutOfScope = false
    for authenticator in authenticators {
      if !hasJoint { await authenticator.prepare() }
      switch Self.suitability(of: authenticator, among: authenticators, for: alternatives, url, isNamedByCatalogue) {
      case .suits(let selection):
        self = selection
        return
      case .outOfScope: isOutOfScope = true
      case .unsuited: break
      }
    }
    // Nothing to choose from and nothing demanded, or nothing is a choice.
    guard !isOutOfScope, alternatives.isEmpty || alternatives.contains(where: { $0.scheme == "none" }) else {
      throw Self.refusal(isOutOfScope, endpoint, url, alternatives, authenticators)
    }
  }

  private enum Suitability {
    case suits(AuthenticatorSelection)
    /// It is of an accepted kind, but not for the host.
    case outOfScope
    case unsuited
  }

  // What follows is apart from the asynchronous function, which would have a copy of it for each place that it waits at.

  /// Whether an authenticator can be used, perhaps together with others that an alternative demands besides.
  @inline(never)
  @_optimize(speed)
  private static func suitability(
    of authenticator: any Authenticator, among authenticators: [any Authenticator],
    for alternatives: [AuthRequirement], _ url: AbsoluteURL, _ isNamedByCatalogue: Bool
  ) -> Suitability {
    let requirement = alternatives.first { alternative in
      authenticator.satisfies(alternative)
        && alternative.others.allSatisfy { other in authenticators.contains { $0.satisfies(other) } }
    }
    guard requirement != nil || alternatives.isEmpty else { return .unsuited }
    var selection = AuthenticatorSelection()
    selection.requirement = requirement
    guard let requirement, !requirement.others.isEmpty else {
      guard authenticator.hosts.contains(url, isNamedByCatalogue: isNamedByCatalogue) else { return .outOfScope }
      selection.authenticator = authenticator
      return .suits(selection)
    }
    var parts = [(authenticator: authenticator, requirement: requirement)]
    for other in requirement.others {
      if let authenticator = authenticators.first(where: { $0.satisfies(other) }) {
        parts.append((authenticator, other))
      }
    }
    guard parts.allSatisfy({ $0.authenticator.hosts.contains(url, isNamedByCatalogue: isNamedByCatalogue) }) else {
      return .outOfScope
    }
    selection.authenticator = CombinedAuthenticator(parts)
    return .suits(selection)
  }

  /// The error that says why none of the credentials is used.
  @inline(never)
  private static func refusal(
    _ isOutOfScope: Bool, _ endpoint: String, _ url: AbsoluteURL, _ alternatives: [AuthRequirement],
    _ authenticators: [any Authenticator]
  ) -> CallError {
    guard isOutOfScope else { return .authorization(noneFits(endpoint, alternatives, authenticators)) }
    return .authorization(
      AuthorizationError(
        .outOfScope(host: url.host),
        advice: """
          the credentials are not for \(url.authority.printable); call it without any, or name it among the \
          authenticator's hosts
          """))
  }

  /// Says what would fit: scopes that were not granted, or credentials of another kind.
  private static func noneFits(
    _ name: String, _ alternatives: [AuthRequirement], _ authenticators: [any Authenticator]
  ) -> AuthorizationError {
    let accepted = alternatives.map(\.description).joined(separator: " or ")
    // The right kind of credentials that covers less than it must lacks scopes; the fewer, the better.
    let lacking = authenticators.flatMap { authenticator in
      alternatives.compactMap { alternative -> [String]? in
        let kind = AuthRequirement(scheme: alternative.scheme)
        guard !alternative.scopes.isEmpty, authenticator.satisfies(kind) else { return nil }
        let missing = alternative.scopes.filter {
          !authenticator.satisfies(AuthRequirement(scheme: alternative.scheme, scopes: [$0]))
        }
        return missing.isEmpty ? nil : missing
      }
    }
    if let missing = lacking.min(by: { $0.count < $1.count }) {
      let names = missing.map(\.printable).joined(separator: ", ")
      return AuthorizationError(
        .missingScopes(missing),
        advice: """
          \(name) accepts \(accepted), and the client's credentials lack the \
          \(missing.count == 1 ? "scope" : "scopes") \(names); ask for \(missing.count == 1 ? "it" : "them") too and \
          log in again
          """)
    }
    let incomplete = alternatives.map { alternative in
      let parts = [AuthRequirement(scheme: alternative.scheme, scopes: alternative.scopes)] + alternative.others
      return (missing: parts.filter { part in !authenticators.contains { $0.satisfies(part) } }, count: parts.count)
    }.filter { !$0.missing.isEmpty && $0.missing.count < $0.count }
    if let part = incomplete.min(by: { $0.missing.count < $1.missing.count }) {
      let missing = part.missing.map(\.description).joined(separator: " and ")
      return AuthorizationError(
        .noneAccepted(accepted: accepted),
        advice: "\(name) accepts \(accepted), and of what must come together the client lacks \(missing)")
    }
    return AuthorizationError(
      .noneAccepted(accepted: accepted),
      advice: "\(name) accepts \(accepted), and the client has none of these; give it one")
  }
}
