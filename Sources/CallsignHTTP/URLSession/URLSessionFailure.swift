import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportError {
  /// What a session's error means. Its text is not kept: it can hold the URL.
  init(urlSession error: any Error, delivery: Delivery) {
    guard let error = error as? URLError else {
      self.init(.other, delivery: delivery, detail: "\(type(of: error))")
      return
    }
    let kind: Kind =
      switch error.code {
      case .cannotFindHost, .dnsLookupFailed: .cannotResolveHost
      case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
        .cannotConnect
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
        .tls
      case .timedOut: .timedOut
      case .networkConnectionLost: .connectionLost
      case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
        .protocolViolation
      case .badURL, .unsupportedURL: .invalidRequest("URLSession cannot read the URL")
      case .requestBodyStreamExhausted: .bodySource
      case .cancelled: .cancelled
      default: .other
      }
    let delivery: Delivery =
      switch kind {
      case .cannotResolveHost, .cannotConnect, .tls, .invalidRequest: .notSent
      default: delivery
      }
    self.init(kind, delivery: delivery, detail: "URLError \(error.code.rawValue)")
  }
}
