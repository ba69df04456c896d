// Sound: the bytes of an address are copied before its variable ends.

import CallsignSupport

/// The hosts that are reached directly, without a proxy. This machine always is.
public struct ProxyBypass: Sendable, Hashable, ExpressibleByArrayLiteral {
  private var patterns: [Pattern] = []
  /// An entry that is not a host or a network.
  private var unreadable: [String] = []

  /// These hosts.
  ///
  /// - Parameter hosts: `example.com` for that name and the names below it; `*.example.com` for only the names below
  ///   it; either with `:8443` for only that port; addresses such as `192.0.2.1` or `[2001:db8::1]`, and networks such
  ///   as `10.0.0.0/8` (RFC 4632), which match only addresses in URLs, because no names are looked up; `*` for every
  ///   host. With any other entry, the client sends nothing and fails with the reason.
  public init(_ hosts: [String]) {
    for text in hosts {
      if let pattern = Pattern(text) { patterns.append(pattern) } else { unreadable.append(text) }
    }
  }

  /// These hosts.
  public init(arrayLiteral hosts: String...) { self.init(hosts) }

  /// Whether a URL's host is among them.
  func contains(_ url: AbsoluteURL) -> Bool { patterns.contains { $0.matches(url) } }

  /// The reason why it cannot be used; `nil` if there is none.
  var problem: String? {
    unreadable.first.map {
      "`\($0.printable)` is neither a host nor a network; write one such as example.com or 10.0.0.0/8"
    }
  }

  private enum Pattern: Sendable, Hashable {
    case everything
    case name(String, port: Int?, coversItself: Bool)
    case network(NetworkAddress, prefix: Int, port: Int?)

    init?(_ text: String) {
      if text == "*" {
        self = .everything
        return
      }
      if let slash = text.firstIndex(of: "/") {
        guard let network = NetworkAddress(String(text[..<slash])), let prefix = Int(text[text.index(after: slash)...]),
          (0...network.bytes.count * 8).contains(prefix)
        else { return nil }
        self = .network(network, prefix: prefix, port: nil)
        return
      }
      // An IPv6 address may be written without brackets, but then it has no port.
      if let address = NetworkAddress(text) {
        self = .network(address, prefix: address.bytes.count * 8, port: nil)
        return
      }
      let isBelow = text.hasPrefix("*.") || text.hasPrefix(".")
      let name = isBelow ? text.drop { $0 == "*" }.dropFirst() : text[...]
      guard let url = AbsoluteURL("https://\(name)"), url.path.isEmpty, url.query == nil, !url.hasUserInformation,
        url.host.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "*") }), !url.host.hasPrefix("."),
        !text.contains("#")
      else { return nil }
      if let address = NetworkAddress(url.host) {
        self = .network(address, prefix: address.bytes.count * 8, port: url.port)
      } else {
        self = .name(url.host, port: url.port, coversItself: !isBelow)
      }
    }

    func matches(_ url: AbsoluteURL) -> Bool {
      switch self {
      case .everything: return true
      case .name(let name, let port, let coversItself):
        guard port == nil || port == url.effectivePort else { return false }
        // A dot at the end does not change the name (RFC 1034 §3.1).
        let host = url.host.hasSuffix(".") ? url.host.dropLast() : url.host[...]
        if coversItself, host.utf8.elementsEqual(name.utf8) { return true }
        return host.utf8.count > name.utf8.count + 1 && host.utf8.reversed().starts(with: ".\(name)".utf8.reversed())
      case .network(let network, let prefix, let port):
        guard port == nil || port == url.effectivePort, let address = NetworkAddress(url.host) else { return false }
        return address.isWithin(network, prefix: prefix)
      }
    }
  }
}

/// An IPv4 or IPv6 address.
private struct NetworkAddress: Sendable, Hashable {
  /// 4 or 16.
  let bytes: [UInt8]

  /// - Parameter text: Written in full or shortened; of IPv6 with or without brackets.
  init?(_ text: String) {
    let text = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, text, &v4) == 1 {
      bytes = withUnsafeBytes(of: &v4) { Array($0) }
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      bytes = withUnsafeBytes(of: &v6) { Array($0) }
    } else {
      return nil
    }
  }

  func isWithin(_ network: NetworkAddress, prefix: Int) -> Bool {
    guard bytes.count == network.bytes.count else { return false }
    return zip(bytes, network.bytes).enumerated().allSatisfy { index, pair in
      let bits = min(max(prefix - index * 8, 0), 8)
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
      return pair.0 & mask == pair.1 & mask
    }
  }
}
