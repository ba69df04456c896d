import Callsign
import CallsignAuth
import CallsignSupport
import HTTPTypes

// A whole webhook as one function, and the requests that X sends, for tests of it.
extension WebhookReceiver {
  /// Responds to a request to a webhook: to X's challenge by GET, and to a delivery by POST. A server only needs to
  /// pass requests in and responses out.
  ///
  /// ```swift
  /// let response = await receiver.respond(to: request, as: XAPI.ActivityEvent.self) { event in
  ///   try await queue.add(event)
  /// }
  /// ```
  ///
  /// X expects a response within seconds: `handle` should store the event, and another task should process it.
  ///
  /// - Parameters:
  ///   - request: The request as it arrived.
  ///   - type: `XAPI.ActivityEvent`, `XAPIv1.AccountActivity`, or `JSONValue` for any delivery.
  ///   - undecodable: Called with the error if a delivery comes from X but cannot be read. Default: the delivery is
  ///     dropped.
  ///   - handle: Stores the event. If it throws, the response has status 500, and X delivers again.
  /// - Returns: 200; 400 for a challenge that is not X's, 401 for a delivery that is not X's, 405 for another method,
  ///   500 if the event could not be stored. A delivery that cannot be read gets 200, because X would otherwise repeat
  ///   it.
  public func respond<Event: JSONDecodable>(
    to request: WebhookRequest, as type: Event.Type = Event.self,
    undecodable: @Sendable (WebhookError) -> Void = { _ in }, handle: (Event) async throws -> Void
  ) async -> WebhookResponse {
    do throws(WebhookError) {
      if request.method == .get { return .json(try response(crcToken: request.query("crc_token"))) }
    } catch {
      return Self.refusal(of: error)
    }
    guard request.method == .post else { return WebhookResponse(.methodNotAllowed, headers: [.allow: "GET, POST"]) }
    let event: Event
    do throws(WebhookError) { event = try read(from: request.body, headers: request.headers) } catch {
      if case .undecodable = error { undecodable(error) }
      return Self.refusal(of: error)
    }
    do { try await handle(event) } catch {
      return .refusal(.internalServerError, "the delivery could not be stored")
    }
    return WebhookResponse(.ok)
  }

  private static func refusal(of error: WebhookError) -> WebhookResponse {
    switch error {
    case .invalidChallenge: .refusal(.badRequest, "this is not a valid challenge")
    case .missingSignature, .wrongSignature: .refusal(.unauthorized, "the signature does not match")
    case .undecodable: WebhookResponse(.ok)
    case .cryptography: .refusal(.internalServerError, "the signature cannot be checked")
    }
  }

  /// X's challenge (its "CRC"), for tests of a server.
  ///
  /// ```swift
  /// let challenge = receiver.challenge()
  /// let response = try await app.response(challenge)
  /// #expect(receiver.isPassed(challenge, by: response))
  /// ```
  ///
  /// - Parameters:
  ///   - token: The text to sign. Default: a new one each time.
  ///   - path: The webhook's path. Default: `/`.
  public func challenge(token: String? = nil, to path: String = "/") -> WebhookRequest {
    let token = token ?? UUID().uuidString
    return WebhookRequest(
      method: .get, target: "\(path)?crc_token=\(PercentEncoding.encode(token))&nonce=\(UUID().uuidString)")
  }

  /// Whether a response passes a challenge by X's rules: status 200, and the signed token.
  ///
  /// - Parameters:
  ///   - challenge: The challenge that was sent to the server.
  ///   - response: Its response.
  public func isPassed(_ challenge: WebhookRequest, by response: WebhookResponse) -> Bool {
    guard response.status == .ok, let expected = try? self.response(crcToken: challenge.query("crc_token")),
      let wanted = try? JSONValue(jsonData: expected), let found = try? JSONValue(jsonData: response.body)
    else { return false }
    return found["response_token"] == wanted["response_token"]
  }

  /// A delivery, signed as X signs it with each secret that the receiver has; for tests of a server.
  ///
  /// ```swift
  /// let delivery = try receiver.delivery(of: JSONValue(jsonString: event), to: "/webhooks/x")
  /// #expect(try await app.response(delivery).status == .ok)
  /// ```
  ///
  /// - Parameters:
  ///   - payload: The value to deliver, such as a `JSONValue`.
  ///   - path: The webhook's path. Default: `/`.
  /// - Throws: ``WebhookError``: ``WebhookError/undecodable(_:)`` if the payload cannot be written as JSON.
  public func delivery(of payload: some JSONEncodable, to path: String = "/") throws(WebhookError) -> WebhookRequest {
    let body: Data
    do throws(JSONError) { body = try payload.jsonData() } catch { throw .undecodable(error) }
    return try delivery(body: body, to: path)
  }

  /// A delivery of these bytes, signed as X signs it with each secret that the receiver has; for tests of a server.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - path: The webhook's path. Default: `/`.
  /// - Throws: ``WebhookError/cryptography(_:)``.
  public func delivery(body: Data, to path: String = "/") throws(WebhookError) -> WebhookRequest {
    var headers: HTTPFields = [.contentType: "application/json"]
    for signer in signers {
      if let name = signer.fieldName { headers[name] = try signer.signature(of: body) }
    }
    return WebhookRequest(target: path, headers: headers, body: body)
  }
}
