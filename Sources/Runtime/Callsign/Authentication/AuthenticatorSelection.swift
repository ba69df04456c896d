import CallsignHTTP
import CallsignSupport

/// The one of a client's credentials that a call gets.
struct AuthenticatorSelection: Sendable {
  /// The credentials; `nil` for a call that goes without any.
  var authenticator: (any Authenticator)?
  /// The alternative that they were chosen for; `nil` if the catalogue states none.
  var requirement: AuthRequirement?

  /// A call without credentials.
  init() {}

  /// Picks the first accepted authenticator whose scopes suffice and that may be used for the host.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when none fits; it names what would.
  init(
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

  /// Whether an authenticator can be used, perhaps together with others that an alternative demands besides.
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
