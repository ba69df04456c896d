import Callsign
import CallsignHTTP
import CallsignSupport

/// Uploads that any server of a fleet can continue. If a server dies during an upload, the next server that runs the upload resumes
/// it from the last chunk that arrived.
///
/// ```swift
/// let uploads = SharedUploads(database)
/// let media = try await uploads.run("video 42") { resumption, checkpoint in
///   try await x.upload(file: video, resuming: resumption, options: UploadOptions(checkpoint: checkpoint))
/// }
/// ```
///
/// Every server needs the same bytes. A file must also have the same modification date, which is used to detect changes.
public struct SharedUploads: Sendable {
  /// Stores the point from which an upload can continue.
  public typealias Checkpoint = @Sendable (UploadResumption) async -> Void

  let database: PostgresDatabase

  /// Uses a database with its schema.
  public init(_ database: PostgresDatabase) { self.database = database }

  private var table: String { "\(database.schema.quoted).uploads" }

  /// Uploads, or continues an upload with this name that was interrupted. If another server is running it, waits until that server
  /// has finished or has been silent for a lease. An upload that was completed is made again.
  ///
  /// - Parameters:
  ///   - name: The upload's name, the same on all servers.
  ///   - lease: How long a server's claim on the upload lasts after its last sign of life. Default: 30 seconds.
  ///   - upload: Uploads, starting from the resumption that it gets. It must call the checkpoint, or pass it to
  ///     ``UploadOptions/checkpoint``. Its task is cancelled if the lease is lost.
  /// - Throws: ``PostgresError``, and the closure's errors. If an ``UploadError`` says where to continue, that is stored.
  public func run<Receipt: Sendable>(
    _ name: String, lease: Duration = .seconds(30),
    _ upload: @escaping @Sendable (UploadResumption?, @escaping Checkpoint) async throws -> Receipt
  ) async throws -> Receipt {
    let id = "\(database.server)/\(String(UInt64.random(in: .min ... .max), radix: 36))"
    let (resumption, taken) = try await take(name, id, lease)
    let work = Task { try await upload(resumption) { await note($0, name, id) } }
    let renewals = Task {
      var term = taken
      while (try? await Task.sleep(for: min(lease / 4, term.left))) != nil {
        let (asked, left) = (ContinuousClock.now, term.left)
        // Without confirmation for this long, the lease may soon be another server's.
        if left == .zero { return work.cancel() }
        let renew = PostgresStatement(
          """
          UPDATE \(table) SET lease_end = clock_timestamp() + make_interval(secs => $3)
          WHERE name = $1 AND lease_id = $2 RETURNING 1
          """, [.text(name), .text(id), .seconds(lease)])
        do throws(PostgresError) {
          let renewed = try await database.run(renew, within: min(lease / 2, left)).first?.rows ?? []
          if renewed.isEmpty { return work.cancel() }
          term = LeaseTerm(lease, from: asked)
        } catch {
          // The database is asked again as long as there is time.
        }
      }
    }
    defer { renewals.cancel() }
    let result = await withTaskCancellationHandler {
      await work.result
    } onCancel: {
      work.cancel()
    }
    switch result {
    case .success(let receipt):
      await end("DELETE FROM \(table) WHERE name = $1 AND lease_id = $2", [.text(name), .text(id)])
      return receipt
    case .failure(let error):
      if let error = error as? UploadError {
        // Without a point to continue from, or if the content has changed, the next upload starts from the beginning.
        if let resumption = error.resumption {
          await note(resumption, name, id)
        } else if !error.isCancellation {
          await end(
            "UPDATE \(table) SET resumption = NULL WHERE name = $1 AND lease_id = $2", [.text(name), .text(id)])
        }
      }
      await release(name, id)
      throw error
    }
  }

  private func take(
    _ name: String, _ id: String, _ lease: Duration
  ) async throws -> (resumption: UploadResumption?, term: LeaseTerm) {
    let take = PostgresStatement(
      """
      INSERT INTO \(table) AS u (name, lease_id, lease_end) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
      ON CONFLICT (name) DO UPDATE SET lease_id = excluded.lease_id, lease_end = excluded.lease_end
      WHERE u.lease_id IS NULL OR u.lease_end <= clock_timestamp() OR u.lease_id = excluded.lease_id
      RETURNING resumption
      """, [.text(name), .text(id), .seconds(lease)])
    var pause = Duration.milliseconds(20)
    while true {
      let asked = ContinuousClock.now
      let results = try await database.take([take]) { _ in await release(name, id) }
      if let row = results.first?.rows.first {
        let resumption = row.text(0).flatMap { try? JSONDecoder().decode(UploadResumption.self, from: Data($0.utf8)) }
        return (resumption, LeaseTerm(lease, from: asked))
      }
      try await Task.sleep(for: pause * Double.random(in: 0.7...1.3))
      pause = min(pause * 2, .milliseconds(500))
    }
  }

  private func release(_ name: String, _ id: String) async {
    await end(
      "UPDATE \(table) SET lease_id = NULL, lease_end = NULL WHERE name = $1 AND lease_id = $2",
      [.text(name), .text(id)])
  }

  private func note(_ resumption: UploadResumption, _ name: String, _ id: String) async {
    guard let text = try? JSONEncoder().encode(resumption) else { return }
    await end(
      "UPDATE \(table) SET resumption = $3, changed = now() WHERE name = $1 AND lease_id = $2",
      [.text(name), .text(id), .text(String(decoding: text, as: UTF8.self))])
  }

  /// Sends statements that are worth a try but not essential, even in a cancelled task.
  private func end(_ sql: String, _ parameters: [PostgresStatement.Value]) async {
    await Task { _ = try? await database.run(PostgresStatement(sql, parameters), within: .seconds(5)) }.value
  }

  /// The names of uploads that have started but are not complete, and when each last made progress.
  ///
  /// - Throws: ``PostgresError``.
  public func unfinished() async throws(PostgresError) -> [(name: String, changed: Date)] {
    try await database.run(
      PostgresStatement(
        "SELECT name, extract(epoch FROM changed) FROM \(table) WHERE resumption IS NOT NULL ORDER BY 2")
    ).first?.rows.compactMap { row in row.text(0).map { ($0, row.date(1) ?? .distantPast) } } ?? []
  }
}

extension UploadError {
  fileprivate var isCancellation: Bool { if case .cancelled = cause { true } else { false } }
}
