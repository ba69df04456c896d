import CallsignHTTP
import Foundation

/// Carries out an upload in chunks: sends them, several at a time and each again where that helps, and waits for the API's
/// processing. It knows no API; ``ChunkedUploadAPI`` has the requests.
public struct ChunkedUpload<Steps: ChunkedUploadAPI>: Sendable {
  let steps: Steps
  let content: UploadContent
  let mediaType: String
  let options: UploadOptions
  let time: any TimeSource
  let resumption: UploadResumption?

  /// Prepares an upload; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - content: What is uploaded. A file is closed when ``run(_:)`` ends.
  ///   - mediaType: Of the parts that carry the chunks.
  ///   - steps: The API's requests.
  ///   - options: Sizes, numbers and bounds.
  ///   - time: By which it waits.
  ///   - resumption: Where an earlier upload of the same content stopped.
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
  /// All requests have ended when this returns or throws, and the file is closed.
  ///
  /// - Throws: ``UploadError``; its ``UploadError/resumption`` tells where to go on.
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
    try await send(plan, &state, reporter)
    reporter.enter(.processing(percent: nil))
    let stage = try await finish(state)
    state.isFinished = true
    return try await process(stage, state, reporter)
  }

  /// Announces the upload, or finds where to go on.
  private func begin() async throws(UploadError) -> UploadResumption {
    if let resumption {
      let count = ChunkPlan(resumption).count
      guard resumption.matches(content), resumption.finishedChunks.allSatisfy({ (0..<count).contains($0) }) else {
        throw UploadError(.cannotResume, uploadID: resumption.uploadID)
      }
      return resumption
    }
    let plan = ChunkPlan(size: content.size, chunkSize: options.chunkSize, limit: steps.chunkLimit)
    // One that is begun twice because the first answer was lost expires unused.
    let id = try await attempt(.begin, nil) { () throws(CallError) in try await steps.begin(size: content.size) }
    return UploadResumption(
      uploadID: id, chunkSize: plan.chunkSize, finishedChunks: [], isFinished: false, size: content.size,
      modified: content.stamp?.modified)
  }

  /// Tells that all chunks were sent. An API may refuse to be told so twice; when the answer to an earlier time was lost,
  /// perhaps that of the upload that is resumed, the upload's state says whether that had arrived.
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
      } catch let unanswered {
        if case .cancelled = unanswered.cause { throw unanswered }
        throw error
      }
      guard stage.processing != nil else { throw error }
      return stage
    }
  }

  /// Sends a request, and again where that helps.
  func attempt<Value: Sendable>(
    _ step: UploadError.Step, _ state: UploadResumption?, _ request: () async throws(CallError) -> Value
  ) async throws(UploadError) -> Value {
    var number = 1
    while true {
      do throws(CallError) {
        if Task.isCancelled { throw .cancelled }
        return try await request()
      } catch {
        if case .cancelled = error { throw UploadError(.cancelled, resumption: state) }
        guard let delay = options.delay(after: error, attempt: number, now: time.now()) else {
          throw UploadError(.call(error, step), resumption: state)
        }
        number += 1
        do throws(CancellationError) { try await time.sleep(for: delay) } catch {
          throw UploadError(.cancelled, resumption: state)
        }
      }
    }
  }
}
