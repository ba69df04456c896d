extension ChunkedUpload {
  /// Waits until the API has processed what it got, asking as often as it says.
  func process(
    _ stage: UploadStage<Steps.Receipt>, _ state: UploadResumption, _ reporter: UploadReporter
  ) async throws(UploadError) -> Steps.Receipt {
    var stage = stage
    // The waits count as long as they were meant to be, so that the bound holds for any source of time.
    var waited = Duration.zero
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
      stage = try await attempt(.status, state) { () throws(CallError) in try await steps.status(of: state.uploadID) }
      waited += wait + (clock.now - start)
    }
    if case .failed(let failure) = stage.processing {
      throw UploadError(.processingFailed(failure), uploadID: state.uploadID)
    }
    reporter.enter(.finished)
    return stage.receipt
  }
}

/// How long to wait between two questions.
private enum ProcessingWait {
  /// Where the API does not say.
  static let unlessTold = Duration.seconds(2)
  /// Whatever the API says: it must not be asked without end.
  static let shortest = Duration.seconds(1)
}
