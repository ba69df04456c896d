import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes
import Logging

/// A URL of a provider's that gives tokens out or takes them back.
struct TokenEndpoint: Sendable {
  var url: String
  var client: TokenClient
  var environment: TokenRequestEnvironment
  /// The longest that a request may take, with its repetitions.
  var timeLimit = Self.defaultTimeLimit

  /// Puts credentials on a request.
  typealias Signer = @Sendable (inout TransportRequest) async throws(CallError) -> Void

  /// A slow response is still worth waiting for: it may carry the only refresh token that is valid from now on.
  static let defaultTimeLimit = Duration.seconds(180)
  private static let responseLimit = 1 << 20
  /// The fields whose values are not secret and may be the subject of an error.
  private static let publicFields: Set = [
    "grant_type", "redirect_uri", "token_type_hint", "scope", "subject_token_type", "requested_token_type", "audience",
    "resource",
  ]

  /// Sends a form and returns the response, if it is a success.
  ///
  /// - Parameters:
  ///   - fields: The fields of the form; identification of the client is added.
  ///   - limit: The longest that the request may take; by default ``timeLimit``.
  ///   - signer: Puts credentials on the request in place of the client's own.
  func post(
    _ fields: [(name: String, value: String)], within limit: Duration? = nil,
    signedBy signer: Signer? = nil
  ) async throws(TokenEndpointError) -> RawResponse {
    if let problem = client.copyingProblem { throw .invalidSetup(problem) }
    guard let meant = AbsoluteURL(url), let address = environment.hosts.resolve(meant) else {
      throw .invalidSetup("the provider's URL \(url.printable) is not absolute; write it with https:// and host")
    }
    var headers: HTTPFields = [
      .accept: "application/json", .contentType: "application/x-www-form-urlencoded",
      .userAgent: environment.userAgent,
    ]
    var all = fields
    // Without `==`, which cannot take a function with a typed error before macOS 15.
    if case .none = signer { client.identify(&headers, &all) }
    let form = FormFields.encode(all)
    var request = TransportRequest(
      head: HTTPRequest(
        method: .post, scheme: address.scheme, authority: address.authority, path: address.target,
        headerFields: headers),
      body: .data(Data(form.utf8)),
      timeouts: Timeouts(idle: min(.seconds(120), limit ?? timeLimit), total: limit ?? timeLimit))
    do throws(CallError) {
      try request.refuseUnencryptedCredentials("a token or a client's secret")
      try await signer?(&request)
    } catch { throw .call(error) }

    let response = try await send(request)
    guard response.status.kind == .successful else {
      throw TokenEndpointError(response, hiding: hidden(fields, request.headerFields[.authorization]))
    }
    return response
  }

  /// The values in a request that an error must not show.
  private func hidden(_ fields: [(name: String, value: String)], _ authorization: String? = nil) -> RedactedTexts {
    let secrets = fields.filter { !Self.publicFields.contains($0.name) }.map(\.value)
    let credentials = authorization.map { [String($0.drop { $0 != " " }.dropFirst())] } ?? []
    // A server may repeat the pair of HTTP Basic as this client encodes it (RFC 6749 §2.3.1), or as it is.
    let own = client.secret.map { [$0.reveal(), "\(client.id):\($0.reveal())", client.basicPair($0)] } ?? []
    return RedactedTexts(secrets + credentials + own, mark: Secret.redacted)
  }

  private func send(_ request: TransportRequest) async throws(TokenEndpointError) -> RawResponse {
    do throws(TransportError) {
      let response = try await environment.transport.send(request)
      let body = try await response.body.collect(upTo: Self.responseLimit)
      return RawResponse(status: response.head.status, headers: response.head.headerFields, body: body)
    } catch {
      if case .cancelled = error.kind { throw .call(.cancelled) }
      throw .call(.transport(error))
    }
  }

  /// Requests a token, and tries again after a moment if the request did not get through.
  ///
  /// Again with the same code or refresh token: if the first request was carried out and only its response was lost, so is
  /// the token, and there is nothing to lose by asking.
  ///
  /// - Parameter attempts: How often to ask at most.
  /// - Throws: The last error. It counts as sent where an earlier request may have arrived.
  func token(
    _ fields: [(name: String, value: String)], attempts: Int
  ) async throws(TokenEndpointError) -> TokenResponse {
    var pause = Duration.milliseconds(500)
    var mayHaveArrived = false
    var attempt = 1
    let end = ContinuousClock.now + timeLimit
    while true {
      do throws(TokenEndpointError) {
        return try TokenResponse(await post(fields, within: end - .now), hiding: hidden(fields))
      } catch {
        mayHaveArrived = mayHaveArrived || !error.isUnsent
        guard error.isPassing, attempt < attempts, .now + pause < end else { throw mayHaveArrived ? error.sent : error }
        environment.logger.info(
          "a request for a token did not get through, and is sent again", metadata: ["error": "\(error.asLoginError)"])
      }
      do throws(CancellationError) { try await environment.time.sleep(for: pause) } catch { throw .call(.cancelled) }
      pause *= 3
      attempt += 1
    }
  }
}
