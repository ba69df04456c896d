import Callsign
import CallsignDynamic
import Foundation

/// The records of a stream on a command line: each is written as it arrives, and what happens to the connection is told to
/// the person who watches.
package struct RecordOutput: Sendable {
  private let writer: ResultWriter
  private let maximumCount: Int

  /// - Parameters:
  ///   - writer: Writes the records.
  ///   - maximumCount: The number of records after which the stream is left; `nil`: it is read until it ends.
  package init(_ writer: ResultWriter, maximumCount: Int? = nil) {
    self.writer = writer
    self.maximumCount = maximumCount ?? .max
  }

  /// Reads the stream.
  ///
  /// - Parameters:
  ///   - stream: The stream.
  ///   - issues: The parts of a record that are not as the catalogue says. Default: nothing is looked at.
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

  /// A line on an event of a stream's connection for a person who watches; `nil` for what is of no interest.
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
  /// Tells what of a response is not as the catalogue says.
  func report(_ issues: [ResponseIssue]) {
    for issue in issues.prefix(10) { report("warning: \(issue)") }
    if issues.count > 10 { report("warning: \(issues.count - 10) more parts differ from the catalogue") }
  }
}
