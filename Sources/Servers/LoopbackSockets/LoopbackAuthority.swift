import Foundation

/// Checks whether a request is meant for this machine.
///
/// A page from any site can make its host name resolve to 127.0.0.1 and then read the responses of a loopback server, unless the
/// server checks the host name in the request (DNS rebinding).
package enum LoopbackAuthority {
  private static let hosts: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

  /// Whether the value of a `Host` field names this machine, with any port.
  package static func isLoopback(_ authority: String) -> Bool {
    var host = authority.lowercased()[...]
    if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
      guard UInt16(host[host.index(after: colon)...]) != nil else { return false }
      host = host[..<colon]
    }
    return hosts.contains(String(host))
  }

  /// Whether the value of an `Origin` field belongs to a page on this machine.
  package static func isLoopback(origin: String) -> Bool {
    for scheme in ["http://", "https://"] where origin.lowercased().hasPrefix(scheme) {
      return isLoopback(String(origin.dropFirst(scheme.count)))
    }
    return false
  }
}
