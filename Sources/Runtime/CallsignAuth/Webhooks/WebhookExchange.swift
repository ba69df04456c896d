import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// A request to a webhook, in the terms of no particular server.
public struct WebhookRequest: Sendable, Hashable {
  /// The HTTP method.
  public var method: HTTPRequest.Method
  /// The path, with the query if there is one, percent-encoded.
  public var target: String
  /// The header fields.
  public var headers: HTTPFields
  /// The body, exactly as it arrived: the signature covers its bytes.
  public var body: Data

  /// Describes a request.
  ///
  /// - Parameters:
  ///   - method: The HTTP method. Default: POST.
  ///   - target: Path and query. Default: `/`.
  ///   - headers: The header fields.
  ///   - body: The body. Default: none.
  public init(
    method: HTTPRequest.Method = .post, target: String = "/", headers: HTTPFields = [:], body: Data = Data()
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The first value of a query parameter, decoded; `nil` if there is none.
  public func query(_ name: String) -> String? {
    guard let mark = target.firstIndex(of: "?") else { return nil }
    for pair in target[target.index(after: mark)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // A name that cannot be decoded does not match.
      guard let found = parts.first.flatMap(PercentEncoding.decode), found == name else { continue }
      return PercentEncoding.decode(parts.dropFirst().first ?? "")
    }
    return nil
  }
}

/// The response of a webhook, to be sent by whatever server there is.
public struct WebhookResponse: Sendable, Hashable {
  /// The status.
  public var status: HTTPResponse.Status
  /// The header fields.
  public var headers: HTTPFields
  /// The body.
  public var body: Data

  /// Describes a response.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - headers: The header fields. Default: none.
  ///   - body: The body. Default: none.
  public init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response of JSON with status 200.
  package static func json(_ body: Data) -> WebhookResponse {
    WebhookResponse(.ok, headers: [.contentType: "application/json"], body: body)
  }

  /// A response in words, which tell the sender nothing of the secret.
  package static func refusal(_ status: HTTPResponse.Status, _ words: String) -> WebhookResponse {
    WebhookResponse(status, headers: [.contentType: "text/plain; charset=utf-8"], body: Data("\(words)\n".utf8))
  }
}

extension WebhookVerifier {
  /// Responds to a request to a webhook: checks that it is the API's, reads it, hands it on, and says how that went. A server
  /// has nothing to do but to pass requests in and responses out.
  ///
  /// ```swift
  /// let response = await verifier.respond(to: request, as: Petstore.Adoption.self) { adoption in
  ///   try await queue.add(adoption)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request as it arrived.
  ///   - type: The payload's type, or `JSONValue` for any JSON.
  ///   - undecodable: Called with the error of a payload that cannot be read. Default: it is dropped.
  ///   - handle: Handles the payload. If it throws, the response has status 500, after which most APIs deliver again.
  /// - Returns: 200; 401 if the request does not come from the API, 405 for another method than POST, 500 if the
  ///   payload could not be handled. A payload that cannot be read gets 200, because delivering it again would not
  ///   help.
  public func respond<Payload: JSONDecodable>(
    to request: WebhookRequest, as type: Payload.Type = Payload.self,
    undecodable: @Sendable (WebhookVerificationError) -> Void = { _ in },
    handle: (Payload) async throws -> Void
  ) async -> WebhookResponse {
    guard request.method == .post else {
      return WebhookResponse(.methodNotAllowed, headers: [.allow: "POST"])
    }
    let payload: Payload
    do throws(WebhookVerificationError) { payload = try read(from: request.body, headers: request.headers) } catch {
      switch error {
      case .missingHeader, .wrongSignature, .stale: return .refusal(.unauthorized, "the signature does not fit")
      case .undecodable:
        undecodable(error)
        return WebhookResponse(.ok)
      case .cryptography, .unusableSecret:
        return .refusal(.internalServerError, "the signature cannot be checked")
      }
    }
    do { try await handle(payload) } catch {
      return .refusal(.internalServerError, "the delivery could not be taken in")
    }
    return WebhookResponse(.ok)
  }

  /// A delivery as the API would send it: for tests of a receiver.
  ///
  /// ```swift
  /// let request = try verifier.request(delivering: adoption)
  /// #expect(await app.response(request).status == .ok)
  /// ```
  ///
  /// - Parameters:
  ///   - payload: The value that it delivers.
  ///   - target: The webhook's path. Default: `/`.
  ///   - id: The delivery's id, if the scheme signs one.
  ///   - date: The time of signing. Default: now.
  /// - Throws: ``WebhookVerificationError``: ``WebhookVerificationError/undecodable(_:)`` for a payload that has no JSON.
  public func request(
    delivering payload: some JSONEncodable, to target: String = "/", id: String = "1", at date: Date? = nil
  ) throws(WebhookVerificationError) -> WebhookRequest {
    let body: Data
    do throws(JSONError) { body = try payload.jsonData() } catch { throw .undecodable(error) }
    var fields = try headers(signing: body, id: id, at: date)
    fields[.contentType] = "application/json"
    return WebhookRequest(target: target, headers: fields, body: body)
  }
}
