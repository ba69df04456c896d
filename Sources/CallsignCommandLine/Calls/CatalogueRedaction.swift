import Callsign
import CallsignCatalogue
import CallsignJSON

extension Redaction {
  /// Hides the API keys of catalogues besides, wherever their schemes put them, and shows the header fields that are
  /// parameters of their operations, unless their names are those of secrets.
  init(_ catalogues: [Catalogue]) {
    let keys = Set(catalogues.flatMap(\.api.schemes).compactMap { $0.key?.name.lowercased() })
    let endpoints = catalogues.flatMap(\.groups).flatMap(\.endpoints)
    let parameters = endpoints.flatMap(\.parameters).filter { $0.place == .header }.map { $0.wire.lowercased() }
    let idempotency = (endpoints.map(\.idempotencyKey) + catalogues.map(\.api.everyCall.idempotencyKey))
      .compactMap { $0?.lowercased() }
    let shown = parameters.filter { !Self.soundsSecret($0) } + idempotency
    self.init(
      shownHeaders: Self.harmlessHeaders.union(shown).subtracting(keys),
      hiddenParameters: Self.secretParameters.union(keys))
  }

  private static func soundsSecret(_ name: String) -> Bool {
    [
      "2fa", "auth", "bearer", "cert", "cookie", "credential", "csrf", "hmac", "jwt", "key", "mfa", "otp", "pass",
      "pin", "pwd", "secret", "session", "sid", "sign", "token", "xsrf",
    ].contains { name.contains($0) }
  }
}

extension HiddenTexts {
  /// JSON without the hidden texts, in names as well as in values.
  func removed(from value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return .string(removed(from: text))
    case .integer, .number, .literal:
      let text = value.description
      let clean = removed(from: text)
      return clean == text ? value : .string(clean)
    case .array(let elements): return .array(elements.map { removed(from: $0) })
    case .object(let members):
      let clean = members.map { (removed(from: $0.key), removed(from: $0.value)) }
      return .object(Dictionary(clean) { $1 })
    case .null, .bool: return value
    }
  }
}
