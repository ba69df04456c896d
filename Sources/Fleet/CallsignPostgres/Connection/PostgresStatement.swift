// Sound: libpq's values are copied, by the lengths that libpq states, before their result is cleared. Parameters are freed after
// libpq has copied them.

import CPostgres
import CallsignSupport

/// One SQL statement, with its parameters separate from its text.
public struct PostgresStatement: Sendable, Hashable {
  /// A parameter.
  public enum Value: Sendable, Hashable {
    /// `NULL`
    case null
    /// A string, a number or anything else in text form. The statement states its type, such as `$1::bigint`.
    case text(String)
    /// Bytes for a `bytea`.
    case bytes(Data)
  }

  /// The text, with `$1`, `$2` … for the parameters. It must be one statement, without a semicolon.
  public var sql: String
  /// The parameters.
  public var parameters: [Value]

  /// Creates a statement.
  public init(_ sql: String, _ parameters: [Value] = []) {
    self.sql = sql
    self.parameters = parameters
  }
}

extension PostgresStatement.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral,
  ExpressibleByBooleanLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A number.
  public init(integerLiteral value: Int) { self = .text(String(value)) }
  /// `NULL`
  public init(nilLiteral: ()) { self = .null }
  /// `true` or `false`
  public init(booleanLiteral value: Bool) { self = .text(value ? "t" : "f") }

  /// A number.
  public static func int(_ number: Int) -> Self { .text(String(number)) }
  /// `true` or `false`
  public static func bool(_ value: Bool) -> Self { .text(value ? "t" : "f") }
  /// A text, or `NULL`.
  public static func optional(_ text: String?) -> Self { text.map(Self.text) ?? .null }
  /// A time in seconds since 1970, for `to_timestamp($1)`.
  public static func seconds(_ date: Date?) -> Self { date.map { .text(String($0.timeIntervalSince1970)) } ?? .null }
  /// A duration in seconds, for `make_interval(secs => $1)`. It is limited to 31 years, which the database's dates can hold when
  /// added to or subtracted from the current time.
  static func seconds(_ duration: Duration) -> Self { .text(String(min(max(duration.seconds, -1e9), 1e9))) }
  /// An array of texts, for `$1::text[]`.
  static func array(_ texts: [String]) -> Self {
    let quoted = texts.map { text in
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    return .text("{\(quoted.joined(separator: ","))}")
  }
  /// An array of numbers, for `$1::integer[]`.
  static func array(_ numbers: [Int]) -> Self { .text("{\(numbers.map(String.init).joined(separator: ","))}") }
}

/// A row of a response, with its columns by position. All values are in PostgreSQL's text format.
public struct PostgresRow: Sendable, Hashable {
  let columns: [String?]

  /// A column as text; `nil` for `NULL` and for a position that does not exist.
  public func text(_ column: Int) -> String? { columns.indices.contains(column) ? columns[column] : nil }
  /// A column as an integer.
  public func int(_ column: Int) -> Int? { text(column).flatMap(Int.init) }
  /// A column as a floating-point number.
  public func double(_ column: Int) -> Double? { text(column).flatMap(Double.init) }
  /// A column as a Boolean.
  public func bool(_ column: Int) -> Bool { text(column) == "t" }
  /// A column with seconds since 1970.
  public func date(_ column: Int) -> Date? { double(column).map(Date.init(timeIntervalSince1970:)) }

  /// A column of type `bytea`.
  public func bytes(_ column: Int) -> Data? {
    guard let text = text(column), text.hasPrefix("\\x"), text.utf8.count % 2 == 0 else { return nil }
    var bytes = Data(capacity: text.utf8.count / 2)
    var high: UInt8?
    for digit in text.utf8.dropFirst(2) {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}

/// The response to one statement.
public struct PostgresResult: Sendable, Hashable {
  /// The rows that it returned.
  public let rows: [PostgresRow]
  /// The number of changed rows.
  public let changed: Int
}

extension PostgresResult {
  /// Reads libpq's result, which the caller still owns.
  init(_ result: OpaquePointer) {
    let width = PQnfields(result)
    rows = (0..<PQntuples(result)).map { row in
      PostgresRow(
        columns: (0..<width).map { column in
          guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else { return nil }
          let bytes = UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column)))
          return String(decoding: bytes, as: UTF8.self)
        })
    }
    changed = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
  }
}

extension PostgresStatement {
  /// The scope of a time limit for statements.
  enum LimitScope { case session, transaction }

  /// Makes the server end later statements that take longer.
  static func limitingStatements(to limit: Duration, in scope: LimitScope) -> PostgresStatement {
    // The server stores whole milliseconds in 32 bits, and 0 means no limit.
    let milliseconds = Int(min(max(limit.seconds * 1000, 1), Double(Int32.max)))
    return PostgresStatement(
      "SELECT set_config('statement_timeout', $1, $2)",
      [.text(String(milliseconds)), .bool(scope == .transaction)])
  }

  /// Passes the statement to libpq, which copies it.
  ///
  /// - Returns: Whether libpq has accepted it.
  func send(on connection: OpaquePointer) -> Bool {
    var buffers: [[UInt8]?] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    for parameter in parameters {
      switch parameter {
      case .null:
        buffers.append(nil)
        formats.append(0)
      case .text(let text):
        // As text, it ends with a zero byte.
        buffers.append(Array(text.utf8) + [0])
        formats.append(0)
      case .bytes(let bytes):
        // One extra byte, so that no buffer is empty.
        buffers.append(Array(bytes) + [0])
        formats.append(1)
      }
      lengths.append(Int32((buffers.last ?? nil).map { $0.count - 1 } ?? 0))
    }
    // Copied to memory that stays valid until libpq has copied it.
    let copies = buffers.map { buffer -> UnsafeMutablePointer<CChar>? in
      guard let buffer else { return nil }
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: buffer.count)
      for (index, byte) in buffer.enumerated() { copy[index] = CChar(bitPattern: byte) }
      return copy
    }
    defer { for copy in copies { copy?.deallocate() } }
    let values = copies.map { UnsafePointer($0) }
    return PQsendQueryParams(
      connection, sql, Int32(parameters.count), nil, values, lengths, formats, 0) == 1
  }
}
