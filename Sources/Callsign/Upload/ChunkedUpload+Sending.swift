import CallsignHTTP

extension ChunkedUpload {
  /// Sends the chunks that are missing, several at a time. The first that fails for good ends the others.
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
      for _ in 0..<max(1, options.concurrency) { sendNext() }
      var cause: UploadError.Cause?
      while let outcome = await group.next() {
        switch outcome {
        case .sent(let index):
          finished.insert(index)
          if cause == nil { sendNext() }
        case .failed(let failure):
          // What fails later does so because the group was cancelled.
          if cause == nil { cause = failure }
          group.cancelAll()
        }
      }
      return cause
    }
    state.finishedChunks = finished.sorted()
    switch cause {
    case nil: return
    // There is nothing to go on with: what arrived is not what the file is now.
    case .file(let problem)?: throw UploadError(.file(problem), uploadID: id)
    case let cause?: throw UploadError(cause, resumption: state)
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
    // The name tells nothing of the file's own.
    let chunk = FilePart(.source(source), fileName: "media", mediaType: mediaType)
    do throws(UploadError) {
      try await attempt(.append, nil) { () throws(CallError) in
        // What is read of a file that is gone bad will not get better.
        if problem.withLock({ $0 }) != nil { throw .cancelled }
        try await steps.append(chunk, index: index, to: id)
      }
      // An API that answers before it has read everything has not got everything.
      if let problem = problem.withLock({ $0 }) { return .failed(.file(problem)) }
      return .sent(index)
    } catch {
      return .failed(problem.withLock { $0 }.map(UploadError.Cause.file) ?? error.cause)
    }
  }
}

/// What became of a chunk.
private enum ChunkOutcome: Sendable {
  case sent(Int)
  case failed(UploadError.Cause)
}
