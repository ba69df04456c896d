import Callsign
import CallsignHTTP
import Foundation
import HTTPTypes
import Logging

/// What carries requests for tokens, and tells the time.
struct TokenRequestEnvironment: Sendable {
  var transport: any Transport
  var hosts: BaseURLOverrides
  var userAgent: String
  var time: any TimeSource
  var logger: Logger

  /// Of a client, for logins.
  init(_ configuration: ClientConfiguration) {
    transport = configuration.transport
    hosts = configuration.hosts
    userAgent = configuration.userAgent
    time = configuration.time
    logger = configuration.logger
  }

  /// Of a call that needs a token.
  init(_ context: AuthenticationContext) {
    transport = context.transport
    hosts = context.hosts
    userAgent = ClientConfiguration.defaultUserAgent
    time = context.time
    logger = context.logger
  }
}

/// Who asks for tokens: a public client, or a confidential one with a secret.
struct TokenClient: Sendable {
  var id: String
  var secret: Secret?
  var authentication = OAuth2Provider.ClientAuthentication.basic

  /// HTTP Basic with identifier and secret each form-encoded first (RFC 6749 §2.3.1).
  fileprivate func basicField(_ secret: Secret) -> String {
    let pair = "\(PercentEncoding.encode(id)):\(PercentEncoding.encode(secret.reveal()))"
    return "Basic \(Data(pair.utf8).base64EncodedString())"
  }

  /// Says who asks.
  fileprivate func identify(_ headers: inout HTTPFields, _ fields: inout [(name: String, value: String)]) {
    switch (secret, authentication) {
    case (let secret?, .basic): headers[.authorization] = basicField(secret)
    case (let secret?, .body): fields += [("client_id", id), ("client_secret", secret.reveal())]
    case (nil, _): fields.append(("client_id", id))
    }
  }
}

/// A URL of a provider's at which tokens are had and given back.
struct TokenEndpoint: Sendable {
  var url: String
  var client: TokenClient
  var environment: TokenRequestEnvironment

  /// Puts credentials on a request.
  typealias Signer = @Sendable (inout TransportRequest) async throws(CallError) -> Void

  /// A slow answer is still worth waiting for: it may carry the only refresh token that is valid from now on.
  private static let timeouts = Timeouts(idle: .seconds(120), total: .seconds(180))
  private static let answerLimit = 1 << 20

  /// Sends a form and returns the answer, if it is a success.
  ///
  /// - Parameters:
  ///   - fields: What to send; identification of the client is added.
  ///   - signer: Puts credentials on the request in place of the client's own.
  func post(
    _ fields: [(name: String, value: String)],
    signedBy signer: Signer? = nil
  ) async throws(TokenEndpointError) -> RawResponse {
    guard let meant = AbsoluteURL(url), let address = environment.hosts.resolve(meant) else {
      throw .invalidSetup("the provider's URL \(url.printable) is not absolute; write it with https:// and host")
    }
    var headers: HTTPFields = [
      .accept: "application/json", .contentType: "application/x-www-form-urlencoded",
      .userAgent: environment.userAgent,
    ]
    var all = fields
    if signer == nil { client.identify(&headers, &all) }
    let form = FormFields.encode(all)
    var request = TransportRequest(
      head: HTTPRequest(
        method: .post, scheme: address.scheme, authority: address.authority, path: address.target,
        headerFields: headers),
      body: .data(Data(form.utf8)), timeouts: Self.timeouts)
    do throws(CallError) {
      try request.refuseUnencryptedCredentials("a token or a client's secret")
      try await signer?(&request)
    } catch { throw .call(error) }

    let answer = try await send(request)
    guard answer.status.kind == .successful else {
      throw TokenEndpointError(answer, secrets: fields.map(\.value) + [client.secret?.reveal() ?? ""])
    }
    return answer
  }

  private func send(_ request: TransportRequest) async throws(TokenEndpointError) -> RawResponse {
    do throws(TransportError) {
      let response = try await environment.transport.send(request)
      let body = try await response.body.collect(upTo: Self.answerLimit)
      return RawResponse(status: response.head.status, headers: response.head.headerFields, body: body)
    } catch {
      if case .cancelled = error.kind { throw .call(.cancelled) }
      throw .call(.transport(error))
    }
  }

  /// Asks for a token.
  func token(_ fields: [(name: String, value: String)]) async throws(TokenEndpointError) -> TokenResponse {
    try TokenResponse(await post(fields))
  }
}
