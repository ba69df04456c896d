import Callsign
import CallsignCatalogue

extension Redaction {
  /// Also hides the API keys of catalogues, wherever their schemes put them, and parameters whose names mean a secret only in the
  /// catalogue. Shows header fields that are parameters of operations, unless their names mean a secret.
  init(_ catalogues: [Catalogue]) {
    let keys = Set(catalogues.flatMap(\.api.schemes).compactMap { $0.key?.name.lowercased() })
    let endpoints = catalogues.flatMap(\.groups).flatMap(\.endpoints)
    let parameters = endpoints.flatMap(\.parameters)
    let fields = parameters.filter { parameter in
      parameter.place == .header
        && ![parameter.name, parameter.wire].contains { Self.soundsSecret($0.lowercased()) }
    }
    let plain = Self()
    let renamed = parameters.filter { $0.name != $0.wire && plain.hides(parameter: $0.name) }
    let idempotency = (endpoints.map(\.idempotencyKey) + catalogues.map(\.api.everyCall.idempotencyKey))
      .compactMap { $0?.lowercased() }
    let shown = fields.map { $0.wire.lowercased() } + idempotency
    self.init(
      shownHeaders: Self.harmlessHeaders.union(shown).subtracting(keys),
      hiddenParameters: Self.secretParameters.union(keys).union(renamed.map { $0.wire.lowercased() }))
  }

  private static func soundsSecret(_ name: String) -> Bool {
    [
      "2fa", "auth", "bearer", "cert", "cookie", "credential", "csrf", "hmac", "jwt", "key", "mfa", "otp", "pass",
      "pin", "pwd", "secret", "session", "sid", "sign", "token", "xsrf",
    ].contains { name.contains($0) }
  }
}
