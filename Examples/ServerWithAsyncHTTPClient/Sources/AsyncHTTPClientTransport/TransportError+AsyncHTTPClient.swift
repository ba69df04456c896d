import AsyncHTTPClient
import CallsignHTTP
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

extension TransportError {
  /// Translates an error of AsyncHTTPClient, NIO or NIOSSL. Its text is not kept: it can hold the URL.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - delivery: How far the request got, unless the error says more.
  init(asyncHTTPClient error: any Error, _ delivery: Delivery) {
    if Task.isCancelled {
      self.init(.cancelled, delivery: delivery)
      return
    }
    let isBeforeSending: Bool
    let kind: Kind
    switch error {
    case let error as TransportError:
      self = error
      return
    case let error as HTTPClientError:
      (kind, isBeforeSending) = Self.kind(of: error)
      self.init(kind, delivery: isBeforeSending ? .notSent : delivery, detail: error.shortDescription)
      return
    case let error as NIOConnectionError:
      (kind, isBeforeSending) = (error.connectionErrors.isEmpty ? .cannotResolveHost : .cannotConnect, true)
    case ChannelError.connectTimeout: (kind, isBeforeSending) = (.timedOut, true)
    // Of an address that was not looked up.
    case let error as IOError where [ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL].contains(error.errnoCode):
      (kind, isBeforeSending) = (.cannotConnect, delivery == .unknown)
    case is CancellationError: (kind, isBeforeSending) = (.cancelled, false)
    case NIOSSLError.uncleanShutdown, HTTPParserError.invalidEOFState, is ChannelError, is IOError:
      (kind, isBeforeSending) = (.connectionLost, false)
    // The handshake, before which nothing is sent.
    case NIOSSLError.handshakeFailed, NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate,
      is NIOSSLExtraError:
      (kind, isBeforeSending) = (.tls, delivery == .unknown)
    case is NIOSSLError, is BoringSSLError: (kind, isBeforeSending) = (.tls, false)
    case is HTTPParserError: (kind, isBeforeSending) = (.protocolViolation, false)
    default: (kind, isBeforeSending) = (.other, false)
    }
    self.init(kind, delivery: isBeforeSending ? .notSent : delivery, detail: "\(type(of: error))")
  }

  private static func kind(of error: HTTPClientError) -> (Kind, isBeforeSending: Bool) {
    switch error {
    case .connectTimeout, .getConnectionFromPoolTimeout: (.timedOut, true)
    case .readTimeout, .writeTimeout, .deadlineExceeded: (.timedOut, false)
    case .tlsHandshakeTimeout: (.tls, true)
    case .proxyAuthenticationRequired, .invalidProxyResponse, .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
      (.proxy, true)
    case .invalidURL, .emptyHost, .emptyScheme, .missingSocketPath:
      (.invalidRequest("AsyncHTTPClient cannot read the URL"), true)
    case .alreadyShutdown: (.other, true)
    case .remoteConnectionClosed, .uncleanShutdown: (.connectionLost, false)
    case .bodyLengthMismatch: (.bodySource, false)
    case .cancelled: (.cancelled, false)
    default: (.other, false)
    }
  }
}
