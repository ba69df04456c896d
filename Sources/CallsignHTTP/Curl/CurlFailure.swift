#if os(Linux)
  import CCurl

  extension TransportError {
    /// What libcurl's code means. Its words are kept only where they can name nothing but the host.
    init(curl code: CURLcode, of transfer: CurlTransfer, delivery: Delivery) {
      let meaning = String(cString: curl_easy_strerror(code))
      // In TLS 1.3 a server's refusal of the client's certificate arrives after the request has been sent, and is the
      // only answer: a server that does not know who asks has not read it.
      let isCertificateRefused = Self.isCertificateRefused(code, transfer)
      let delivery = isCertificateRefused ? .notSent : delivery
      let kind = isCertificateRefused ? .tls : Self.kind(of: code, transfer: transfer, delivery: delivery)
      let detail: String
      switch kind {
      case .cannotResolveHost, .cannotConnect, .tls, .proxy:
        let message = transfer.handle?.errorMessage ?? ""
        detail = message.isEmpty ? meaning : message
      case .timedOut:
        detail = delivery == .notSent ? "no connection in time" : "no complete answer in time"
      default:
        detail = meaning
      }
      self.init(kind, delivery: delivery, detail: detail)
    }

    private static func isCertificateRefused(_ code: CURLcode, _ transfer: CurlTransfer) -> Bool {
      guard [CURLE_RECV_ERROR, CURLE_SEND_ERROR].contains(code), let words = transfer.handle?.errorMessage else {
        return false
      }
      return words.contains("alert certificate") || words.contains("alert bad certificate")
        || words.contains("alert unknown ca") || words.contains("alert access denied")
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
      // What libcurl calls memory is its own limit for one header line.
      case CURLE_OUT_OF_MEMORY where delivery == .delivered: .protocolViolation
      case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
        CURLE_SEND_FAIL_REWIND, CURLE_AGAIN:
        .connectionLost
      default: .other
      }
    }
  }
#endif
