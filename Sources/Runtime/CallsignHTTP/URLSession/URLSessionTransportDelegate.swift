import CallsignSupport

#if canImport(Darwin) || URLSession
  import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif
  #if canImport(Security)
    import Security
  #endif

  /// Takes a session's events to the transfers that they are about. The session calls it on one serial queue.
  final class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let configuration: TransportConfiguration
    /// Each is held from its making until its task has ended, by the task's identifier.
    private let transfers = Locked<[Int: URLSessionTransfer]>([:])
    #if canImport(Darwin)
      /// The hosts whose certificates were refused.
      private let refusedHosts = Locked<Set<String>>([])
    #endif

    init(configuration: TransportConfiguration) { self.configuration = configuration }

    func add(_ transfer: URLSessionTransfer) { transfers.withLock { $0[transfer.identifier] = transfer } }

    private func transfer(of task: URLSessionTask) -> URLSessionTransfer? {
      transfers.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      if let head = response as? HTTPURLResponse { transfer(of: dataTask)?.received(head: head) }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      transfer(of: dataTask)?.received(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      #if canImport(Darwin)
        // Another transfer received the certificate challenge, on a connection that this one also waited for.
        if (error as? URLError)?.code == .cancelled, let host = task.originalRequest?.url?.host,
          refusedHosts.withLock({ $0.contains(host.lowercased()) })
        {
          transfer?.refuseServerBeforeHead()
        }
      #endif
      transfer?.finish(error)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    #if canImport(Darwin)
      /// Asked once at the start, and again when the session repeats the request.
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
      ) {
        completionHandler(transfer(of: task)?.openBodyStream())
      }

      /// Asked about each connection too, because the delegate has no such method for the whole session: only a transfer
      /// can tell that it was refused, and not cancelled.
      func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
      ) {
        let space = challenge.protectionSpace
        if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
          let credential = clientCertificate(for: space)?.credential
          return completionHandler(credential == nil ? .performDefaultHandling : .useCredential, credential)
        }
        guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust, let trust = space.serverTrust,
          case .file(let url) = configuration.certificateAuthorities
        else { return completionHandler(.performDefaultHandling, nil) }
        guard isTrusted(trust, by: url) else {
          refusedHosts.withLock { _ = $0.insert(space.host.lowercased()) }
          transfer(of: task)?.refuseServer()
          return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        completionHandler(.useCredential, URLCredential(trust: trust))
      }

      private func clientCertificate(for space: URLProtectionSpace) -> ClientCertificate? {
        let host = space.host.contains(":") && !space.host.hasPrefix("[") ? "[\(space.host)]" : space.host
        return AbsoluteURL("https://\(host):\(space.port)").flatMap(configuration.clientCertificate)
      }

      /// The chain must end at one of the file's certificates; the session has set the policy that checks the host's name.
      private func isTrusted(_ trust: SecTrust, by url: URL) -> Bool {
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return false }
        let anchors = PEMCertificates.read(text).compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        guard !anchors.isEmpty, SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
          SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
        else { return false }
        return SecTrustEvaluateWithError(trust, nil)
      }
    #endif
  }

  #if canImport(Darwin)
    /// The certificates of a PEM file (RFC 7468).
    private enum PEMCertificates {
      static func read(_ text: String) -> [Data] {
        text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { block in
          block.components(separatedBy: "-----END CERTIFICATE-----").first.flatMap {
            Data(base64Encoded: $0, options: .ignoreUnknownCharacters)
          }
        }
      }
    }
  #endif
#endif
