import Callsign
import CallsignDynamic
import Foundation

/// Writes the records of a stream to a command line as they arrive, and reports events of the connection to the user.
package struct RecordOutput: Sendable {
  private let writer: ResultWriter
  private let maximumCount: Int

  /// - Parameters:
  ///   - writer: Writes the records.
  ///   - maximumCount: The number of records to read; `nil` reads until the stream ends.
  package init(_ writer: ResultWriter, maximumCount: Int? = nil) {
    self.writer = writer
    self.maximumCount = maximumCount ?? .max
  }

  /// Reads the stream.
  ///
  /// - Parameters:
  ///   - stream: The stream.
  ///   - issues: The parts of a record that do not match the catalogue. By default, nothing is checked.
  package func write(
    _ stream: EventStream<JSONValue>, issues: (JSONValue) -> [ResponseIssue] = { _ in [] }
  ) async throws {
    let terminal = writer.terminal
    let events = stream.events
    let watching = Task { for await event in events { if let line = Self.line(event) { terminal.report(line) } } }
    defer { watching.cancel() }
    var count = 0
    var layout: ColumnLayout?
    for try await element in stream {
      switch element {
      case .value(let record):
        terminal.report(issues(record))
        try writer.write(rows: [record], layout: &layout)
      case .undecodable(let record): terminal.report("warning: a record cannot be read: \(record.error)")
      }
      count += 1
      if count >= maximumCount { return }
    }
  }

  /// A line about an event of the stream's connection for the user; `nil` for an event of no interest.
  private static func line(_ event: StreamEvent) -> String? {
    switch event {
    case .connecting(let attempt): attempt == 1 ? "connecting …" : "connecting, attempt \(attempt) …"
    case .connected: "connected"
    case .backfill(let minutes, _):
      minutes == 1 ? "asking for the last minute again" : "asking for the last \(minutes) minutes again"
    case .backfillRefused: "the API does not send again what was missed"
    case .gap(let from, let to): "records between \(from.formatted(.iso8601)) and \(to.formatted(.iso8601)) are lost"
    case .disconnectMessage: "the API is about to disconnect"
    case .stalled(let duration): "nothing has arrived for \(duration.components.seconds) s"
    case .dropped(.failed(let error)): "disconnected: \(error)"
    case .dropped: "disconnected"
    case .waiting(let duration):
      "connecting again in \(duration.formatted(.units(allowed: [.seconds, .milliseconds], width: .narrow)))"
    case .keepAlive, .duplicate, .issues, .ended: nil
    }
  }
}

extension Terminal {
  /// Reports the parts of a response that do not match the catalogue.
  func report(_ issues: [ResponseIssue]) {
    for issue in issues.prefix(10) { report("warning: \(issue)") }
    if issues.count > 10 { report("warning: \(issues.count - 10) more parts differ from the catalogue") }
  }
}
