extension Sandbox.Fault {
  /// What X refuses for reasons that lie outside of a request.
  public enum Refusal: String, Sendable, Hashable, CaseIterable {
    /// The app belongs to no project: 403, type `client-forbidden`, reason `client-not-enrolled`.
    case clientNotEnrolled = "client-not-enrolled"
    /// The kind of credentials does not do for the endpoint: 403, type `unsupported-authentication`; in v1.1 code 220.
    case unsupportedAuthentication = "unsupported-authentication"
    /// The access token lacks a scope: 403.
    case missingScope = "missing-scope"
    /// The app's permissions do not do: 403, type `oauth1-permissions`; in v1.1 code 261.
    case wrongPermissions = "wrong-permissions"
    /// The account is suspended: 403; in v1.1 code 64.
    case suspendedAccount = "suspended-account"
    /// The account is locked until its owner has logged in: 403; in v1.1 code 326.
    case lockedAccount = "locked-account"
    /// The monthly cap is used up: 429, type `usage-capped`.
    case usageCapped = "usage-capped"
    /// A post with the same text is there already: 403; in v1.1 code 187.
    case duplicatePost = "duplicate-post"

    func problem(in version: APIVersion) -> Problem {
      switch (self, version) {
      case (.clientNotEnrolled, _):
        Problem(
          status: 403, title: "Client Forbidden",
          detail: "When authenticating requests to the Twitter API v2 endpoints, you must use keys and tokens from a "
            + "Twitter developer App that is attached to a Project.",
          type: Problem.typePrefix + "client-forbidden",
          members: [
            "reason": "client-not-enrolled", "required_enrollment": "Appropriate Level of API Access",
            "registration_url": "https://developer.x.com/en/docs/projects/overview",
          ], code: version == .v1 ? 453 : nil)
      case (.unsupportedAuthentication, _):
        Problem.unsupportedAuthentication(
          used: Caller.Kind.appOnly.displayName,
          supported: [Caller.Kind.oauth1.displayName, Caller.Kind.oauth2User.displayName])
      case (.missingScope, .v2): .forbidden("You are not permitted to perform this action.")
      case (.missingScope, .v1): .v1(403, 220, "Your credentials do not allow access to this resource.")
      case (.wrongPermissions, _): .readOnlyToken
      case (.suspendedAccount, .v2): .forbidden("User is suspended and not permitted to perform this action.")
      case (.suspendedAccount, .v1):
        .v1(403, 64, "Your account is suspended and is not permitted to access this feature.")
      case (.lockedAccount, .v2):
        .forbidden("Your account is temporarily locked. Please log in to https://x.com to unlock your account.")
      case (.lockedAccount, .v1):
        .v1(403, 326, "To protect our users from spam, this account is temporarily locked. Please log in to unlock.")
      case (.usageCapped, _):
        Problem(
          status: 429, title: "UsageCapExceeded", detail: "Usage cap exceeded: Monthly product cap",
          type: Problem.typePrefix + "usage-capped",
          members: ["account_id": "1", "period": "Monthly", "scope": "Product", "product_name": "sandbox"])
      case (.duplicatePost, .v2): .forbidden("You are not allowed to create a Tweet with duplicate content.")
      case (.duplicatePost, .v1): .v1(403, 187, "Status is a duplicate.")
      }
    }
  }
}
