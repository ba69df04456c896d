import CallsignCore
import CallsignFoundation
import CallsignHTTP
import CallsignJSON
import CallsignTokenStores
import HTTPTypes
import Logging

/// The transport and the clock of requests for tokens.
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

/// The client that asks for tokens: a public client, or a confidential one with a secret.
struct TokenClient: Sendable {
  let id: String
  let secret: Secret?
  let authentication: OAuth2Provider.ClientAuthentication
  /// The advice on an identifier or secret that was not copied cleanly; `nil` for clean ones.
  let copyingProblem: String?

  init(id: String, secret: Secret?, authentication: OAuth2Provider.ClientAuthentication = .basic) {
    self.id = id
    self.secret = secret
    self.authentication = authentication
    copyingProblem = CopiedText.problem(["client's identifier": id, "client's secret": secret?.reveal()])
  }

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

/// A URL of a provider's that gives tokens out or takes them back.
struct TokenEndpoint: Sendable {
  var url: String
  var client: TokenClient
  var environment: TokenRequestEnvironment

  /// Puts credentials on a request.
  typealias Signer = @Sendable (inout TransportRequest) async throws(CallError) -> Void

  /// A slow answer is still worth waiting for: it may carry the only refresh token that is valid from now on.
  private static let timeouts = Timeouts(idle: .seconds(120), total: .seconds(180))
  private static let responseLimit = 1 << 20
  /// The fields whose values are no secrets, and may be what an error is about.
  private static let publicFields: Set = [
    "grant_type", "redirect_uri", "token_type_hint", "scope", "subject_token_type", "requested_token_type", "audience",
    "resource",
  ]

  /// Sends a form and returns the answer, if it is a success.
  ///
  /// - Parameters:
  ///   - fields: The fields of the form; identification of the client is added.
  ///   - signer: Puts credentials on the request in place of the client's own.
  func post(
    _ fields: [(name: String, value: String)],
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
      body: .data(Data(form.utf8)), timeouts: Self.timeouts)
    do throws(CallError) {
      try request.refuseUnencryptedCredentials("a token or a client's secret")
      try await signer?(&request)
    } catch { throw .call(error) }

    let answer = try await send(request)
    guard answer.status.kind == .successful else {
      let secrets = fields.filter { !Self.publicFields.contains($0.name) }.map(\.value)
      throw TokenEndpointError(answer, secrets: secrets + [client.secret?.reveal() ?? ""])
    }
    return answer
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

  /// Asks for a token, and again after a moment where the request did not get through.
  ///
  /// Again with the same code or refresh token: if the first request was carried out and only its answer was lost, so is
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
    while true {
      do throws(TokenEndpointError) { return try TokenResponse(await post(fields)) } catch {
        mayHaveArrived = mayHaveArrived || !error.isUnsent
        guard error.isPassing, attempt < attempts else { throw mayHaveArrived ? error.sent : error }
        environment.logger.info(
          "a request for a token did not get through, and is sent again", metadata: ["error": "\(error.asLoginError)"])
      }
      do throws(CancellationError) { try await environment.time.sleep(for: pause) } catch { throw .call(.cancelled) }
      pause *= 3
      attempt += 1
    }
  }
}

/// The token in a response of a token endpoint (RFC 6749 §5.1).
struct TokenResponse: Sendable {
  var accessToken: Secret
  var refreshToken: Secret?
  /// In seconds from when it was asked for.
  var lifetime: TimeInterval?
  /// `nil`: what was asked for.
  var scopes: Set<String>?

  /// Reads a success.
  init(_ answer: RawResponse) throws(TokenEndpointError) {
    // The body is not passed on with an error: it may hold tokens.
    let shown = RawResponse(status: answer.status, headers: answer.headers)
    var refreshToken: Secret?
    func invalid(_ what: String) -> TokenEndpointError { .unexpectedAnswer(what, shown, refreshToken: refreshToken) }

    guard let value = Self.members(of: answer.body) else {
      refreshToken = Self.refreshToken(within: answer.body)
      throw invalid("it is not a JSON object; check the token URL")
    }
    // Read first: whatever else is wrong with the answer, the refresh token before this one may be spent.
    if let text = value["refresh_token"]?.string, !text.isEmpty { refreshToken = Secret(text) }
    guard let access = value["access_token"]?.string, !access.isEmpty else {
      // Some refuse with a status of success. Their words are left out, as they may quote the request.
      if refreshToken == nil, let code = value["error"]?.string, !code.isEmpty {
        throw TokenEndpointError(code, description: nil, APIError(rawResponse: shown))
      }
      throw invalid("access_token is missing")
    }
    guard access.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw invalid("access_token has characters that no token has")
    }
    // Required by RFC 6749, and left out by some who give out nothing but bearer tokens.
    if let type = value["token_type"]?.string, type.lowercased() != "bearer" {
      throw invalid("token_type is \(String(type.printable.prefix(40))), and only bearer tokens can be used")
    }
    accessToken = Secret(access)
    self.refreshToken = refreshToken

    // A token that expires, though nothing says when, is renewed when it is refused.
    lifetime = StoredToken.lifetime(value["expires_in"].flatMap { $0.double ?? $0.string.flatMap(Double.init) })
    switch value["scope"] {
    case .string(let text)?: scopes = Self.scopes([text])
    case .array(let elements)?: scopes = Self.scopes(elements.compactMap(\.string))
    default: scopes = nil
    }
    if scopes?.isEmpty == true { scopes = nil }
  }

  /// The scopes in texts. Some providers put commas between them, which a scope may have in itself, so both readings count.
  private static func scopes(_ texts: [String]) -> Set<String> {
    let words = texts.flatMap { $0.split(separator: " ") }
    return Set((words + words.flatMap { $0.split(separator: ",") }).map(String.init))
  }

  /// The members of an answer: a JSON object as it should be, also behind a byte order mark, or the form that some
  /// providers answer with.
  private static func members(of body: Data) -> JSONValue? {
    let body = Data(body.withoutByteOrderMark)
    if let value = try? JSONValue(jsonData: body) { return value.object.map { _ in value } }
    let text = String(decoding: body, as: UTF8.self).trimmingWhitespace()
    guard let form = FormFields(text), form.value("access_token") != nil else { return nil }
    let names = ["access_token", "refresh_token", "token_type", "expires_in", "scope"]
    let members = names.compactMap { name in form.value(name).map { (name, JSONValue.string($0)) } }
    return .object(Dictionary(members) { first, _ in first })
  }

  /// The refresh token in an answer that cannot be read as a whole, such as one with a remark behind its JSON: the one
  /// before it may be spent.
  private static func refreshToken(within body: Data) -> Secret? {
    guard let name = body.firstRange(of: Data(#""refresh_token""#.utf8)) else { return nil }
    let rest = body[name.upperBound...].drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard rest.first == UInt8(ascii: ":") else { return nil }
    let value = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard value.first == UInt8(ascii: "\""), let end = value.dropFirst().firstIndex(of: UInt8(ascii: "\"")),
      let text = (try? JSONValue(jsonData: Data(value[...end])))?.string, !text.isEmpty
    else { return nil }
    return Secret(text)
  }

  /// The token to keep.
  ///
  /// - Parameters:
  ///   - clientID: Whom it was issued to.
  ///   - asked: When it was asked for; its lifetime counts from then, so that it never seems to live too long.
  ///   - requested: The scopes of the token unless the answer says otherwise.
  func stored(kind: StoredToken.Kind, clientID: String, asked: Date, requested: Set<String>?) -> StoredToken {
    StoredToken(
      kind: kind, accessToken: accessToken, refreshToken: refreshToken, expires: lifetime.map { asked + $0 },
      lifetime: lifetime,
      scopes: scopes ?? requested, clientID: clientID)
  }
}

/// The failure of a token endpoint to give a token.
enum TokenEndpointError: Error, Sendable {
  /// An error of OAuth: its code, its words, and the answer (RFC 6749 §5.2).
  case refused(code: String, description: String?, APIError)
  /// The same with a code that says nothing against what was sent: the provider cannot do it now.
  case postponed(code: String, description: String?, APIError)
  /// No answer, or an error that is not OAuth's.
  case call(CallError)
  /// A success without what it must have; with a refresh token, where it had that.
  case unexpectedAnswer(String, RawResponse, refreshToken: Secret?)
  /// The provider is not described rightly.
  case invalidSetup(String)

  /// The codes that say nothing against the code or refresh token (RFC 6749 §4.1.2.1, RFC 8628 §3.5).
  private static let passingCodes: Set = ["server_error", "temporarily_unavailable", "slow_down"]
  /// Those that say that a refresh token is not good any more: OAuth's, and some providers' own words for it.
  private static let grantCodes: Set = [
    "invalid_grant", "invalid_request", "bad_refresh_token", "invalid_refresh_token", "refresh_token_not_found",
    "invalid_token", "expired_token", "token_expired", "token_revoked",
  ]

  /// An error of OAuth by its code.
  init(_ code: String, description: String?, _ error: APIError) {
    let (isPassing, code) = (Self.passingCodes.contains(code), String(code.printable.prefix(80)))
    self =
      isPassing
      ? .postponed(code: code, description: description, error)
      : .refused(code: code, description: description, error)
  }

  /// Reads an answer that is no success.
  ///
  /// - Parameter secrets: The secrets that were sent and must not come back in the error's text.
  init(_ answer: RawResponse, secrets: [String]) {
    let hidden = RedactedTexts(secrets, mark: Secret.redacted)
    var error = APIError(rawResponse: answer)
    error.hide(hidden)
    let value = try? JSONValue(jsonData: answer.body)
    if let code = value?["error"]?.string, (400..<500).contains(answer.status.code), answer.status.code != 429 {
      let description = (value?["error_description"]?.string).map(hidden.removed)
      self.init(code, description: description.map { String($0.printable.prefix(300)) }, error)
    } else if answer.status.code == 429 {
      self = .call(.rateLimited(answer.rateLimit, error))
    } else {
      self = .call(.api(error))
    }
  }

  /// Whether a token that is to be revoked is not known any more, which is as good: by the codes of OAuth, or by the status
  /// of a provider that looks for it in vain.
  var isAboutForgottenToken: Bool {
    switch self {
    case .refused(let code, _, _): ["invalid_token", "invalid_grant", "token_expired"].contains(code)
    case .call(.api(let error)): error.status == .notFound || error.status == .gone
    default: false
    }
  }

  /// Whether the provider does not accept the refresh token: it was used before, has expired or was revoked. Some
  /// providers answer `invalid_request` where RFC 6749 has `invalid_grant`.
  var isAboutGrant: Bool { if case .refused(let code, _, _) = self { Self.grantCodes.contains(code) } else { false } }

  /// Whether it may be the request itself that was wrong.
  var isAboutRequest: Bool { if case .refused("invalid_request", _, _) = self { true } else { false } }

  /// Whether the request did not get through, and may the next time: no connection, a broken one, or a server that says
  /// that it is not there.
  var isPassing: Bool {
    switch self {
    case .call(.transport(let error)):
      switch error.kind {
      case .cannotResolveHost, .cannotConnect, .connectionLost: true
      default: false
      }
    case .call(.api(let error)): [502, 503, 504].contains(error.status.code)
    case .postponed: true
    default: false
    }
  }

  /// Whether nothing of the request has left this machine.
  var isUnsent: Bool { if case .call(.transport(let error)) = self { error.delivery == .notSent } else { false } }

  /// The same of a request that may have arrived.
  var sent: TokenEndpointError {
    guard isUnsent, case .call(.transport(var error)) = self else { return self }
    error.delivery = .unknown
    return .call(.transport(error))
  }

  /// The error of a login.
  var asLoginError: LoginError {
    switch self {
    case .refused(let code, let description, _), .postponed(let code, let description, _):
      .refused(code: code, description: description)
    case .call(.cancelled): .cancelled
    case .call(let error): .call(error)
    case .unexpectedAnswer(let what, let answer, _): .unexpectedAnswer(what, answer)
    case .invalidSetup(let advice): .invalidSetup(advice)
    }
  }

  /// The error of a call that needed the token, and was therefore not sent.
  var asCallError: CallError {
    switch self {
    case .refused(let code, let description, let error):
      let words = description.map { ": \($0)" } ?? ""
      let advice =
        switch code {
        case _ where isAboutGrant:
          "the refresh token is not accepted any more (\(code)\(words)); log in again"
        case "invalid_client", "unauthorized_client":
          "the provider does not accept the client (\(code)\(words)); check its identifier, its secret and its type"
        default: "the provider gave no token (\(code)\(words)); log in again"
        }
      return .authorization(AuthorizationError(.refused, advice: advice, response: error))
    case .postponed(let code, let description, let error):
      let words = description.map { ": \($0)" } ?? ""
      return .authorization(
        AuthorizationError(
          .unavailable, advice: "the provider cannot give a token now (\(code)\(words)); try again later",
          response: error, mayPass: true))
    case .call(.transport(var error)):
      error.delivery = .notSent
      return .transport(error)
    case .call(.api(let error)):
      return .authorization(
        AuthorizationError(
          .unavailable, advice: "the provider gave no token; try again later, and check the client's identifier",
          response: error))
    case .call(let error): return error
    case .unexpectedAnswer(let what, _, _):
      return .authorization(
        AuthorizationError(
          .unavailable, advice: "the provider's answer holds no usable token: \(what); log in again", mayPass: true))
    case .invalidSetup(let advice): return .authorization(AuthorizationError(.unavailable, advice: advice))
    }
  }
}
