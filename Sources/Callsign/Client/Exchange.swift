import CallsignHTTP
import Foundation
import HTTPTypes
import Logging

/// One call on its way: its attempts, each signed anew, until there is a successful answer or an error.
///
/// This and its extensions are the one place that decides whether to send a request again.
package struct Exchange: Sendable {
  let client: Client
  let call: PreparedCall

  /// The most bytes of an error's body that are kept.
  private static let errorBodyLimit = 1 << 20

  private var configuration: ClientConfiguration { client.configuration }

  package init(client: Client, call: PreparedCall) {
    self.client = client
    self.call = call
  }

  /// Sends the call and returns when a successful answer's head has arrived. It is sent again neither after a failure nor
  /// after a rate limit: that is for those to decide who read the answer as it comes.
  func open() async throws(CallError) -> TransportResponse {
    var history = AttemptHistory()
    return try await head(&history, .fail)
  }

  /// One try, with the redirects and the renewal of credentials that belong to it.
  func head(_ history: inout AttemptHistory, _ limits: RateLimitPolicy) async throws(CallError) -> TransportResponse {
    history.isSending = false
    let choice = try await AuthenticatorSelection(for: call, from: client.authenticators)
    let authenticator = choice.authenticator
    let key = RateLimitKey(endpoint: call.name, credential: authenticator?.identity)
    var address = call.address
    var redirects = 0
    while true {
      if Task.isCancelled { throw .cancelled }
      let wasAdmitted = try await admit(key, limits, &history)
      history.requests += 1
      let context = AuthenticationContext(
        endpoint: call.name, requirement: choice.requirement, attempt: history.requests,
        transport: configuration.transport, hosts: configuration.hosts, time: configuration.time,
        logger: configuration.logger)
      var request = call.request(to: address)
      let response: TransportResponse
      do throws(CallError) {
        if let authenticator { try await authenticator.authenticate(&request, context: context) }
        // After signing: some signatures cover the body.
        if let progress = call.options.progress { request.body = request.body.reporting(to: progress) }
        history.isSending = true
        response = try await send(request, attempt: history.requests, credential: key.credential)
      } catch {
        if wasAdmitted { client.state.rateLimits.leave(key) }
        throw error
      }
      authenticator?.received(response.head, to: request, context: context)
      settle(response, key, wasAdmitted: wasAdmitted)
      switch response.head.status.kind {
      case .successful: return reporting(response)
      case .redirection:
        guard let target = try redirect(response.head, from: address, count: redirects) else { break }
        address = target
        redirects += 1
        continue
      default: break
      }

      let answer = await errorAnswer(response)
      if Task.isCancelled { throw .cancelled }
      if !history.hasRenewedCredentials, let authenticator,
        answer.status == .unauthorized || answer.status == .forbidden
      {
        history.hasRenewedCredentials = true
        history.isSending = false
        let rejection = Rejection(request: request, answer: answer)
        if try await authenticator.rejected(rejection, context: context) == .tryAgain { continue }
        history.isSending = true
      }
      let error = CallError(answer, call: call)
      if case .rateLimited = error, answer.status.code != 429, answer.status.code != 420 {
        // Only the body said so.
        client.state.rateLimits.settle(key, answer.headers, answer.rateLimit, isRefusal: true, wasAdmitted: false)
      }
      throw error
    }
  }

  private func send(
    _ request: TransportRequest, attempt: Int, credential: CredentialIdentity?
  ) async throws(CallError) -> TransportResponse {
    let clock = ContinuousClock()
    let start = clock.now
    func log(_ outcome: String) {
      configuration.logger.debug(
        "call",
        metadata: [
          "endpoint": "\(call.name)", "host": "\(call.address.authority)", "attempt": "\(attempt)",
          "outcome": "\(outcome)", "duration": "\(clock.now - start)",
        ])
    }
    trace(request, attempt: attempt)
    do throws(TransportError) {
      let response: TransportResponse
      if configuration.middleware.isEmpty {
        response = try await configuration.transport.send(request)
      } else {
        let context = AttemptContext(
          endpoint: call.name, url: call.url.origin + call.url.target, attempt: attempt,
          isRepeatable: call.isRepeatable, credential: credential, logger: configuration.logger)
        response = try await configuration.transport.send(
          request, through: configuration.middleware[...], context: context)
      }
      log("\(response.head.status.code)")
      trace(response, attempt: attempt)
      return response
    } catch {
      log("\(error.kind)")
      throw lost(error)
    }
  }

  /// The answer, whose body tells of its progress to whom it may concern.
  private func reporting(_ response: TransportResponse) -> TransportResponse {
    guard let progress = call.options.progress else { return response }
    var response = response
    let total =
      response.head.headerFields[.contentEncoding] == nil
      ? response.head.headerFields[.contentLength].flatMap { Int($0) } : nil
    response.body = response.body.reporting(total: total, to: progress)
    return response
  }

  /// What it means for the caller that a transfer did not complete.
  func lost(_ error: TransportError) -> CallError {
    if case .cancelled = error.kind { return .cancelled }
    if case .invalidRequest(let why) = error.kind {
      return .invalidCall(InvalidCall(endpoint: call.name, reason: .value(why)))
    }
    return call.isRepeatable || error.delivery == .notSent ? .transport(error) : .mayHaveSucceeded(error)
  }

  /// An error's answer, with as much of its body as arrives: what the status says must not get lost with the rest.
  private func errorAnswer(_ response: TransportResponse) async -> RawResponse {
    var body = Data()
    var pieces = response.body.makeAsyncIterator()
    while body.count < Self.errorBodyLimit, let piece = try? await pieces.next() {
      body.append(piece.prefix(Self.errorBodyLimit - body.count))
    }
    return RawResponse(
      status: response.head.status, headers: response.head.headerFields, body: body, conventions: client.conventions)
  }
}
