import CallsignHTTP

extension CallError {
  /// What to do about it, in one sentence without secrets; `nil` where only the details of the call can tell.
  public var advice: String? {
    switch self {
    case .api(let error):
      error.advice ?? (error.status.kind == .serverError ? "try again later; the fault is the server's" : nil)
    case .rateLimited(let limit, _):
      limit?.reset == nil
        ? "wait, and call less often" : "wait until the limit's reset, or give the client a policy that waits"
    case .authorization(let error): error.advice
    case .transport(let error): error.advice
    case .mayHaveSucceeded: "ask the API whether it was done before calling again"
    case .decoding: "read the body; where the API has changed, correct the catalogue"
    case .unexpectedContent, .cancelled, .invalidCall: nil
    }
  }
}

extension TransportError {
  /// What to do about it, in one sentence.
  public var advice: String? {
    switch kind {
    case .cannotResolveHost: "check the host's name and the network"
    case .cannotConnect: "check that the host is up and the network lets this machine reach it"
    case .tls: "check the clock, the certificate authorities, and that nothing stands between this machine and the host"
    case .proxy: "check the proxy's address and what it permits"
    case .timedOut: "try again, or allow more time"
    case .connectionLost: "try again"
    case .bodyTooLarge: "raise ClientConfiguration.responseLimit, or read the answer as it comes"
    case .bodySource: "check that the file or stream can be read"
    case .invalidRequest, .protocolViolation, .cancelled, .other: nil
    }
  }
}
