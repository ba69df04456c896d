import CallsignSupport

#if canImport(Darwin) || URLSession
  import Foundation
  import HTTPTypes

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// One request and its response.
  ///
  /// `@unchecked Sendable`: `URLSessionTask` may be used from any thread, although FoundationNetworking doesn't declare
  /// it; the rest is constant and thread-safe.
  final class URLSessionTransfer: @unchecked Sendable {
    let buffer = ResponseBuffer(ResponseState())
    private let task: URLSessionTask
    private let timeouts: Timeouts
    /// Whether the body is a JSON document, whose reader notices one that ends early.
    private let expectsJSON: Bool
    private let total = Locked(Total())
    /// The reason why it is unknown whether a received body is complete.
    private let doubt = Locked<TransportError?>(nil)

    /// The timer of the whole transfer.
    private struct Total {
      var timer: DispatchWorkItem?
      /// The transfer may end while it is being started.
      var isOver = false
    }

    var identifier: Int { task.taskIdentifier }

    #if canImport(Darwin)
      private let upload: URLSessionUpload?
      private let isSuspended = Locked(false)

      init(task: URLSessionTask, _ request: TransportRequest, upload: URLSessionUpload?) {
        self.task = task
        timeouts = request.timeouts
        expectsJSON = request.expectsJSON
        self.upload = upload
      }
    #else
      init(task: URLSessionTask, _ request: TransportRequest) {
        self.task = task
        timeouts = request.timeouts
        expectsJSON = request.expectsJSON
      }
    #endif

    func start(awaitingHead continuation: ResponseBuffer.HeadContinuation) {
      guard buffer.awaitHead(continuation) else { return }
      // From here on it is not known whether a byte has been sent.
      buffer.setDelivery(.unknown)
      if let limit = timeouts.total {
        total.withLock { total in
          guard !total.isOver else { return }
          let timer = DispatchWorkItem { [weak self] in self?.fail(.timedOut, detail: "no complete response in time") }
          total.timer = timer
          DispatchQueue.global().asyncAfter(deadline: .now() + limit.seconds, execute: timer)
        }
      }
      task.resume()
    }

    func awaitBody(_ continuation: ResponseBuffer.BodyContinuation) {
      if buffer.awaitBody(continuation) { adjustFlow() }
    }

    func cancel() { fail(.cancelled) }

    /// Ends the transfer, if it isn't over.
    func fail(_ kind: TransportError.Kind, detail: String? = nil) {
      fail { TransportError(kind, delivery: $0, detail: detail) }
    }

    private func fail(_ error: (TransportError.Delivery) -> TransportError) {
      guard buffer.fail(error) else { return }
      #if canImport(Darwin)
        upload?.stop()
      #endif
      task.cancel()
      stopTimer()
    }

    #if canImport(Darwin)
      /// Ends the transfer because its server is not trusted, before any of the request is sent on the connection.
      func refuseServer() {
        fail { _ in
          TransportError(
            .tls, delivery: .notSent, detail: "the server's certificate is not signed by an authority of the file")
        }
      }

      /// The same for a transfer that may have had a response before.
      func refuseServerBeforeHead() { if !buffer.hasHead { refuseServer() } }

      /// The request's body, started again each time; `nil` if there is none or if it cannot be opened.
      func openBodyStream() -> InputStream? { upload?.openStream(for: self) }
    #endif

    func received(head: HTTPURLResponse) {
      buffer.receive(head: HTTPResponse(head), protocolVersion: nil)
      _ = buffer.deliver()
    }

    func received(_ bytes: Data) {
      noteCoding()
      buffer.receive(bytes)
      _ = buffer.deliver()
      adjustFlow()
    }

    /// A session decodes by itself, and takes compressed bytes that end early for whole ones.
    private func noteCoding() {
      guard !expectsJSON, let coding = buffer.contentEncoding, coding.lowercased() != "identity" else { return }
      doubt.withLock { doubt in
        doubt = TransportError(
          .protocolViolation, delivery: .delivered,
          detail: "the server compressed a response that was requested without compression; URLSession does not report "
            + "whether it is whole")
      }
    }

    /// Makes the task's state follow the buffer's. A suspended task stops reading its socket, once the session's own
    /// small buffer is full. Reader and session both call this after each change, so that the last call sees the final
    /// state.
    ///
    /// Not on Linux: suspending a running task ends the process there ("Need to solve pausing receive").
    private func adjustFlow() {
      #if canImport(Darwin)
        isSuspended.withLock { isSuspended in
          guard isSuspended != buffer.isPaused else { return }
          isSuspended.toggle()
          if isSuspended { task.suspend() } else { task.resume() }
        }
      #endif
    }

    /// Takes the task's end.
    func finish(_ error: (any Error)?) {
      if let error {
        buffer.finish(.failure(TransportError(urlSession: error, delivery: buffer.delivery)))
      } else if !buffer.hasHead {
        // Only a head or a failure wakes the task that waits for the head.
        let error = TransportError(.protocolViolation, delivery: buffer.delivery, detail: "the response has no head")
        buffer.finish(.failure(error))
      } else if let doubt = doubt.withLock({ $0 }) {
        buffer.finish(.failure(doubt))
      } else {
        buffer.finish(.success(()))
      }
      _ = buffer.deliver()
      stopTimer()
      #if canImport(Darwin)
        upload?.abandon()
      #endif
    }

    private func stopTimer() {
      total.withLock { total in
        total.isOver = true
        total.timer?.cancel()
        total.timer = nil
      }
    }
  }

  extension TransportRequest {
    /// Whether the request asks for a JSON document.
    var expectsJSON: Bool { headerFields[.accept]?.lowercased().hasPrefix("application/json") ?? false }
  }

  extension HTTPResponse {
    fileprivate init(_ response: HTTPURLResponse) {
      let code = (100...999).contains(response.statusCode) ? response.statusCode : 500
      self.init(status: Status(code: code))
      for (name, value) in response.allHeaderFields {
        guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else {
          continue
        }
        headerFields.append(HTTPField(name: name, value: value))
      }
    }
  }

  extension TransportError {
    /// Translates a session's error. Its text is not kept: it can hold the URL.
    init(urlSession error: any Error, delivery: Delivery) {
      let (domain, code) = (error._domain, error._code)
      let kind = Kind(domain: domain, code: code)
      let delivery: Delivery =
        switch kind {
        // Whatever ends a response's body: once the head has arrived, the server has read the request.
        case .cannotResolveHost, .cannotConnect, .tls, .proxy, .invalidRequest:
          delivery == .delivered ? .delivered : .notSent
        default: delivery
        }
      let name = domain == NSURLErrorDomain ? "URLError" : domain
      self.init(kind, delivery: delivery, detail: "\(name) \(code)")
    }
  }

  extension TransportError.Kind {
    /// The kind of an error of Foundation, of the system or of CFNetwork, by its domain and code.
    package init(domain: String, code: Int) {
      self =
        switch domain {
        case NSURLErrorDomain: Self.ofURLError(code)
        case NSPOSIXErrorDomain: Self.ofPOSIXError(code)
        // Of `CFNetworkErrors`: a proxy, by SOCKS or by HTTP, cannot be reached, refuses, or its script fails.
        case "kCFErrorDomainCFNetwork" where (100...124).contains(code) || (306...311).contains(code): .proxy
        default: .other
        }
    }

    private static func ofURLError(_ code: Int) -> Self {
      switch URLError.Code(rawValue: code) {
      case .cannotFindHost, .dnsLookupFailed: .cannotResolveHost
      case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
        .cannotConnect
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
        .tls
      case .timedOut: .timedOut
      // A connection was lost, and the body cannot be started again for the next.
      case .networkConnectionLost, .requestBodyStreamExhausted: .connectionLost
      case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
        .protocolViolation
      case .badURL, .unsupportedURL: .invalidRequest("URLSession cannot read the URL")
      case .cancelled: .cancelled
      default: .other
      }
    }

    /// An error of the socket, which the session passes on as it is.
    private static func ofPOSIXError(_ code: Int) -> Self {
      switch Int32(exactly: code).flatMap({ POSIXErrorCode(rawValue: $0) }) {
      case .EPIPE, .ENETDOWN, .ENETRESET, .ECONNABORTED, .ECONNRESET, .ENOTCONN: .connectionLost
      case .ENETUNREACH, .ECONNREFUSED, .EHOSTDOWN, .EHOSTUNREACH: .cannotConnect
      case .ETIMEDOUT: .timedOut
      default: .other
      }
    }
  }
#endif
