import CallsignJSON
import Foundation

extension Nullable {
  /// The text for a place that has no null of its own: there, null is the empty value.
  func text(_ text: (Value) -> String) -> String {
    switch self {
    case .null: ""
    case .value(let value): text(value)
    }
  }
}

extension Call {
  /// A date as text for a path, query, header, form or part. One that the format cannot say makes the call fail.
  mutating func text(_ name: StaticString, _ date: Date, _ format: DateFormat) -> String {
    if let text = format.string(from: date) { return text }
    edit { $0.fail(.value("the date cannot be written in the format that the API reads"), parameter: name) }
    return ""
  }

  /// A date, or null, as text.
  mutating func text(_ name: StaticString, _ date: Nullable<Date>, _ format: DateFormat) -> String {
    switch date {
    case .null: ""
    case .value(let date): text(name, date, format)
    }
  }

  /// Dates as texts.
  mutating func texts(_ name: StaticString, _ dates: [Date], _ format: DateFormat) -> [String] {
    var texts: [String] = []
    for date in dates { texts.append(text(name, date, format)) }
    return texts
  }
}
