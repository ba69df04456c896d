import Callsign
import CallsignHTTP
import CallsignSupport
import CallsignX
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Batch compliance jobs") struct ComplianceTests {
  /// X's part: takes a job, lets time pass, and has a result.
  private final class Service: Sendable {
    struct State {
      var requests: [String] = []
      var uploads: [String] = []
      var authorized: Set<String> = []
      /// The states that X tells, one after the other; the last stays.
      var statuses: [String]
      var uploadStatus = HTTPResponse.Status.ok
      var result = ""
    }

    private let state: Locked<State>
    let time = TestTime(.moves)

    init(_ statuses: [String], result: String = "") { state = Locked(State(statuses: statuses, result: result)) }

    var requests: [String] { state.withLock { $0.requests } }
    var uploads: [String] { state.withLock { $0.uploads } }
    /// The hosts that got credentials.
    var authorized: Set<String> { state.withLock { $0.authorized } }

    func refuseUploads() { state.withLock { $0.uploadStatus = .forbidden } }

    var x: XAPI {
      let transport = InMemoryTransport { [self] (request) async throws(TransportError) in
        let body = String(decoding: (try? await request.body.collect()) ?? Data(), as: UTF8.self)
        return state.withLock { respond(request, body, &$0) }
      }
      return XAPI(
        auth: .bearer("app"), configuration: ClientConfiguration(transport: transport, retry: .never, time: time))
    }

    private func respond(_ request: TransportRequest, _ body: String, _ state: inout State) -> TransportResponse {
      let place = "\(request.method.rawValue) \(request.url.host)\(request.url.path)"
      state.requests.append(place)
      if request.headerFields[.authorization] != nil { state.authorized.insert(request.url.host) }
      func job(_ status: String) -> TransportResponse {
        .json(
          """
          {"data":{"id":"42","type":"tweets","status":"\(status)","created_at":"2026-01-01T00:00:00.000Z",
          "upload_url":"https://storage.example/up?X-Signature=secret",
          "download_url":"https://storage.example/down?X-Signature=secret"}}
          """)
      }
      switch place {
      case "POST api.x.com/2/compliance/jobs": return job("created")
      case "PUT storage.example/up":
        state.uploads.append("\(request.headerFields[.contentType] ?? "") \(request.url.query ?? "") \(body)")
        return TransportResponse(head: HTTPResponse(status: state.uploadStatus), body: ResponseBody(Data()))
      case "GET api.x.com/2/compliance/jobs/42":
        return job(state.statuses.count > 1 ? state.statuses.removeFirst() : state.statuses[0])
      case "GET storage.example/down":
        return TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(Data(state.result.utf8)))
      default: return .json("{}", status: .notFound)
      }
    }
  }

  private static let result = """
    {"id":"1","action":"delete","created_at":"2019-10-29T17:02:47.000Z","redacted_at":"2020-07-29T17:02:47.000Z",\
    "reason":"deleted"}
    {"id":"2","action":"delete","reason":"suspended"}\r

    not json
    {"id":"3","action":"new_action","reason":"new_reason","more":1}
    """

  private func failure(_ work: () async throws(XAPI.ComplianceError) -> XAPI.ComplianceReport) async
    -> XAPI.ComplianceError?
  {
    do throws(XAPI.ComplianceError) {
      _ = try await work()
      return nil
    } catch { return error }
  }

  @Test("A job from its ids to its result, whose credentials stay with X") func whole() async throws {
    let service = Service(["created", "in_progress", "in_progress", "complete"], result: Self.result)
    let steps = Locked<[String]>([])
    let report = try await service.x.complianceReport(on: ["1", "2", "3", "2"], type: .tweets) { step in
      steps.withLock { steps in
        switch step {
        case .created(let job): steps.append("created \(job.id ?? "")")
        case .uploaded(let id): steps.append("uploaded \(id)")
        case .state(_, let job): steps.append("\(job.status?.rawValue ?? "")")
        case .downloaded(_, let count): steps.append("downloaded \(count)")
        }
      }
    }
    #expect(report.results.map(\.id) == ["1", "2", "3"])
    #expect(report.results.map(\.action) == ["delete", "delete", "new_action"])
    #expect(report.results.map(\.reason) == ["deleted", "suspended", "new_reason"])
    #expect(report.results[0].redactedAt?.timeIntervalSince(try #require(report.results[0].createdAt)) == 23_673_600)
    #expect(report.results[1].createdAt == nil)
    #expect(report.results[2].document["more"] == 1)
    #expect(report.unreadableLines == ["not json"])
    #expect(report.job.id == "42")
    #expect(service.uploads == ["text/plain X-Signature=secret 1\n2\n3\n"])
    #expect(service.authorized == ["api.x.com"])
    #expect(
      steps.withLock { $0 } == [
        "created 42", "uploaded 42", "created", "in_progress", "in_progress", "complete", "downloaded 3",
      ])
    #expect(service.time.sleeps == [.seconds(5), .seconds(10), .seconds(20)])
  }

  @Test("A result that ends within a line is an error") func torn() async throws {
    let lines = Self.result.split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.dropLast().joined(separator: "\n") + "\n"
    for count in [1, 10, lines[lines.count - 1].utf8.count - 1] {
      let service = Service(["complete"], result: start + lines[lines.count - 1].prefix(count))
      let error = await failure { () throws(XAPI.ComplianceError) in
        try await service.x.complianceReport(ofJob: "42")
      }
      guard case .incomplete? = error?.cause else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test("A job is continued by its id; the ids are sent only if X has not started") func resumed() async throws {
    let begun = Service(["in_progress", "complete"], result: Self.result)
    #expect(try await begun.x.complianceReport(ofJob: "42", ids: ["1"]).results.count == 3)
    #expect(begun.uploads.isEmpty)
    let fresh = Service(["created", "complete"], result: Self.result)
    #expect(try await fresh.x.complianceReport(ofJob: "42", ids: ["1"]).results.count == 3)
    #expect(fresh.uploads.count == 1)
  }

  @Test(
    "A text that is not an id is refused before a job is created",
    arguments: [["1", "a"], ["-1"], [""], ["12345678901234567890"], ["1\n2"], []])
  func badIDs(ids: [String]) async throws {
    let service = Service(["complete"])
    let error = await failure { () throws(XAPI.ComplianceError) in
      try await service.x.complianceReport(on: ids, type: .tweets)
    }
    #expect(error != nil && error?.jobID == nil)
    #expect(service.requests.isEmpty)
  }

  @Test("Jobs that fail or expire", arguments: ["failed", "expired"]) func failing(status: String) async throws {
    let service = Service(["in_progress", status])
    let error = await failure { () throws(XAPI.ComplianceError) in
      try await service.x.complianceReport(on: ["1"], type: .users)
    }
    switch error?.cause {
    case .failed?: #expect(status == "failed")
    case .expired?: #expect(status == "expired")
    default: Issue.record("\(String(describing: error))")
    }
    #expect(error?.jobID == "42")
  }

  @Test("An upload that is refused names the job, and nothing of the address") func refusedUpload() async throws {
    let service = Service(["created"])
    service.refuseUploads()
    let error = await failure { () throws(XAPI.ComplianceError) in
      try await service.x.complianceReport(on: ["1"], type: .tweets)
    }
    guard case .call(.api, .upload)? = error?.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.jobID == "42")
    #expect("\(error.map { "\($0)" } ?? "")".contains("secret") == false)
  }

  @Test("A bound on the time, and a cancelled task, leave the job's id") func givenUp() async throws {
    let service = Service(["in_progress"])
    let late = await failure { () throws(XAPI.ComplianceError) in
      try await service.x.complianceReport(
        ofJob: "42", settings: XAPI.ComplianceSettings(timeout: .seconds(60)))
    }
    guard case .timedOut(.seconds(60))? = late?.cause else {
      Issue.record("\(String(describing: late))")
      return
    }
    #expect(late?.jobID == "42")

    service.time.standStill()
    let x = service.x
    let waiting = Task {
      await failure { () throws(XAPI.ComplianceError) in try await x.complianceReport(ofJob: "42") }
    }
    while service.time.sleeping == 0 { try await Task.sleep(for: .milliseconds(5)) }
    waiting.cancel()
    let error = await waiting.value
    #expect(error?.isCancellation == true && error?.jobID == "42")
  }
}
