import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes
import Logging

/// One call on its way: its attempts, each signed again, until there is a successful response or an error.
///
/// This type is the one place that decides whether to send a request again.
///
/// A class, because each asynchronous function on a call's way would copy a struct.
package final class CallExecution: Sendable {
  let client: Client
  let endpoint: CompiledEndpoint
  let options: CallOptions
  /// The original URL, which limits where credentials may go.
  let url: AbsoluteURL
  /// The request without credentials, which is the start of each attempt. ``ClientConfiguration/hosts`` has already been applied to
  /// its URL.
  private let request: TransportRequest

  /// The most bytes of an error's body that are kept.
  private static let errorBodyLimit = 1 << 20
  /// The most redirects that one call follows.
  private static let redirectLimit = 5

  var configuration: ClientConfiguration { client.configuration }
  /// The endpoint's rarer facts.
  package var endpointDetails: EndpointDetails { endpoint.details }

  /// Works out everything about a call but its credentials.
  ///
  /// - Parameters:
  ///   - client: The client that makes the call.
  ///   - call: The endpoint and the arguments.
  ///   - mediaType: The accepted media type, unless the call itself asks for another; `nil`: JSON.
  /// - Throws: ``CallError/invalidCall(_:)``.
  package init(_ client: Client, _ call: Call, accepting mediaType: String? = nil) throws(CallError) {
    do throws(InvalidCall) {
      endpoint = try call.compiledEndpoint(client.configuration.hostVariables)
      var request = try call.request(endpoint, client.configuration, client.defaults, client.ownFields)
      for check in call.options.checks {
        try check.check(CheckedCall(name: endpoint.name, body: request.body))
      }
      url = request.url
      if !client.configuration.hosts.isEmpty {
        guard let address = client.configuration.hosts.resolve(url) else {
          throw InvalidCall(
            endpoint: endpoint.name,
            reason: .url("ClientConfiguration.hosts replaces its base URL with what is not an absolute URL"))
        }
        request.url = address
      }
      // RFC 2606 §2: the catalogue's host if the API's document names no server.
      if endpoint.lacksServer, request.url.host.hasSuffix(".invalid") {
        throw InvalidCall(
          endpoint: endpoint.name,
          reason: .url(
            "its catalogue does not know the server; give ClientConfiguration.hosts the base URL: "
              + "[\"\(url.origin)\": \"https://…\"]"))
      }
      if let mediaType, request.headerFields[.accept] == ClientConfiguration.acceptedByDefault {
        request.headerFields[.accept] = mediaType
      }
      self.request = request
      self.client = client
      options = call.options
    } catch { throw .invalidCall(error) }
  }

  /// The request without credentials.
  var preview: TransportRequest { request }

  /// Sends the call and returns when a successful response's head has arrived. It is not sent again, neither after a
  /// failure nor after a rate limit: the reader of the response decides about that.
  ///
  /// - Parameter heedsLimits: Whether the call is not sent while a limit is known to be used up.
  /// - Returns: The body, and the response without it.
  package func open(heedsLimits: Bool) async throws(CallError) -> Response<ResponseBody> {
    try await observed { () throws(CallError) in try await openOnce(heedsLimits: heedsLimits) }
  }

  private func openOnce(heedsLimits: Bool) async throws(CallError) -> Response<ResponseBody> {
    var history = AttemptHistory()
    do throws(CallError) {
      let response = try await performAttempt(&history, heedsLimits ? .fail : nil)
      count(history, isFailure: false)
      return opened(response, history)
    } catch {
      count(history, isFailure: true)
      throw final(error)
    }
  }

  /// Makes one attempt, with the redirects and the renewal of credentials that belong to it.
  ///
  /// - Parameter limits: How to handle an exhausted limit; `nil` lets the server decide.
  func performAttempt(
    _ history: inout AttemptHistory, _ limits: RateLimitPolicy?
  ) async throws(CallError) -> TransportResponse {
    history.isSending = false
    let caller = AttemptCaller(try await selectAuthenticator(history.deadline), endpoint)
    // The URL of the last redirect.
    var redirected: AbsoluteURL?
    var redirects = 0
    // Once for each attempt: a call that is repeated for other reasons may last longer than a token.
    var hasRenewedCredentials = false
    var refusal: RawResponse?
    while true {
      if Task.isCancelled { throw .cancelled }
      history.isRefusalHeld = false
      let wasAdmitted = try await admit(caller, limits, &history)
      let context = context(caller, history, after: refusal)
      refusal = nil
      let request: TransportRequest
      let response: TransportResponse
      do throws(CallError) {
        request = try await signedRequest(caller, context, at: redirected, history.deadline)
        response = try await send(request, caller, redirected, &history)
        try verify(response.head, to: request, caller, context)
      } catch {
        if wasAdmitted { await settle(caller.keys, .noResponse, history.deadline) }
        throw error
      }
      if response.head.status.kind == .successful {
        await noteLimits(of: response.head, caller, wasAdmitted: wasAdmitted, history.deadline)
        return reporting(response)
      }
      if response.head.status.kind == .redirection {
        await noteLimits(of: response.head, caller, wasAdmitted: wasAdmitted, history.deadline)
        if let target = try redirect(response.head, from: redirected ?? self.request.url, count: redirects, history) {
          redirected = target
          redirects += 1
          continue
        }
      }
      let failure = await noteFailure(response, caller, wasAdmitted: wasAdmitted, &history)
      try await renewCredentials(
        after: failure, of: request, by: hasRenewedCredentials ? nil : caller.authenticator, context, &history)
      hasRenewedCredentials = true
      refusal = failure.rawResponse
    }
  }

  /// Waits until the rate limits let the call through.
  ///
  /// - Returns: Whether the store counts the call, so that its end must be reported.
  private func admit(
    _ caller: AttemptCaller, _ limits: RateLimitPolicy?, _ history: inout AttemptHistory
  ) async throws(CallError) -> Bool {
    guard let limits else { return false }
    if admitAtOnce(caller.keys) { return true }
    return try await admit(caller.keys, caller.credential, limits, &history)
  }

  /// - Parameter refusal: The response that refused the credentials of the request before, if they have been renewed since.
  private func context(
    _ caller: AttemptCaller, _ history: AttemptHistory, after refusal: RawResponse?
  ) -> AuthenticationContext {
    AuthenticationContext(
      endpoint: endpoint.name, requirement: caller.requirement, attempt: history.requests + 1,
      transport: configuration.transport, hosts: configuration.hosts, time: configuration.time,
      logger: configuration.logger, refusal: refusal)
  }

  /// The request with credentials and with the time that the deadline leaves.
  private func signedRequest(
    _ caller: AttemptCaller, _ context: AuthenticationContext, at redirected: AbsoluteURL?, _ deadline: CallDeadline?
  ) async throws(CallError) -> TransportRequest {
    var request = request
    if let redirected { request.url = redirected }
    if let authenticator = caller.authenticator {
      try await authenticate(&request, by: authenticator, context, deadline)
    }
    if let deadline {
      let left = deadline.left
      guard left > .zero else { throw CallDeadline.passed }
      request.timeouts.total = min(request.timeouts.total ?? left, left)
    }
    return request
  }

  /// Notes a request in the history, and sends it.
  private func send(
    _ request: TransportRequest, _ caller: AttemptCaller, _ redirected: AbsoluteURL?, _ history: inout AttemptHistory
  ) async throws(CallError) -> TransportResponse {
    history.isSending = true
    history.requests += 1
    let sent = SentRequest(
      request, own: self.request, at: redirected.map { catalogueURL(for: $0) } ?? url, of: endpoint,
      redaction: configuration.redaction, followsDoubt: history.doubt != nil)
    history.sent = sent
    history.bytesSent += request.body.length ?? 0
    var outgoing = request
    // The signed request stays as it is: after a refusal, the authenticator may look for its parameters in the body.
    if let progress = options.progress { outgoing.body = request.body.reporting(to: progress) }
    return try await exchange(outgoing, sent, attempt: history.requests, credential: caller.credential, redirected)
  }

  /// Lets the authenticator check that the response comes from the server itself.
  private func verify(
    _ head: HTTPResponse, to request: TransportRequest, _ caller: AttemptCaller, _ context: AuthenticationContext
  ) throws(CallError) {
    do throws(CallError) { try caller.authenticator?.received(head, to: request, context: context) } catch {
      throw errorForUntrustedResponse(error, head)
    }
  }

  /// Notes what a response without an error states about the rate limits.
  private func noteLimits(
    of head: HTTPResponse, _ caller: AttemptCaller, wasAdmitted: Bool, _ deadline: CallDeadline?
  ) async {
    let report = noteLimits(caller.keys, caller.credential, head, isRefusal: false, wasAdmitted: wasAdmitted)
    if let report { await settle(caller.keys, report, deadline) }
  }

  /// Reads the response of a failure, and notes what it states about the rate limits.
  private func noteFailure(
    _ response: TransportResponse, _ caller: AttemptCaller, wasAdmitted: Bool, _ history: inout AttemptHistory
  ) async -> (error: CallError, rawResponse: RawResponse) {
    let rawResponse = await errorResponse(response, history)
    history.bytesReceived += rawResponse.body.count
    let error = CallError(rawResponse, now: configuration.time.now())
    guard response.head.status.kind != .redirection else { return (error, rawResponse) }
    // Some responses state only in the body that a limit is used up, or that it is not a window's limit.
    let isRefusal = if case .rateLimited = error { true } else { false }
    let report = noteLimits(
      caller.keys, caller.credential, response.head, isRefusal: isRefusal, wasAdmitted: wasAdmitted)
    let isTaken = if let report { await settle(caller.keys, report, history.deadline) } else { wasAdmitted }
    history.isRefusalHeld = isRefusal && isTaken
    return (error, rawResponse)
  }

  /// Renews the credentials after a failure, and returns if the request should be sent again with the new ones.
  ///
  /// - Parameter authenticator: The authenticator of the refused credentials; `nil` if they were renewed before, or if
  ///   there are none.
  /// - Throws: The failure, if new credentials do not help.
  private func renewCredentials(
    after failure: (error: CallError, rawResponse: RawResponse), of request: TransportRequest,
    by authenticator: (any Authenticator)?, _ context: AuthenticationContext, _ history: inout AttemptHistory
  ) async throws(CallError) {
    let (error, rawResponse) = failure
    // For a call that changes something, the response is more important than the cancellation.
    if Task.isCancelled { throw endpoint.mayChangeSomething ? error : .cancelled }
    guard let authenticator, rawResponse.status == .unauthorized || rawResponse.status == .forbidden else {
      throw error
    }
    history.isSending = false
    let rejection = Rejection(request: request, rawResponse: rawResponse)
    if try await recovery(from: rejection, by: authenticator, context, history.deadline) == .tryAgain { return }
    history.isSending = true
    throw error
  }

  /// Puts credentials on a request, which may take as long as the call's deadline lets it.
  private func authenticate(
    _ request: inout TransportRequest, by authenticator: any Authenticator, _ context: AuthenticationContext,
    _ deadline: CallDeadline?
  ) async throws(CallError) {
    guard let deadline else { return try await authenticator.authenticate(&request, context: context) }
    request = try await deadline.bound { [request] in
      var request = request
      do throws(CallError) {
        try await authenticator.authenticate(&request, context: context)
        return .success(request)
      } catch { return .failure(error) }
    }
  }

  /// Lets an authenticator renew its credentials, which may take as long as the call's deadline lets it.
  private func recovery(
    from rejection: Rejection, by authenticator: any Authenticator, _ context: AuthenticationContext,
    _ deadline: CallDeadline?
  ) async throws(CallError) -> RejectionRecovery {
    guard let deadline else { return try await authenticator.rejected(rejection, context: context) }
    return try await deadline.bound {
      do throws(CallError) { return .success(try await authenticator.rejected(rejection, context: context)) } catch {
        return .failure(error)
      }
    }
  }

  /// The catalogue's URL for an address, before ``ClientConfiguration/hosts`` redirects it.
  private func catalogueURL(for address: AbsoluteURL) -> AbsoluteURL {
    if address == request.url { return url }
    var result = url
    // A redirect stays within the origin, but a replaced base URL may have a path before the API's own.
    let prefix = request.url.path.hasSuffix(url.path) ? request.url.path.dropLast(url.path.count) : ""
    // Outside that path, the server has something other than the API.
    guard prefix.isEmpty || address.path.hasPrefix(prefix + "/") else { return address }
    result.path = String(address.path.dropFirst(prefix.count))
    result.query = address.query
    return result
  }

  func selectAuthenticator(
    _ deadline: CallDeadline?
  ) async throws(CallError) -> AuthenticatorSelection {
    guard let accepted = endpoint.credentials else { return AuthenticatorSelection() }
    if let deadline, !client.authenticators.isEmpty { return try await selectAuthenticator(until: deadline) }
    return try await AuthenticatorSelection(
      from: client.authenticators, accepted: accepted, for: endpoint.name, at: url,
      isNamedByCatalogue: endpoint.isNamedByCatalogue)
  }

  /// Selects an authenticator, which may take as long as the call's deadline lets it: a store may have to be read for it.
  private func selectAuthenticator(
    until deadline: CallDeadline
  ) async throws(CallError) -> AuthenticatorSelection {
    try await deadline.bound { [self] in
      do throws(CallError) { return .success(try await selectAuthenticator(nil)) } catch { return .failure(error) }
    }
  }

  /// Sends a request through the middleware, and logs it and its response.
  private func exchange(
    _ request: TransportRequest, _ sent: SentRequest, attempt: Int, credential: CredentialIdentity?,
    _ redirected: AbsoluteURL?
  ) async throws(CallError) -> TransportResponse {
    let start = ContinuousClock.now
    func log(_ outcome: @autoclosure () -> String) {
      configuration.logger.debug(
        "call",
        metadata: [
          "endpoint": "\(endpoint.name)", "host": "\(request.url.authority)", "attempt": "\(attempt)",
          "outcome": "\(outcome())", "duration": "\(ContinuousClock.now - start)",
        ])
    }
    logRequest(request, attempt: attempt)
    do throws(TransportError) {
      let response: TransportResponse
      if configuration.middleware.isEmpty {
        response = try await configuration.transport.send(request)
      } else {
        let context = AttemptContext(
          endpoint: endpoint.name, url: (redirected.map { catalogueURL(for: $0) } ?? url).text, attempt: attempt,
          isRepeatable: endpoint.isRepeatable,
          credential: credential, logger: configuration.logger, request: sent)
        response = try await configuration.transport.send(
          request, through: configuration.middleware[...], context: context)
      }
      log("\(response.head.status.code)")
      logResponse(response, attempt: attempt)
      return response
    } catch {
      log("\(error.kind)")
      throw callError(for: error)
    }
  }

  /// The URL of a redirect, if it is followed: only for reading calls, and only to the same origin. Anything else would
  /// send credentials, or a write, to where the caller did not send them.
  ///
  /// - Returns: `nil` for a response that is not a redirect.
  private func redirect(
    _ head: HTTPResponse, from address: AbsoluteURL, count: Int, _ history: AttemptHistory
  ) throws(CallError) -> AbsoluteURL? {
    switch head.status.code {
    case 301, 302, 303, 307, 308: break
    default: return nil
    }
    let refusal: String
    switch head.headerFields[.location].flatMap({ address.resolving($0) }) {
    case nil: refusal = "its Location is missing, or no URL"
    case _ where !options.followsRedirects: refusal = "it follows none"
    case _ where endpoint.method != .get && endpoint.method != .head: refusal = "one that may write follows none"
    case _ where count >= Self.redirectLimit: refusal = "it was redirected \(count) times already"
    case .some(let target) where target.hasUserInformation: refusal = "the URL has a name or password in it"
    case .some(let target) where target.origin != address.origin:
      refusal = "\(target.origin) is another origin, which must not get the credentials"
    case .some(var target):
      target.removeKeys(of: client.authenticators)
      return target
    }
    throw .unexpectedContent(
      UnexpectedContent(kind: .redirect, rawResponse: rawResponse(head, Data(), history), detail: refusal))
  }

  /// Wraps the body of a response to report download progress, if the call wants that.
  private func reporting(_ response: TransportResponse) -> TransportResponse {
    guard let progress = options.progress else { return response }
    var response = response
    let total =
      response.head.headerFields[.contentEncoding] == nil
      ? response.head.headerFields[.contentLength].flatMap { Int($0) } : nil
    response.body = response.body.reporting(total: total, to: progress)
    return response
  }

  /// The call's error after a response that its authenticator does not trust: the sender of that response may have
  /// carried the call out.
  private func errorForUntrustedResponse(_ error: CallError, _ head: HTTPResponse) -> CallError {
    guard endpoint.mayChangeSomething, head.status.kind == .successful else { return error }
    if isSafeToMakeAgain { return error.inDoubt(isRepeatable: true) }
    return .mayHaveSucceeded(TransportError(.other, delivery: .delivered, detail: error.advice))
  }

  /// The call's error after a transfer that did not complete.
  package func callError(for error: TransportError) -> CallError {
    if case .invalidRequest(let why) = error.kind {
      return .invalidCall(InvalidCall(endpoint: endpoint.name, reason: .value(why)))
    }
    let isHarmless = error.delivery == .notSent || !endpoint.mayChangeSomething
    // Nothing repeats a cancelled call, so its caller must know, even if it could be repeated.
    if case .cancelled = error.kind { return isHarmless ? .cancelled : .mayHaveSucceeded(error) }
    return isHarmless || endpoint.isRepeatable ? .transport(error) : .mayHaveSucceeded(error)
  }

  /// The value of a successful response.
  package func decode<Value: JSONDecodable>(_ rawResponse: RawResponse) throws(CallError) -> Response<Value> {
    do throws(CallError) { return try decoded(rawResponse) } catch { throw failure(error, reading: rawResponse) }
  }

  /// The text of a successful response.
  func text(of rawResponse: RawResponse) throws(CallError) -> String {
    if let text = rawResponse.text { return text }
    let error = CallError.unexpectedContent(UnexpectedContent(kind: .characterSet, rawResponse: rawResponse))
    throw failure(endpoint.changesSomething ? error.ofChange : error, reading: rawResponse)
  }

  /// The error of a call that counted as a success when its response arrived.
  private func failure(_ error: CallError, reading rawResponse: RawResponse) -> CallError {
    countFailure()
    return rawResponse.followsDoubt ? error.inDoubt(isRepeatable: isSafeToMakeAgain) : error
  }

  private func decoded<Value: JSONDecodable>(_ rawResponse: RawResponse) throws(CallError) -> Response<Value> {
    var issues: [DecodingIssue] = []
    let value: Value
    do throws(JSONError) {
      switch configuration.decoding {
      case .tolerant: value = try Value(jsonData: rawResponse.body, issues: &issues)
      case .strict: value = try Value(jsonData: rawResponse.body)
      }
    } catch {
      let failure = CallError(error, rawResponse)
      throw endpoint.changesSomething ? failure.ofChange : failure
    }
    if let refusal = rawResponse.refusal(ifItsValue: { (value as? any Model)?.lacks($0) ?? false }) { throw refusal }
    if !issues.isEmpty { client.report(issues, endpoint: endpoint.name) }
    return Response(value: value, rawResponse: rawResponse, issues: issues)
  }

  /// The response of a call that failed although its status is a success.
  package func hiddenFailure(_ response: Response<ResponseBody>) async -> RawResponse {
    let rawResponse = response.rawResponse.with(body: await Self.errorBody(response.value))
    countFailure()
    return rawResponse
  }

  /// An error's response.
  func errorResponse(_ response: TransportResponse, _ history: AttemptHistory) async -> RawResponse {
    rawResponse(response.head, await Self.errorBody(response.body), history)
  }

  /// As much of an error's body as arrives: the status must not get lost with the rest.
  private static func errorBody(_ pieces: ResponseBody) async -> Data {
    var body = Data()
    var pieces = pieces.makeAsyncIterator()
    while body.count < errorBodyLimit, let piece = try? await pieces.next() {
      body.append(piece.prefix(errorBodyLimit - body.count))
    }
    return body
  }

  /// A response whose head has arrived: its body, and the response without it.
  func opened(_ response: TransportResponse, _ history: AttemptHistory) -> Response<ResponseBody> {
    Response(value: counting(response.body), rawResponse: rawResponse(response.head, Data(), history))
  }

  /// A response to this call.
  func rawResponse(_ head: HTTPResponse, _ body: Data, _ history: AttemptHistory) -> RawResponse {
    RawResponse(
      status: head.status, headers: head.headerFields, body: body, conventions: client.conventions,
      attempts: history.requests, request: history.sent)
  }
}

/// The credentials of an attempt, and the rate limits that count it.
private struct AttemptCaller: Sendable {
  let authenticator: (any Authenticator)?
  let requirement: AuthRequirement?
  let credential: CredentialIdentity?
  let keys: [RateLimitKey]

  init(_ selection: AuthenticatorSelection, _ endpoint: CompiledEndpoint) {
    authenticator = selection.authenticator
    requirement = selection.requirement
    credential = authenticator?.identity
    let isAppOnly = requirement.map { $0.scheme == "bearer" || $0.scheme == "oauth1_consumer" } ?? false
    keys = RateLimitKey.all(
      endpoint: endpoint.limitName, user: credential, app: authenticator?.appIdentity, isAppOnly: isAppOnly)
  }
}
