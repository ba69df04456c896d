import Callsign
import CallsignHTTP
import CallsignSupport
import XCore

extension XAPI {
  /// Asks X which stored posts or users you must delete: creates a batch compliance job, uploads the IDs, waits until X has checked
  /// them, and reads the result.
  ///
  /// ```swift
  /// let report = try await x.complianceReport(on: storedIDs, type: .tweets) { step in print(step) }
  /// for result in report.results where result.action == "delete" { database.delete(result.id) }
  /// ```
  ///
  /// The IDs are uploaded to the URL that X names, and the result comes from a URL that X names, both without the client's
  /// credentials. The job can take hours. If you cannot wait, store the job's ID (from the step ``ComplianceStep/created(_:)`` or
  /// from the error) and continue with ``complianceReport(ofJob:ids:settings:onStep:)``. If you cancel the task, you end the
  /// waiting, not the job.
  ///
  /// Source: <https://docs.x.com/x-api/compliance/batch-compliance/introduction>
  ///
  /// - Parameters:
  ///   - ids: The IDs to check. X accepts only one job at a time for each type.
  ///   - type: Whether they are IDs of posts or users.
  ///   - name: A name for the job.
  ///   - settings: How often to ask, and how long to wait at most.
  ///   - onStep: Called at each step, with the job's id and state.
  /// - Throws: ``ComplianceError``.
  public func complianceReport(
    on ids: some Sequence<String> & Sendable, type: ComplianceJobsType, name: String? = nil,
    settings: ComplianceSettings = ComplianceSettings(), onStep: @Sendable (ComplianceStep) -> Void = { _ in }
  ) async throws(ComplianceError) -> ComplianceReport {
    let list = try Self.list(of: ids)
    let job: ComplianceJob
    do throws(CallError) {
      job = try await createComplianceJobs(
        type: type, complianceJobFields: ComplianceJobField.knownCases, name: name, options: settings.options
      ).data
    } catch { throw ComplianceError(.call(error, .create)) }
    guard let id = job.id else { throw ComplianceError(.incomplete("the new job has no id")) }
    onStep(.created(job))
    try await upload(list, for: job, id, settings.options)
    onStep(.uploaded(id))
    return try await complianceReport(ofJob: id, settings: settings, onStep: onStep)
  }

  /// Continues with a batch compliance job: waits until X has finished it, and reads the result.
  ///
  /// - Parameters:
  ///   - id: The job's ID.
  ///   - ids: The IDs to check, if you do not know that they were uploaded. They are uploaded if X has not started. By default,
  ///     they count as uploaded.
  ///   - settings: How often to ask, and how long to wait at most.
  ///   - onStep: Called at each step, with the job's id and state.
  /// - Throws: ``ComplianceError``.
  public func complianceReport(
    ofJob id: ComplianceJobID, ids: [String]? = nil, settings: ComplianceSettings = ComplianceSettings(),
    onStep: @Sendable (ComplianceStep) -> Void = { _ in }
  ) async throws(ComplianceError) -> ComplianceReport {
    let list: Data? = if let ids { try Self.list(of: ids) } else { nil }
    let time = client.configuration.time
    let start = time.now()
    var pause = settings.baseDelay
    var isUploaded = list == nil
    while true {
      let job: ComplianceJob
      do throws(CallError) {
        job = try await getComplianceJobsById(
          id: id, complianceJobFields: ComplianceJobField.knownCases, options: settings.options
        ).data
      } catch { throw ComplianceError(.call(error, .status), jobID: id) }
      onStep(.state(id, job))
      switch job.status {
      case .complete?:
        let report = try await report(of: job, id, settings.options)
        onStep(.downloaded(id, count: report.results.count))
        return report
      case .failed?: throw ComplianceError(.failed, jobID: id)
      case .expired?: throw ComplianceError(.expired, jobID: id)
      case .created? where !isUploaded:
        if let list { try await upload(list, for: job, id, settings.options) }
        isUploaded = true
        onStep(.uploaded(id))
        continue
      default: break
      }
      if let limit = settings.timeout, time.now().timeIntervalSince(start) + pause.seconds > limit.seconds {
        throw ComplianceError(.timedOut(limit), jobID: id)
      }
      do throws(CancellationError) { try await time.sleep(for: pause) } catch {
        throw ComplianceError(.call(.cancelled, .status), jobID: id)
      }
      pause = min(pause * 2, settings.maximumDelay)
    }
  }

  /// The IDs in the format that X accepts: one per line.
  private static func list(of ids: some Sequence<String>) throws(ComplianceError) -> Data {
    var list = Data()
    var seen: Set<String> = []
    for id in ids {
      let isID = (1...19).contains(id.utf8.count) && id.utf8.allSatisfy { (0x30...0x39).contains($0) }
      guard isID else { throw ComplianceError(.invalidID(String(id.prefix(40)).printable)) }
      guard seen.insert(id).inserted else { continue }
      list += id.utf8
      list.append(UInt8(ascii: "\n"))
    }
    guard !list.isEmpty else { throw ComplianceError(.noIDs) }
    return list
  }

  private func upload(
    _ list: Data, for job: ComplianceJob, _ id: ComplianceJobID, _ options: CallOptions
  ) async throws(ComplianceError) {
    guard let url = job.uploadURL else {
      throw ComplianceError(.incomplete("X has named no address for the upload"), jobID: id)
    }
    do throws(CallError) {
      let body = CallBody.data(list, contentType: "text/plain")
      _ = try await client.open(.put, url, body: body, auth: .none, options: options)
    } catch { throw ComplianceError(.call(error, .upload), jobID: id) }
  }

  private func report(
    of job: ComplianceJob, _ id: ComplianceJobID, _ options: CallOptions
  ) async throws(ComplianceError) -> ComplianceReport {
    guard let url = job.downloadURL else {
      throw ComplianceError(.incomplete("X has named no address for the result"), jobID: id)
    }
    var reader = ComplianceLines()
    do throws(CallError) {
      var pieces = try await client.open(.get, url, auth: .none, options: options).value.makeAsyncIterator()
      while true {
        let piece: Data?
        do throws(TransportError) { piece = try await pieces.next() } catch { throw CallError(reading: error) }
        guard let piece else { break }
        reader.append(piece)
      }
    } catch { throw ComplianceError(.call(error, .download), jobID: id) }
    guard reader.finish() else {
      throw ComplianceError(.incomplete("the result ends within a line"), jobID: id)
    }
    return ComplianceReport(job: job, results: reader.results, unreadableLines: reader.unreadable)
  }
}

/// Splits a result into lines as it arrives in pieces.
private struct ComplianceLines {
  var results: [XAPI.ComplianceResult] = []
  var unreadable: [String] = []
  private var rest = Data()
  private static let lineLimit = 1 << 20

  mutating func append(_ piece: Data) {
    rest += piece
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      read(rest[..<end])
      rest = rest[rest.index(after: end)...]
    }
    // Frees what has been read, and what is not a line from X.
    rest = Data(rest)
    if rest.count > Self.lineLimit {
      read(rest)
      rest = Data()
    }
  }

  /// Reads the rest as the last line.
  ///
  /// - Returns: Whether the line is complete. A line without an end that cannot be read was cut off.
  mutating func finish() -> Bool { read(rest) }

  @discardableResult
  private mutating func read(_ line: Data) -> Bool {
    guard line.contains(where: { $0 > 0x20 }) else { return true }
    if let value = try? JSONValue(jsonData: Data(line)), let result = XAPI.ComplianceResult(value) {
      results.append(result)
    } else {
      unreadable.append(String(decoding: line, as: UTF8.self))
      return false
    }
    return true
  }
}
