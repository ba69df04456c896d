// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// On Apple's systems Foundation itself has `URLSessionConfiguration`.
@_exported import FoundationNetworking

public enum NWEndpoint {
  public struct Host {
    public init(_ string: String) {}
  }

  public struct Port {
    public init?(rawValue: UInt16) { nil }
    public static var http: Port { Port() }
    private init() {}
  }

  case hostPort(host: Host, port: Port)
}

public enum NWProtocolTLS {
  public final class Options {
    public init() {}
  }
}

@available(macOS 14, iOS 17, tvOS 17, visionOS 1, *)
public struct ProxyConfiguration {
  public init(httpCONNECTProxy: NWEndpoint, tlsOptions: NWProtocolTLS.Options? = nil) {}
  public init(socksv5Proxy: NWEndpoint) {}
  public mutating func applyCredential(username: String, password: String) {}
}

@available(macOS 14, iOS 17, tvOS 17, visionOS 1, *)
extension URLSessionConfiguration {
  public var proxyConfigurations: [ProxyConfiguration] {
    get { [] }
    set {}
  }
}
