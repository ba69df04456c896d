/// The transport that a client uses unless you give it another.
public enum DefaultTransport {
  /// One for the whole process, so that all clients share connections: libcurl on Linux, `URLSession` elsewhere.
  public static let shared: any Transport = make()

  /// A separate transport, for instance with a proxy or with other certificate authorities.
  ///
  /// - Parameter configuration: The trusted authorities, and the route to servers; by default the system's.
  public static func make(configuration: TransportConfiguration = TransportConfiguration()) -> any Transport {
    #if os(Linux)
      CurlTransport(configuration: configuration)
    #else
      URLSessionTransport(configuration: configuration)
    #endif
  }
}
