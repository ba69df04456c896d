import Foundation

/// Lets a fault happen to a request.
enum FaultInjection {
  /// - Parameter respond: does what was asked.
  static func perform(
    _ fault: Sandbox.Fault?, in version: APIVersion, _ respond: () async throws(Problem) -> Answer
  ) async throws(Problem) -> Answer {
    switch fault?.kind {
    case nil: return try await respond()
    case .instead(let replacement): return try answer(replacement, in: version)
    case .delay(let duration):
      // Cancelled when the sandbox stops: then nobody waits for the answer.
      try? await Task.sleep(for: duration)
      return try await respond()
    case .spoil(let spoiling):
      let answer: Answer
      do throws(Problem) { answer = try await respond() } catch { answer = Answer(error, in: version) }
      return spoil(answer, spoiling)
    }
  }

  private static func answer(
    _ replacement: Sandbox.Fault.Replacement, in version: APIVersion
  ) throws(Problem) -> Answer {
    switch replacement {
    case .status(let status, let headers, let body):
      var answer = Answer(
        Problem(status: status, title: ReasonPhrase.of(status), detail: ReasonPhrase.of(status)), in: version)
      if let body {
        answer.body = .bytes(body)
        answer.set("Content-Type", "text/html")
      }
      for (name, value) in headers { answer.set(name, value) }
      return answer
    case .proxyPage(let status):
      let phrase = "\(status) \(ReasonPhrase.of(status))"
      return Answer(status: status, page: HTML.message(title: phrase, "The proxy got no answer from upstream."))
    case .blankProblem(let status):
      let phrase = ReasonPhrase.of(status)
      return Answer(Problem(status: status, title: phrase, detail: phrase))
    case .clockOff:
      throw .unauthorized.explained("timestamp_refused", ["detail": "The fault says so, whatever the timestamp is."])
    case .refusal(let refusal): throw refusal.problem(in: version)
    case .cut:
      var answer = Answer(status: 0)
      answer.body = .nothing
      return answer
    }
  }

  private static func spoil(_ answer: Answer, _ spoiling: Sandbox.Fault.Spoiling) -> Answer {
    var spoilt = answer
    if case .loseAnswer = spoiling { spoilt.body = .nothing }
    if case .mediaType(let type) = spoiling { spoilt.set("Content-Type", type) }
    if case .headers(let headers) = spoiling { for (name, value) in headers { spoilt.set(name, value) } }
    guard case .bytes(let bytes) = answer.body else { return spoilt }
    switch spoiling {
    case .cut(let count): spoilt.body = .cut(bytes: bytes.prefix(count), total: max(bytes.count, count + 1))
    case .truncate(let count): spoilt.body = .bytes(bytes.prefix(count))
    case .empty: spoilt.body = .bytes(Data())
    case .chunks(let size, let pause): spoilt.body = .chunks(bytes, size: size, pause: pause)
    case .partialErrors: spoilt.body = .bytes(withErrors(bytes))
    case .mediaType, .headers, .loseAnswer: break
    }
    return spoilt
  }

  private static func withErrors(_ bytes: Data) -> Data {
    guard case .object(var members) = try? JSON(parsing: bytes) else { return bytes }
    let missing = MissingResource(kind: .user, parameter: "pinned_tweet_id", value: "1")
    members["errors"] = [missing.document]
    return JSON.object(members).bytes
  }
}
