import CallsignHTTP
import CallsignSupport

/// Uploads content in chunks: sends several at a time, retries each if that can help, and waits until the API has processed them.
/// It works with any API; ``ChunkedUploadAPI`` provides the requests.
public final class ChunkedUpload<Steps: ChunkedUploadAPI>: Sendable {
  let steps: Steps
  let content: UploadContent
  let mediaType: String
  let options: UploadOptions
  let time: any TimeSource
  let resumption: UploadResumption?

  /// Prepares an upload. Nothing is sent yet.
  ///
  /// - Parameters:
  ///   - content: The content. A file is closed when ``run(_:)`` ends.
  ///   - mediaType: The media type of the parts that carry the chunks.
  ///   - steps: The API's requests.
  ///   - options: The size of chunks, and the limits.
  ///   - time: The clock for waiting.
  ///   - resumption: The point where an earlier upload of the same content stopped.
  public init(
    _ content: UploadContent, mediaType: String = "application/octet-stream", by steps: Steps,
    options: UploadOptions = UploadOptions(), time: any TimeSource = SystemTime(),
    resuming resumption: UploadResumption? = nil
  ) {
    self.content = content
    self.mediaType = mediaType
    self.steps = steps
    self.options = options
    self.time = time
    self.resumption = resumption
  }

  /// Uploads.
  ///
  /// When this returns or throws, all requests have ended and the file is closed.
  ///
  /// - Throws: ``UploadError``; its ``UploadError/resumption`` says where to continue.
  public func run(_ reporter: UploadReporter) async throws(UploadError) -> Steps.Receipt {
    defer { content.close() }
    var state = try await begin()
    let plan = ChunkPlan(state)
    let sent = state.finishedChunks.map { ($0, plan.range($0).count) }
    reporter.begin(sent: Dictionary(sent, uniquingKeysWith: { $1 }), total: plan.size)
    if state.isFinished {
      reporter.enter(.processing(percent: nil))
      let stage = try await attempt(.status, state) { () throws(CallError) in try await steps.status(of: state.uploadID)
      }
      return try await process(stage, state, reporter)
    }
    do throws(UploadError) { try await send(plan, &state, reporter) } catch {
      guard let smaller = smallerPlan(after: error, plan, state) else { throw error }
      // The API's chunks from the first upload expire unused.
      state = try await announce(smaller)
      reporter.begin(sent: [:], total: smaller.size)
      try await send(smaller, &state, reporter)
    }
    reporter.enter(.processing(percent: nil))
    let stage = try await finish(state)
    state.isFinished = true
    await options.checkpoint?(state)
    return try await process(stage, state, reporter, justFinished: true)
  }

  /// Announces the upload, or finds out where to continue.
  private func begin() async throws(UploadError) -> UploadResumption {
    if let resumption {
      // Checks the size first: a plan for a wrong size would be impossible.
      guard resumption.matches(content),
        resumption.finishedChunks.allSatisfy((0..<ChunkPlan(resumption).count).contains)
      else {
        throw UploadError(.cannotResume, uploadID: resumption.uploadID)
      }
      return resumption
    }
    return try await announce(
      ChunkPlan(size: content.size, chunkSize: options.chunkSize, limit: steps.chunkLimit))
  }

  private func announce(_ plan: ChunkPlan) async throws(UploadError) -> UploadResumption {
    // If it is started twice because the first response was lost, one of the two expires unused.
    let id = try await attempt(.begin, nil) { () throws(CallError) in try await steps.begin(size: content.size) }
    let state = UploadResumption(
      uploadID: id, chunkSize: plan.chunkSize, finishedChunks: [], isFinished: false, size: content.size,
      modified: content.stamp?.modified)
    await options.checkpoint?(state)
    return state
  }

  /// The plan for starting again with smaller chunks; `nil` if that would change nothing.
  private func smallerPlan(after error: UploadError, _ plan: ChunkPlan, _ state: UploadResumption) -> ChunkPlan? {
    // For a resumed upload, chunks of this size have arrived or may have.
    guard resumption == nil, case .call(let call, .append) = error.cause, call.isAboutChunkSize,
      state.finishedChunks.allSatisfy({ plan.range($0).count < plan.chunkSize })
    else { return nil }
    let smaller = ChunkPlan(size: plan.size, chunkSize: UploadOptions.smallChunkSize, limit: steps.chunkLimit)
    return smaller.chunkSize < plan.chunkSize ? smaller : nil
  }

  /// Reports that all chunks were sent. An API may refuse a second report. If the response to an earlier report was lost, possibly
  /// one from the upload being resumed, the upload's state shows whether the report arrived.
  private func finish(_ state: UploadResumption) async throws(UploadError) -> UploadStage<Steps.Receipt> {
    do throws(FileProblem) { try content.checkUnchanged() } catch {
      throw UploadError(.file(error), uploadID: state.uploadID)
    }
    let times = Locked(resumption == nil ? 0 : 1)
    do throws(UploadError) {
      return try await attempt(.finish, state) { () throws(CallError) in
        times.withLock { $0 += 1 }
        return try await steps.finish(state.uploadID)
      }
    } catch {
      guard case .api? = error.callError, times.withLock({ $0 }) > 1 else { throw error }
      let stage: UploadStage<Steps.Receipt>
      do throws(UploadError) {
        stage = try await attempt(.status, state) { () throws(CallError) in try await steps.status(of: state.uploadID) }
      } catch let failure {
        // If it is unknown whether the earlier request arrived, the upload can continue and try again: the refusal of the later
        // request is not a reason to give up.
        guard case .api(let response)? = failure.callError, response.status.kind == .clientError else {
          throw failure
        }
        throw error
      }
      guard stage.processing != nil else { throw error }
      return stage
    }
  }

  /// The error that ends the upload, and where the upload can resume if that would help.
  private func failure(_ cause: UploadError.Cause, _ state: UploadResumption?) -> UploadError {
    guard case .call(let error, _) = cause, let state else { return UploadError(cause, resumption: state) }
    // An upload's chunks keep their size. An upload that is refused a second time may be one that the API has
    // forgotten: resuming it again would be refused forever.
    if error.isAboutChunkSize || (resumption != nil && error.isAboutUpload) {
      return UploadError(cause, uploadID: state.uploadID)
    }
    return UploadError(cause, resumption: state)
  }

  /// Sends a request, and retries it if that can help.
  func attempt<Value: Sendable>(
    _ step: UploadError.Step, _ state: UploadResumption?, _ request: () async throws(CallError) -> Value
  ) async throws(UploadError) -> Value {
    do throws(CallError) { return try await options.attempt(by: time, request) } catch {
      if error.isCancellation { throw UploadError(.cancelled, resumption: state) }
      throw failure(.call(error, step), state)
    }
  }
}

extension ChunkedUpload {
  /// Sends the missing chunks, several at a time. The first permanent failure ends the others.
  func send(
    _ plan: ChunkPlan, _ state: inout UploadResumption, _ reporter: UploadReporter
  ) async throws(UploadError) {
    var finished = Set(state.finishedChunks)
    let id = state.uploadID
    let cause = await withTaskGroup(of: ChunkOutcome.self) { group in
      var missing = (0..<plan.count).lazy.filter { [finished] in !finished.contains($0) }.makeIterator()
      func sendNext() {
        guard let index = missing.next() else { return }
        group.addTask { await self.send(chunk: index, of: plan, to: id, reporter) }
      }
      for _ in 0..<min(max(1, options.concurrency), plan.count) { sendNext() }
      var cause: UploadError.Cause?
      while let outcome = await group.next() {
        switch outcome {
        case .sent(let index):
          finished.insert(index)
          if cause == nil { sendNext() }
          if let checkpoint = options.checkpoint {
            var point = state
            point.finishedChunks = finished.sorted()
            await checkpoint(point)
          }
        case .failed(let failure):
          // Later failures happen because the group was cancelled.
          if cause == nil { cause = failure }
          group.cancelAll()
        }
      }
      return cause
    }
    state.finishedChunks = finished.sorted()
    switch cause {
    case nil: return
    // The upload cannot continue, because the file has changed since the first chunks were sent.
    case .file(let problem)?: throw UploadError(.file(problem), uploadID: id)
    case let cause?: throw failure(cause, state)
    }
  }

  private func send(
    chunk index: Int, of plan: ChunkPlan, to id: String, _ reporter: UploadReporter
  ) async -> ChunkOutcome {
    let range = plan.range(index)
    let problem = Locked<FileProblem?>(nil)
    let source = PartSource(length: range.count) { [content] in
      ChunkSource(content, range) { result in
        switch result {
        case .success(let count): reporter.read(count, ofChunk: index)
        case .failure(let failure): problem.withLock { $0 = $0 ?? failure }
        }
      }
    }
    // The name reveals nothing about the file.
    let chunk = FilePart(.source(source), fileName: "media", mediaType: mediaType)
    do throws(UploadError) {
      try await attempt(.append, nil) { () throws(CallError) in
        // Once reading the file has failed, another attempt would not succeed either.
        if problem.withLock({ $0 }) != nil { throw .cancelled }
        try await steps.append(chunk, index: index, to: id)
      }
      // An API that responds before it has read everything has not received everything.
      if let problem = problem.withLock({ $0 }) { return .failed(.file(problem)) }
      return .sent(index)
    } catch {
      return .failed(problem.withLock { $0 }.map(UploadError.Cause.file) ?? error.cause)
    }
  }
}

/// The result of sending a chunk.
private enum ChunkOutcome: Sendable {
  case sent(Int)
  case failed(UploadError.Cause)
}

extension ChunkedUpload {
  /// Waits until the API has processed the upload, and asks as often as the API wants.
  func process(
    _ stage: UploadStage<Steps.Receipt>, _ state: UploadResumption, _ reporter: UploadReporter,
    justFinished: Bool = false
  ) async throws(UploadError) -> Steps.Receipt {
    var stage = stage
    // Counts the intended waits, so that the limit works with any clock.
    var waited = Duration.zero
    // An upload that has just finished may not be known everywhere yet.
    var chances = justFinished ? options.retry.attempts - 1 : 0
    let clock = ContinuousClock()
    while case .pending(let checkAfter, let percent) = stage.processing {
      guard options.processingTimeout > .zero else { return stage.receipt }
      reporter.enter(.processing(percent: percent))
      let left = options.processingTimeout - waited
      guard left > .zero else {
        throw UploadError(.processingTimedOut(options.processingTimeout), resumption: state)
      }
      let wait = min(left, max(checkAfter ?? ProcessingWait.unlessTold, ProcessingWait.shortest))
      do throws(CancellationError) { try await time.sleep(for: wait) } catch {
        throw UploadError(.cancelled, resumption: state)
      }
      let start = clock.now
      do throws(UploadError) {
        stage = try await attempt(.status, state) { () throws(CallError) in try await steps.status(of: state.uploadID) }
      } catch {
        guard case .api(let response)? = error.callError, response.status == .notFound, chances > 0 else { throw error }
        chances -= 1
      }
      waited += wait + (clock.now - start)
    }
    if case .failed(let failure) = stage.processing {
      throw UploadError(.processingFailed(failure), uploadID: state.uploadID)
    }
    reporter.enter(.finished)
    return stage.receipt
  }
}

/// The waits between two requests.
private enum ProcessingWait {
  /// The wait if the API does not state one.
  static let unlessTold = Duration.seconds(2)
  /// The minimum wait, whatever the API says, so that it is not asked without pause.
  static let shortest = Duration.seconds(1)
}
