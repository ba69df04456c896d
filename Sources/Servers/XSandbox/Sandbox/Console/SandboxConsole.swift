import CallsignMockServer
import Foundation

/// A sandbox as shown by a console.
struct SandboxConsole: ConsoleHost {
  let pipeline: RequestPipeline
  let app: SandboxApp

  func facts() async -> ConsoleFacts {
    let accounts = await pipeline.authorization.perform { server in
      server.registry.accounts.values.sorted { $0.id < $1.id }.map(\.username)
    }
    let users = accounts.prefix(50).flatMap { name in
      [
        ConsoleFacts.Choice("oauth2:\(name)", "@\(name), with OAuth 2.0"),
        ConsoleFacts.Choice("oauth1:\(name)", "@\(name), with OAuth 1.0a"),
      ]
    }
    var facts = ConsoleFacts(
      title: "X sandbox", summary: "A local X: its requests, its responses and its state.",
      operations: operations,
      identities: users + [.init("app", "the app, with its bearer token"), .init("nobody", "nobody")],
      faults: Self.faults
    )
    (facts.hasTime, facts.hasSignatures) = (true, true)
    facts.guide = SandboxGuide.lines(accounts: accounts).map { ConsoleField($0.name, $0.text) }
    return facts
  }

  // MARK: Requests

  func requests(after number: Int, atMost limit: Int) async -> [ConsoleRequest] {
    await pipeline.log.requests(after: number, atMost: limit).map { number, request in
      let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      var shown = ConsoleRequest(
        number: number, method: request.method, target: request.path + (query.isEmpty ? "" : "?" + query),
        status: request.status)
      shown.time = Timestamp.text(request.date)
      shown.headers = request.headers.sorted { $0.key < $1.key }.map { ConsoleField($0.key, $0.value) }
      shown.body = Self.text(of: request.body)
      shown.signature = request.signature.map(Self.shown)
      return shown
    }
  }

  func forgetRequests() async { await pipeline.log.clear() }

  /// The maximum number of bytes of a body to send to the page.
  private static let bodyLimit = 32 << 10

  static func text(of body: Data) -> String {
    guard let text = String(data: body.prefix(bodyLimit), encoding: .utf8), !text.utf8.contains(0) else {
      return body.count > bodyLimit && String(data: body, encoding: .utf8) != nil
        ? String(decoding: body.prefix(bodyLimit), as: UTF8.self) + "…" : "\(body.count) bytes"
    }
    return text + (body.count > bodyLimit ? "…" : "")
  }

  private static func shown(_ trace: SignatureTrace) -> ConsoleSignature {
    ConsoleSignature(
      isValid: trace.isValid, verdict: trace.verdict,
      parts: [
        ConsoleField("method", trace.parts.method), ConsoleField("address", trace.parts.baseURI),
        ConsoleField("parameters", trace.parts.normalizedParameters),
      ] + trace.parameters.map { ConsoleField($0.nameText, $0.valueText) },
      computed: trace.computed, signed: trace.signed)
  }

  // MARK: Status

  func status() async -> ConsoleStatus {
    var status = ConsoleStatus()
    let now = pipeline.clock.now()
    status.time = Timestamp.text(now)
    status.offset = pipeline.clock.current
    let windows = await pipeline.limiter.openWindows(now: now).prefix(50)
    let names = await pipeline.store.perform { database in
      Dictionary(windows.compactMap(\.user).map { ($0, database.users[$0]?.username) }, uniquingKeysWith: { $1 })
        .compactMapValues(\.self)
    }
    status.limits = windows.map { window in
      ConsoleStatus.Limit(
        operation: window.operation,
        who: (window.user.map { "@" + (names[$0] ?? String($0)) } ?? "the app")
          + (window.isOfADay ? ", daily limit" : ""),
        limit: window.limit, remaining: max(0, window.limit - window.used),
        seconds: max(0, window.reset - Int(now.timeIntervalSince1970)))
    }
    status.faults = await pipeline.faults.descriptions
    status.faultCount = await pipeline.faults.count
    status.tables = await pipeline.store.perform { StateTables($0).sizes }
    return status
  }

  func table(_ name: String) async -> ConsoleTable? { await pipeline.store.perform { StateTables($0).table(name) } }

  func moveTime(by seconds: Double?) async throws(ConsoleProblem) {
    pipeline.clock.setOffset(seconds.map { pipeline.clock.current + $0 } ?? 0)
  }

  // MARK: Faults

  private static let faults: [ConsoleFacts.Choice] = [
    .init("", "a server error", value: "Status, from 400 to 599", initial: "503"),
    .init("429", "the rate limit is used up"),
    .init("delay:", "a slow response", value: "How long, such as 250ms or 2s", initial: "2s"),
    .init("cut", "the connection closes before the response"),
    .init("lose-response", "the operation is done, but the response is lost"),
    .init("cut-in-body:", "the connection closes in mid-body", value: "After how many bytes", initial: "20"),
    .init("truncate:", "the body ends too early", value: "After how many bytes", initial: "20"),
    .init("empty", "the body is empty"),
    .init("slow:", "the body trickles", value: "Bytes a second", initial: "100"),
    .init("type:", "another media type", value: "Content-Type", initial: "text/html"),
    .init("proxy:", "a proxy's page", value: "Status", initial: "502"),
    .init("clock", "the timestamp is refused"),
    .init("missing-scope", "a scope is missing"),
    .init("suspended-account", "the account is suspended"),
    .init("usage-capped", "the usage cap is reached"),
    .init("credits-depleted", "the credits are used up"),
    .init("spend-cap-reached", "the spend cap is reached"),
    .init("duplicate-post", "the post is a duplicate"),
  ]

  func inject(_ fault: ConsoleFault) async throws(ConsoleProblem) {
    guard let kind = Self.faults.first(where: { $0.id == fault.kind }) else {
      throw ConsoleProblem("This fault does not exist.")
    }
    let value = kind.value == nil ? "" : fault.value.trimmingCharacters(in: .whitespaces)
    guard kind.value == nil || !value.isEmpty else { throw ConsoleProblem("\(kind.value ?? "The value") is missing.") }
    guard (1...100_000).contains(fault.times) else { throw ConsoleProblem("It can be from 1 to 100000 times.") }
    let specification: FaultSpecification
    do throws(FaultSpecificationError) {
      specification = try FaultSpecification(
        "\(fault.operation)=\(kind.id)\(value) x\(fault.times)", now: pipeline.clock.now())
    } catch {
      throw ConsoleProblem("\(error)")
    }
    guard case .fault(let planned, let times, let after) = specification.content else { return }
    await pipeline.faults.add(planned, for: specification.operation, times: times, after: after)
  }

  func removeFaults() async { await pipeline.faults.removeAll() }
}
