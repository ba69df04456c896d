import CallsignCatalogue

/// A date format as an expression of the runtime's `DateFormat`.
enum DateFormatText {
  static func expression(_ format: DateFormat) -> String {
    switch format {
    case .rfc3339: ".rfc3339"
    case .day: ".day"
    case .seconds: ".seconds"
    case .milliseconds: ".milliseconds"
    case .pattern(let pattern): ".pattern(\(SwiftLiteral.string(pattern)))"
    }
  }
}
