import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

/// Tests the engine against an API in memory.
@Suite struct ChunkedUploadTests {
  private let time = TestTime(.moves, at: Date())

  private func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
    var random = SeededGenerator(seed: seed)
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  private func run(
    _ data: Data, _ api: ScriptedAPI, _ options: UploadOptions = UploadOptions(chunkSize: 2500),
    resuming: UploadResumption? = nil, log: ProgressLog? = nil
  ) async throws(UploadError) -> String {
    try await run(UploadContent(data: data), api, options, resuming: resuming, log: log)
  }

  private func run(
    _ content: UploadContent, _ api: ScriptedAPI, _ options: UploadOptions = UploadOptions(chunkSize: 2500),
    resuming: UploadResumption? = nil, log: ProgressLog? = nil
  ) async throws(UploadError) -> String {
    let upload = ChunkedUpload(content, by: api, options: options, time: time, resuming: resuming)
    guard let log else { return try await upload.run(.silent) }
    return try await UploadReporter.observing({ log.append($0) }) { (reporter) throws(UploadError) in
      try await upload.run(reporter)
    }
  }

  private func failure(_ run: () async throws(UploadError) -> String) async -> UploadError? {
    do throws(UploadError) {
      _ = try await run()
      return nil
    } catch { return error }
  }

  @Test("With any size, chunk size and concurrency, and chunks that fail at any byte, the whole file arrives unchanged")
  func property() async throws {
    for seed in UInt64(1)...60 {
      var random = SeededGenerator(seed: seed)
      let data = bytes(Int.random(in: 1...20_000, using: &random), seed: seed)
      let chunkSize = Int.random(in: 1...6000, using: &random)
      let failing = UInt64.random(in: 0...3, using: &random)
      let api = ScriptedAPI { (chunk, attempt, count) throws(CallError) in
        var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(chunk * 10 + attempt))
        let limit = Int.random(in: 0...chunkSize, using: &random)
        if UInt64(attempt) <= failing, count >= limit { throw .lost }
      }
      let log = ProgressLog()
      let options = UploadOptions(chunkSize: chunkSize, concurrency: Int.random(in: 1...6, using: &random))
      #expect(try await run(data, api, options, log: log) == "7")
      #expect(api.content == data)
      #expect(api.seen.chunks.count <= 1000)
      let sent = log.all.map(\.sentBytes)
      #expect(sent == sent.sorted())
      #expect(sent.allSatisfy { $0 <= data.count })
      #expect(log.all.last == UploadProgress(phase: .finished, sentBytes: data.count, totalBytes: data.count))
    }
  }

  @Test("Several chunks are in flight, never more than wished, and pieces are small")
  func window() async throws {
    let api = ScriptedAPI { (_, _, count) throws(CallError) in
      if count == 0 { for _ in 0..<50 { await Task.yield() } }
    }
    let data = bytes(50_000)
    _ = try await run(data, api, UploadOptions(chunkSize: 2500, concurrency: 3))
    #expect((2...3).contains(api.seen.mostInFlight))
    #expect(api.seen.largestPiece <= 1000)
    #expect(api.content == data)
  }

  @Test("Chunks grow when there would be too many")
  func chunkLimit() async throws {
    let api = ScriptedAPI(chunkLimit: 10)
    let data = bytes(10_001)
    _ = try await run(data, api, UploadOptions(chunkSize: 100))
    #expect(api.seen.chunks.count == 10)
    #expect(api.content == data)
  }

  @Test("A refusal ends the upload at once; the arrived part is reported, and resuming sends only the rest")
  func resumption() async throws {
    let refusal = await CallError.status(400)
    let data = bytes(20_000)
    let broken = ScriptedAPI { (chunk, _, _) throws(CallError) in if chunk == 5 { throw refusal } }
    let options = UploadOptions(chunkSize: 2500, concurrency: 1)
    let error = try #require(await failure { () throws(UploadError) in try await run(data, broken, options) })
    #expect(error.callError?.rawResponse?.status == .badRequest)
    guard case .call(_, .append) = error.cause else {
      Issue.record("\(error)")
      return
    }
    #expect(broken.seen.attempts[5] == 1)
    #expect(broken.seen.inFlight == 0)
    let resumption = try #require(error.resumption)
    #expect(resumption.finishedChunks == [0, 1, 2, 3, 4])
    #expect("\(error)".contains("can be resumed"))
    // An app may keep it.
    let kept = try JSONDecoder().decode(UploadResumption.self, from: JSONEncoder().encode(resumption))
    #expect(kept == resumption)

    let log = ProgressLog()
    let api = ScriptedAPI()
    _ = try await run(data, api, UploadOptions(chunkSize: 9), resuming: kept, log: log)
    #expect(api.seen.chunks.keys.sorted() == [5, 6, 7])
    #expect(broken.content.prefix(12_500) + api.content == data)
    #expect((log.all.first?.sentBytes ?? 0) >= 12_500)

    let other = await failure { () throws(UploadError) in try await run(data.dropLast(), api, resuming: kept) }
    guard case .cannotResume? = other?.cause else {
      Issue.record("\(String(describing: other))")
      return
    }
  }

  @Test("A resumption that is damaged resumes nothing", arguments: [Int.min, -1, 0, .max])
  func damaged(size: Int) async throws {
    let kept = #"{"uploadID":"1","chunkSize":1,"finishedChunks":[0],"isFinished":false,"size":\#(size)}"#
    let resumption = try JSONDecoder().decode(UploadResumption.self, from: Data(kept.utf8))
    let error = await failure { () throws(UploadError) in
      try await run(Data("abc".utf8), ScriptedAPI(), resuming: resumption)
    }
    guard case .cannotResume? = error?.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("An upload that the API has forgotten is resumed once, and then started again")
  func forgotten() async throws {
    let gone = await CallError.status(404)
    let api = ScriptedAPI { (chunk, _, _) throws(CallError) in if chunk > 1 { throw gone } }
    let options = UploadOptions(chunkSize: 2500, concurrency: 1)
    var resumption: UploadResumption?
    var begins: [Int] = []
    for _ in 1...3 {
      let known = resumption
      let error = await failure { () throws(UploadError) in
        try await run(bytes(10_000), api, options, resuming: known)
      }
      resumption = error?.resumption
      #expect(error?.uploadID == "7")
      begins.append(api.seen.begins)
    }
    #expect(begins == [1, 1, 2])
  }

  @Test(
    "Of a resumed upload that is refused nothing is left to resume, unless the refusal is not about the upload",
    arguments: [
      (400, false), (404, false), (410, false), (401, true), (402, true), (403, true), (408, true), (425, true),
      (429, true), (503, true),
    ])
  func refusedAgain(status: Int, isKept: Bool) async throws {
    let refusal = await CallError.status(status)
    let chunk = try JSONDecoder().decode(
      UploadResumption.self,
      from: Data(#"{"uploadID":"7","chunkSize":5,"finishedChunks":[0],"isFinished":false,"size":10}"#.utf8))
    var finish = chunk
    finish.finishedChunks = [0, 1]
    var processing = finish
    processing.isFinished = true
    let api = ScriptedAPI(
      during: { (_, _, _) throws(CallError) in throw refusal }, finishing: { (_) throws(CallError) in throw refusal },
      asked: { (_) throws(CallError) in throw refusal })
    for resumption in [chunk, finish, processing] {
      let error = await failure { () throws(UploadError) in
        try await run(bytes(10), api, resuming: resumption)
      }
      #expect((error?.resumption == resumption) == isKept, "\(String(describing: error?.cause))")
      #expect(error?.uploadID == "7")
    }
  }

  @Test("Chunks that are too large for the server are not sent again in that size", arguments: [413, 431])
  func tooLarge(status: Int) async throws {
    let refusal = await CallError.status(status)
    let api = ScriptedAPI { (chunk, _, _) throws(CallError) in if chunk == 1 { throw refusal } }
    let error = await failure { () throws(UploadError) in
      try await run(bytes(10_000), api, UploadOptions(chunkSize: 2500, concurrency: 1))
    }
    #expect(error?.resumption == nil && error?.uploadID == "7")
    #expect(error?.advice?.contains("chunkSize") == true)
  }

  @Test("An upload with chunks that are too large starts again with chunks of 1 MiB", arguments: [413, 431])
  func smallerChunks(status: Int) async throws {
    let refusal = await CallError.status(status)
    let data = Data((0..<(7 << 19)).map { UInt8(truncatingIfNeeded: $0 >> 9) })
    let api = ScriptedAPI { (_, _, count) throws(CallError) in if count > 1 << 20 { throw refusal } }
    let log = ProgressLog()
    let sizes = Locked<[Int]>([])
    var options = UploadOptions(chunkSize: 2 << 20, concurrency: 2)
    options.checkpoint = { point in sizes.withLock { $0.append(point.chunkSize) } }
    #expect(try await run(data, api, options, log: log) == "7")
    #expect(api.content == data && api.seen.begins == 2 && api.seen.finishes == 1)
    #expect(api.seen.chunks.keys.sorted() == [0, 1, 2, 3])
    let known = sizes.withLock { $0 }
    #expect(known.first == 2 << 20 && known.last == 1 << 20)
    let sent = log.all.map(\.sentBytes)
    #expect(sent == sent.sorted() && sent.last == data.count)
  }

  @Test("It starts again once, but not if chunks of that size have arrived")
  func smallerChunksOnce() async throws {
    let refusal = await CallError.status(413)
    let data = Data(count: 5 << 20)
    let options = UploadOptions(chunkSize: 2 << 20, concurrency: 1)
    let never = ScriptedAPI { (_, _, _) throws(CallError) in throw refusal }
    let error = await failure { () throws(UploadError) in try await run(data, never, options) }
    #expect(never.seen.begins == 2 && error?.resumption == nil && error?.advice?.contains("256 KiB") == true)
    let second = ScriptedAPI { (chunk, _, _) throws(CallError) in if chunk == 1 { throw refusal } }
    _ = await failure { () throws(UploadError) in try await run(data, second, options) }
    #expect(second.seen.begins == 1)
    // If the API accepts so few chunks, none can be smaller.
    let few = ScriptedAPI(chunkLimit: 2, during: { (_, _, _) throws(CallError) in throw refusal })
    _ = await failure { () throws(UploadError) in try await run(data, few, options) }
    #expect(few.seen.begins == 1)
  }

  @Test("Without a limit, all chunks are sent at once")
  func unbounded() async throws {
    let api = ScriptedAPI()
    let data = bytes(10_000)
    _ = try await run(data, api, UploadOptions(chunkSize: 2500, concurrency: .max))
    #expect(api.content == data)
  }

  @Test("The first failure ends the other chunks before the error is thrown")
  func siblings() async throws {
    let refusal = await CallError.status(403)
    let api = ScriptedAPI { (chunk, _, _) throws(CallError) in
      if chunk == 0 { throw refusal }
      while !Task.isCancelled { await Task.yield() }
      throw .cancelled
    }
    let error = await failure { () throws(UploadError) in try await run(bytes(20_000), api) }
    #expect(error?.callError?.rawResponse?.status == .forbidden)
    #expect(api.seen.inFlight == 0)
  }

  @Test("Server errors are retried up to the limit, after the Retry-After time")
  func repetition() async throws {
    let busy = await CallError.status(503, headers: ["Retry-After": "3"])
    let api = ScriptedAPI { (_, _, _) throws(CallError) in throw busy }
    let error = await failure { () throws(UploadError) in
      try await run(bytes(10), api, UploadOptions(retry: RetryPolicy(attempts: 4)))
    }
    #expect(error?.callError?.rawResponse?.status == .serviceUnavailable)
    #expect(api.seen.attempts[0] == 4)
    #expect(time.sleeps == [.seconds(3), .seconds(3), .seconds(3)])
  }

  @Test(
    "Attempts are the policy's pauses apart, even if the server says that it is back sooner",
    arguments: ["0", "Sun, 06 Nov 1994 08:49:37 GMT"])
  func repetitionAtOnce(retryAfter: String) async throws {
    let busy = await CallError.status(503, headers: ["Retry-After": retryAfter])
    let api = ScriptedAPI { (_, _, _) throws(CallError) in throw busy }
    _ = await failure { () throws(UploadError) in
      try await run(bytes(10), api, UploadOptions(retry: RetryPolicy(attempts: 4, jitter: { 1 })))
    }
    #expect(time.sleeps == [.milliseconds(500), .seconds(1), .seconds(2)])
  }

  @Test(
    "A Retry-After with a fraction of a second is a wait of that length",
    arguments: [("0.503", Duration.seconds(1)), ("1.5", .milliseconds(1500)), ("12.25", .milliseconds(12250))])
  func fractions(retryAfter: String, wait: Duration) async throws {
    let busy = await CallError.status(503, headers: ["Retry-After": "1.5"])
    let refusal = await CallError.status(429, headers: ["Retry-After": retryAfter])
    let api = ScriptedAPI { (_, attempt, bytes) throws(CallError) in
      if bytes == 0, attempt == 1 { throw busy }
      if bytes == 0, attempt == 2 { throw refusal }
    }
    let options = UploadOptions(retry: RetryPolicy(attempts: 4, jitter: { 0 }), rateLimitWait: .seconds(100))
    #expect(try await run(bytes(10), api, options) == "7")
    #expect(time.sleeps == [.milliseconds(1500), wait])
  }

  @Test("An upload that has just been finished may not be known yet") func unknownForAWhile() async throws {
    let gone = await CallError.status(404)
    let pending = ProcessingState.pending(checkAfter: .seconds(1), percent: nil)
    let api = ScriptedAPI(
      finishing: { _ in pending },
      asked: { (count) throws(CallError) in
        if count < 3 { throw gone }
        return .succeeded
      })
    #expect(try await run(bytes(10), api) == "7")
    #expect(api.seen.questions == 3)
    // The policy decides for how long.
    let lost = ScriptedAPI(finishing: { _ in pending }, asked: { (_) throws(CallError) in throw gone })
    let options = UploadOptions(retry: RetryPolicy(attempts: 3))
    let error = await failure { () throws(UploadError) in try await run(bytes(10), lost, options) }
    #expect(error?.callError?.rawResponse?.status == .notFound)
    #expect(lost.seen.questions == 3)
  }

  @Test("Waits between attempts are bounded if the server asks for none")
  func backoff() async throws {
    let api = ScriptedAPI { (_, _, _) throws(CallError) in throw .lost }
    _ = await failure { () throws(UploadError) in
      try await run(bytes(10), api, UploadOptions(retry: RetryPolicy(attempts: 12)))
    }
    #expect(time.sleeps.count == 11)
    #expect(time.sleeps.allSatisfy { $0 >= .zero && $0 <= .seconds(20) })
    #expect((time.sleeps.first ?? .zero) <= .milliseconds(500))
  }

  @Test("The response to the last request is lost, but it had arrived")
  func lostFinish() async throws {
    let refusal = await CallError.status(400)
    let api = ScriptedAPI(finishing: { (count) throws(CallError) in throw count == 1 ? .lost : refusal })
    #expect(try await run(bytes(10), api) == "7")
    #expect((api.seen.finishes, api.seen.questions) == (2, 1))
    // If it had not arrived, the API would not report any processing.
    let other = ScriptedAPI(
      finishing: { (count) throws(CallError) in throw count == 1 ? .lost : refusal }, asked: { _ in nil })
    let error = await failure { () throws(UploadError) in try await run(bytes(10), other) }
    #expect(error?.callError?.rawResponse?.status == .badRequest)
    #expect(error?.resumption?.finishedChunks == [0])
  }

  @Test("It had arrived, and the question whether it had gets a response late, or only when the upload is resumed")
  func lostFinishAndStatus() async throws {
    let refusal = await CallError.status(400)
    let busy = await CallError.status(503)
    let api = ScriptedAPI(
      finishing: { (count) throws(CallError) in throw count == 1 ? .lost : refusal },
      asked: { (count) throws(CallError) in
        if count < 3 { throw busy }
        return .succeeded
      })
    #expect(try await run(bytes(10), api) == "7")
    #expect((api.seen.finishes, api.seen.questions) == (2, 3))

    let other = ScriptedAPI(finishing: { (count) throws(CallError) in throw count == 1 ? .lost : refusal })
    let options = UploadOptions(retry: .never)
    let error = await failure { () throws(UploadError) in try await run(bytes(10), other, options) }
    let resumption = try #require(error?.resumption)
    #expect(try await run(bytes(10), other, options, resuming: resumption) == "7")
    #expect((other.seen.finishes, other.seen.questions) == (2, 1))
  }

  @Test("Processing is polled as often as the API says, and its failure is typed")
  func processing() async throws {
    let log = ProgressLog()
    let api = ScriptedAPI(
      finishing: { _ in .pending(checkAfter: .seconds(5), percent: nil) },
      asked: { $0 < 3 ? .pending(checkAfter: .seconds($0 == 1 ? 8 : 0), percent: 10 * $0) : .succeeded })
    #expect(try await run(bytes(10), api, log: log) == "7")
    #expect(time.sleeps == [.seconds(5), .seconds(8), .seconds(1)])
    #expect(log.all.last?.phase == .finished)

    let failing = ScriptedAPI(
      finishing: { _ in .pending(checkAfter: nil, percent: nil) },
      asked: { _ in .failed(ProcessingFailure(code: 1, name: "InvalidMedia", message: "Unsupported")) })
    let error = await failure { () throws(UploadError) in try await run(bytes(10), failing) }
    guard case .processingFailed(let reason)? = error?.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason == ProcessingFailure(code: 1, name: "InvalidMedia", message: "Unsupported"))
    #expect(error?.uploadID == "7")
    #expect(error?.resumption == nil)
  }

  @Test("Processing without end is bounded, and can be waited for again")
  func processingBound() async throws {
    let api = ScriptedAPI(
      finishing: { _ in .pending(checkAfter: .seconds(1), percent: 1) },
      asked: { $0 < 20 ? .pending(checkAfter: .seconds(10), percent: 1) : .succeeded })
    let options = UploadOptions(processingTimeout: .seconds(60))
    let error = await failure { () throws(UploadError) in try await run(bytes(10), api, options) }
    guard case .processingTimedOut(.seconds(60))? = error?.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(time.sleeps.reduce(.zero, +) <= .seconds(60))
    let resumption = try #require(error?.resumption)
    #expect(resumption.isFinished)
    let finishes = api.seen.finishes
    #expect(try await run(bytes(10), api, UploadOptions(), resuming: resumption) == "7")
    #expect(api.seen.finishes == finishes)
    // The value must not be waited for at all.
    #expect(
      try await run(
        bytes(10), ScriptedAPI(finishing: { _ in .pending(checkAfter: nil, percent: nil) }),
        UploadOptions(processingTimeout: .zero)) == "7")
  }

  @Test("Progress as a sequence ends with the upload")
  func sequence() async throws {
    let content = try UploadContent(data: bytes(20_000))
    let upload = Upload { [time] (reporter) throws(UploadError) in
      try await ChunkedUpload(content, by: ScriptedAPI(), options: UploadOptions(chunkSize: 2500), time: time).run(
        reporter)
    }
    var last: UploadProgress?
    for await progress in upload.progress {
      #expect(progress.sentBytes >= last?.sentBytes ?? 0)
      last = progress
    }
    #expect(last?.phase == .finished)
    #expect(last?.fractionCompleted == 1)
    #expect(try await upload.value == "7")
  }

  @Test("Cancelling ends every chunk, and says what to resume")
  func cancellation() async throws {
    let api = ScriptedAPI { (chunk, _, _) throws(CallError) in
      guard chunk > 1 else { return }
      while !Task.isCancelled { await Task.yield() }
      throw .cancelled
    }
    let content = try UploadContent(data: bytes(20_000))
    let upload = Upload { [time] (reporter) throws(UploadError) in
      try await ChunkedUpload(content, by: api, options: UploadOptions(chunkSize: 2500), time: time).run(reporter)
    }
    while api.seen.chunks.count < 2 { await Task.yield() }
    upload.cancel()
    let error = await failure { () throws(UploadError) in try await upload.value }
    guard case .cancelled? = error?.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(api.seen.inFlight == 0)
    #expect(error?.uploadID == "7")
    // If a task that waits for the value is cancelled, the upload is cancelled.
    let waiting = Upload { [time] (reporter) throws(UploadError) in
      try await ChunkedUpload(content, by: api, options: UploadOptions(chunkSize: 2500), time: time).run(reporter)
    }
    let waiter = Task { await failure { () throws(UploadError) in try await waiting.value } }
    waiter.cancel()
    guard case .cancelled? = await waiter.value?.cause else {
      Issue.record("not cancelled")
      return
    }
  }

  @Test("A rate limit on a chunk is waited for, and does not count as an attempt", arguments: [true, false])
  func rateLimit(hasRetryAfter: Bool) async throws {
    let reset = time.now().addingTimeInterval(700)
    let headers =
      hasRetryAfter
      ? ["Retry-After": "700"]
      : ["x-rate-limit-remaining": "0", "x-rate-limit-reset": String(Int(reset.timeIntervalSince1970) + 1)]
    let refusal = await CallError.status(429, headers: headers)
    let api = ScriptedAPI(during: { (chunk, attempt, _) throws(CallError) in
      if chunk == 1, attempt == 1 { throw refusal }
    })
    let options = UploadOptions(chunkSize: 2500, concurrency: 1, retry: .never)
    #expect(try await run(bytes(6000), api, options) == "7")
    #expect(api.content == bytes(6000))
    #expect(time.sleeps.count == 1)
    #expect(time.sleeps.allSatisfy { $0 >= .seconds(699) && $0 <= .seconds(702) })
  }

  @Test(
    "A limit's reset is compared with the server's clock, if the server sends the time", arguments: [-600, 600])
  func rateLimitByServersClock(ahead: Double) async throws {
    let now = time.now().addingTimeInterval(ahead)
    let refusal = await CallError.status(
      429,
      headers: [
        "Date": httpDate(now), "x-rate-limit-remaining": "0",
        "x-rate-limit-reset": String(Int(now.timeIntervalSince1970) + 360),
      ])
    let api = ScriptedAPI(during: { (_, attempt, _) throws(CallError) in if attempt == 1 { throw refusal } })
    #expect(try await run(bytes(100), api, UploadOptions(retry: .never)) == "7")
    #expect(time.sleeps.count == 1)
    #expect(time.sleeps.allSatisfy { $0 >= .seconds(359) && $0 <= .seconds(361) })
  }

  @Test("Waits for rate limits are bounded, all of a step together")
  func longRateLimit() async throws {
    let refusal = await CallError.status(429, headers: ["Retry-After": "500"])
    let api = ScriptedAPI(during: { (_, _, _) throws(CallError) in throw refusal })
    let error = await failure { () throws(UploadError) in try await run(bytes(100), api) }
    guard case .call(.rateLimited, .append)? = error?.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(time.sleeps == [.seconds(500)])
  }
}
