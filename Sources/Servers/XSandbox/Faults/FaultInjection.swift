import CallsignMock
import Foundation

/// Applies a fault to a request.
enum FaultInjection {
  /// - Parameter respond: Runs the operation.
  static func perform(
    _ fault: SandboxFault?, in version: APIVersion, _ respond: () async throws(Problem) -> Response
  ) async throws(Problem) -> Response {
    switch fault?.kind {
    case nil: return try await respond()
    case .instead(let replacement): return try response(replacement, in: version)
    case .delay(let duration):
      // Cancelled if the sandbox stops. Nobody waits for the response then.
      try? await Task.sleep(for: duration)
      return try await respond()
    case .mutate(let mutation):
      let response: Response
      do throws(Problem) { response = try await respond() } catch { response = Response(error, in: version) }
      return mutate(response, mutation)
    }
  }

  private static func response(
    _ replacement: SandboxFault.Replacement, in version: APIVersion
  ) throws(Problem) -> Response {
    switch replacement {
    case .status(let status, let headers, let body):
      var response = Response(
        Problem(status: status, title: ReasonPhrase.of(status), detail: ReasonPhrase.of(status)), in: version)
      if let body {
        response.body = .bytes(body)
        response.set("Content-Type", "text/html")
      }
      for (name, value) in headers { response.set(name, value) }
      return response
    case .proxyPage(let status):
      let phrase = "\(status) \(ReasonPhrase.of(status))"
      return Response(status: status, page: HTML.message(title: phrase, "The proxy got no response from upstream."))
    case .blankProblem(let status):
      let phrase = ReasonPhrase.of(status)
      return Response(Problem(status: status, title: phrase, detail: phrase))
    case .timestampRefused:
      throw .unauthorized.explained("timestamp_refused", ["detail": "The fault refuses every timestamp."])
    case .refusal(let refusal): throw refusal.problem(in: version)
    case .cut: return .connectionClosed
    }
  }

  private static func mutate(_ response: Response, _ mutation: SandboxFault.ResponseMutation) -> Response {
    if case .lost = mutation { return .connectionClosed }
    var mutated = response
    if case .mediaType(let type) = mutation { mutated.set("Content-Type", type) }
    if case .headers(let headers) = mutation { for (name, value) in headers { mutated.set(name, value) } }
    guard case .bytes(let bytes) = response.body else { return mutated }
    switch mutation {
    case .cut(let count): mutated.body = .cut(bytes: bytes.prefix(count), total: max(bytes.count, count + 1))
    case .truncate(let count): mutated.body = .bytes(bytes.prefix(count))
    case .empty: mutated.body = .bytes(Data())
    case .chunks(let size, let pause): mutated.body = .chunks(bytes, size: size, pause: pause)
    case .partialErrors: mutated.body = .bytes(withErrors(bytes))
    case .mediaType, .headers, .lost: break
    }
    return mutated
  }

  private static func withErrors(_ bytes: Data) -> Data {
    guard case .object(var members) = try? JSON(parsing: bytes) else { return bytes }
    let missing = MissingResource(kind: .user, parameter: "pinned_tweet_id", value: "1")
    members["errors"] = [missing.document]
    return JSON.object(members).bytes
  }
}
