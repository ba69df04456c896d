import CallsignHTTP
import CallsignSupport

/// The failure of something that was to be done by way of a PostgreSQL database.
public struct PostgresError: Error, Sendable, Hashable {
  /// The kind of problem.
  public enum Reason: Sendable, Hashable {
    /// The connection's settings cannot be read, or do not go together.
    case configuration
    /// No server responds, or the connection was lost. Whether a change was made is then not known.
    case unreachable
    /// The server does not let this user in: a wrong or changed password, or no entry in its access rules.
    case authentication
    /// The server's certificate cannot be verified, or the server has no TLS.
    case certificate
    /// There is no database of that name.
    case databaseMissing
    /// A table, or the whole schema, is not there.
    case tableMissing
    /// The schema is older than this program: the numbers of the migrations that are there, and that it needs.
    case schemaOutdated(found: Int, needed: Int)
    /// The schema is newer than this program: the oldest program that it still works with has that number of migrations.
    case schemaNewer(found: Int, known: Int)
    /// This user may not do that.
    case permissionDenied
    /// The server's disk is full.
    case diskFull
    /// The server takes no writes: a standby, or a primary that was set so.
    case readOnly
    /// The server has no connections left.
    case tooManyConnections
    /// The value was sealed with a key that this process does not have.
    case wrongKey
    /// The value is not of a form that this program writes.
    case damaged
    /// It took too long.
    case timedOut
    /// The task was cancelled.
    case cancelled
    /// The lease has gone to somebody else.
    case leaseLost
    /// The server refused, by the code of SQL's standard and PostgreSQL's (its manual, appendix A).
    case server(code: String)
  }

  /// The kind of problem.
  public var reason: Reason
  /// Advice on how to go on, in one sentence. It holds no password, no token and no stored value.
  public var advice: String
  /// Whether the server may have carried the change out all the same.
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

  /// Whether another connection, or the same request a moment later, may do better.
  var isPassing: Bool {
    switch reason {
    case .unreachable, .readOnly, .tooManyConnections: true
    case .server(let code): Self.passingCodes.contains(code) || code.hasPrefix("08")
    default: false
    }
  }

  /// Whether the connection that it came from is of no more use.
  var endsConnection: Bool {
    switch reason {
    case .unreachable, .readOnly: true
    case .server(let code): code.hasPrefix("57P") || code.hasPrefix("08")
    default: false
    }
  }

  /// Serialization failure, deadlock, and a server that shuts down or starts.
  private static let passingCodes: Set<String> = ["40001", "40P01", "57P01", "57P02", "57P03"]

  /// The error for a server's refusal of a statement.
  ///
  /// - Parameters:
  ///   - code: Its code, five characters.
  ///   - message: Its primary message. The detail is left out on purpose: it may quote stored values.
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

  /// Raised by the schema's own function `require`.
  static let leaseLostCode = "CS001"

  /// The error for a connection that could not be made.
  ///
  /// libpq gives no codes here, only texts of its own and of the server's, which differ by language; what follows is by
  /// the parts that don't, or else as unreachable.
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
  /// Without line breaks and control characters, and not longer than a log's line.
  var oneLine: String {
    String(split(whereSeparator: \.isNewline).joined(separator: " ").trimmingWhitespace().prefix(300))
      .printable
  }
}
