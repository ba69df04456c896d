import CallsignJSON
import CallsignSupport

/// A time span that a stream's call requests instead of new records. The API sends it once and then ends the response.
struct StreamReplay: Sendable {
  private let parameter: String
  private let start: Date
  private let end: Date

  /// - Returns: `nil` for a call without an end, which requests an endless stream.
  init?(_ call: Call, _ conventions: any APIConventions) {
    guard let parameters = conventions.timeSpan,
      let end = call.queryValue(parameters.end)
    else { return nil }
    parameter = parameters.start
    start = call.queryValue(parameters.start).flatMap { DateFormat.rfc3339.date(from: $0) } ?? .distantPast
    self.end = DateFormat.rfc3339.date(from: end) ?? .distantFuture
  }

  /// Whether a record's own time can be the reason why it was sent. An old post that someone likes now is not from the span.
  func contains(_ date: Date) -> Bool { (start...max(start, end)).contains(date) }

  /// The argument for the rest of the span; `nil` if that is the whole span.
  func rest(from date: Date) -> (parameter: String, text: String)? {
    guard date > start else { return nil }
    // The API uses whole seconds.
    let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    return DateFormat.rfc3339.string(from: second).map { (parameter, $0) }
  }
}
