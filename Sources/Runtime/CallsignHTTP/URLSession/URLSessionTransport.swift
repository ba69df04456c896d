// Sound: `ResponseState` takes a continuation out under its lock before it resumes it, so each is resumed once.

#if canImport(Darwin) || URLSession
  import Foundation
  import HTTPTypes

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Carries requests with `URLSession`. It uses the platform's policies and, unless ``TransportConfiguration/proxy``
  /// says otherwise, the platform's proxies. A proxy that requires a password or TLS needs macOS 14, iOS 17 or tvOS 17.
  /// Nothing is cached or kept on disk, there are no cookies, and redirects are returned, not followed.
  ///
  /// On Linux it requires the package's trait `URLSession`, and links Foundation.
  ///
  /// `URLSession` has these limits on every platform:
  /// - There is no separate limit for connecting: ``Timeouts/idle`` also covers that time, and ``Timeouts/connect`` is
  ///   added to it.
  /// - A GET request has no body; a GET request with one is refused as a ``TransportError/Kind/invalidRequest(_:)``.
  /// - Repeated header fields of a response arrive as one, joined by commas.
  /// - It does not report whether a compressed response is complete. So only JSON documents are requested with
  ///   compression, because their reader notices an early end. Another response that is compressed anyway ends with
  ///   ``TransportError/Kind/protocolViolation``.
  /// - If a kept connection turns out to be closed, it repeats requests that are safe to repeat.
  ///
  /// On Linux, ``CurlTransport`` is the better choice, because there `URLSession` has further limits:
  /// - A slow reader does not slow the sender: unread data waits in memory.
  /// - A streamed request body is read into memory before it is sent.
  /// - `.` and `..` in a path are resolved before sending. Certificate authorities, client certificates and proxies
  ///   cannot be chosen.
  /// - An interim response (1xx) or one that is not HTTP makes FoundationNetworking end the process, so connect only to
  ///   servers that you trust.
  public final class URLSessionTransport: Transport {
    private let session: URLSession
    /// For this machine in plain text, which no proxy must see.
    private let directSession: URLSession
    private let delegate: URLSessionTransportDelegate
    private let directDelegate: URLSessionTransportDelegate
    private let proxy: ProxySettings
    /// The reason why nothing can be sent.
    private let problem: String?

    #if canImport(Darwin)
      /// - Parameter configuration: Whom to trust, by default the authorities of the system, what to show servers that
      ///   want to know who connects, and the way to the servers.
      public convenience init(configuration: TransportConfiguration = TransportConfiguration()) {
        self.init(configuration)
      }
    #else
      /// Trusts the authorities of the system.
      public convenience init() { self.init(TransportConfiguration()) }
    #endif

    private init(_ configuration: TransportConfiguration) {
      proxy = configuration.proxy
      #if canImport(Darwin)
        problem = proxy.problem ?? proxy.problemOfURLSession
      #else
        problem = proxy.problem
      #endif
      delegate = URLSessionTransportDelegate(configuration: configuration)
      directDelegate = URLSessionTransportDelegate(configuration: configuration)
      session = Self.makeSession(delegate, configuration.proxy)
      directSession = Self.makeSession(directDelegate, .none)
    }

    private static func makeSession(_ delegate: URLSessionTransportDelegate, _ proxy: ProxySettings) -> URLSession {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.httpCookieAcceptPolicy = .never
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      // The default of six would let a few endless streams hold up everything else.
      configuration.httpMaximumConnectionsPerHost = 64
      #if canImport(Darwin)
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        // Seven days by default, which would end a stream that has no bound.
        configuration.timeoutIntervalForResource = unbounded
      #endif
      switch proxy {
      case .system: break
      // With a dictionary, the system's proxies are not used.
      case .none: configuration.connectionProxyDictionary = [:]
      case .proxy(let proxy, _):
        #if canImport(Darwin)
          configuration.use(proxy)
        #endif
      }
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    // A session holds its delegate until it is told to end. Each body holds its transport, so nobody reads any more.
    deinit {
      session.invalidateAndCancel()
      directSession.invalidateAndCancel()
    }

    /// Sends a request and returns when the response's head has arrived. See ``Transport/send(_:)``.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      try request.validate()
      if let problem { throw .invalidRequest(problem) }
      let transfer = try await makeTransfer(request)
      let result = await withTaskCancellationHandler {
        await withUnsafeContinuation { transfer.start(awaitingHead: $0) }
      } onCancel: {
        transfer.cancel()
      }
      let head = try result.get()
      if head.status == .proxyAuthenticationRequired {
        transfer.cancel()
        throw .proxyRefusal
      }
      return TransportResponse(
        head: head,
        body: ResponseBody(URLSessionResponseBody(transfer: transfer, transport: self)),
        protocolVersion: transfer.buffer.protocolVersion)
    }

    private func makeTransfer(_ request: TransportRequest) async throws(TransportError) -> URLSessionTransfer {
      var request = request
      if request.method == .get || request.method == .head {
        guard request.body.length == 0 else {
          throw .invalidRequest("URLSession sends no body with \(request.method.rawValue)")
        }
        // An empty stream would be a body all the same.
        request.body = .none
      }
      var urlRequest = try Self.makeURLRequest(request)
      let isDirect = if case .direct = proxy.route(to: request.url) { true } else { false }
      let session = isDirect ? directSession : session
      let task: URLSessionTask
      #if canImport(Darwin)
        var upload: URLSessionUpload?
        if case .stream(let length, _) = request.body {
          if let length { urlRequest.setValue(String(length), forHTTPHeaderField: "Content-Length") }
          // Opened at once, so that what cannot be read is not sent.
          upload = URLSessionUpload(body: request.body, first: try request.body.openStream())
          task = session.uploadTask(withStreamedRequest: urlRequest)
        } else {
          task = session.dataTask(with: urlRequest)
        }
        let transfer = URLSessionTransfer(task: task, request, upload: upload)
      #else
        if case .stream(let length, _) = request.body {
          let body = try await request.body.collect()
          if let length, length != body.count {
            throw TransportError(.bodySource, delivery: .notSent, detail: "the body's length is not as announced")
          }
          urlRequest.httpBody = body
        }
        task = session.dataTask(with: urlRequest)
        let transfer = URLSessionTransfer(task: task, request)
      #endif
      (isDirect ? directDelegate : delegate).add(transfer)
      return transfer
    }

    private static func makeURLRequest(_ request: TransportRequest) throws(TransportError) -> URLRequest {
      guard let url = URL(string: request.url.text) else {
        throw .invalidRequest("Foundation cannot read the URL")
      }
      var urlRequest = URLRequest(url: url)
      urlRequest.httpMethod = request.method.rawValue
      urlRequest.httpShouldHandleCookies = false
      for field in request.headerFields where field.name != .contentLength {
        urlRequest.addValue(field.value, forHTTPHeaderField: field.name.rawName)
      }
      if !request.expectsJSON, request.headerFields[.acceptEncoding] == nil {
        urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
      }
      switch request.body {
      case .none:
        // Where a body is expected its absence is said, with `Content-Length: 0` (RFC 9110 section 8.6).
        if [.post, .put, .patch].contains(request.method) { urlRequest.httpBody = Data() }
      case .data(let data): urlRequest.httpBody = data
      case .stream: break
      }
      urlRequest.timeoutInterval =
        request.timeouts.idle.map { ($0 + request.timeouts.connect).seconds } ?? unbounded
      return urlRequest
    }

    /// A hundred years mean "no bound": zero would mean something else on each platform.
    private static let unbounded = Duration.longestWait.seconds
  }

  /// The reading end of a transfer. The transfer itself never refers to it, so that dropping it ends the transfer.
  private final class URLSessionResponseBody: ResponseBodySource {
    private let transfer: URLSessionTransfer
    /// Keeps the session valid for as long as someone reads.
    private let transport: URLSessionTransport

    init(transfer: URLSessionTransfer, transport: URLSessionTransport) {
      self.transfer = transfer
      self.transport = transport
    }

    deinit { transfer.cancel() }

    func next() async throws(TransportError) -> Data? {
      let result = await withTaskCancellationHandler {
        await withUnsafeContinuation { transfer.awaitBody($0) }
      } onCancel: {
        transfer.cancel()
      }
      return try result.get()
    }
  }
#endif
