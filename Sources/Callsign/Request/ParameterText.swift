import Foundation

extension Nullable {
  /// The text for a place that has no null of its own: there, null is the empty value.
  func text(_ text: (T) -> String) -> String {
    switch self {
    case .null: ""
    case .value(let value): text(value)
    }
  }
}

extension Date {
  /// The date as text for a path, query, header or form.
  func parameterText(_ format: DateFormat) -> String { "" }
}
