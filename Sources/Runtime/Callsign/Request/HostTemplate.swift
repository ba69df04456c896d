import CallsignHTTP
import CallsignSupport

/// A base URL with variables, such as `https://{tenant}.example.com/{version=v2}`: each has a name, and a default behind `=`
/// unless it must be given.
///
/// Values come from ``ClientConfiguration/hostVariables``. None can lead to another host than the template means, or climb
/// out of its path.
enum HostTemplate {
  /// Whether values may have to be filled in.
  static func hasVariables(_ template: String) -> Bool { template.utf8.contains(UInt8(ascii: "{")) }

  /// The base URL with the values in it.
  ///
  /// - Parameter endpoint: For errors.
  /// - Throws: ``InvalidCall`` for a variable that has neither a value nor a default, or a value that cannot be in its
  ///   place.
  static func filled(
    _ template: String, _ values: [String: String], endpoint: String
  ) throws(InvalidCall) -> String {
    if !hasVariables(template) { return template }
    var url = ""
    // By scalars: a name may begin with an accent, which is one character with the brace before it.
    var rest = template.unicodeScalars[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      url += String(rest[..<open])
      let variable = rest[rest.index(after: open)..<close].split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      rest = rest[rest.index(after: close)...]
      let name = String(variable[0])
      guard let value = values[name] ?? (variable.count > 1 ? String(variable[1]) : nil) else {
        throw InvalidCall(
          endpoint: endpoint, parameter: name,
          reason: .url(
            "its host has the variable `\(name.printable)`; give it to the client, or set "
              + "ClientConfiguration.hostVariables[\"\(name.printable)\"]"))
      }
      guard isUsable(value, behind: url) else {
        throw InvalidCall(
          endpoint: endpoint, parameter: name,
          reason: .url(
            "the value of its host's variable `\(name.printable)` has a character that its place cannot have"))
      }
      url += value
    }
    url += String(rest)
    guard hasWholeHost(url) else {
      throw InvalidCall(
        endpoint: endpoint,
        reason: .url("the values of its host's variables leave a part of the host empty; give them all"))
    }
    return url
  }

  /// Whether no part of the host between dots is empty, as the value of a variable can make it.
  private static func hasWholeHost(_ url: String) -> Bool {
    guard let scheme = url.firstRange(of: "://") else { return true }
    let host = url[scheme.upperBound...].prefix { $0 != "/" && $0 != ":" }
    return !host.isEmpty && !host.split(separator: ".", omittingEmptySubsequences: false).dropLast().contains("")
  }

  /// The base URL with the variables that have values filled in; for lists of hosts, where a missing value is not an error.
  static func filled(_ template: StaticString, _ values: [String: String]) -> String {
    let text = template.description
    do throws(InvalidCall) { return try filled(text, values, endpoint: "") } catch { return text }
  }

  /// Whether the value can follow the beginning of a URL without changing what comes before and after it.
  private static func isUsable(_ value: String, behind beginning: String) -> Bool {
    guard let scheme = beginning.firstRange(of: "://") else { return value == "https" || value == "http" }
    if !beginning[scheme.upperBound...].contains("/") {
      // Letters, digits and hyphens between dots, and a port.
      return value.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
          || (PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "~"))
      }
    }
    return value.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/") }
      && !value.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == "." || $0 == ".." }
  }
}
