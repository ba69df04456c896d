/// How a transport reaches servers: directly, or through a proxy.
///
/// ```swift
/// let proxy = ProxySettings.http("proxy.example", port: 3128, username: "…", password: "…", bypassing: ["*.intern"])
/// let transport = DefaultTransport.make(configuration: TransportConfiguration(proxy: proxy))
/// let client = Client(auth: .bearer("…"), configuration: ClientConfiguration(transport: transport))
/// ```
///
/// Requests to this machine are sent directly, whatever the settings are. With ``system``, this applies only to plain
/// text, because the system's settings may differ.
public enum ProxySettings: Sendable, Hashable {
  /// The system's settings: on Linux the environment's `http_proxy` (in lower case only), `https_proxy`, `all_proxy`
  /// and `no_proxy`, elsewhere the network's settings.
  case system
  /// Directly to each server, whatever the system's settings are.
  case none
  /// Through this proxy, except for the excluded hosts.
  case proxy(Proxy, bypassing: ProxyBypass = [])

  /// Through an HTTP proxy (RFC 9110 §9.3.6).
  ///
  /// Requests over TLS use a tunnel, and the proxy sees only the host and port.
  ///
  /// - Parameters:
  ///   - host: Its name or address.
  ///   - port: Its port.
  ///   - username: The username that it requires, if any.
  ///   - password: The password for the username. It is sent to the proxy in plain text.
  ///   - bypass: The hosts that are reached directly. Default: only this machine.
  public static func http(
    _ host: String, port: Int, username: String? = nil, password: (any SecretConvertible)? = nil,
    bypassing bypass: ProxyBypass = []
  ) -> ProxySettings {
    .proxy(Proxy(.http, host: host, port: port, username: username, password: password), bypassing: bypass)
  }

  /// Through an HTTP proxy that is reached over TLS. The parameters are those of
  /// ``http(_:port:username:password:bypassing:)``.
  public static func https(
    _ host: String, port: Int, username: String? = nil, password: (any SecretConvertible)? = nil,
    bypassing bypass: ProxyBypass = []
  ) -> ProxySettings {
    .proxy(Proxy(.https, host: host, port: port, username: username, password: password), bypassing: bypass)
  }

  /// Through a SOCKS 5 proxy (RFC 1928), which also looks up the servers' names. The parameters are those of
  /// ``http(_:port:username:password:bypassing:)``.
  public static func socks5(
    _ host: String, port: Int = 1080, username: String? = nil, password: (any SecretConvertible)? = nil,
    bypassing bypass: ProxyBypass = []
  ) -> ProxySettings {
    .proxy(Proxy(.socks5, host: host, port: port, username: username, password: password), bypassing: bypass)
  }
}

/// The route of one request.
enum ProxyRoute: Sendable {
  case system
  case direct
  case through(Proxy)
}

extension ProxySettings {
  /// The route to a server.
  func route(to url: AbsoluteURL) -> ProxyRoute {
    switch self {
    case .none: return .direct
    // Otherwise a proxy could receive in plain text a request that may only go to this machine.
    case .system: return url.scheme == "http" && url.isLoopback ? .direct : .system
    case .proxy(let proxy, let bypass): return url.isLoopback || bypass.contains(url) ? .direct : .through(proxy)
    }
  }

  /// The reason why nothing can be sent with these settings; `nil` if there is none.
  var problem: String? {
    guard case .proxy(let proxy, let bypass) = self else { return nil }
    return proxy.problem ?? bypass.problem
  }
}

/// A server that forwards requests. Username and password print as `‹redacted›`, and are sent only to this server.
public struct Proxy: Sendable {
  /// The protocol between client and proxy.
  public enum Kind: String, Sendable, Hashable {
    /// HTTP in plain text.
    case http
    /// HTTP over TLS.
    case https
    /// SOCKS, version 5 (RFC 1928).
    case socks5

    fileprivate var defaultPort: Int {
      switch self {
      case .http: 80
      case .https: 443
      case .socks5: 1080
      }
    }
  }

  /// The protocol between client and proxy.
  public var kind: Kind
  /// Its name or address; an IPv6 address with or without brackets.
  public var host: String
  /// Its port.
  public var port: Int
  /// The username that it requires; `nil` if it requires none.
  public var username: String?
  /// The password for the username.
  public var password: Secret?

  /// Describes a proxy.
  ///
  /// - Parameters:
  ///   - kind: The protocol between client and proxy.
  ///   - host: Its name or address.
  ///   - port: Its port.
  ///   - username: The username that it requires, if any.
  ///   - password: The password for the username.
  public init(_ kind: Kind, host: String, port: Int, username: String? = nil, password: (any SecretConvertible)? = nil)
  {
    self.kind = kind
    self.host = host
    self.port = port
    self.username = username
    self.password = password.map { Secret($0) }
  }

  /// Reads a proxy's URL, such as `http://user:password@proxy.example:3128` or `socks5://127.0.0.1:1080`. Username and
  /// password are percent-decoded. The default port is 80, 443 or 1080, depending on the scheme; `socks5h` is treated
  /// as `socks5`.
  ///
  /// - Throws: ``TransportError`` with ``TransportError/Kind/invalidRequest(_:)``, which names no part of the URL.
  public init(url: String) throws(TransportError) {
    guard let colon = url.firstRange(of: "://") else {
      throw .invalidRequest("the proxy's URL has no scheme; write http://, https:// or socks5:// before its host")
    }
    let scheme = url[..<colon.lowerBound].lowercased()
    guard let kind = Kind(rawValue: scheme == "socks5h" ? "socks5" : scheme) else {
      throw .invalidRequest("the proxy's scheme is unknown; use http, https or socks5")
    }
    var authority = url[colon.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    var credentials: (username: String, password: Secret?)?
    if let at = authority.lastIndex(of: "@") {
      let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first.flatMap(PercentEncoding.decode),
        let password = parts.dropFirst().first.map(PercentEncoding.decode) ?? ""
      else { throw .invalidRequest("the proxy's name or password is not percent-encoded as UTF-8") }
      credentials = (name, parts.count > 1 ? Secret(password) : nil)
      authority = authority[authority.index(after: at)...]
    }
    guard let address = AbsoluteURL("https://\(authority)") else {
      throw .invalidRequest("the proxy's URL has no host, or a port that is not valid")
    }
    self.init(
      kind, host: address.host, port: address.port ?? kind.defaultPort, username: credentials?.username,
      password: credentials?.password)
    if let problem { throw .invalidRequest(problem) }
  }
}

extension Proxy: Hashable {
  /// Whether both are the same server, with the same name and password.
  public static func == (left: Proxy, right: Proxy) -> Bool {
    left.kind == right.kind && left.host == right.host && left.port == right.port && left.username == right.username
      && left.password == right.password
  }

  /// Hashes everything but the password.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(host)
    hasher.combine(port)
    hasher.combine(username)
  }
}

extension Proxy: RedactedStringConvertible {
  /// The address, such as `http://proxy.example:3128`, with `‹redacted›` for username and password.
  public var description: String {
    "\(kind.rawValue)://\(username == nil ? "" : "\(Secret.redacted)@")\(authority)".printable
  }
}

extension Proxy {
  /// Host and port in the form that a URL has them.
  var authority: String { "\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host):\(port)" }

  /// The reason why it cannot be used; `nil` if there is none.
  var problem: String? {
    guard let address = AbsoluteURL("https://\(authority)/"), address.path == "/", address.query == nil,
      !address.hasUserInformation, authority.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") })
    else {
      return "the proxy's host is not a host name, or its port is not between 1 and 65535"
    }
    guard (1...65_535).contains(port) else { return "the proxy's port is not between 1 and 65535" }
    guard username != nil || password == nil else { return "the proxy has a password and no user name" }
    let texts = [username ?? "", password?.reveal() ?? ""]
    if texts.contains(where: { $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }) {
      return "the proxy's user name or password has a line break or another control character; remove it"
    }
    if kind == .socks5 {
      // RFC 1929 §2: one byte for each length, and neither may be empty.
      let isWithin = username == nil || texts.allSatisfy { (1...255).contains($0.utf8.count) }
      return isWithin ? nil : "a SOCKS proxy's user name and password have from 1 to 255 bytes each"
    }
    return texts[0].utf8.contains(UInt8(ascii: ":")) ? "an HTTP proxy's user name has no colon in it" : nil
  }
}
