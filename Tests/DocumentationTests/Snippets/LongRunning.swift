import CallsignTesting
import CallsignX
import Foundation
import Logging

// The blocks about retries, limits, streams and uploads, word for word. Compiled, never run.

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

private func polling(_ x: XAPI) async throws {
  var newest: String?  // kept from an earlier run, perhaps
  for try await post in x.getUsersMentionsPages(id: "2244994945").polling(every: .seconds(60), since: newest) {
    print(post.text)
    newest = post.id
  }
}

private func streams(_ x: XAPI) async throws {
  let posts = x.streamPosts(tweetFields: [.createdAt]).stallTimeout(.seconds(30))
  let watcher = Task {
    for await event in posts.events {
      if case .gap(let from, let to) = event { print("lost what came from \(from) to \(to)") }
    }
  }
  for try await post in posts.values { print(post.data.text) }
  watcher.cancel()
}

private func upload(_ x: XAPI, video: URL) async throws {
  let media = try await x.upload(file: video, altText: "A cat on a keyboard") { progress in
    print(progress.phase, progress.fractionCompleted)
  }
  try await x.createPosts(text: "look", media: .init(mediaIDs: [media.id]))
}

private func resumption(_ x: XAPI, video: URL) async throws {
  do {
    try await x.upload(file: video)
  } catch {
    print(error)  // what happened, and what to do
    if let rest = error.resumption { try await x.upload(file: video, resuming: rest) }
  }
}

private func issues(_ x: XAPI) async throws -> ClientConfiguration {
  let page = try await x.getUsersPosts(id: "2244994945")
  for issue in page.issues { print(issue) }  // data[3].text: required, but missing (byte 512); data[3] is left out

  var told = ClientConfiguration()
  told.reportIssues = { issues, endpoint in print(endpoint, issues.map(\.path)) }  // of items and streams as well
  told.logger = Logger(label: "x")  // a warning, once for each endpoint and path

  return told
}

private func inside() -> ClientConfiguration {
  let recorder = CassetteRecorder()
  var observed = ClientConfiguration(middleware: [ResponseCache(), recorder])
  observed.logger = Logger(label: "x")  // at level debug: endpoint, host, status, duration; no secrets, no bodies

  return observed
}
