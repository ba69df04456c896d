/// A query parameter that an operation accepts, with the constraints of X's document.
struct QueryParameter: Sendable {
  enum Kind: Sendable {
    case integer(ClosedRange<Int>, default: Int)
    /// Comma-separated values out of a known set.
    case list(of: [String])
    /// Comma-separated ids.
    case identifiers(atMost: Int)
    /// Comma-separated user names.
    case usernames(atMost: Int)
    case identifier
    case choice(of: [String])
    case text(length: ClosedRange<Int>)
    /// RFC 3339.
    case date
    case pageToken
  }

  var name: String
  var kind: Kind
  var isRequired = false
}

/// A checked value of a query parameter.
enum QueryValue: Sendable {
  case integer(Int)
  case strings([String])
  case string(String)
}
