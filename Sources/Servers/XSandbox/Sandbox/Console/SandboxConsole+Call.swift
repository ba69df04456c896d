import CallsignMockServer
import Foundation

/// Calls operations for the person who uses the console. It adds the credentials here, so that the page never has them.
extension SandboxConsole {
  /// All operations of the catalogues.
  var operations: [ConsoleFacts.Operation] {
    let implemented = OperationTable.all.map { operation in
      var shown = Self.shown(operation.method, operation.path)
      shown.summary = operation.name
      shown.parameters += operation.query.map {
        ConsoleFacts.Parameter(name: $0.name, isInPath: false, isRequired: $0.isRequired, hint: "")
      }
      if operation.body != nil { shown.body = "{\n}" }
      return shown
    }
    var keys = Set(implemented.map(\.id))
    let others = CataloguedOperation.all.filter { keys.insert($0.key).inserted }.map { operation in
      var shown = Self.shown(operation.method, operation.path)
      shown.summary = operation.name
      if ["POST", "PUT", "PATCH"].contains(operation.method) { shown.body = "" }
      return shown
    }
    return (implemented + others).sorted { ($0.path, $0.method) < ($1.path, $1.method) }
  }

  private static func shown(_ method: String, _ path: String) -> ConsoleFacts.Operation {
    var shown = ConsoleFacts.Operation(id: "\(method) \(path)", method: method, path: path)
    shown.parameters = path.split(separator: "{").dropFirst().map {
      ConsoleFacts.Parameter(name: String($0.prefix { $0 != "}" }), isInPath: true, isRequired: true, hint: "")
    }
    // v1.1 uses forms.
    if path.hasPrefix("/1.1/"), method == "POST" { shown.body = "" }
    return shown
  }

  func call(_ call: ConsoleCall) async throws(ConsoleProblem) -> ConsoleResponse {
    guard let operation = operations.first(where: { $0.id == call.operation }) else {
      throw ConsoleProblem("This operation does not exist.")
    }
    if OperationTable.all.contains(where: { $0.key == operation.id && $0.opensStream }) {
      throw ConsoleProblem("A stream does not end. Open it with a client, such as `xapi`.")
    }
    var request = IncomingRequest(
      method: operation.method, path: operation.path, query: "",
      headers: [HeaderField(name: "Host", value: "127.0.0.1")],
      body: Data(call.body.utf8))
    var query: [(name: String, value: String)] = []
    for parameter in operation.parameters {
      guard let value = call.values[parameter.name], !value.isEmpty else {
        if parameter.isInPath { throw ConsoleProblem("\(parameter.name) is missing.") }
        continue
      }
      if parameter.isInPath {
        request.path = request.path.replacingOccurrences(of: "{\(parameter.name)}", with: PercentEncoding.encode(value))
      } else {
        query.append((parameter.name, value))
      }
    }
    for line in call.query.split(whereSeparator: \.isNewline) {
      let halves = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query.append(
        (halves[0].trimmingCharacters(in: .whitespaces), halves.count > 1 ? String(halves[1]) : ""))
    }
    request.query = RequestParameter.form(query)
    if !call.body.isEmpty {
      let isJSON = call.body.drop(while: \.isWhitespace).first.map { "{[".contains($0) } ?? false
      request.headers.append(
        HeaderField(name: "Content-Type", value: isJSON ? "application/json" : "application/x-www-form-urlencoded"))
    }
    if let authorization = try await authorization(of: call.identity, request) {
      request.headers.append(HeaderField(name: "Authorization", value: authorization))
    }
    return Self.consoleResponse(await pipeline.handle(request))
  }

  private func authorization(
    of identity: String, _ request: IncomingRequest
  ) async throws(ConsoleProblem) -> String? {
    if identity == "nobody" { return nil }
    if identity == "app" { return "Bearer \(app.bearerToken)" }
    let parts = identity.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { throw ConsoleProblem("This user does not exist.") }
    let consumerKey = app.consumerKey
    let now = pipeline.clock.now()
    let text: String? = await pipeline.authorization.perform { server in
      guard let account = server.registry.accounts[parts[1].lowercased()] else { return nil }
      if parts[0] == "oauth2" {
        let known = server.registry.bearerTokens.first {
          $0.value.user == account.id && $0.value.consumerKey == consumerKey && $0.value.scopes == Scopes.all
            && $0.value.expiry == nil && !$0.value.isRevoked
        }
        let token =
          known?.key
          ?? server.oauth2Token(
            for: account.id, consumerKey: consumerKey, scopes: Scopes.all, expiry: nil, login: nil)
        return "Bearer \(token)"
      }
      let token = server.accessToken(for: account.id, consumerKey: consumerKey, permission: .readWrite)
      return Self.signature(
        of: request, app, token, nonce: server.generator.text(length: 32), timestamp: Int(now.timeIntervalSince1970))
    }
    guard let text else { throw ConsoleProblem("This user does not exist.") }
    return text
  }

  /// The `Authorization` field of a request that the app signs for a user (RFC 5849 §3.1).
  private static func signature(
    of request: IncomingRequest, _ app: SandboxApp, _ token: SandboxAccessToken, nonce: String, timestamp: Int
  ) -> String {
    var parameters = [
      RequestParameter("oauth_consumer_key", app.consumerKey), RequestParameter("oauth_token", token.token),
      RequestParameter("oauth_nonce", nonce), RequestParameter("oauth_timestamp", String(timestamp)),
      RequestParameter("oauth_signature_method", "HMAC-SHA1"), RequestParameter("oauth_version", "1.0"),
    ]
    let baseString = SignatureBaseString(request: request, scheme: "http", protocolParameters: parameters)
    parameters.append(
      RequestParameter(
        "oauth_signature",
        Signature.compute(
          baseString: baseString.text, consumerSecret: app.consumerSecret, tokenSecret: token.secret)))
    return "OAuth "
      + parameters.map { "\($0.nameText)=\"\(PercentEncoding.encode($0.value))\"" }.joined(separator: ", ")
  }

  private static func consoleResponse(_ response: Response) -> ConsoleResponse {
    let body =
      switch response.body {
      case .bytes(let bytes), .cut(let bytes, _), .chunks(let bytes, _, _): bytes
      case .nothing, .head, .stream: Data()
      }
    let isCoded = response.headers.contains { $0.name.lowercased() == "content-encoding" }
    return ConsoleResponse(
      status: response.status, headers: response.headers.map { ConsoleField($0.name, Redaction.header($0)) },
      body: isCoded ? "\(body.count) bytes, compressed" : text(of: body))
  }
}
