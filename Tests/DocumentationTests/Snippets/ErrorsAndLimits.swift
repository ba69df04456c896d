import Callsign
import CallsignAuth
import CallsignTesting
import CallsignX
import Foundation
import Logging

// The blocks about errors, retries, limits and odd responses, word for word. Compiled, never run.

private func errors(_ x: XAPI) async {
  do {
    let post = try await x.getPostsById(id: "20")
    print(post.data.text)
  } catch {
    print(error)  // one line, fit for a log: no secrets, no bodies
    if let advice = error.advice { print("advice:", advice) }
    for problem in error.problems { print(problem.title ?? "", problem.detail ?? "") }
  }
}

private func cases(_ x: XAPI) async {
  do {
    try await x.likePost(id: "2244994945", tweetID: "20")
  } catch {
    switch error {
    case .rateLimited(let limit, _): print("again at", limit?.reset ?? .distantFuture)
    case .authorization(let error): print(error.advice)
    case .api(let error): print(error.status, error.problems.map { $0.detail ?? "" })
    case .mayHaveSucceeded: print("the response was lost: look before you repeat it")
    case .unreadableResult: print("done, though the response cannot be read")
    default: print(error)  // one line, fit for a log: no secrets, no bodies
    }
  }
}

private func anyError(_ x: XAPI, _ textFile: URL) async throws {
  do {
    let text = try String(contentsOf: textFile, encoding: .utf8)
    print(try await x.createPosts(text: text).data.id)
  } catch let error as any CallsignError {
    print(error)
    if let advice = error.advice { print("advice:", advice) }
  }
}

private func patience() -> XAPI {
  var configuration = ClientConfiguration()
  configuration.rateLimitPolicy = .wait(upTo: .seconds(900))
  configuration.retry.attempts = 5
  let patient = XAPI(auth: .bearer("…"), configuration: configuration)

  return patient
}

private func limits(_ x: XAPI) async throws -> ClientConfiguration {
  var options = CallOptions()
  options.retry = .never
  let me = try await x.getUsersMe(options: options)

  let soon = try await x.getUsersMe(options: CallOptions(deadline: .seconds(10)))
  print(soon.status)

  print(me.rateLimit?.remaining ?? 0, x.client.rateLimits["getUsersMe"]?.reset ?? .now)

  var configuration = ClientConfiguration()
  configuration.rateLimitPolicy = .ask { wait in wait.duration < .seconds(60) ? .wait : .fail }

  let ledger = RateLimitLedger()
  let shared = ClientConfiguration(rateLimitPolicy: .wait(upTo: .seconds(900)), rateLimitStore: ledger)

  return shared.deadline == nil ? configuration : shared
}

private func issues(_ x: XAPI) async throws -> ClientConfiguration {
  let page = try await x.getUsersPosts(id: "2244994945")
  // data[3].text: required, but missing (byte 512); data[3].text reads as empty
  for issue in page.issues { print(issue) }

  var told = ClientConfiguration()
  // Issues in items and streams are reported too.
  told.reportIssues = { issues, endpoint in print(endpoint, issues.map(\.path)) }
  told.logger = Logger(label: "x")  // a warning for a response, and each path once

  return told
}

private func inside() -> ClientConfiguration {
  let recorder = CassetteRecorder()
  var observed = ClientConfiguration(middleware: [ResponseCache(), recorder])
  observed.logger = Logger(label: "x")  // at level debug: endpoint, host, status, duration; no secrets, no bodies

  return observed
}

struct Stopwatch: Middleware {
  func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    let start = ContinuousClock.now
    let response = try await next(request)
    print(context.endpoint, context.attempt, response.head.status, ContinuousClock.now - start)
    return response
  }
}

private func proxies() -> ClientConfiguration {
  let proxy = ProxySettings.http("proxy.example", port: 3128, username: "ann", password: "…", bypassing: ["*.intern"])
  let proxied = ClientConfiguration(
    transport: DefaultTransport.make(configuration: TransportConfiguration(proxy: proxy)))

  return proxied
}

private func statistics(_ x: XAPI) {
  for (endpoint, counts) in x.client.statistics.endpoints { print(endpoint, counts.calls, counts.rateLimitWait) }
}
