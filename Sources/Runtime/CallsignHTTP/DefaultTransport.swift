/// The transport that a client uses unless it is given another.
public enum DefaultTransport {
  /// One for the whole process, so that all clients share connections: libcurl on Linux, `URLSession` elsewhere.
  public static let shared: any Transport = make()

  /// A transport of its own, for instance for a proxy or for other certificate authorities.
  ///
  /// - Parameter configuration: Whom to trust, and the way to the servers; by default as the system says.
  public static func make(configuration: TransportConfiguration = TransportConfiguration()) -> any Transport {
    #if os(Linux)
      CurlTransport(configuration: configuration)
    #else
      URLSessionTransport(configuration: configuration)
    #endif
  }
}
