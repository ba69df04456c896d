import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Dispatch

/// Leases that processes share through files in a folder, with one queue of holders for each name.
///
/// Two files make a lease. `NAME.lock` states the holder and the end. A process that reads or changes it, or what the
/// lease protects, holds a system lock on it for that moment. The holder keeps `NAME.held` locked as long as it has the
/// lease. The system releases that lock when a process ends, however it ends, so the next in line need not wait for the
/// lease's end. If the lock is still held at the lease's end, and the record has not changed for as long as the next in
/// line has watched it, the holder's process is suspended. The next in line then creates a new file with that name. The
/// time of day is not enough to know this, because it may be set while the holder is at work.
///
/// A request that the holder has announced is part of `NAME.lock`. It outlives the lease, until the protected data is
/// changed; then the file is removed with the lease.
struct FileLeases: Sendable {
  let folder: String
  /// The time that one holder may keep others waiting. However many tasks are in line before it, a task keeps waiting
  /// as long as the lease changes hands.
  let timeLimit: Duration
  /// The queue for opening files, which can take time.
  let queue: DispatchQueue

  static let lockSuffix = ".lock"
  static let heldSuffix = ".held"

  /// Tasks of this process, which wait in line instead of requesting the file repeatedly.
  private static let turns = KeyedAsyncLock<String>()

  private func turn(_ name: String) -> String { "\(folder)/\(name)" }

  /// Waits for the lease.
  ///
  /// - Parameters:
  ///   - key: The key that it is for.
  ///   - name: The name of the files, without suffix.
  ///   - duration: How long it lasts.
  func lease(_ key: TokenKey, _ name: String, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    let start = ContinuousClock.now
    let turnKey = turn(name)
    try await waitForTurn(name, since: start)
    let id: String
    let (held, pending): (HeldFile, LeaseRecord.Request?)
    do throws(TokenStoreError) {
      id = try PrivateFolder.randomName()
      (held, pending) = try await take(name, id, lasting: duration, since: start)
    } catch {
      Self.turns.finish(turnKey)
      throw error
    }
    Self.turns.noteProgress(of: turnKey)
    let turn = LeaseTurn(lasting: duration) { Self.turns.finish(turnKey) }
    return TokenLease(
      key, id: id, end: turn.end, pendingRequest: pending?.pending(Date()),
      renew: { (duration) throws(TokenStoreError) in
        let end = Date() + duration.seconds
        try await locked(name, elseFailing: .leaseLost(key)) { (folder, file) throws(TokenStoreError) in
          guard var record = LeaseRecord(file), record.holder == id else { throw .leaseLost(key) }
          (record.start, record.end) = (Date(), end)
          try file.replaceContents(with: record.bytes)
        }
        _ = turn.renew(for: duration)
        return end
      },
      announce: { (version, duration) throws(TokenStoreError) in
        try await locked(name, elseFailing: .leaseLost(key)) { (folder, file) throws(TokenStoreError) in
          guard var record = LeaseRecord(file), record.holder == id else { throw .leaseLost(key) }
          record.request = LeaseRecord.Request(leaseID: id, version: version, lasting: duration)
          try file.replaceContents(with: record.bytes)
        }
      },
      withdraw: {
        // If the file cannot be reached, others wait unnecessarily, until the time is over.
        try? await locked(name, elseFailing: .leaseLost(key)) { (folder, file) throws(TokenStoreError) in
          guard var record = LeaseRecord(file), record.request?.leaseID == id else { return }
          record.request = nil
          if record.holder.isEmpty {
            try folder.remove(name + Self.lockSuffix)
          } else {
            try file.replaceContents(with: record.bytes)
          }
        }
      },
      release: {
        // Even if the files cannot be reached, the system's lock is released, and the next in line notices that.
        try? await locked(name, elseFailing: .leaseLost(key)) { (folder, file) throws(TokenStoreError) in
          guard var record = LeaseRecord(file), record.holder == id else { return }
          try folder.remove(name + Self.heldSuffix)
          if record.request == nil {
            try folder.remove(name + Self.lockSuffix)
          } else {
            record.holder = ""
            try file.replaceContents(with: record.bytes)
          }
        }
        held.unlock()
        Self.turns.noteProgress(of: turnKey)
        turn.finish()
      },
      abandon: {
        held.unlock()
        turn.finish()
      })
  }

  /// Changes the data that a lease protects, unless somebody else has had the lease since; nobody gets it in between.
  ///
  /// - Parameters:
  ///   - lease: The lease.
  ///   - name: The name of its files, without suffix.
  func guarding<Value: Sendable>(
    _ lease: TokenLease, _ name: String,
    _ work: @escaping @Sendable (borrowing PrivateFolder) throws(TokenStoreError) -> Value
  ) async throws(TokenStoreError) -> Value {
    let (key, id) = (lease.key, lease.id)
    return try await locked(name, elseFailing: .leaseLost(lease.key)) { (folder, file) throws(TokenStoreError) in
      guard var record = LeaseRecord(file), record.holder == id else { throw .leaseLost(key) }
      let value = try work(folder)
      if record.request != nil {
        record.request = nil
        // If that fails, the version of the token shows the same.
        try? file.replaceContents(with: record.bytes)
      }
      return value
    }
  }

  /// Requests the lease until nobody else holds it.
  private func take(
    _ name: String, _ id: String, lasting duration: Duration, since start: ContinuousClock.Instant
  ) async throws(TokenStoreError) -> (HeldFile, LeaseRecord.Request?) {
    var pause = Duration.milliseconds(2)
    var sighting: LeaseSighting?
    while true {
      let attempt = try await locked(name, since: start) {
        [sighting, timeLimit] (folder, file) throws(TokenStoreError) in
        try Self.attempt(name, id, lasting: duration, sighting, watching: timeLimit / 2, folder, file)
      }
      switch attempt {
      case .granted(let held, let pending): return (held, pending)
      case .taken(let latest):
        // Another process has taken it since.
        if let sighting, sighting.holder != latest.holder { Self.turns.noteProgress(of: turn(name)) }
        sighting = latest
      }
      try await rest(&pause, name, since: start)
    }
  }

  private enum Attempt: Sendable {
    case granted(HeldFile, LeaseRecord.Request?)
    case taken(LeaseSighting)
  }

  /// Takes the lease if its last holder has given it back, has ended, or has let its end go by.
  ///
  /// - Parameters:
  ///   - sighting: The result of the previous attempt.
  ///   - limit: The maximum time to watch a live holder. It is shorter than any waiting time, or nobody would ever get
  ///     the lease.
  private static func attempt(
    _ name: String, _ id: String, lasting duration: Duration, _ sighting: LeaseSighting?, watching limit: Duration,
    _ folder: borrowing PrivateFolder, _ file: borrowing OpenFile
  ) throws(TokenStoreError) -> Attempt {
    let now = Date()
    let last = LeaseRecord(file)
    let latest = sighting.flatMap { $0.matches(last) ? $0 : nil } ?? LeaseSighting(last)
    let heldName = name + heldSuffix
    var hasWatched = false
    while true {
      // If the folder has been removed since, the next attempt creates another.
      guard let held = try folder.openFile(heldName, O_RDWR | O_CREAT) else { return .taken(latest) }
      try held.refuseUnlessPrivate(kind: S_IFREG, mode: "600")
      if try !held.tryLock() {
        let isOver = last?.isOver(now) ?? true
        guard isOver, latest.hasLasted(min(last?.length ?? duration, limit)) else { return .taken(latest) }
        // The current holder keeps a file that no longer has a name.
        try folder.remove(heldName)
        hasWatched = true
        continue
      }
      guard try folder.holds(held, as: heldName) else { continue }
      var request = last?.request
      // The system has freed the lock of a holder that has not released it, so that its process is gone.
      if !hasWatched, let last, last.holder == request?.leaseID { request?.end = now }
      let record = LeaseRecord(holder: id, start: now, end: now + duration.seconds, request: request)
      try file.replaceContents(with: record.bytes)
      return .granted(HeldFile(try held.duplicate()), request)
    }
  }

  /// Runs work while only this task has the lease's record, across processes.
  ///
  /// - Parameter absence: The error if there is no record, because nobody holds the lease; `nil` creates one.
  private func locked<Value: Sendable>(
    _ name: String, elseFailing absence: TokenStoreError? = nil, since start: ContinuousClock.Instant = .now,
    _ work: @escaping @Sendable (borrowing PrivateFolder, borrowing OpenFile) throws(TokenStoreError) -> Value
  ) async throws(TokenStoreError) -> Value {
    var pause = Duration.milliseconds(1)
    while true {
      let result: Value? = try await queue.run { () throws(TokenStoreError) in
        let folder = try PrivateFolder.made(folder)
        while true {
          guard let file = try folder.openFile(name + Self.lockSuffix, O_RDWR | (absence == nil ? O_CREAT : 0)) else {
            if let absence { throw absence }
            // The folder has been removed since it was opened; the next attempt creates another.
            return nil
          }
          try file.refuseUnlessPrivate(kind: S_IFREG, mode: "600")
          guard try file.tryLock() else { return nil }
          // Releasing the lease removes the file; a lock on it then excludes nobody.
          guard try folder.holds(file, as: name + Self.lockSuffix) else { continue }
          return try work(folder, file)
        }
      }
      if let result { return result }
      // Held for a moment by others; where its holder is stopped in that moment, for longer.
      try await rest(&pause, name, since: start)
    }
  }

  /// Waits a while, and a little longer each time, until patience is at its end.
  private func rest(
    _ pause: inout Duration, _ name: String, since start: ContinuousClock.Instant
  ) async throws(TokenStoreError) {
    let end = end(of: name, since: start)
    guard ContinuousClock.now < end else { throw timedOut(name) }
    do { try await Task.sleep(for: min(pause, max(.zero, end - .now))) } catch { throw .cancelledWait }
    pause = min(pause * 2, .milliseconds(50))
  }

  /// When a task that has waited since `start` gives up.
  private func end(of name: String, since start: ContinuousClock.Instant) -> ContinuousClock.Instant {
    max(start, Self.turns.progress(of: turn(name)) ?? start) + timeLimit
  }

  /// Waits for the tasks of this process that came before.
  private func waitForTurn(_ name: String, since start: ContinuousClock.Instant) async throws(TokenStoreError) {
    let isGranted: Bool
    do throws(CancellationError) {
      isGranted = try await Self.turns.wait(for: turn(name), since: start, timeLimit: timeLimit)
    } catch { throw .cancelledWait }
    if !isGranted { throw timedOut(name) }
  }

  private func timedOut(_ name: String) -> TokenStoreError {
    TokenStoreError(
      .lockTimedOut,
      advice: """
        another task or process has held the lock \(folder)/\(name)\(Self.lockSuffix) for more than \(timeLimit); see \
        whether it hangs, and try again
        """.printable)
  }
}

/// A locked file's descriptor, which is unlocked and closed once.
private final class HeldFile: Sendable {
  private let descriptor: Locked<Int32?>

  init(_ descriptor: Int32) { self.descriptor = Locked(descriptor) }

  deinit { unlock() }

  func unlock() {
    let open = descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
    guard let open else { return }
    // Unlocked first: a process that is just being started may have a copy of the descriptor.
    flock(open, LOCK_UN)
    close(open)
  }
}

/// The holder of a lease, as its file says.
struct LeaseRecord {
  /// A request for the next token that a holder has announced.
  struct Request: Sendable {
    let leaseID: String
    let process: Int
    let version: TokenVersion
    let start: Date
    var end: Date
  }

  /// Empty after the release, if a request is left.
  var holder: String
  var start: Date
  var end: Date
  var request: Request?

  init(holder: String, start: Date, end: Date, request: Request?) {
    self.holder = holder
    self.start = start
    self.end = end
    self.request = request
  }

  /// `nil` if the file is empty, or if its last writer died while writing.
  init?(_ file: borrowing OpenFile) {
    guard let bytes = try? file.contents(limit: 4096), let value = try? JSONValue(jsonData: bytes),
      let holder = value["holder"]?.string, let start = value["start"]?.double, let end = value["end"]?.double
    else { return nil }
    self.init(
      holder: holder, start: Date(timeIntervalSince1970: start), end: Date(timeIntervalSince1970: end),
      request: value["request"].flatMap(Request.init))
  }

  var bytes: Data {
    var members: [String: JSONValue] = [
      "holder": .string(holder), "start": .number(start.timeIntervalSince1970),
      "end": .number(end.timeIntervalSince1970),
    ]
    members["request"] = request?.json
    // Texts and finite numbers can always be written.
    return (try? JSONValue.object(members).jsonData()) ?? Data()
  }

  /// The time that it lasts.
  var length: Duration { Duration(bounded: max(0, end.timeIntervalSince(start))) }

  /// Whether others may take it. A clock that was set back must not make it last.
  func isOver(_ now: Date) -> Bool { now >= end || now < start - 5 }
}

extension LeaseRecord.Request {
  init(leaseID: String, version: TokenVersion, lasting duration: Duration) {
    let start = Date()
    self.init(
      leaseID: leaseID, process: Int(ProcessInfo.processInfo.processIdentifier), version: version, start: start,
      end: start + duration.seconds)
  }

  init?(_ value: JSONValue) {
    guard let leaseID = value["lease"]?.string, let process = value["process"]?.int,
      let version = value["version"]?.string, let start = value["start"]?.double, let end = value["end"]?.double
    else { return nil }
    self.init(
      leaseID: leaseID, process: process, version: TokenVersion(rawValue: version),
      start: Date(timeIntervalSince1970: start), end: Date(timeIntervalSince1970: end))
  }

  var json: JSONValue {
    [
      "lease": .string(leaseID), "process": .integer(process), "version": .string(version.rawValue),
      "start": .number(start.timeIntervalSince1970), "end": .number(end.timeIntervalSince1970),
    ]
  }

  /// As the next holder of the lease sees it. A clock that was set back must not make it last longer.
  func pending(_ now: Date) -> PendingTokenRequest {
    let left = min(max(0, end.timeIntervalSince(now)), max(0, end.timeIntervalSince(start)))
    return PendingTokenRequest(
      leaseID: leaseID, holder: "process \(process)", version: version, timeLeft: Duration(bounded: left))
  }
}

/// A record as somebody who waits has seen it, and since when.
private struct LeaseSighting: Sendable {
  /// Empty if the record is missing or cannot be read.
  let holder: String
  private let end: Date?
  /// By a clock that nobody sets, and that stops while the machine sleeps, as the holder does.
  private let start = SuspendingClock.now

  init(_ record: LeaseRecord?) {
    holder = record?.holder ?? ""
    end = record?.end
  }

  /// Whether the record is still the same: a holder that lives renews it.
  func matches(_ record: LeaseRecord?) -> Bool { holder == record?.holder ?? "" && end == record?.end }

  /// Whether it has been the same for so long.
  func hasLasted(_ duration: Duration) -> Bool { SuspendingClock.now - start >= duration }
}

extension DispatchQueue {
  /// Does work that may block on a thread of this queue rather than on one that tasks share.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(TokenStoreError) -> Value
  ) async throws(TokenStoreError) -> Value {
    let result: Result<Value, TokenStoreError> = await withCheckedContinuation { continuation in
      async { continuation.resume(returning: Result { () throws(TokenStoreError) in try work() }) }
    }
    return try result.get()
  }
}
