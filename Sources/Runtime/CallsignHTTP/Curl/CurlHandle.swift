// Sound: the handle frees its memory after libcurl's handle, which has addresses of it. libcurl uses `context` only while that
// handle exists, and only on the loop's thread. Header lines are written after their memory was made large enough.

#if os(Linux)
  import CCurl
  import CallsignSupport
  import HTTPTypes

  /// One of libcurl's easy handles, used for one transfer after another.
  ///
  /// Not `Sendable`: the loop's thread makes it, uses it and ends it.
  final class CurlHandle {
    let pointer: UnsafeMutableRawPointer
    /// libcurl writes here for as long as the handle lives, hence memory that doesn't move.
    private let errorText: UnsafeMutablePointer<CChar>
    private var lines = CurlHeaderLines()
    /// The URL of the transfer, or a part of it, as libcurl gets it, in memory that is used again.
    private var address: [UInt8] = []
    /// A URL taken to pieces, which libcurl reads for as long as the handle lives.
    private var parts: OpaquePointer?
    /// The transfer that the handle is for. libcurl has the address of this handle and none of the transfer's.
    private(set) var transfer: CurlTransfer?
    /// The options that stay set from one transfer to the next; `nil` before the first.
    private var kept: KeptOptions?
    /// Whether the transfer has set nothing that its successor would not set again.
    private var isPlain = true
    /// Whether this libcurl reports when a request is sent.
    private(set) var hasPrerequest = true
    /// The most bytes that are read from a socket at once.
    private static let receiveSize = 64 * 1024

    /// Options that most transfers of a program have in common. They are set only if they differ.
    private struct KeptOptions {
      var timeouts: Timeouts?
      var usesHTTP2: Bool?
      /// `nil` for a transport's own proxy.
      var isDirectRoute: Bool?
      /// Of the URL, where path and query are set apart from it.
      var origin: AbsoluteURL?
      /// A reading request without a body, as libcurl makes by itself; others are not kept.
      var isPlainGet = false
    }

    /// - Parameter share: Where the handles of one loop keep their TLS sessions.
    init(share: UnsafeMutableRawPointer?) throws(TransportError) {
      guard let pointer = curl_easy_init() else {
        throw TransportError(.other, delivery: .notSent, detail: "libcurl has no memory for another transfer")
      }
      self.pointer = pointer
      errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
      errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
      if let share { try set(CURLOPT_SHARE, pointer: share) }
    }

    deinit {
      // The lines and the URL's parts go after what reads them.
      curl_easy_cleanup(pointer)
      curl_url_cleanup(parts)
      errorText.deallocate()
    }

    /// Forgets the transfer; connections stay with the loop. The handle must have left the loop.
    func reset() {
      // A new start costs about as much as a small transfer's options, so it is for those that left something behind.
      if !isPlain {
        curl_easy_reset(pointer)
        kept = nil
      }
      transfer = nil
      errorText.pointee = 0
    }

    /// libcurl's name for this handle in its callbacks, without a reference. libcurl uses it only while `pointer`
    /// exists, and this handle frees that in its deinitializer. The handle keeps the transfer alive until then.
    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The transfer of a handle that libcurl calls back for.
    static func transfer(of context: UnsafeMutableRawPointer?) -> CurlTransfer? {
      context.flatMap { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue().transfer }
    }

    /// The reason of the failure, in libcurl's words. May name the host.
    var errorMessage: String { String(cString: errorText) }

    /// The bytes of heads and bodies sent so far.
    var bytesSent: Int {
      var head = 0
      var body: curl_off_t = 0
      guard callsign_curl_get_long(pointer, CURLINFO_REQUEST_SIZE, &head) == CURLE_OK,
        callsign_curl_get_size(pointer, CURLINFO_SIZE_UPLOAD_T, &body) == CURLE_OK
      else { return 0 }
      return head + Int(body)
    }

    /// The status of the proxy's response to CONNECT; 0 if there was none.
    var proxyConnectStatus: Int {
      var status = 0
      return callsign_curl_get_long(pointer, CURLINFO_HTTP_CONNECTCODE, &status) == CURLE_OK ? status : 0
    }

    /// Whether the transfer has a connection, or a host's address to make one with.
    var hasBegunConnecting: Bool {
      var lookup: curl_off_t = 0
      return callsign_curl_get_size(pointer, CURLINFO_NAMELOOKUP_TIME_T, &lookup) == CURLE_OK && lookup > 0
    }

    /// Makes libcurl close the connection with its last transfer. Otherwise HTTP/2 ends only the stream, and the next
    /// transfer uses the same connection.
    func forbidReuse() {
      isPlain = false
      _ = callsign_curl_set_long(pointer, CURLOPT_FORBID_REUSE, 1)
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
      try check(callsign_curl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, size: Int) throws(TransportError) {
      try check(callsign_curl_set_size(pointer, option, curl_off_t(size)))
    }

    func set(_ option: CURLoption, pointer value: UnsafeRawPointer?) throws(TransportError) {
      try check(callsign_curl_set_pointer(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(TransportError) {
      try check(value.withCString { callsign_curl_set_pointer(pointer, option, $0) })
    }

    func set(_ option: CURLoption, bytes: Data) throws(TransportError) {
      try check(
        bytes.withUnsafeBytes { callsign_curl_set_bytes(pointer, option, $0.baseAddress, $0.count) })
    }

    func set(_ option: CURLoption, function: @escaping callsign_curl_data_function) throws(TransportError) {
      try check(callsign_curl_set_data_function(pointer, option, function))
    }

    func setErrorText() throws(TransportError) { try set(CURLOPT_ERRORBUFFER, pointer: errorText) }

    func check(_ code: CURLcode) throws(TransportError) {
      guard code != CURLE_OK else { return }
      throw TransportError(.other, delivery: .notSent, detail: String(cString: curl_easy_strerror(code)))
    }
  }

  // The options of libcurl for one transfer.
  extension CurlHandle {
    /// - Parameter transfer: Is held until the handle is reset.
    func configure(for transfer: CurlTransfer, _ configuration: TransportConfiguration) throws(TransportError) {
      let request = transfer.request
      self.transfer = transfer
      isPlain = false
      if case .none = request.body, request.method == .get { isPlain = configuration.clientCertificates.isEmpty }
      if kept == nil {
        try setBehaviour()
        try setTrust(configuration.certificateAuthorities)
        kept = KeptOptions()
      }
      try setClientCertificate(configuration, request)
      let route = configuration.proxy.route(to: request.url)
      try setRoute(route, configuration.certificateAuthorities)
      if case .direct = route {
        try setTarget(request.url)
      } else if request.url.scheme == "https" {
        try setTarget(request.url)
      } else {
        // A proxy that receives plain text gets the whole URL.
        try setAddress(request.url)
      }
      try setVersion(usesHTTP2: request.url.scheme == "https" && !transfer.avoidsHTTP2)
      try setTimeouts(request.timeouts)
      try setBody(of: request)
      try setHeader(request)
      if !hasPrerequest { try prepareWithoutPrerequest(transfer) }
    }

    private func setBehaviour() throws(TransportError) {
      try setErrorText()
      try set(CURLOPT_NOSIGNAL, 1)
      try set(CURLOPT_FOLLOWLOCATION, 0)
      try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
      try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
      // The signature covers the unchanged path, dots and all.
      try set(CURLOPT_PATH_AS_IS, 1)
      try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      try set(CURLOPT_TCP_KEEPALIVE, 1)
      try set(CURLOPT_HTTP09_ALLOWED, 0)
      try set(CURLOPT_WRITEFUNCTION, function: curlWrite)
      try set(CURLOPT_WRITEDATA, pointer: context)
      try set(CURLOPT_HEADERFUNCTION, function: curlHeader)
      try set(CURLOPT_HEADERDATA, pointer: context)
      // A stream's records come by the hundred; a response that is small touches no more of it than it needs.
      try set(CURLOPT_BUFFERSIZE, Self.receiveSize)
      let code = callsign_curl_set_prerequest(pointer, curlPrerequest, context)
      hasPrerequest = code != CURLE_UNKNOWN_OPTION
      if hasPrerequest { try check(code) }
      try check(callsign_curl_set_debug(pointer, curlDebug, context))
      try check(callsign_curl_restrict_protocols(pointer))
      try check(callsign_curl_keep_sockets_private(pointer))
      // A look-up that is given up must not hold the loop until the system's resolver answers.
      _ = callsign_curl_leave_resolver(pointer)
    }

    private func setTrust(_ authorities: CertificateAuthorities) throws(TransportError) {
      try set(CURLOPT_SSL_VERIFYPEER, 1)
      try set(CURLOPT_SSL_VERIFYHOST, 2)
      try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
      guard case .file(let url) = authorities else { return }
      try set(CURLOPT_CAINFO, url.path)
      // Built-in folders would add the system's authorities.
      try set(CURLOPT_CAPATH, pointer: nil)
    }

    private func setAddress(_ url: AbsoluteURL) throws(TransportError) {
      if kept?.origin != nil {
        try set(CURLOPT_REQUEST_TARGET, pointer: nil)
        try set(CURLOPT_CURLU, pointer: nil)
        kept?.origin = nil
      }
      let code = withText({ url.append(to: &$0) }) { callsign_curl_set_pointer(pointer, CURLOPT_URL, $0) }
      try check(code)
    }

    /// Sets path and query apart from the rest of the URL, which then mostly stays the same: libcurl takes a URL to pieces
    /// and puts it together again for each transfer, character by character.
    private func setTarget(_ url: AbsoluteURL) throws(TransportError) {
      let code = withText({ url.appendTarget(to: &$0) }) {
        callsign_curl_set_pointer(pointer, CURLOPT_REQUEST_TARGET, $0)
      }
      try check(code)
      if let origin = kept?.origin, origin.hasOrigin(of: url) { return }
      var origin = url
      (origin.path, origin.query) = ("", nil)
      if parts == nil { parts = curl_url() }
      guard withText({ origin.append(to: &$0) }, { curl_url_set(parts, CURLUPART_URL, $0, 0) }) == CURLUE_OK else {
        throw .invalidRequest("libcurl cannot read the URL")
      }
      // Without the text of the last one, libcurl makes that of the parts.
      try set(CURLOPT_URL, pointer: nil)
      try set(CURLOPT_CURLU, pointer: parts.map { UnsafeRawPointer($0) })
      kept?.origin = origin
    }

    private func withText<Result>(
      _ write: (inout [UInt8]) -> Void, _ body: (UnsafePointer<CChar>?) -> Result
    ) -> Result {
      address.removeAll(keepingCapacity: true)
      write(&address)
      address.append(0)
      return address.withUnsafeBytes { body($0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
    }

    /// Connections are kept by host and port, as certificates are chosen, so that none is ever used for another's sake;
    /// libcurl compares the certificate besides.
    private func setClientCertificate(
      _ configuration: TransportConfiguration, _ request: TransportRequest
    ) throws(TransportError) {
      guard !configuration.clientCertificates.isEmpty,
        let certificate = configuration.clientCertificate(for: request.url)
      else { return }
      switch certificate.content {
      case .pem(let certificates, let key, let password):
        try set(CURLOPT_SSLCERTTYPE, "PEM")
        try set(CURLOPT_SSLCERT_BLOB, bytes: certificates)
        try set(CURLOPT_SSLKEYTYPE, "PEM")
        try set(CURLOPT_SSLKEY_BLOB, bytes: Data(key.reveal().utf8))
        if let password { try set(CURLOPT_KEYPASSWD, password.reveal()) }
      case .pkcs12(let bytes, let password):
        try set(CURLOPT_SSLCERTTYPE, "P12")
        try set(CURLOPT_SSLCERT_BLOB, bytes: bytes)
        try set(CURLOPT_KEYPASSWD, password.reveal())
      }
    }

    /// libcurl copies each of these texts.
    private func setRoute(_ route: ProxyRoute, _ authorities: CertificateAuthorities) throws(TransportError) {
      switch route {
      case .system:
        if kept?.isDirectRoute == false { return }
        try set(CURLOPT_PROXY, pointer: nil)
        kept?.isDirectRoute = false
      case .direct:
        if kept?.isDirectRoute == true { return }
        try set(CURLOPT_PROXY, "")
        kept?.isDirectRoute = true
      case .through(let proxy):
        // A proxy's name and password don't stay for the next transfer.
        isPlain = false
        // The proxy looks up names, so that they don't show elsewhere.
        let scheme = proxy.kind == .socks5 ? "socks5h" : proxy.kind.rawValue
        try set(CURLOPT_PROXY, "\(scheme)://\(proxy.authority)")
        // The environment's exceptions are for the environment's proxy.
        try set(CURLOPT_NOPROXY, "")
        if let username = proxy.username {
          try set(CURLOPT_PROXYUSERNAME, username)
          try set(CURLOPT_PROXYPASSWORD, proxy.password?.reveal() ?? "")
          try check(callsign_curl_send_proxy_password(pointer))
        }
        guard proxy.kind == .https else { return }
        try set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
        try set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
        try set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        guard case .file(let url) = authorities else { return }
        try set(CURLOPT_PROXY_CAINFO, url.path)
        try set(CURLOPT_PROXY_CAPATH, pointer: nil)
      }
    }

    private func setVersion(usesHTTP2: Bool) throws(TransportError) {
      if kept?.usesHTTP2 == usesHTTP2 { return }
      kept?.usesHTTP2 = usesHTTP2
      // For `HTTP2Notes`.
      try set(CURLOPT_VERBOSE, usesHTTP2 ? 1 : 0)
      guard usesHTTP2 else {
        try set(CURLOPT_PIPEWAIT, 0)
        return try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
      }
      // A libcurl without HTTP/2 refuses this, and then speaks HTTP/1.1 by itself.
      _ = callsign_curl_set_long(pointer, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
      // Requests that start together wait to learn whether they can share one connection.
      try set(CURLOPT_PIPEWAIT, 1)
    }

    private func setTimeouts(_ timeouts: Timeouts) throws(TransportError) {
      if kept?.timeouts == timeouts { return }
      kept?.timeouts = timeouts
      try set(CURLOPT_CONNECTTIMEOUT_MS, timeouts.connect.wholeMilliseconds)
      try set(CURLOPT_TIMEOUT_MS, timeouts.total?.wholeMilliseconds ?? 0)
    }

    private func setBody(of request: TransportRequest) throws(TransportError) {
      let method = request.method
      if isPlain, kept?.isPlainGet == true { return }
      kept?.isPlainGet = isPlain
      switch request.body {
      case .none:
        // Where a body is expected its absence is said, with `Content-Length: 0` (RFC 9110 section 8.6).
        if method == .post || method == .put || method == .patch { try setPostedBytes(Data()) }
        if method == .head { try set(CURLOPT_NOBODY, 1) }
      // A body would make another method of it, if only an empty one.
      case .data where method == .head, .stream where method == .head: try set(CURLOPT_NOBODY, 1)
      case .data(let data): try setPostedBytes(data)
      case .stream(let length, _):
        try set(CURLOPT_UPLOAD, 1)
        try set(CURLOPT_INFILESIZE_LARGE, size: length ?? -1)
        _ = callsign_curl_set_long(pointer, CURLOPT_UPLOAD_BUFFERSIZE, CurlUpload.pieceSize)
        try set(CURLOPT_READFUNCTION, function: curlRead)
        try set(CURLOPT_READDATA, pointer: context)
      }
      if method == .head {
        try set(CURLOPT_CUSTOMREQUEST, pointer: nil)
      } else {
        try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
      }
    }

    /// The method's name is set apart, so that "post" here only means "bytes in memory".
    private func setPostedBytes(_ data: Data) throws(TransportError) {
      try set(CURLOPT_POST, 1)
      try set(CURLOPT_POSTFIELDSIZE_LARGE, size: data.count)
      try check(
        data.withUnsafeBytes { bytes in
          var nothing: UInt8 = 0
          return withUnsafePointer(to: &nothing) { empty in
            callsign_curl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(empty))
          }
        })
    }

    private func setHeader(_ request: TransportRequest) throws(TransportError) {
      lines.removeAll()
      var (hasExpect, hasType, hasAccept, hasEncoding) = (false, false, false, false)
      for field in request.headerFields where field.name != .contentLength {
        switch field.name {
        case .expect: hasExpect = true
        case .contentType: hasType = true
        case .accept: hasAccept = true
        case .acceptEncoding: hasEncoding = true
        default: break
        }
        field.withUnsafeBytesOfValue { lines.append(name: field.name.rawName, value: $0) }
      }
      // A line without a value removes a field that libcurl would add: two of them only for requests with a body.
      if !hasExpect, !isPlain { lines.append("Expect:") }
      if !hasType, !isPlain { lines.append("Content-Type:") }
      if !hasAccept { lines.append("Accept:") }
      // `DecodedBody` decodes these; libcurl would not notice that a body is cut short.
      if !hasEncoding { lines.append("Accept-Encoding: deflate, gzip") }
      // libcurl reads the lines in place; this handle keeps them until the next transfer's lines replace them.
      try set(CURLOPT_HTTPHEADER, pointer: lines.link())
    }

    /// Before 7.80, libcurl does not report when the request is sent, and a repetition cannot be stopped. So a write gets a
    /// separate connection, on which libcurl never repeats it, and each request counts as sent.
    private func prepareWithoutPrerequest(_ transfer: CurlTransfer) throws(TransportError) {
      _ = transfer.willSend()
      let isSafe = [.get, .head, .options].contains(transfer.request.method)
      try set(CURLOPT_FRESH_CONNECT, isSafe ? 0 : 1)
    }
  }

  /// libcurl's list of header lines, in memory that is used for one transfer after another.
  ///
  /// libcurl's own way allocates twice for each line.
  private struct CurlHeaderLines: ~Copyable {
    private var text: UnsafeMutableBufferPointer<CChar> = .allocate(capacity: 1024)
    private var count = 0
    /// The positions at which the lines begin.
    private var starts: [Int] = []
    private var nodes: UnsafeMutableBufferPointer<curl_slist> = .allocate(capacity: 16)

    deinit {
      text.deallocate()
      nodes.deallocate()
    }

    mutating func removeAll() {
      count = 0
      starts.removeAll(keepingCapacity: true)
    }

    mutating func append(_ line: String) {
      var line = line
      starts.append(count)
      line.withUTF8 { append($0) }
      append(0)
    }

    mutating func append(name: String, value: UnsafeBufferPointer<UInt8>) {
      var name = name
      starts.append(count)
      name.withUTF8 { append($0) }
      if value.isEmpty {
        append(UInt8(ascii: ";"))  // libcurl's way to say "with an empty value"
      } else {
        append(UInt8(ascii: ":"))
        append(UInt8(ascii: " "))
        append(value)
      }
      append(0)
    }

    /// The list of all lines; it is good until the next change.
    mutating func link() -> UnsafeMutablePointer<curl_slist>? {
      if nodes.count < starts.count {
        nodes.deallocate()
        nodes = .allocate(capacity: starts.count * 2)
      }
      guard let lines = text.baseAddress, let first = nodes.baseAddress, !starts.isEmpty else { return nil }
      for (index, start) in starts.enumerated() {
        let next = index + 1 < starts.count ? first + index + 1 : nil
        (first + index).initialize(to: curl_slist(data: lines + start, next: next))
      }
      return first
    }

    private mutating func append(_ byte: UInt8) {
      makeRoom(1)
      text[count] = CChar(bitPattern: byte)
      count += 1
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
      guard let source = bytes.baseAddress else { return }
      makeRoom(bytes.count)
      guard let target = text.baseAddress else { return }
      memcpy(target + count, source, bytes.count)
      count += bytes.count
    }

    private mutating func makeRoom(_ more: Int) {
      guard count + more > text.count else { return }
      let larger = UnsafeMutableBufferPointer<CChar>.allocate(capacity: (count + more) * 2)
      if let source = text.baseAddress, let target = larger.baseAddress { memcpy(target, source, count) }
      text.deallocate()
      text = larger
    }
  }

  extension TransportError {
    /// Translates libcurl's code. Its message is kept only if it can name nothing but the host.
    init(curl code: CURLcode, of transfer: CurlTransfer, delivery: Delivery) {
      let meaning = String(cString: curl_easy_strerror(code))
      // In TLS 1.3 a server's refusal of the client's certificate arrives after the request has been sent, and is the
      // only response: a server that does not know who asks has not read it.
      let isCertificateRefused = delivery != .delivered && Self.isCertificateRefused(code, transfer)
      let delivery = isCertificateRefused ? .notSent : delivery
      let kind = isCertificateRefused ? .tls : Self.kind(of: code, transfer: transfer, delivery: delivery)
      let detail: String
      switch kind {
      case .cannotResolveHost, .cannotConnect, .tls, .proxy:
        let message = transfer.handle?.errorMessage ?? ""
        // libcurl repeats a proxy's URL that it cannot use, with the password in it.
        detail =
          Self.isProxyUnusable(message)
          ? "the proxy's URL cannot be used; correct it in the settings, or in https_proxy and all_proxy, with "
            + "characters such as `#` and `/` of a password percent-encoded"
          : message.isEmpty ? meaning : message
      case .timedOut:
        self = .timedOut(delivery)
        return
      default:
        detail = meaning
      }
      self.init(kind, delivery: delivery, detail: detail)
    }

    /// The error of a transfer whose time is over.
    static func timedOut(_ delivery: Delivery) -> TransportError {
      TransportError(
        .timedOut, delivery: delivery,
        detail: delivery == .notSent ? "no connection in time" : "no complete response in time")
    }

    private static func isCertificateRefused(_ code: CURLcode, _ transfer: CurlTransfer) -> Bool {
      guard [CURLE_RECV_ERROR, CURLE_SEND_ERROR].contains(code), let words = transfer.handle?.errorMessage else {
        return false
      }
      return words.contains("alert certificate") || words.contains("alert bad certificate")
        || words.contains("alert unknown ca") || words.contains("alert access denied")
    }

    private static func isProxyUnusable(_ message: String) -> Bool {
      message.hasPrefix("Unsupported proxy") || message.contains("://")
    }

    private static func kind(of code: CURLcode, transfer: CurlTransfer, delivery: Delivery) -> Kind {
      // A proxy that refuses the tunnel is reported as a failure to receive.
      if delivery == .notSent, let status = transfer.handle?.proxyConnectStatus, status != 0,
        !(200..<300).contains(status)
      {
        return .proxy
      }
      return switch code {
      case CURLE_URL_MALFORMAT: .invalidRequest("libcurl cannot read the URL")
      case CURLE_COULDNT_RESOLVE_HOST: .cannotResolveHost
      case CURLE_COULDNT_CONNECT where isProxyUnusable(transfer.handle?.errorMessage ?? ""): .proxy
      case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .cannotConnect
      case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE,
        CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
        CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
        .tls
      // Bytes that are no HTTP look like HTTP/0.9, which is not spoken here.
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .protocolViolation
      // Here libcurl reports its own limit for one header line as a lack of memory.
      case CURLE_OUT_OF_MEMORY where delivery == .delivered: .protocolViolation
      case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
        CURLE_SEND_FAIL_REWIND, CURLE_AGAIN:
        .connectionLost
      default: .other
      }
    }
  }
#endif
