import ChildProcesses
import Foundation

/// A separate PostgreSQL in a temporary folder, on a free port of 127.0.0.1 and a socket in that folder. It ends with this object,
/// or with this process.
///
/// PostgreSQL refuses to run as root; then it runs as the system's user `postgres`, or `nobody`.
///
/// `@unchecked Sendable`: the lock guards what changes.
package final class PostgresServer: @unchecked Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The user and database that every server has, and the first password.
  package static let user = "callsign"
  package static let password = "fl33t-p4ssword"

  package let folder: URL
  package let port: Int
  private let data: URL
  private let lock = NSLock()
  private var process: Process?
  private var guardian: Process?
  private let ownsFolder: Bool

  /// Where the programs are; `nil` when PostgreSQL is not installed.
  package static let programs: URL? = {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let folders =
      versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
      + ["/usr/pgsql/bin", "/opt/homebrew/opt/postgresql/bin", "/usr/local/bin", "/usr/bin"]
    return folders.first { folder in
      ["postgres", "initdb", "pg_basebackup", "psql"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
      }
    }.map { URL(fileURLWithPath: $0) }
  }()

  /// Makes an empty cluster with the database `callsign` and starts it.
  package init(settings: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "callsign-pg-\(UInt32.random(in: 0 ... .max))")
    ownsFolder = true
    data = folder.appendingPathComponent("data")
    port = try Self.freePort()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let secret = folder.appendingPathComponent("password")
    try Data("\(Self.password)\n".utf8).write(to: secret)
    try Self.hand(folder)
    try Self.hand(secret)
    try Self.run(
      "initdb",
      [
        "-D", data.path, "-U", Self.user, "--pwfile", secret.path, "--auth-local=trust", "--auth-host=scram-sha-256",
        "-E", "UTF8", "--locale=C", "--no-sync",
      ])
    try configure(settings)
    try append("host replication \(Self.user) 127.0.0.1/32 scram-sha-256\n", to: "pg_hba.conf")
    try start()
    try sql("CREATE DATABASE callsign", database: "postgres")
  }

  /// Creates a copy of a server that follows it, by default as a synchronous standby.
  package init(standbyOf primary: PostgresServer, isSynchronous: Bool = true) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "callsign-pg-\(UInt32.random(in: 0 ... .max))")
    ownsFolder = true
    data = folder.appendingPathComponent("data")
    port = try Self.freePort()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.hand(folder)
    try Self.run(
      "pg_basebackup",
      [
        "-D", data.path, "-R", "-X", "stream", "--no-sync", "--checkpoint=fast", "-d",
        "host=\(primary.folder.path) port=\(primary.port) user=\(Self.user) application_name=standby",
      ])
    try configure([:])
    try start()
    if isSynchronous {
      try primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
      try primary.sql("SELECT pg_reload_conf()")
    }
  }

  deinit {
    stop(SIGQUIT)
    guardian?.terminate()
    try? FileManager.default.removeItem(at: folder)
  }

  /// A connection string for the port, without the password.
  package var url: String { "postgresql://\(Self.user)@127.0.0.1:\(port)/callsign" }
  /// A connection string for the socket, which needs no password.
  package var socketURL: String { "host=\(folder.path) port=\(port) user=\(Self.user) dbname=callsign" }

  /// Starts the server, and waits until it takes connections.
  package func start() throws {
    guard let programs = Self.programs else { throw Failure(description: "postgres is missing") }
    let end = Date() + 120
    while Date() < end {
      let process = try Self.process(
        programs.appendingPathComponent("postgres"), ["-D", data.path, "-p", "\(port)", "-k", folder.path])
      let log = folder.appendingPathComponent("log")
      if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
      let handle = try FileHandle(forWritingTo: log)
      try handle.seekToEnd()
      (process.standardOutput, process.standardError) = (handle, handle)
      try process.start()
      let isUp = Self.waits(for: process) { (try? self.sql("SELECT 1", database: "postgres")) != nil }
      if isUp {
        lock.withLock { self.process = process }
        watch(process.processIdentifier)
        return
      }
      // One that was killed a moment ago may still have the port or its memory.
      usleep(200_000)
    }
    let words = (try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)) ?? ""
    throw Failure(description: "PostgreSQL does not start: \(words.suffix(1000))")
  }

  /// Ends the server with a signal: `SIGINT` disconnects everyone and writes its data, `SIGQUIT` and `SIGKILL` do not.
  package func stop(_ signal: Int32) {
    let process = lock.withLock {
      defer { self.process = nil }
      return self.process
    }
    guard let process, process.isRunning else { return }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
  }

  /// Pauses the server's processes, or continues them.
  package func signalAll(_ signal: Int32) {
    guard let pid = lock.withLock({ process?.processIdentifier }) else { return }
    let listing = try? Self.output(URL(fileURLWithPath: "/usr/bin/env"), ["ps", "-o", "pid=", "--ppid", "\(pid)"])
    for child in (listing ?? "").split(whereSeparator: \.isWhitespace).compactMap({ Int32($0) }) { kill(child, signal) }
    kill(pid, signal)
  }

  /// Lets a standby accept writes.
  package func promote() throws { try sql("SELECT pg_promote(true, 60)") }

  /// Runs a statement with `psql` over the socket, and returns the output.
  @discardableResult package func sql(_ text: String, database: String = "callsign") throws -> String {
    guard let programs = Self.programs else { throw Failure(description: "postgres is missing") }
    return try Self.output(
      programs.appendingPathComponent("psql"),
      [
        "-h", folder.path, "-p", "\(port)", "-U", Self.user, "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c",
        text,
      ])
  }

  private func configure(_ settings: [String: String]) throws {
    var all = [
      "listen_addresses": "'127.0.0.1'", "fsync": "off", "shared_buffers": "'64MB'", "max_connections": "200",
      "wal_level": "replica", "max_wal_senders": "4", "hot_standby": "on", "wal_keep_size": "'64MB'",
      "log_min_messages": "warning", "wal_receiver_status_interval": "'1s'", "deadlock_timeout": "'200ms'",
    ]
    all.merge(settings) { $1 }
    try append(all.map { "\($0) = \($1)\n" }.joined(), to: "postgresql.conf")
  }

  private func append(_ text: String, to name: String) throws {
    let handle = try FileHandle(forWritingTo: data.appendingPathComponent(name))
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
  }

  /// Ends the server and removes its folder when this process ends, because its standard input then ends.
  private func watch(_ pid: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let waits = "for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 \(pid) && sleep 0.2; done"
    process.arguments = ["-c", "read line; kill -QUIT \(pid); \(waits); rm -rf \"$0\"", folder.path]
    process.standardInput = Pipe.forChildProcess()
    process.standardError = FileHandle.nullDevice
    try? process.start()
    lock.withLock {
      guardian?.terminate()
      guardian = process
    }
  }
}

// Other programs, as a user who may run them.
extension PostgresServer {
  private static let servant: String? =
    geteuid() == 0 ? ["postgres", "nobody"].first { getpwnam($0) != nil } : nil

  private static func hand(_ file: URL) throws {
    guard let servant else { return }
    try FileManager.default.setAttributes([.ownerAccountName: servant], ofItemAtPath: file.path)
  }

  private static func process(_ program: URL, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.standardInput = FileHandle.nullDevice
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    if let servant, let user = getpwnam(servant) {
      // It replaces itself with the program, which therefore has the ID of this process.
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments =
        ["--reuid", "\(user.pointee.pw_uid)", "--regid", "\(user.pointee.pw_gid)", "--clear-groups", program.path]
        + arguments
    } else {
      process.executableURL = program
      process.arguments = arguments
    }
    return process
  }

  private static func run(_ name: String, _ arguments: [String]) throws {
    guard let programs else { throw Failure(description: "postgres is missing") }
    _ = try output(programs.appendingPathComponent(name), arguments)
  }

  private static func output(_ program: URL, _ arguments: [String]) throws -> String {
    let process = try process(program, arguments)
    let (output, errors) = (Pipe.forChildProcess(), Pipe.forChildProcess())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.start()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let words = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(program.lastPathComponent): \(String(decoding: words.suffix(1000), as: UTF8.self))")
    }
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func waits(for process: Process, _ isUp: () -> Bool) -> Bool {
    let end = Date() + 60
    while process.isRunning, Date() < end {
      if isUp() { return true }
      usleep(50_000)
    }
    if process.isRunning { kill(process.processIdentifier, SIGQUIT) }
    return false
  }

  private static func freePort() throws -> Int {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard isBound else { throw Failure(description: "no port is free") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
