#if os(Linux)
  import Foundation

  /// The reading end of a transfer. The transfer itself never refers to it, so that dropping it ends the transfer.
  final class CurlResponseBody: ResponseBodySource {
    private let transfer: CurlTransfer
    /// Keeps the loop running for as long as someone reads.
    private let transport: CurlTransport

    init(transfer: CurlTransfer, transport: CurlTransport) {
      self.transfer = transfer
      self.transport = transport
    }

    deinit { transfer.cancel() }

    func next() async throws(TransportError) -> Data? {
      if let ready = transfer.takeReady() { return try ready.get() }
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { transfer.awaitBody($0) }
      } onCancel: {
        transfer.cancel()
      }
      return try result.get()
    }
  }
#endif
