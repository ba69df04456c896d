#if os(Linux)
  import Foundation
  import HTTPTypes

  /// Carries requests by the system's libcurl.
  ///
  /// All transfers of one transport share a thread and a pool of connections; HTTP/2 is spoken where a TLS server offers
  /// it, with many transfers on one connection. The thread starts with the first request and ends when the transport and
  /// the last body that came through it are gone.
  ///
  /// - Proxies come from the environment, by libcurl's rules: `http_proxy` (in lower case only), `https_proxy`,
  ///   `all_proxy` and `no_proxy`.
  /// - Compressed answers are decoded, unless the request has an `Accept-Encoding` field of its own. The answer's head
  ///   is left as the server sent it, `Content-Encoding` and `Content-Length` included.
  /// - TLS 1.2 or later. Redirects are returned, not followed. There are no cookies and no `.netrc`.
  /// - libcurl itself would repeat a request when a kept connection turns out to be closed. Once a byte of the request has
  ///   been sent, it is stopped from that, and the error's ``TransportError/Delivery/unknown`` leaves the choice to the caller.
  public final class CurlTransport: Transport {
    private let loop: CurlLoop

    /// - Parameter configuration: Whom to trust; by default the authorities of the system.
    public init(configuration: TransportConfiguration = TransportConfiguration()) {
      loop = CurlLoop(configuration: configuration)
    }

    // Each body holds its transport, so no transfer that anyone can still read is left when this runs.
    deinit { loop.stop() }

    /// Sends a request and returns when the answer's head has arrived. See ``Transport/send(_:)``.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      try request.validate()
      let transfer = try CurlTransfer(request: request, loop: loop)
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { transfer.start(awaitingHead: $0) }
      } onCancel: {
        transfer.cancel()
      }
      let head = try result.get()
      return TransportResponse(
        head: head.response,
        body: ResponseBody(CurlResponseBody(transfer: transfer, transport: self)),
        protocolVersion: head.protocolVersion)
    }
  }
#endif
