import CallsignPostgres
import CallsignX
import Foundation

// The blocks of Documentation/Fleet.md, word for word. Compiled, never run.

private func fleet(password: Secret, sealingKey: Secret) async throws -> XAPI {
  let database = try PostgresDatabase(
    PostgresConfiguration("postgresql://callsign@db1,db2/fleet?sslrootcert=ca.pem", password: password))
  try await database.migrate()  // one of many does it; or: callsign-postgres migrate

  let store = try PostgresTokenStore(database, keys: SealingKeys(SealingKey(sealingKey)))
  let oauth2 = OAuth2(clientID: "…", store: store, account: "42")

  var configuration = ClientConfiguration(rateLimitPolicy: .wait(upTo: .seconds(900)))
  configuration.rateLimitStore = PostgresRateLimitStore(database)
  let x = XAPI(auth: .oauth2(oauth2), configuration: configuration)

  return x
}

private func stream(_ x: XAPI, _ database: PostgresDatabase) async throws {
  let coordinator = StreamCoordinator(database, stream: "posts", partitions: 2) { partition in
    x.streamPostsSample10(partition: partition)
  }
  async let reading: Void = coordinator.run()  // on every server: each has its share, and takes over from one that dies

  async let handling: Void = StreamInbox(database, stream: "posts").run { records in
    records.map { PostgresStatement("INSERT INTO posts (id, body) VALUES ($1, $2)", [.text($0.id), .bytes($0.bytes)]) }
  }
  _ = try await (reading, handling)
}

private func deliveries(_ database: PostgresDatabase, _ body: Data) async throws {
  let deliveries = DeliveryLog(database, source: "webhook")
  let outcome = try await deliveries.once(DeliveryLog.id(ofBody: body)) {
    [PostgresStatement("INSERT INTO events (body) VALUES ($1)", [.bytes(body)])]  // in the same transaction
  }
  print(outcome)  // .handled, .duplicate, or .underway on another server
}

private func upload(_ x: XAPI, _ database: PostgresDatabase, _ video: URL) async throws {
  let media = try await SharedUploads(database).run("video 42") { resumption, checkpoint in
    try await x.upload(file: video, resuming: resumption, options: UploadOptions(checkpoint: checkpoint))
  }
  print(media.id)
}
