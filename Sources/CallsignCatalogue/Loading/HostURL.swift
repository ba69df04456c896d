import Foundation

/// What a host's base URL must be.
enum HostURL {
  /// What is wrong with the URL, or `nil`.
  static func problem(_ text: String) -> String? {
    let example = "write one such as `https://api.example.com/v1`"
    guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(), let host = url.host,
      !host.isEmpty
    else { return "`\(text)` is not an absolute URL; \(example)" }
    switch scheme {
    case "https": break
    case "http":
      guard isLoopback(host) else {
        return "`http` sends credentials in the clear and is for loopback alone; write `https://\(host)…`"
      }
    default: return "a host is reached by `https`, not `\(scheme)`; \(example)"
    }
    if url.user != nil || url.password != nil { return "a catalogue holds no credentials; remove the part before `@`" }
    if url.query != nil || url.fragment != nil {
      return "a base URL ends with its path; remove what follows `?` or `#`"
    }
    return nil
  }

  /// RFC 6761 §6.3 and RFC 1122 §3.2.1.3.
  private static func isLoopback(_ host: String) -> Bool {
    let name = host.lowercased().trimmingCharacters(in: ["[", "]"])
    if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
