import CallsignHTTP
import CallsignSupport

/// A failed operation that used a PostgreSQL database.
public struct PostgresError: Error, Sendable, Hashable {
  /// The kind of problem.
  public enum Reason: Sendable, Hashable {
    /// The settings of the connection cannot be read, or contradict each other.
    case configuration
    /// No server responds, or the connection was lost. It is then unknown whether a change was made.
    case unreachable
    /// The server does not accept this user: the password is wrong or has changed, or its access rules have no matching entry.
    case authentication
    /// The server's certificate cannot be verified, or the server does not support TLS.
    case certificate
    /// No database has this name.
    case databaseMissing
    /// A table, or the whole schema, does not exist.
    case tableMissing
    /// The schema is older than this program. The values are the number of existing migrations and the number that the program
    /// needs.
    case schemaOutdated(found: Int, needed: Int)
    /// The schema is newer than this program. `found` is the number of migrations that the oldest compatible program has.
    case schemaNewer(found: Int, known: Int)
    /// This user lacks permission.
    case permissionDenied
    /// The server's disk is full.
    case diskFull
    /// The server does not accept writes, because it is a standby or is set to read-only.
    case readOnly
    /// The server has no free connections.
    case tooManyConnections
    /// The value was sealed with a key that this process does not have.
    case wrongKey
    /// The value does not have a form that this program writes.
    case damaged
    /// The time limit was reached.
    case timedOut
    /// The task was cancelled.
    case cancelled
    /// Another server now has the lease.
    case leaseLost
    /// The server refused, with a code from the SQL standard or PostgreSQL (manual, appendix A).
    case server(code: String)
  }

  /// The kind of problem.
  public var reason: Reason
  /// What to do, in one sentence. It contains no password, token or stored value.
  public var advice: String
  /// Whether the server may nevertheless have made the change.
  public var mayHaveSucceeded: Bool

  /// Creates a problem.
  public init(_ reason: Reason, advice: String, mayHaveSucceeded: Bool = false) {
    self.reason = reason
    self.advice = advice
    self.mayHaveSucceeded = mayHaveSucceeded
  }
}

extension PostgresError: CallsignError {
  /// The same as ``advice``.
  public var description: String { advice }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }
}

extension PostgresError {
  static let cancelled = PostgresError(.cancelled, advice: "the task was cancelled while it waited for the database")

  static func timedOut(_ limit: Duration, mayHaveSucceeded: Bool = true) -> PostgresError {
    PostgresError(
      .timedOut,
      advice: "the database has not responded within \(limit); see whether it is overloaded or cannot be reached",
      mayHaveSucceeded: mayHaveSucceeded)
  }

  static func unreachable(_ words: String, mayHaveSucceeded: Bool = false) -> PostgresError {
    PostgresError(
      .unreachable,
      advice:
        "the database cannot be reached (\(words.oneLine)); it is tried again, and until then what is known serves",
      mayHaveSucceeded: mayHaveSucceeded)
  }

  /// Whether another connection, or the same request a moment later, may succeed.
  var isPassing: Bool {
    switch reason {
    case .unreachable, .readOnly, .tooManyConnections: true
    case .server(let code): Self.passingCodes.contains(code) || code.hasPrefix("08")
    default: false
    }
  }

  /// Whether the connection that it came from is unusable.
  var endsConnection: Bool {
    switch reason {
    case .unreachable, .readOnly: true
    case .server(let code): code.hasPrefix("57P") || code.hasPrefix("08")
    default: false
    }
  }

  /// Serialization failure, deadlock, and a server that is shutting down or starting.
  private static let passingCodes: Set<String> = ["40001", "40P01", "57P01", "57P02", "57P03"]

  /// The error for a statement that the server refused.
  ///
  /// - Parameters:
  ///   - code: The code, five characters.
  ///   - message: The primary message. The detail is deliberately left out, because it may quote stored values.
  init(code: String, message: String, schema: String) {
    let words = message.oneLine
    switch code {
    case "42P01", "3F000", "42883":
      self.init(
        .tableMissing,
        advice: """
          the schema "\(schema)" lacks what is needed (\(words)); run `callsign-postgres migrate`, or check the name of the \
          schema
          """)
    case "42501":
      self.init(
        .permissionDenied,
        advice: "the database's user lacks a right (\(words)); grant it usage of the schema and its tables")
    case "53100":
      self.init(
        .diskFull,
        advice: "the database's disk is full (\(words)); make room there: what is not stored is kept and tried again")
    case "25006":
      self.init(
        .readOnly,
        advice: """
          the database takes no writes (\(words)): it is a standby or set read-only; name all hosts of the cluster in the \
          connection string, so that the primary is found
          """)
    case "53300":
      self.init(
        .tooManyConnections,
        advice: """
          the database has no connections left (\(words)); lower `maximumConnections`, or raise its max_connections
          """)
    case "28P01", "28000":
      self.init(
        .authentication,
        advice: """
          the database does not accept this user or password (\(words)); set the password as it is now. Connections that \
          are open go on
          """)
    case "3D000": self.init(.databaseMissing, advice: "the database does not exist (\(words)); create it with createdb")
    case Self.leaseLostCode:
      self.init(.leaseLost, advice: "another process has the lease now; it continues from the stored state")
    case "57014":
      self.init(
        .timedOut, advice: "the database has ended a statement that took too long; see whether it is overloaded",
        mayHaveSucceeded: false)
    default:
      self.init(.server(code: code), advice: "the database refuses (\(code.printable): \(words)); see its log")
    }
  }

  /// Raised by the schema's function `require`.
  static let leaseLostCode = "CS001"

  /// The error for a connection that could not be opened.
  ///
  /// Here libpq gives no codes, only its own texts and the server's, whose language varies. The reason is derived from the
  /// parts that do not vary, and is unreachable otherwise.
  init(connecting words: String) {
    let text = words.oneLine
    let lowercased = text.lowercased()
    func mentions(_ parts: String...) -> Bool { parts.contains { lowercased.contains($0.lowercased()) } }
    if mentions("password authentication failed", "no password supplied", "pg_hba.conf", "authentication failed") {
      self.init(code: "28P01", message: text, schema: "")
    } else if mentions("read-only", "recovery mode", "is not in hot standby", "not a primary") {
      self.init(code: "25006", message: text, schema: "")
    } else if mentions("too many clients", "remaining connection slots", "too many connections") {
      self.init(code: "53300", message: text, schema: "")
    } else if mentions("database") && mentions("does not exist") {
      self.init(code: "3D000", message: text, schema: "")
    } else if mentions("role") && mentions("does not exist") {
      self.init(code: "28000", message: text, schema: "")
    } else if mentions("certificate", "does not support SSL", "SSL error", "verified SSL connection") {
      self.init(
        .certificate,
        advice: """
          the database's certificate cannot be verified (\(text)); name its authority with `sslrootcert=…` in the connection \
          string
          """)
    } else {
      self = .unreachable(text)
    }
  }
}

extension String {
  /// The text without line breaks and control characters, shortened to the length of a log line.
  var oneLine: String {
    String(split(whereSeparator: \.isNewline).joined(separator: " ").trimmingWhitespace().prefix(300))
      .printable
  }
}
