import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

// The signed requests of a login, and their responses.
extension OAuth1App {
  /// Sends a request that is signed for the app and, if there is one, a token.
  ///
  /// - Parameters:
  ///   - name: For errors and logs.
  ///   - url: Where it goes.
  ///   - method: `POST` with a form, or `GET` with a query.
  ///   - token: The token to sign with besides.
  ///   - protocolParameters: Further protocol parameters, such as `oauth_verifier`.
  ///   - fields: The fields of the form or the query.
  package func request(
    _ name: String, at url: String, _ method: OAuth1Provider.TokenRequestMethod = .post, token: OAuth1Token? = nil,
    protocolParameters: [(name: String, value: String)] = [], fields: [(name: String, value: String)] = []
  ) async throws(LoginError) -> RawResponse {
    guard let target = AbsoluteURL(url), !target.hasUserInformation else {
      throw .invalidSetup("the provider's URL for \(name) is not absolute; correct it in the OAuth1Provider")
    }
    guard let address = configuration.hosts.resolve(target) else {
      throw .invalidSetup("ClientConfiguration.hosts replaces the provider's base URL with what is not an absolute URL")
    }
    guard address.scheme == "https" || address.isLoopback else {
      throw .invalidSetup("secrets would travel unencrypted; use an https URL, or a host of this machine for tests")
    }
    var credentials = credentials(token, hosts: [target.authority])
    credentials.protocolParameters = protocolParameters
    let form = FormFields.encode(fields)
    let separator = target.query == nil ? "?" : "&"
    let call = Call(
      name: name, method == .post ? .post : .get, method == .get && !form.isEmpty ? url + separator + form : url,
      below: [],
      body: form.isEmpty || method == .get ? nil : .data(Data(form.utf8), contentType: TransportRequest.formType),
      auth: .accepting("oauth1"), options: CallOptions(headers: ["Accept": "*/*"], followsRedirects: false))
    let client = Client(auth: credentials, configuration: configuration, conventions: provider.conventions)
    do throws(CallError) { return try await client.rawResponse(to: call) } catch {
      // The provider knows the secrets that signed the request.
      let secrets = [secret.reveal(), token?.token.reveal(), token?.secret.reveal()].compactMap(\.self)
      let sent = (protocolParameters + fields).map(\.value)
      throw LoginError(tokenRequest: error.hiding(RedactedTexts(secrets + sent, mark: Secret.redacted)))
    }
  }

  /// The token of a successful response.
  ///
  /// - Throws: ``LoginError/unexpectedResponse(_:_:)`` when there is none, or the error that the response is about.
  package func token(of response: RawResponse) throws(LoginError) -> OAuth1Token {
    let fields = try FormFields(response: response)
    do throws(OAuth1TokenStringError) {
      var token = try OAuth1Token(fields)
      token.expires = token.lifetime.map { configuration.time.now().addingTimeInterval($0) }
      return token
    } catch {
      switch error {
      case .missing(let name): throw .unexpectedResponse("it has no \(name)", response)
      case .contradictory(let name): throw .unexpectedResponse("it has two different values of \(name)", response)
      case .unreadable: throw .unexpectedResponse("it is not a form", response)
      }
    }
  }
}

extension FormFields {
  /// The fields of a successful response. Some providers say `text/html` of them, so the announced type does not matter.
  fileprivate init(response: RawResponse) throws(LoginError) {
    let what: String? =
      switch ContentKind(response.body) {
      case .html: "it is an HTML page; a proxy may have sent it"
      case .json: "it is JSON instead of a form"
      case .xml: "it is an XML document instead of a form"
      case .empty: "it is empty"
      case .other: nil
      }
    if let what { throw .unexpectedResponse(what, response) }
    let text = String(decoding: response.body, as: UTF8.self).trimmingWhitespace()
    let fields = FormFields(text)
    guard !fields.pairs.isEmpty else { throw .unexpectedResponse("it is not a form", response) }
    if let problem = OAuth1Problem(fields) { throw problem.loginError }
    self = fields
  }
}

/// A problem by the extension "OAuth Problem Reporting": `oauth_problem`.
struct OAuth1Problem {
  let code: String

  init?(_ fields: FormFields) {
    // Anything but a plain word is not shown: it could be a quotation of the request.
    guard let code = fields.value("oauth_problem"), code.count <= 40,
      code.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
    else { return nil }
    self.code = code
  }

  init?(_ response: RawResponse) {
    self.init(FormFields(String(decoding: response.body.prefix(4096), as: UTF8.self)))
  }

  var loginError: LoginError {
    switch code {
    case "permission_denied", "user_refused": .denied
    default: .refused(code: code, description: nil)
    }
  }
}

extension LoginError {
  /// The error of a login after one of its requests failed.
  init(tokenRequest error: CallError) {
    if error.isCancellation {
      self = .cancelled
    } else if let response = error.rawResponse, let problem = OAuth1Problem(response) {
      self = problem.loginError
    } else {
      self = .call(error)
    }
  }

  /// The provider's response that refused the request, if it did.
  package var refusal: APIError? {
    guard case .call(let error) = self else { return nil }
    switch error {
    case .api(let error): return error
    case .authorization(let error): return error.response
    default: return nil
    }
  }
}
