import Callsign

extension CallError {
  /// The error of a call that needs a token which the store does not give.
  package init(_ error: TokenStoreError) {
    self =
      error.reason == .cancelled
      ? .cancelled
      : .authorization(
        AuthorizationError(
          .unavailable, advice: "the token cannot be read: \(error.advice)", mayPass: error.mayPass))
  }
}
