import CallsignSupport
import Foundation

/// The operations for batch compliance jobs. A job is complete as soon as its IDs are uploaded.
enum ComplianceJobs {
  static let operations = Operation.catalogued([
    .init("createComplianceJobs", create), .init("getComplianceJobs", list),
    .init("getComplianceJobsById", byIdentifier),
  ])

  private static func create(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let app = context.principal.consumerKey
    let type = context.text("type") ?? "tweets"
    let isBusy = database.complianceJobs.values.contains { job in
      job.app == app && job.type == type && job.uploaded == nil && !job.isExpired(at: context.now)
    }
    guard !isBusy else {
      throw Problem(
        status: 409, title: "Conflict",
        detail: "You have a job of this type in progress already; upload its ids first.")
    }
    let id = database.identifiers.next()
    let job = ComplianceJobRecord(
      id: id, app: app, type: type, name: context.text("name"),
      isResumable: context.body["resumable"]?.boolean ?? false, createdAt: context.now,
      // Only clients that were given the URL can use it.
      key: String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36))
    database.complianceJobs[id] = job
    return Response(json: ["data": document(job, context)])
  }

  private static func list(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let jobs = database.complianceJobs.values.filter { job in
      job.app == context.principal.consumerKey && job.type == context.string("type")
        && (context.string("status").map { $0 == job.status(at: context.now) } ?? true)
    }
    let data = jobs.sorted { $0.id < $1.id }.map { document($0, context) }
    var response: [String: JSON] = ["meta": ["result_count": .integer(data.count)]]
    if !data.isEmpty { response["data"] = .array(data) }
    return Response(json: .object(response))
  }

  private static func byIdentifier(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let (text, id) = try context.identifier("id")
    guard let job = id.flatMap({ database.complianceJobs[$0] }), job.app == context.principal.consumerKey else {
      throw .missing(MissingResource(kind: .job, parameter: "id", value: text))
    }
    return Response(json: ["data": document(job, context)])
  }

  private static func document(_ job: ComplianceJobRecord, _ context: RequestContext) -> JSON {
    func address(_ file: String) -> JSON {
      .string("\(context.origin)\(ComplianceFiles.path)/\(job.id)/\(file)?key=\(job.key)")
    }
    func date(_ lifetime: TimeInterval) -> JSON {
      .string(Timestamp.text(job.createdAt.addingTimeInterval(lifetime)))
    }
    let asked = Set(context.strings("compliance_job.fields"))
    let all: [String: JSON?] = [
      "id": .string(String(job.id)), "type": .string(job.type), "name": job.name.map(JSON.string),
      "resumable": .boolean(job.isResumable), "status": .string(job.status(at: context.now)),
      "created_at": date(0), "upload_url": address("upload"), "download_url": address("result"),
      "upload_expires_at": date(ComplianceJobRecord.uploadTime),
      "download_expires_at": date(ComplianceJobRecord.downloadTime),
    ]
    return Renderer.select(all, asked.isEmpty ? Set(all.keys) : asked.union(["id", "type", "status"]))
  }
}

extension ComplianceJobRecord {
  /// How many seconds the IDs can be uploaded.
  static let uploadTime: TimeInterval = 900
  /// How many seconds the result can be downloaded: a week.
  static let downloadTime: TimeInterval = 604_800

  func isExpired(at date: Date) -> Bool { uploaded == nil && date.timeIntervalSince(createdAt) >= Self.uploadTime }

  func status(at date: Date) -> String {
    uploaded != nil ? "complete" : isExpired(at: date) ? "expired" : "created"
  }
}

/// Where a compliance job's IDs are uploaded, and where its result is. The URLs themselves are the credentials.
struct ComplianceFiles: Sendable {
  static let path = "/sandbox/compliance"

  private var job: Identifier
  private var file: String
  /// The key in faults: `PUT /sandbox/compliance/{id}/upload`.
  var key: String

  /// Returns the file for a request, or `nil` if its path is not one.
  static func find(_ request: IncomingRequest) throws(Problem) -> ComplianceFiles? {
    guard request.path.hasPrefix(path + "/") else { return nil }
    let segments = request.path.dropFirst(path.count + 1).split(separator: "/").map(String.init)
    guard segments.count == 2, let id = Identifier(segments[0]), ["upload", "result"].contains(segments[1]) else {
      throw .noSuchPath(request.method, request.path)
    }
    let method = segments[1] == "upload" ? "PUT" : "GET"
    guard request.method == method else { throw .methodNotAllowed(allowed: [method]) }
    return ComplianceFiles(job: id, file: segments[1], key: "\(method) \(path)/{id}/\(segments[1])")
  }

  func respond(_ request: IncomingRequest, _ database: inout Database) throws(Problem) -> Response {
    let key = request.queryParameters.first { $0.nameText == "key" }?.valueText ?? ""
    guard let record = database.complianceJobs[job], ConstantTime.equal(record.key, key) else {
      throw .forbidden("The address is not one that a job has given out.")
    }
    if file == "upload" {
      let ids = String(decoding: request.body, as: UTF8.self).split(whereSeparator: \.isNewline).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard let wrong = ids.first(where: { !Pattern.isIdentifier($0) }) else {
        database.complianceJobs[job]?.uploaded = ids
        return Response(status: 200)
      }
      throw .invalidRequest([
        InvalidParameter(name: "$", values: [String(wrong.prefix(40))], message: "Each line must be an id.")
      ])
    }
    guard let ids = record.uploaded else { throw .noSuchPath(request.method, request.path) }
    // As on X, only items that must no longer be kept have a line.
    let lines = ids.filter { text in
      guard let id = Identifier(text) else { return true }
      return record.type == "users" ? database.users[id] == nil : database.posts[id] == nil
    }.map { id -> JSON in
      [
        "id": .string(id), "action": "delete", "reason": "deleted",
        "created_at": .string(Timestamp.text(record.createdAt)),
      ]
    }
    var response = Response(status: 200)
    response.body = .bytes(Data(lines.map { $0.bytes + Data("\n".utf8) }.joined()))
    response.set("Content-Type", "application/x-ndjson")
    return response
  }
}
