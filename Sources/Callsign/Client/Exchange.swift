import Foundation
import HTTPTypes
import Logging

/// One call on its way: its attempts, each signed anew, until there is a successful answer or an error.
///
/// This is the one place that decides whether to send a request again.
struct Exchange: Sendable {
  let client: Client
  let call: PreparedCall

  /// The most redirects that one call follows.
  private static let redirectLimit = 5
  /// The most bytes of an error's body that are kept.
  private static let errorBodyLimit = 1 << 20

  private var configuration: ClientConfiguration { client.configuration }

  /// Sends the call and returns when a successful answer's head has arrived.
  func open() async throws(CallError) -> TransportResponse {
    let choice = try await AuthenticatorChoice(for: call, from: client.authenticators)
    let authenticator = choice.authenticator
    var address = call.address
    var redirects = 0
    var mayTryAgain = authenticator != nil
    var attempt = 1
    while true {
      if Task.isCancelled { throw .cancelled }
      var request = call.request(to: address)
      let context = AuthenticationContext(
        endpoint: call.name, requirement: choice.requirement, attempt: attempt, transport: configuration.transport,
        hosts: configuration.hosts, time: configuration.time, logger: configuration.logger)
      if let authenticator { try await authenticator.authenticate(&request, context: context) }
      let response = try await send(request, attempt: attempt, credential: authenticator?.identity)
      authenticator?.received(response.head, to: request, context: context)
      switch response.head.status.kind {
      case .successful: return response
      case .redirection:
        guard let target = try redirect(response.head, from: address, count: redirects) else { break }
        address = target
        redirects += 1
        attempt += 1
        continue
      default: break
      }

      let answer = await errorAnswer(response)
      if Task.isCancelled { throw .cancelled }
      if mayTryAgain, let authenticator, answer.status == .unauthorized || answer.status == .forbidden {
        mayTryAgain = false
        let rejection = Rejection(request: request, answer: answer)
        if try await authenticator.rejected(rejection, context: context) == .tryAgain {
          attempt += 1
          continue
        }
      }
      throw CallError(answer, call: call)
    }
  }

  /// Sends the call and reads the whole answer.
  func answer() async throws(CallError) -> Answer {
    let response = try await open()
    do throws(TransportError) {
      // What says at once that it is too long need not be waited for.
      if let length = response.head.headerFields[.contentLength].flatMap({ Int($0) }),
        length > configuration.responseLimit
      {
        throw TransportError(.bodyTooLarge, delivery: .delivered)
      }
      let body = try await response.body.collect(upTo: configuration.responseLimit)
      return Answer(status: response.head.status, headers: response.head.headerFields, body: body)
    } catch { throw lost(error) }
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
    do throws(TransportError) {
      let context = AttemptContext(
        endpoint: call.name, url: call.url.origin + call.url.target, attempt: attempt, isRepeatable: call.isRepeatable,
        credential: credential, logger: configuration.logger)
      let response = try await configuration.transport.send(
        request, through: configuration.middleware[...], context: context)
      log("\(response.head.status.code)")
      return response
    } catch {
      log("\(error.kind)")
      throw lost(error)
    }
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
  private func errorAnswer(_ response: TransportResponse) async -> Answer {
    var body = Data()
    var pieces = response.body.makeAsyncIterator()
    while body.count < Self.errorBodyLimit, let piece = try? await pieces.next() {
      body.append(piece.prefix(Self.errorBodyLimit - body.count))
    }
    return Answer(status: response.head.status, headers: response.head.headerFields, body: body)
  }
}

// MARK: - Redirects

extension Exchange {
  /// Where a redirect leads, if it is one that is followed: of a call that reads, to the same origin. Anything else
  /// would carry credentials, or a write, to where the caller did not send them.
  ///
  /// - Returns: `nil` for an answer that is no redirect.
  private func redirect(
    _ head: HTTPResponse, from address: AbsoluteURL, count: Int
  ) throws(CallError) -> AbsoluteURL? {
    switch head.status.code {
    case 301, 302, 303, 307, 308: break
    default: return nil
    }
    let refusal = CallError.unexpectedContent(
      UnexpectedContent(kind: .redirect, answer: Answer(status: head.status, headers: head.headerFields)))
    guard call.followsRedirects, call.method == .get || call.method == .head, count < Self.redirectLimit,
      let location = head.headerFields[.location], let target = address.resolving(location),
      target.origin == address.origin, !target.hasUserInformation
    else { throw refusal }
    return target
  }
}

extension AbsoluteURL {
  /// What a `Location` means here (RFC 3986 §5.2); `nil` when it is not http or https, or cannot be read.
  func resolving(_ reference: String) -> AbsoluteURL? {
    let reference = String(reference.prefix { $0 != "#" })
    guard reference.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
    if reference.hasPrefix("//") { return AbsoluteURL("\(scheme):\(reference)") }
    var result = self
    if reference.hasPrefix("/") {
      result.path = String(reference.prefix { $0 != "?" })
    } else if reference.hasPrefix("?") {
      // The path stays.
    } else if let colon = reference.firstIndex(of: ":"), reference[..<colon].allSatisfy({ !"/?".contains($0) }) {
      guard let url = AbsoluteURL(reference), url.scheme == "http" || url.scheme == "https" else { return nil }
      return url
    } else if !reference.isEmpty {
      let folder = path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]
      result.path = (folder.isEmpty ? "/" : String(folder)) + String(reference.prefix { $0 != "?" })
    }
    result.query = reference.firstIndex(of: "?").map { String(reference[reference.index(after: $0)...]) }
    result.path = PercentEncoding.encodeIllegal(result.path)
    result.query = result.query.map(PercentEncoding.encodeIllegal)
    return result
  }
}
