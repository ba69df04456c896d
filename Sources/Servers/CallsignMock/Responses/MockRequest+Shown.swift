import CallsignJSON
import Foundation

extension MockRequest {
  /// The maximum number of characters of a body to show.
  private static let bodyLimit = 32_000

  /// The header fields, sorted by name, with credentials masked.
  package var maskedHeaders: [(name: String, value: String)] {
    headers.map { field in
      let name = field.name.rawName
      let isHidden = ["authorization", "proxy-authorization", "cookie"].contains(name.lowercased()) || isSecret(name)
      return (name, isHidden ? "‹masked›" : Self.shown(field.value, limit: 1_000))
    }.sorted { $0.name.lowercased() < $1.name.lowercased() }
  }

  /// The body with keys and tokens masked, or only its size if it is neither JSON nor a form.
  package var maskedBody: String {
    if forgottenBytes > 0 { return "\(forgottenBytes) bytes, no longer kept" }
    if body.isEmpty { return "" }
    guard let bodyValue else { return "\(body.count) bytes" }
    let text = JSONText.text(masked(bodyValue))
    return text.count > Self.bodyLimit ? text.prefix(Self.bodyLimit) + "…" : text
  }

  private func masked(_ value: JSONValue) -> JSONValue {
    if let elements = value.array { return .array(elements.map(masked)) }
    guard let members = value.object else { return value }
    return .object(
      Dictionary(uniqueKeysWithValues: members.map { ($0.key, isSecret($0.key) ? "‹masked›" : masked($0.value)) }))
  }
}
