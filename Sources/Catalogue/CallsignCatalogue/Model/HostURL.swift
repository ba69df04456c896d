import CallsignSupport

/// Checks the base URL of a host.
package enum HostURL {
  /// Describes the problem with the URL; `nil` if it is fine. Whether to send credentials there is up to the client.
  package static func problem(_ host: CatalogueHost) -> String? {
    if let name = host.variables.first(where: { !isName($0.name) })?.name {
      return "`{\(name)}` is not a variable; its name has letters, digits, `_`, `-` and `.`"
    }
    return problem(host.sampleURL)
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0.isLowercase || $0.isUppercase || $0.isDigit || "_-.".utf8.contains($0) }
  }

  /// The names in braces, in order.
  package static func variables(of url: String) -> [String] {
    url.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
      part.firstIndex(of: "}").map { String(part[..<$0]) }
    }
  }

  /// A part of a URL that can contain a variable.
  package enum Part: Sendable {
    /// `https` or `http`.
    case scheme
    /// The host or the port, or a part of them.
    case host
    /// One or more path segments, or a part of one.
    case path

    /// The values allowed in this part, as the end of a sentence.
    var allowed: String {
      switch self {
      case .scheme: "a URL begins with `https` or `http`"
      case .host: "a host has letters, digits, `-` and `.`, and a port behind `:`"
      case .path: "a path has letters, digits, `-`, `.`, `_`, `~` and `/`, and no segment `.` or `..`"
      }
    }
  }

  /// The part of the URL that first contains the variable.
  package static func part(of variable: String, in url: String) -> Part {
    let beginning = url.firstRange(of: "{\(variable)}").map { url[..<$0.lowerBound] } ?? url[...]
    guard let scheme = beginning.firstRange(of: "://") else { return .scheme }
    return beginning[scheme.upperBound...].contains("/") ? .path : .host
  }

  /// Whether a value can replace a variable. The client checks values in the same way before each call.
  package static func isUsable(_ value: String, in part: Part) -> Bool {
    func has(only symbols: String) -> Bool {
      value.utf8.allSatisfy { $0.isLowercase || $0.isUppercase || $0.isDigit || symbols.utf8.contains($0) }
    }
    return switch part {
    case .scheme: value == "https" || value == "http"
    case .host: has(only: "-.:")
    case .path:
      has(only: "-._~/")
        && !value.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == "." || $0 == ".." }
    }
  }

  /// Whether the port or a part of the host is missing.
  package static func isIncomplete(_ url: String) -> Bool {
    let authority = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).dropFirst(2).first ?? ""
    let parts = (authority.split(separator: "/", omittingEmptySubsequences: false).first ?? "").split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.contains("")
      || parts.first?.split(separator: ".", omittingEmptySubsequences: false).contains("") ?? true
  }

  /// Describes the problem with a URL without variables.
  package static func problem(_ text: String) -> String? {
    let example = "write one such as `https://api.example.com/v1`"
    guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(), let host = url.host,
      !host.isEmpty
    else { return "`\(text)` is not an absolute URL; \(example)" }
    switch scheme {
    case "https", "http": break
    default: return "a host is reached by `https`, not `\(scheme)`; \(example)"
    }
    if url.user != nil || url.password != nil { return "a catalogue holds no credentials; remove the part before `@`" }
    if url.query != nil || url.fragment != nil {
      return "a base URL ends with its path; remove what follows `?` or `#`"
    }
    return nil
  }
}
