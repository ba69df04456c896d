import CallsignCatalogue
import CallsignHTTP
import CallsignMock
import Foundation
import HTTPTypes

/// A mock as shown by a console. It has no state and no clock, and does not check signatures.
struct MockConsole: ConsoleHost {
  private let mock: MockServer

  init(_ mock: MockServer) { self.mock = mock }

  private var endpoints: [Endpoint] { mock.catalogue.groups.flatMap(\.endpoints) }

  func facts() async -> ConsoleFacts {
    ConsoleFacts(
      title: "Mock of \(mock.catalogue.api.name)",
      summary: mock.catalogue.api.summary ?? "Responds with values of the catalogue's types.",
      operations: endpoints.map(Self.shown),
      identities: [
        .init("accepted", "with accepted credentials"), .init("nobody", "without credentials"),
      ], faults: Self.faults.map(\.choice))
  }

  private static func shown(_ endpoint: Endpoint) -> ConsoleFacts.Operation {
    var shown = ConsoleFacts.Operation(id: endpoint.name, method: endpoint.method, path: endpoint.path)
    shown.summary = endpoint.summary
    let arguments = endpoint.parameters.filter { $0.constant == nil }
    shown.parameters = arguments.filter { $0.place == .path || $0.place == .query }.map {
      ConsoleFacts.Parameter(
        name: $0.name, isInPath: $0.place == .path, isRequired: $0.place == .path || !$0.type.isOptional,
        hint: $0.type.text)
    }
    let members = arguments.filter { $0.place == .field }
    if arguments.contains(where: { $0.place == .body }) {
      shown.body = ""
    } else if !members.isEmpty {
      let needed = members.filter { !$0.type.isOptional }.map { "  \"\($0.name)\": null" }.joined(separator: ",\n")
      shown.body = endpoint.body == .form ? "" : "{\n\(needed)\n}"
    }
    return shown
  }

  // MARK: Requests

  func requests(after number: Int, atMost limit: Int) async -> [ConsoleRequest] {
    mock.numberedRequests(after: number, atMost: limit).map { number, request in
      var shown = ConsoleRequest(
        number: number, method: request.method, target: request.maskedTarget, status: request.status)
      shown.time = request.date.formatted(.iso8601)
      shown.operation = request.operation
      shown.problems = request.problems
      shown.headers = request.maskedHeaders.map { ConsoleField($0.name, $0.value) }
      shown.body = request.maskedBody
      return shown
    }
  }

  func forgetRequests() async { mock.forgetRequests() }

  func status() async -> ConsoleStatus {
    var status = ConsoleStatus()
    status.faults = mock.plannedFaults
    return status
  }

  func table(_ name: String) async -> ConsoleTable? { nil }

  func moveTime(by seconds: Double?) async throws(ConsoleProblem) {
    throw ConsoleProblem("A mock has no clock to set.")
  }

  // MARK: Calls

  /// The maximum number of bytes of a response to show.
  private static let textLimit = 64 << 10
  /// The maximum number of records of a stream to show.
  private static let recordLimit = 5

  func call(_ call: ConsoleCall) async throws(ConsoleProblem) -> ConsoleResponse {
    guard let endpoint = endpoints.first(where: { $0.name == call.operation }) else {
      throw ConsoleProblem("This operation does not exist.")
    }
    var path = endpoint.path
    var query: [String] = []
    for parameter in endpoint.parameters where parameter.constant == nil {
      guard let value = call.values[parameter.name], !value.isEmpty else {
        if parameter.place == .path { throw ConsoleProblem("\(parameter.name) is missing.") }
        continue
      }
      if parameter.place == .path {
        path = path.replacingOccurrences(of: "{\(parameter.name)}", with: PercentEncoding.encode(value))
        // The value can contain slashes.
        let segments = value.split(separator: "/", omittingEmptySubsequences: false)
        path = path.replacingOccurrences(
          of: "{+\(parameter.name)}", with: segments.map { PercentEncoding.encode(String($0)) }.joined(separator: "/"))
      } else {
        query.append("\(PercentEncoding.encode(parameter.name))=\(PercentEncoding.encode(value))")
      }
    }
    for line in call.query.split(whereSeparator: \.isNewline) {
      query.append(
        line.split(separator: "=", maxSplits: 1).map { PercentEncoding.encode(String($0)) }.joined(separator: "="))
    }
    var headers: HTTPFields = [:]
    if !call.body.isEmpty {
      headers[.contentType] =
        endpoint.contentType
        ?? (endpoint.body == .form ? "application/x-www-form-urlencoded" : "application/json")
    }
    var request = IncomingRequest(
      method: endpoint.method, origin: origin(of: endpoint), path: path,
      query: query.isEmpty ? nil : query.joined(separator: "&"), headers: headers, body: Data(call.body.utf8))
    if call.identity == "accepted" { mock.addCredentials(to: &request, for: endpoint) }
    do throws(TransportError) {
      let response = try await mock.respond(to: request)
      return ConsoleResponse(
        status: response.status, headers: response.headers.map { ConsoleField($0.name.rawName, $0.value) },
        body: await Self.text(response))
    } catch {
      return ConsoleResponse(status: 0, headers: [], body: "")
    }
  }

  /// The URL of an operation's host in the catalogue, which the mock uses to distinguish hosts.
  private func address(of endpoint: Endpoint) -> String {
    mock.catalogue.api.host(of: endpoint)?.url ?? ""
  }

  private func origin(of endpoint: Endpoint) -> String {
    let parts = address(of: endpoint).split(separator: "/", omittingEmptySubsequences: false)
    return parts.count >= 3 ? parts.prefix(3).joined(separator: "/") : "http://127.0.0.1"
  }

  private static func text(_ response: OutgoingResponse) async -> String {
    var bytes = Data()
    var pieces = response.body.makeAsyncIterator()
    var count = 0
    while bytes.count <= textLimit, response.length != nil || count < recordLimit,
      let piece = try? await pieces.next()
    {
      bytes += piece
      count += 1
    }
    guard let text = String(data: bytes.prefix(textLimit), encoding: .utf8) else { return "\(bytes.count) bytes" }
    return text + (bytes.count > textLimit || response.length == nil && count == recordLimit ? "…" : "")
  }

  // MARK: Faults

  private struct Fault {
    var choice: ConsoleFacts.Choice
    /// Creates the fault with the given number, or 0.
    var make: @Sendable (Int) -> MockFault
  }

  private static let faults = [
    Fault(choice: .init("status", "a server error", value: "Status, from 400 to 599", initial: "503")) {
      .status($0)
    },
    Fault(choice: .init("delay", "a slow response", value: "Milliseconds", initial: "2000")) {
      .delay(.milliseconds($0))
    },
    Fault(choice: .init("drop", "the connection closes before the response")) { _ in .dropConnection },
    Fault(choice: .init("lose", "the operation is done, but the response is lost")) { _ in .loseResponse },
    Fault(
      choice: .init("cut", "the connection closes in mid-body", value: "After how many bytes", initial: "20")
    ) { .cutBody(after: $0) },
    Fault(choice: .init("truncate", "the body ends too early", value: "After how many bytes", initial: "20")) {
      .truncatedBody(to: $0)
    },
    Fault(choice: .init("empty", "the body is empty")) { _ in .emptyBody },
  ]

  func inject(_ fault: ConsoleFault) async throws(ConsoleProblem) {
    guard let known = Self.faults.first(where: { $0.choice.id == fault.kind }) else {
      throw ConsoleProblem("This fault does not exist.")
    }
    let number = Int(fault.value.trimmingCharacters(in: .whitespaces)) ?? (known.choice.value == nil ? 0 : -1)
    let allowed = known.choice.id == "status" ? 400...599 : 0...600_000
    guard allowed.contains(number), (1...100_000).contains(fault.times) else {
      throw ConsoleProblem(
        "\(known.choice.value ?? "The value") must be a number from \(allowed.lowerBound) to \(allowed.upperBound).")
    }
    do throws(MockError) {
      try mock.inject(known.make(number), for: fault.operation, times: fault.times)
    } catch {
      throw ConsoleProblem("\(error)")
    }
  }

  func removeFaults() async { mock.removeFaults() }
}

extension ConsoleServer.Request {
  init(_ request: IncomingRequest) {
    self.init(method: request.method, path: request.path, query: request.query ?? "", body: request.body) { name in
      HTTPField.Name(name).flatMap { request.headers[$0] }
    }
  }
}
