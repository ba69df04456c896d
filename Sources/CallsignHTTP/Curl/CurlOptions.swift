#if os(Linux)
  import CCurl
  import Foundation
  import HTTPTypes

  // What libcurl is told for one transfer.
  extension CurlHandle {
    /// - Parameter transfer: Must stay alive until the handle is reset: libcurl gets its address and no reference.
    func configure(for transfer: CurlTransfer, _ configuration: TransportConfiguration) throws(TransportError) {
      let request = transfer.request
      try setBehaviour()
      try setTrust(configuration.certificateAuthorities)
      try setClientCertificate(configuration, request)
      try set(CURLOPT_URL, "\(request.head.scheme ?? "")://\(request.head.authority ?? "")\(request.head.path ?? "")")
      try setVersion(isEncrypted: request.head.scheme == "https")
      try setTimeouts(request.timeouts)
      try setBody(of: transfer)
      try setHeader(request)
      try setCallbacks(transfer)
    }

    private func setBehaviour() throws(TransportError) {
      try setErrorText()
      try set(CURLOPT_NOSIGNAL, 1)
      try set(CURLOPT_FOLLOWLOCATION, 0)
      try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
      try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
      // The signature covers the path as it stands, dots and all.
      try set(CURLOPT_PATH_AS_IS, 1)
      try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      try set(CURLOPT_TCP_KEEPALIVE, 1)
      try set(CURLOPT_HTTP09_ALLOWED, 0)
      try check(callsign_curl_restrict_protocols(pointer))
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

    /// Connections are kept by host and port, as certificates are chosen, so that none is ever used for another's sake;
    /// libcurl compares the certificate besides.
    private func setClientCertificate(
      _ configuration: TransportConfiguration, _ request: TransportRequest
    ) throws(TransportError) {
      guard !configuration.clientCertificates.isEmpty, let url = request.destination,
        let certificate = configuration.clientCertificate(for: url)
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

    private func setVersion(isEncrypted: Bool) throws(TransportError) {
      guard isEncrypted else { return try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)) }
      // A libcurl without HTTP/2 refuses this, and then speaks HTTP/1.1 by itself.
      _ = callsign_curl_set_long(pointer, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
      // Requests that start together wait to learn whether they can share one connection.
      try set(CURLOPT_PIPEWAIT, 1)
    }

    private func setTimeouts(_ timeouts: Timeouts) throws(TransportError) {
      try set(CURLOPT_CONNECTTIMEOUT_MS, timeouts.connect.wholeMilliseconds)
      if let total = timeouts.total { try set(CURLOPT_TIMEOUT_MS, total.wholeMilliseconds) }
    }

    private func setBody(of transfer: CurlTransfer) throws(TransportError) {
      let method = transfer.request.head.method
      switch transfer.request.body {
      case .none:
        // Where a body is expected its absence is said, with `Content-Length: 0` (RFC 9110 section 8.6).
        if method == .post || method == .put || method == .patch { try setPostedBytes(Data()) }
        if method == .head { try set(CURLOPT_NOBODY, 1) }
      case .data(let data):
        if method == .head { try set(CURLOPT_NOBODY, 1) } else { try setPostedBytes(data) }
      case .stream(let length, _):
        try set(CURLOPT_UPLOAD, 1)
        try set(CURLOPT_INFILESIZE_LARGE, size: length ?? -1)
        _ = callsign_curl_set_long(pointer, CURLOPT_UPLOAD_BUFFERSIZE, CurlUpload.pieceSize)
        try set(CURLOPT_READFUNCTION, function: curlRead)
        try set(CURLOPT_READDATA, pointer: transfer.curlContext)
      }
      if method != .head { try set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
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
      var lines = CurlHeaderLines()
      for field in request.head.headerFields where field.name != .contentLength {
        field.withUnsafeBytesOfValue { lines.append(name: field.name.rawName, value: $0) }
      }
      // A line without value takes away what libcurl would add.
      if request.head.headerFields[.expect] == nil { lines.append("Expect:") }
      if request.head.headerFields[.contentType] == nil { lines.append("Content-Type:") }
      if request.head.headerFields[.accept] == nil { lines.append("Accept:") }
      if request.head.headerFields[.acceptEncoding] == nil {
        // The empty list stands for all that this libcurl can decode.
        _ = "".withCString { callsign_curl_set_pointer(pointer, CURLOPT_ACCEPT_ENCODING, $0) }
      }
      let (first, isComplete) = lines.take()
      try setHeaderLines(first)
      if !isComplete { throw TransportError(.other, delivery: .notSent, detail: "libcurl has no memory for the head") }
    }

    private func setCallbacks(_ transfer: CurlTransfer) throws(TransportError) {
      try set(CURLOPT_WRITEFUNCTION, function: curlWrite)
      try set(CURLOPT_WRITEDATA, pointer: transfer.curlContext)
      try set(CURLOPT_HEADERFUNCTION, function: curlHeader)
      try set(CURLOPT_HEADERDATA, pointer: transfer.curlContext)
      let code = callsign_curl_set_prerequest(
        pointer, curlPrerequest, UnsafeMutableRawPointer(mutating: transfer.curlContext))
      if code == CURLE_UNKNOWN_OPTION {
        // Before 7.80 nobody says when the request goes out, nor can a repetition be stopped: so a write gets a
        // connection of its own, which libcurl never repeats on, and each request counts as sent.
        _ = transfer.willSend()
        let isSafe = [.get, .head, .options].contains(transfer.request.head.method)
        try set(CURLOPT_FRESH_CONNECT, isSafe ? 0 : 1)
      } else {
        try check(code)
      }
    }
  }

  /// libcurl's list of header lines, while it is made.
  private struct CurlHeaderLines {
    private var first: UnsafeMutablePointer<curl_slist>?
    private var isComplete = true

    mutating func append(_ line: String) {
      // The list copies the line. Without memory it stays as it was.
      guard let extended = curl_slist_append(first, line) else { return isComplete = false }
      first = extended
    }

    mutating func append(name: String, value: UnsafeBufferPointer<UInt8>) {
      var line = Array(name.utf8)
      if value.isEmpty {
        line.append(UInt8(ascii: ";"))  // libcurl's way to say "with an empty value"
      } else {
        line.append(UInt8(ascii: ":"))
        line.append(UInt8(ascii: " "))
        line.append(contentsOf: value)
      }
      line.append(0)
      let extended = line.withUnsafeBytes { bytes in
        curl_slist_append(first, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
      }
      guard let extended else { return isComplete = false }
      first = extended
    }

    mutating func take() -> (UnsafeMutablePointer<curl_slist>?, isComplete: Bool) {
      defer { first = nil }
      return (first, isComplete)
    }
  }
#endif
