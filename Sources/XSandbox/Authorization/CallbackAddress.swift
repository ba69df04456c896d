import Foundation

/// Where a login returns to.
enum CallbackAddress {
  /// Whether an app may send its users there.
  static func isApproved(_ address: String, for app: Sandbox.AppConfiguration) -> Bool {
    guard let components = URLComponents(string: address), let scheme = components.scheme?.lowercased(),
      components.fragment == nil
    else { return false }
    if scheme == "http", ["127.0.0.1", "[::1]", "::1", "localhost"].contains(components.host ?? "") { return true }
    return app.callbacks.contains { callback in
      callback.hasSuffix("://")
        ? callback.lowercased() == scheme + "://" : withoutQuery(callback) == withoutQuery(address)
    }
  }

  /// The address with further parameters in its query.
  static func adding(_ parameters: [(name: String, value: String)], to address: String) -> String {
    let query = parameters.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
      .joined(separator: "&")
    let separator = address.contains("?") ? (address.hasSuffix("?") || address.hasSuffix("&") ? "" : "&") : "?"
    return address + separator + query
  }

  private static func withoutQuery(_ address: String) -> Substring { address.prefix { $0 != "?" } }
}
