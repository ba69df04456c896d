/// The format of a result.
package enum OutputFormat: String, Sendable, CaseIterable {
  /// JSON: indented on a terminal, otherwise on one line.
  case json
  /// One line of JSON per element.
  case lines
  /// A table for people.
  case table
  /// Indented YAML.
  case yaml
  /// Comma-separated values (RFC 4180), with a line of column names.
  case csv
}
