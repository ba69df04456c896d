/// Which of a client's credentials a call gets.
struct AuthenticatorSelection: Sendable {
  /// The credentials; `nil` for a call that goes without any.
  var authenticator: (any Authenticator)?
  /// The alternative that they were chosen for; `nil` where the catalogue states none.
  var requirement: AuthRequirement?

  /// The first authenticator that is one of those that the endpoint accepts, whose scopes suffice, and that may be used
  /// for its host.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when none fits; it names what would.
  init(for call: PreparedCall, from authenticators: [any Authenticator]) async throws(CallError) {
    guard case .accepted(let alternatives) = call.credentials else { return }
    var isOutOfScope = false
    for authenticator in authenticators {
      await authenticator.prepare()
      let requirement = alternatives.first { authenticator.satisfies($0) }
      guard requirement != nil || alternatives.isEmpty else { continue }
      if authenticator.hosts.contains(call.url, isNamedByCatalogue: call.isNamedByCatalogue) {
        self.authenticator = authenticator
        self.requirement = requirement
        return
      }
      isOutOfScope = true
    }
    if isOutOfScope {
      throw .authorization(
        AuthorizationError(
          .outOfScope(host: call.url.host),
          advice: """
            the credentials are not for \(call.url.host.printable); call it without any, or name it among the \
            authenticator's hosts
            """))
    }
    // Nothing to choose from and nothing demanded, or nothing is a choice.
    guard alternatives.isEmpty || alternatives.contains(where: { $0.scheme == "none" }) else {
      throw .authorization(Self.noneFits(call.name, alternatives, authenticators))
    }
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
    return AuthorizationError(
      .noneAccepted(accepted: accepted),
      advice: "\(name) accepts \(accepted), and the client has none of these; give it one")
  }
}
