// Sound: each copied text is freed once, after the call that gets the addresses; libpq copies what it keeps.

import CPostgres
import CallsignHTTP
import CallsignSupport

/// Where a database is, and how many connections this process opens to it.
///
/// ```swift
/// var configuration = try PostgresConfiguration("postgresql://callsign@db1,db2/fleet", password: Secret(password))
/// configuration.maximumConnections = 4
/// ```
public struct PostgresConfiguration: Sendable {
  /// The maximum number of connections of this process, in addition to the one for notifications. Each handles many requests at
  /// once. Default: 4.
  public var maximumConnections = 4
  /// The time limit for one attempt to connect. Default: 5 seconds.
  public var connectTimeout = Duration.seconds(5)
  /// The time limit for one request with all its attempts. Default: 15 seconds. It must be shorter than the leases of a fleet.
  public var requestTimeout = Duration.seconds(15)
  /// How long a connection can be unused before it is closed. The last one stays open. Default: a minute.
  public var idleTimeout = Duration.seconds(60)

  /// libpq's keywords and values, without the password.
  private(set) var parameters: [String: String]
  private var password: Secret?

  /// Parses a connection string.
  ///
  /// TLS with a verified certificate is required (`sslmode=verify-full`), unless all hosts are this machine or the string sets
  /// another `sslmode`. The hosts of a service (`service`, `PGSERVICE`) are not known in advance and count as other machines. If
  /// several hosts are named, the client looks for the one that accepts writes (`target_session_attrs=read-write`), also after a
  /// failover. Anything missing in the string comes from libpq's environment (`PGHOST` and others) and its password file.
  ///
  /// - Parameters:
  ///   - connection: A URL such as `postgresql://user@host:5432/database?sslrootcert=ca.pem`, or keywords and values such as
  ///     `host=/run/postgresql dbname=fleet` (PostgreSQL manual, 34.1.1).
  ///   - password: The password, which replaces one in the string. Pass it here, because strings end up in logs and process lists.
  /// - Throws: ``PostgresError`` with ``PostgresError/Reason/configuration``, which does not quote the string.
  public init(_ connection: String, password: (any SecretConvertible)? = nil) throws(PostgresError) {
    try self.init(connection, password: password.map { Secret($0) }, environment: ProcessInfo.processInfo.environment)
  }

  init(_ connection: String, password: Secret?, environment: [String: String]) throws(PostgresError) {
    var parameters = try Self.parse(connection)
    self.password = password ?? parameters["password"].map { Secret($0) }
    parameters["password"] = nil
    parameters["service"] = parameters["service"] ?? environment["PGSERVICE"]
    if parameters["service"] == nil {
      // As libpq would take them. A service's own values take precedence.
      for (keyword, variable) in [("host", "PGHOST"), ("hostaddr", "PGHOSTADDR"), ("port", "PGPORT")] {
        guard parameters[keyword] == nil, let value = environment[variable], !value.isEmpty else { continue }
        parameters[keyword] = value
      }
    }
    let hosts = Self.hosts(parameters)
    if parameters["sslmode"] == nil, parameters["service"] != nil || !hosts.allSatisfy(Self.isLocal) {
      parameters["sslmode"] = "verify-full"
      if parameters["sslrootcert"] == nil, let authorities = Self.systemAuthorities(environment) {
        parameters["sslrootcert"] = authorities
      }
    }
    if parameters["target_session_attrs"] == nil, hosts.count > 1 { parameters["target_session_attrs"] = "read-write" }
    parameters["application_name"] = parameters["application_name"] ?? "callsign"
    parameters["client_encoding"] = "UTF8"
    // Detects a silently vanished server within seconds instead of the kernel's quarter of an hour.
    parameters["tcp_user_timeout"] = parameters["tcp_user_timeout"] ?? "10000"
    parameters["keepalives_idle"] = parameters["keepalives_idle"] ?? "10"
    self.parameters = parameters
  }

  /// The location without user and password, such as `db1,db2/fleet`. It is the same for all processes of a fleet.
  var place: String {
    let host = parameters["host"] ?? parameters["hostaddr"] ?? "local"
    let port = parameters["port"].map { ":\($0)" } ?? ""
    return "\(host)\(port)/\(parameters["dbname"] ?? parameters["user"] ?? "")".printable
  }

  /// The same configuration with a new password, for use after a change.
  public func withPassword(_ password: any SecretConvertible) -> PostgresConfiguration {
    var changed = self
    changed.password = Secret(password)
    return changed
  }

  /// The same configuration with libpq's lists of hosts, addresses and ports rotated to start at a later entry.
  ///
  /// - Parameter places: The number of hosts. With a service, nothing changes, because its lists are not known.
  func rotated(by places: Int) -> PostgresConfiguration {
    guard parameters["service"] == nil else { return self }
    var changed = self
    for keyword in ["host", "hostaddr", "port"] {
      let list = Self.list(parameters[keyword])
      // A single port applies to all hosts.
      guard list.count > 1 else { continue }
      let first = places % list.count
      changed.parameters[keyword] = (list.dropFirst(first) + list.prefix(first)).joined(separator: ",")
    }
    return changed
  }

  /// Calls a function with libpq's null-terminated arrays of keywords and values. They are valid only during the call;
  /// `PQconnectStartParams` copies what it keeps.
  func withParameters<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    var all = parameters
    all["password"] = password?.reveal()
    var names: [UnsafeMutablePointer<CChar>?] = []
    var values: [UnsafeMutablePointer<CChar>?] = []
    for (name, value) in all {
      names.append(strdup(name))
      values.append(strdup(value))
    }
    defer {
      for name in names { free(name) }
      for case let value? in values {
        memset(value, 0, strlen(value))
        free(value)
      }
    }
    let constantNames = names.map { UnsafePointer($0) } + [nil]
    let constantValues = values.map { UnsafePointer($0) } + [nil]
    return constantNames.withUnsafeBufferPointer { names in
      constantValues.withUnsafeBufferPointer { values in
        // Neither is empty, because the last element is the null pointer.
        guard let names = names.baseAddress, let values = values.baseAddress else {
          preconditionFailure("empty arrays")
        }
        return body(names, values)
      }
    }
  }

  private static func parse(_ connection: String) throws(PostgresError) -> [String: String] {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(connection, &message) else {
      // The message quotes the string, which may contain the password.
      PQfreemem(message)
      throw PostgresError(
        .configuration,
        advice: """
          the connection string cannot be read; write it as postgresql://user@host/database, with special characters \
          percent-encoded, or as host=… dbname=…, with values in single quotes
          """)
    }
    defer { PQconninfoFree(options) }
    var parameters: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      // libpq treats an empty value as missing.
      if let value = option.pointee.val, value.pointee != 0 {
        parameters[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    return parameters
  }

  private static func list(_ text: String?) -> [Substring] {
    (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
  }

  /// The hosts that libpq connects to. An address takes precedence over the name for the same host.
  private static func hosts(_ parameters: [String: String]) -> [Substring] {
    let (addresses, names) = (list(parameters["hostaddr"]), list(parameters["host"]))
    return (0..<max(addresses.count, names.count)).map { index in
      let address = addresses.dropFirst(index).first ?? ""
      return address.isEmpty ? names.dropFirst(index).first ?? "" : address
    }
  }

  /// Whether a host is this machine: a socket folder, the loopback, or nothing, which means the default socket.
  static func isLocal(_ host: Substring) -> Bool {
    host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
      || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
  }

  /// The certificate authorities that the system trusts, unless the user has libpq's own file of them.
  private static func systemAuthorities(_ environment: [String: String]) -> String? {
    let own = (environment["HOME"] ?? URL.homeDirectory.path) + "/.postgresql/root.crt"
    if environment["PGSSLROOTCERT"] != nil || FileManager.default.fileExists(atPath: own) { return nil }
    return ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
      .first { FileManager.default.fileExists(atPath: $0) }
  }
}

extension PostgresConfiguration: RedactedStringConvertible {
  /// Only the location.
  public var description: String { "PostgresConfiguration(\(place))" }
}

/// The name of the schema that contains a fleet's tables.
public struct PostgresSchema: Sendable, Hashable, CustomStringConvertible {
  /// The name as given.
  public let description: String

  /// `callsign`
  public static let standard = PostgresSchema(unchecked: "callsign")

  /// Checks a name.
  ///
  /// - Parameter name: 1 to 48 ASCII letters, digits, `_`, `-` or `.`. It must not be `public` or begin with `pg_`, because the
  ///   tables have common names and must not be mixed with others.
  /// - Throws: ``PostgresError`` with ``PostgresError/Reason/configuration``.
  public init(_ name: String) throws(PostgresError) {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isPlain, (1...48).contains(name.utf8.count), name != "public", !name.lowercased().hasPrefix("pg_") else {
      throw PostgresError(
        .configuration,
        advice: """
          a schema's name has 1 to 48 letters, digits, `_`, `-` or `.`, does not begin with `pg_` and is not `public`; \
          choose another
          """)
    }
    description = name
  }

  private init(unchecked name: String) { description = name }

  /// The name quoted for SQL.
  package var quoted: String { "\"\(description)\"" }

  /// The channel for its notifications.
  var channel: String { "callsign:\(description)" }
}
