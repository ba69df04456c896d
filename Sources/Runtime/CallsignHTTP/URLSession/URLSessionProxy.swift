#if canImport(Darwin)
  import Foundation
  import Network

  extension ProxySettings {
    /// The reason why `URLSession` of this system cannot use them; `nil` if there is none.
    var problemOfURLSession: String? {
      guard case .proxy(let proxy, _) = self, proxy.kind == .https || proxy.username != nil else { return nil }
      if #available(macOS 14, iOS 17, tvOS 17, visionOS 1, *) { return nil }
      return "a proxy over TLS or with a password needs macOS 14, iOS 17 or tvOS 17"
    }
  }

  extension URLSessionConfiguration {
    /// Has a session go through a proxy, and never around it.
    func use(_ proxy: Proxy) {
      let host = proxy.host.hasPrefix("[") ? String(proxy.host.dropFirst().dropLast()) : proxy.host
      if #available(macOS 14, iOS 17, tvOS 17, visionOS 1, *) {
        let port = NWEndpoint.Port(rawValue: UInt16(clamping: proxy.port)) ?? .http
        let endpoint = NWEndpoint.hostPort(host: NWEndpoint.Host(host), port: port)
        var configuration =
          switch proxy.kind {
          case .http: ProxyConfiguration(httpCONNECTProxy: endpoint, tlsOptions: nil)
          case .https: ProxyConfiguration(httpCONNECTProxy: endpoint, tlsOptions: NWProtocolTLS.Options())
          case .socks5: ProxyConfiguration(socksv5Proxy: endpoint)
          }
        if let username = proxy.username {
          configuration.applyCredential(username: username, password: proxy.password?.reveal() ?? "")
        }
        proxyConfigurations = [configuration]
      } else {
        // The names are those of CFNetwork's constants. Some of these do not exist on iOS.
        connectionProxyDictionary =
          proxy.kind == .socks5
          ? ["SOCKSEnable": 1, "SOCKSProxy": host, "SOCKSPort": proxy.port]
          : [
            "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": proxy.port, "HTTPSEnable": 1, "HTTPSProxy": host,
            "HTTPSPort": proxy.port,
          ]
      }
    }
  }
#endif
