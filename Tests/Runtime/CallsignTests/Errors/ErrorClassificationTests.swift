import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite struct ErrorClassificationTests {
  private func error(
    _ status: HTTPResponse.Status, _ body: String, headers: HTTPFields = [:], call: Call? = nil
  ) async throws -> CallError {
    let (error, _) = await failure(call ?? Call(endpoint())) { _ in
      TransportResponse(status: status, headerFields: headers, body: Data(body.utf8))
    }
    return try #require(error)
  }

  private static let html = "<!DOCTYPE html>\n<html><body>Over capacity</body></html>"
  private static let xml = #"<?xml version="1.0"?><errors><error code="215">Bad</error></errors>"#

  @Test(
    "An error keeps status and headers, whatever its body",
    arguments: [
      (html, ContentKind.html), ("  <HTML>", .html), (xml, .xml), ("", .empty), (" \r\n ", .empty),
      ("upstream connect error", .other), (#"{"title":"Unavailable"}"#, .json), (#"{"title":"#, .json),
      ("\u{FEFF}{}", .json), (#"<?xml version="1.0"?><!DOCTYPE html><html>"#, .html),
    ])
  func anErrorKeepsStatusAndHeadersWhateverItsBody(body: String, content: ContentKind) async throws {
    let headers: HTTPFields = [.server: "proxy"]
    guard case .api(let error) = try await error(.serviceUnavailable, body, headers: headers) else {
      Issue.record("not .api")
      return
    }
    #expect(error.status == .serviceUnavailable)
    #expect(error.headers[.server] == "proxy")
    #expect(error.body == Data(body.utf8))
    #expect(error.content == content)
    #expect(error.description.contains("503"))
  }

  @Test(
    "Part of a page is HTML if its header or its first element says so",
    arguments: [
      ("<!-- x --><h1>Not found</h1>", "", ContentKind.html), ("<p>Not found", "", .html), ("<P class=a>x", "", .html),
      ("<!-- x", "", .html), ("<gone/>", "text/html; charset=utf-8", .html), ("<p>x</p>", "application/xml", .xml),
      ("<!-- x --><error/>", "", .xml), ("<person/>", "", .xml), ("<html/>", "text/xml", .html),
      (xml, "text/html", .xml), ("{}", "text/html", .json),
    ])
  func partsOfPages(body: String, mediaType: String, content: ContentKind) async throws {
    let headers: HTTPFields = mediaType.isEmpty ? [:] : [.contentType: mediaType]
    guard case .api(let error) = try await error(.notFound, body, headers: headers) else {
      Issue.record("not .api")
      return
    }
    #expect(error.content == content)
    #expect(error.description.contains("an HTML page") == (content == .html))
  }

  @Test(
    "A 429 is a rate limit, whatever its body",
    arguments: [html, xml, "", "{", "null", #"{"errors":[{"code":88,"message":"Rate limit exceeded"}]}"#])
  func a429IsARateLimitWhateverItsBody(body: String) async throws {
    var headers = HTTPFields()
    for (name, value) in [
      "x-rate-limit-limit": "900", "x-rate-limit-remaining": "0", "x-rate-limit-reset": "1700000000",
    ] {
      headers[try #require(HTTPField.Name(name))] = value
    }
    guard case .rateLimited(let limit, let error?) = try await error(.tooManyRequests, body, headers: headers) else {
      Issue.record("not .rateLimited")
      return
    }
    #expect(limit == RateLimit(limit: 900, remaining: 0, reset: Date(timeIntervalSince1970: 1_700_000_000)))
    #expect(error.status == .tooManyRequests)
    #expect(CallError.rateLimited(limit, error).description.contains("2023-11-14T22:13:20Z"))
  }

  @Test("A rate limit without headers") func aRateLimitWithoutHeaders() async throws {
    guard case .rateLimited(nil, _) = try await error(.tooManyRequests, "") else {
      Issue.record("not .rateLimited")
      return
    }
    guard case .rateLimited = try await error(.badRequest, #"{"errors":[{"code":88,"message":"m"}]}"#) else {
      Issue.record("not .rateLimited")
      return
    }
  }

  @Test(
    "A success that is not JSON",
    arguments: [
      (html, UnexpectedContent.Kind.html), (xml, .xml), ("", .empty), ("\n", .empty), ("OK", .other),
      (#"{"data":{"id":"1""#, .truncated), ("[1,", .truncated), ("\"abc", .truncated),
    ])
  func aSuccessThatIsNotJSON(body: String, kind: UnexpectedContent.Kind) async throws {
    guard case .unexpectedContent(let content) = try await error(.ok, body, headers: [.server: "s"]) else {
      Issue.record("\(body)")
      return
    }
    #expect(content.kind == kind)
    #expect(content.status == .ok)
    #expect(content.headers[.server] == "s")
    #expect(content.body == Data(body.utf8))
  }

  @Test("The wrong type in a field names its path") func theWrongTypeInAFieldNamesItsPath() async throws {
    let transport = InMemoryTransport { _ in .json(#"["a","b",{"c":1}]"#) }
    let strict = ClientConfiguration(transport: transport, decoding: .strict)
    do throws(CallError) {
      let _: Response<[String]> = try await Client(auth: [], configuration: strict).send(Call(endpoint()))
      Issue.record("no error")
    } catch {
      guard case .decoding(let failure) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(failure.error.path == "[2]")
      #expect(failure.status == .ok)
      #expect(failure.headers[.contentType] == "application/json")
      #expect(failure.body == Data(#"["a","b",{"c":1}]"#.utf8))
      #expect(error.rawResponse?.status == .ok)
      #expect("\(error)".contains("[2]"))
    }
  }

  /// A body, and what its problems say: their codes, titles, details, types and statuses, as far as they are compared.
  struct Form: Sendable {
    let body: String
    var codes: [Int?]?
    var titles: [String?]?
    var details: [String?]?
    var types: [String?]?
    var status: Int?
    var count: Int?
  }

  private static let forms: [Form] = [
    Form(
      body: #"{"errors":[{"code":34,"message":"No page"},{"code":"187","message":"Twice"}]}"#, codes: [34, 187],
      details: ["No page", "Twice"]),
    Form(body: #"{"errors":"Something"}"#, details: ["Something"]),
    Form(body: #"{"request":"/1.1/x.json","error":"Not authorized."}"#, details: ["Not authorized."]),
    Form(
      body: #"{"errors":{"name":["is too long"],"text":["is empty"]}}"#,
      details: ["name: is too long", "text: is empty"]),
    Form(body: #"{"errors":{"code":34,"message":"m"}}"#, codes: [34]),
    Form(body: #"{"error":{"code":3,"message":"m"}}"#, codes: [3]),
    Form(
      body: #"{"error":"invalid_request","error_description":"No verifier."}"#, titles: ["invalid_request"],
      details: ["No verifier."]),
    Form(
      body:
        #"{"errors":[{"message":"bad id","parameters":{"id":["x"]}}],"title":"Invalid Request","detail":"d","type":"https://t/invalid-request"}"#,
      titles: ["Invalid Request", nil], types: ["https://t/invalid-request", nil]),
    Form(
      body: #"{"title":"Not Found","type":"about:blank","status":404,"detail":"Gone"}"#, types: ["about:blank"],
      status: 404),
    Form(body: "[]", count: 0),
    Form(body: "{}", count: 0),
    Form(body: "[{\"message\":\"m\"}]", details: ["m"]),
    Form(body: #"{"error":null,"state":"Failed"}"#, titles: ["Failed"]),
    Form(body: #"{"error":null}"#, count: 0),
  ]

  @Test("The forms in which APIs say what is wrong", arguments: forms)
  func theFormsInWhichAPIsSayWhatIsWrong(_ form: Form) async throws {
    guard case .api(let error) = try await error(.badRequest, form.body) else {
      Issue.record("not .api")
      return
    }
    if let codes = form.codes { #expect(error.problems.map(\.code) == codes) }
    if let titles = form.titles { #expect(error.problems.map(\.title) == titles) }
    if let details = form.details { #expect(error.problems.map(\.detail) == details) }
    if let types = form.types { #expect(error.problems.map(\.type) == types) }
    if let status = form.status { #expect(error.problems.first?.status == status) }
    if let count = form.count { #expect(error.problems.count == count) }
  }

  @Test(
    "The errors of an XML body, whatever surrounds them",
    arguments: [
      (
        #"<?xml version="1.0" encoding="UTF-8"?><errors><error code="32">Could &amp; not.</error></errors>"#, [32],
        ["Could & not."]
      ),
      (
        "<errors>\n <error code=34> Gone </error>\n <error\n code='215'>B&#x61;d&#33;</error></errors>", [34, 215],
        ["Gone", "Bad!"]
      ),
      ("<hash><error>Not found</error><request>/1/x.xml</request></hash>", [], ["Not found"]),
      ("<error code=\"89\"/>", [89], []),
      ("<error xcode=\"1\" code = \"2\">a &unknown; b &", [2], ["a &unknown; b &"]),
      ("<errors/>", [], []), ("<error", [], []), ("<error code=", [], []), ("<x><errors></errors></x>", [], []),
      ("<error code=\"99999999999999999999\">m</error>", [], ["m"]),
    ])
  func errorsOfXML(body: String, codes: [Int], details: [String]) async throws {
    guard case .api(let error) = try await error(.badRequest, body) else {
      Issue.record("not .api")
      return
    }
    #expect(error.codes == codes)
    #expect(error.problems.compactMap(\.detail) == details)
    #expect(error.content == .xml)
  }

  @Test(
    "Refusals say what to do",
    arguments: [
      (32, "secret"), (89, "log in"), (135, "clock"), (64, "suspended"), (261, "permissions"), (453, "access level"),
    ])
  func refusalsSayWhatToDo(code: Int, word: String) async throws {
    for status in [HTTPResponse.Status.unauthorized, .forbidden] {
      let body = #"{"errors":[{"code":\#(code),"message":"m"}]}"#
      guard case .authorization(let error) = try await error(status, body) else {
        Issue.record("not .authorization")
        return
      }
      #expect(error.advice.contains(word))
      #expect(error.response?.codes == [code])
    }
  }

  @Test("Refusals by scope and by type") func refusalsByScopeAndByType() async throws {
    let scope: HTTPFields = [.wwwAuthenticate: #"Bearer error="insufficient_scope""#]
    guard case .authorization(let missing) = try await error(.forbidden, "{}", headers: scope) else {
      Issue.record("not .authorization")
      return
    }
    #expect(missing.advice.contains("scope"))
    let type = #"{"title":"t","type":"https://api.x.com/2/problems/client-forbidden"}"#
    guard case .authorization(let project) = try await error(.forbidden, type) else {
      Issue.record("not .authorization")
      return
    }
    #expect(project.advice.contains("project"))
    // A duplicate post has nothing to do with credentials.
    guard case .api = try await error(.forbidden, #"{"errors":[{"code":187,"message":"m"}]}"#) else {
      Issue.record("not .api")
      return
    }
  }

  @Test("A lost response of a write may have succeeded") func aLostResponseOfAWriteMayHaveSucceeded() async {
    for (delivery, isRepeatable) in [
      (TransportError.Delivery.unknown, false), (.unknown, true), (.notSent, false), (.delivered, false),
    ] {
      let lost = TransportError(.connectionLost, delivery: delivery)
      let (error, requests) = await failure(Call(endpoint("POST", repeatable: isRepeatable))) {
        _ throws(TransportError) in throw lost
      }
      #expect(requests.count == 1)
      switch error {
      case .mayHaveSucceeded(let cause): #expect(cause == lost && !isRepeatable && delivery != .notSent)
      case .transport(let cause): #expect(cause == lost && (isRepeatable || delivery == .notSent))
      default: Issue.record("\(String(describing: error))")
      }
    }
  }

  /// Starts a write that a test cancels, and has its error.
  private func posting(
    by client: Client, _ method: String = "POST", isRepeatable: Bool
  ) -> Task<CallError?, Never> {
    Task {
      do throws(CallError) {
        let _: Response<NoContent> = try await client.send(Call(endpoint(method, repeatable: isRepeatable)))
        return nil
      } catch { return error }
    }
  }

  @Test(
    "The error of a call cancelled in transit says so, and says that a write may have succeeded",
    arguments: [true, false])
  func cancellationIsItsOwnError(isRepeatable: Bool) async throws {
    let transport = InMemoryTransport { _ throws(TransportError) in
      do { try await Task.sleep(for: .seconds(60)) } catch { throw TransportError(.cancelled, delivery: .unknown) }
      return .json("{}")
    }
    let task = posting(by: client([], transport), isRepeatable: isRepeatable)
    while transport.requests.isEmpty { await Task.yield() }
    task.cancel()
    let error = await task.value
    #expect(error?.isCancellation == true)
    switch error {
    case .cancelled? where isRepeatable: break
    case .mayHaveSucceeded? where !isRepeatable: break
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test("A PUT or DELETE cancelled in transit may have succeeded, though it may be repeated")
  func cancellationOfRepeatableWrites() async throws {
    for (method, isWrite) in [("PUT", true), ("DELETE", true), ("GET", false), ("HEAD", false)]
      as [(String, Bool)]
    {
      let transport = InMemoryTransport { _ throws(TransportError) in
        do { try await Task.sleep(for: .seconds(60)) } catch { throw TransportError(.cancelled, delivery: .unknown) }
        return .json("{}")
      }
      let task = posting(by: client([], transport), method, isRepeatable: true)
      while transport.requests.isEmpty { await Task.yield() }
      task.cancel()
      let error = await task.value
      #expect(error?.isCancellation == true)
      #expect(error?.mayHaveBeenCarriedOut == isWrite)
      switch error {
      case .cancelled? where !isWrite: break
      case .mayHaveSucceeded? where isWrite: break
      default: Issue.record("\(method): \(String(describing: error))")
      }
    }
  }

  @Test("Errors that leave open whether a call was carried out say so, and a refusal does not")
  func doubt() async {
    func outcome(
      _ method: String, repeatable: Bool = false, _ status: HTTPResponse.Status, _ body: String = "{}"
    ) async -> CallError? {
      await failure(Call(endpoint(method, repeatable: repeatable))) { _ in
        TransportResponse(status: status, headerFields: [.location: "/other"], body: Data(body.utf8))
      }.error
    }
    for status in [HTTPResponse.Status.internalServerError, .badGateway, .serviceUnavailable, .gatewayTimeout] {
      let once = await outcome("POST", status)
      guard case .api? = once else {
        Issue.record("\(status): \(String(describing: once))")
        continue
      }
      #expect(once?.mayHaveBeenCarriedOut == true)
      #expect(once?.advice?.contains("look whether it was done") == true)
      // Repeating it has the same effect, so there is no need to look.
      let again = await outcome("PUT", repeatable: true, status)
      #expect(again?.mayHaveBeenCarriedOut == true)
      #expect(again?.advice?.contains("try again later") == true)
      let read = await outcome("GET", repeatable: true, status)
      #expect(read?.mayHaveBeenCarriedOut == false)
      #expect(read?.advice?.contains("try again later") == true)
    }
    for status in [HTTPResponse.Status.badRequest, .unauthorized, .notFound, .tooManyRequests] {
      #expect(await outcome("POST", status)?.mayHaveBeenCarriedOut == false)
      #expect(await outcome("PUT", repeatable: true, status)?.mayHaveBeenCarriedOut == false)
    }
    // A page or a redirect instead of the response.
    for (status, body) in [(HTTPResponse.Status.ok, Self.html), (.seeOther, "")] {
      let written = await outcome("POST", status, body)
      guard case .unexpectedContent? = written else {
        Issue.record("\(String(describing: written))")
        continue
      }
      #expect(written?.mayHaveBeenCarriedOut == true)
    }
    #expect(await outcome("GET", repeatable: true, .ok, Self.html)?.mayHaveBeenCarriedOut == false)
    for delivery in [TransportError.Delivery.notSent, .unknown] {
      let (error, _) = await failure(Call(endpoint("DELETE", repeatable: true))) { _ throws(TransportError) in
        throw TransportError(.connectionLost, delivery: delivery)
      }
      guard case .transport? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(error?.mayHaveBeenCarriedOut == (delivery == .unknown))
    }
  }

  @Test(
    "A write that got a response and then cancelled is not said to be unsent",
    arguments: [HTTPResponse.Status.internalServerError, .serviceUnavailable, .badRequest, .created])
  func cancelledAfterTheResponse(status: HTTPResponse.Status) async throws {
    for isRepeatable in [true, false] {
      let body = UnendingBody()
      let transport = InMemoryTransport { _ in
        TransportResponse(head: HTTPResponse(status: status), body: ResponseBody(body))
      }
      let task = posting(by: client([], transport), isRepeatable: isRepeatable)
      while !body.isAsked { await Task.yield() }
      task.cancel()
      let error = await task.value
      switch error {
      case .cancelled? where isRepeatable: break
      case .api(let refusal)? where !isRepeatable && status != .created: #expect(refusal.status == status)
      case .mayHaveSucceeded(let cause)? where !isRepeatable && status == .created: #expect(cause.kind == .cancelled)
      default: Issue.record("\(String(describing: error))")
      }
    }
  }

  @Test("If a write succeeded but its response cannot be read, it has its own error")
  func unreadableResults() async throws {
    func outcome(_ method: String, _ body: String, repeatable: Bool = false) async -> CallError? {
      let transport = InMemoryTransport { _ in TransportResponse(body: Data(body.utf8)) }
      do throws(CallError) {
        let _: Response<API.TolerantUserResponse> = try await client([], transport).send(
          Call(endpoint(method, repeatable: repeatable)))
        return nil
      } catch { return error }
    }
    for body in [
      #"{"data":{"full name":"1"}}"#, #"{"data":{"id":1},"errors":[{"title":"t"}]}"#, "", #"{"data":{"#, "{}",
    ] {
      for method in ["POST", "PUT", "DELETE"] as [String] {
        let error = await outcome(method, body)
        guard case .unreadableResult(let result) = error else {
          Issue.record("\(method) \(body): \(String(describing: error))")
          continue
        }
        #expect(result.body == Data(body.utf8))
        #expect("\(result)".contains("carried out"))
        #expect(error?.rawResponse?.status == .ok)
      }
      for error in [await outcome("GET", body, repeatable: true), await outcome("POST", body, repeatable: true)] {
        switch error {
        case .decoding?, .unexpectedContent?: break
        default: Issue.record("\(body): \(String(describing: error))")
        }
      }
    }
    for body in ["OK", "<?xml version=\"1.0\"?><done/>"] {
      guard case .unreadableResult? = await outcome("POST", body),
        case .unexpectedContent? = await outcome("GET", body, repeatable: true)
      else {
        Issue.record("\(body)")
        continue
      }
    }
    // A proxy's page does not prove that anything was carried out, and errors without data are a refusal.
    guard case .unexpectedContent? = await outcome("POST", Self.html),
      case .api? = await outcome("POST", #"{"errors":[{"title":"t"}]}"#),
      case .api? = await outcome("POST", #"{"data":null,"errors":[{"title":"t"}]}"#),
      case .api? = await outcome("POST", #"{"errors":["no"]}"#),
      case .api? = await outcome("POST", #"{"errors":"no"}"#)
    else {
      Issue.record("another error")
      return
    }
  }

  @Test(
    "A success is not a refusal, whatever its body, unless the API's conventions or its catalogue say so",
    arguments: [
      #"{"title":"Made"}"#, #"{"error":"none","detail":"d"}"#, #"{"errors":[{"title":"t"}]}"#,
      #"{"message":"m","code":3}"#,
      #"{"data":null,"errors":[{"title":"t"}]}"#, #"{"type":"about:blank","title":"t","status":400}"#,
      #"{"errors":"no"}"#,
    ])
  func successes(body: String) async throws {
    for decoding in [DecodingPolicy.tolerant, .strict] {
      var configuration = ClientConfiguration(transport: InMemoryTransport { _ in .json(body, status: .created) })
      configuration.decoding = decoding
      let client = Client(auth: [], configuration: configuration)
      func outcome(_ method: String) async -> CallError? {
        do throws(CallError) {
          let _: Response<API.TolerantUserResponse> = try await client.send(Call(endpoint(method, repeatable: false)))
          return nil
        } catch { return error }
      }
      guard case .unreadableResult(let result) = await outcome("POST"), case .decoding(let failure) = result.cause,
        case .decoding = await outcome("GET")
      else {
        Issue.record("\(body)")
        continue
      }
      // A strict reading ends at the first mistake, which may be a different one.
      #expect("\(result)".contains(failure.error.path + ": "))
      if decoding == .tolerant { #expect(failure.error.path.hasPrefix("data")) }
    }
  }

  @Test("A write that was carried out is not said to be refused for a member that is null")
  func nullMember() async throws {
    let body = #"{"id":4,"title":"Made","state":null}"#
    for decoding in [DecodingPolicy.tolerant, .strict] {
      var configuration = ClientConfiguration(transport: InMemoryTransport { _ in .json(body, status: .created) })
      configuration.decoding = decoding
      do throws(CallError) {
        let made: Response<Ticket> = try await Client(auth: [], configuration: configuration).send(
          Call(endpoint("POST", repeatable: false)))
        #expect(decoding == .tolerant && made.id == 4 && made.title == "Made" && made.state.isEmpty)
        #expect(made.issues.map(\.path) == ["state"] && made.issues.map(\.outcome) == [.empty])
      } catch {
        guard case .unreadableResult = error else {
          Issue.record("\(error)")
          return
        }
        #expect(decoding == .strict && "\(error)".contains("state: ") && error.mayHaveBeenCarriedOut)
      }
    }
  }

  /// An object that a server creates.
  private struct Ticket: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("id:int title:string state:string") }
    var id: Int { _storage[int: 0] }
    var title: String { _storage[string: 1] }
    var state: String { _storage[string: 2] }
  }

  @Test("A list responded with errors and neither data nor meta is an error")
  func errorsInPlaceOfAList() async throws {
    func outcome(_ body: String) async -> Result<Response<API.TolerantUsersResponse>, CallError> {
      let transport = InMemoryTransport { _ in .json(body) }
      do throws(CallError) { return .success(try await client([], transport).send(Call(endpoint()))) } catch {
        return .failure(error)
      }
    }
    let problem = #""errors":[{"title":"Not Found Error","resource_type":"user"}]"#
    guard case .failure(.api(let error)) = await outcome("{\(problem)}") else {
      Issue.record("no refusal")
      return
    }
    #expect(error.titles == ["Not Found Error"])
    #expect(error.status == .ok)
    for body in [
      "{}", #"{"errors":[]}"#, "{\(problem),\"meta\":{\"result_count\":0}}", "{\(problem),\"data\":[]}",
      "{\(problem),\"data\":{}}",
    ] {
      guard case .success = await outcome(body) else {
        Issue.record("\(body) is an error")
        continue
      }
    }
  }

  @Test("A cancelled task sends nothing") func aCancelledTaskSendsNothing() async {
    let transport = InMemoryTransport { _ in .json("{}") }
    let client = client([], transport)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      let _: Response<NoContent>? = try? await client.send(Call(endpoint()))
    }
    task.cancel()
    await task.value
    #expect(transport.requests.isEmpty)
  }

  @Test("Responses beyond the limit") func responsesBeyondTheLimit() async {
    let transport = InMemoryTransport { _ in .json(#""0123456789""#) }
    let client = Client(auth: [], configuration: ClientConfiguration(transport: transport, responseLimit: 11))
    do throws(CallError) {
      let _: Response<String> = try await client.send(Call(endpoint()))
      Issue.record("no error")
    } catch {
      guard case .transport(let cause) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(cause.kind == .bodyTooLarge)
    }
  }
}

/// A body that provides nothing before its reader is cancelled.
private final class UnendingBody: ResponseBodySource {
  private let asked = Locked(false)

  /// Whether somebody waits for it.
  var isAsked: Bool { asked.withLock { $0 } }

  func next() async throws(TransportError) -> Data? {
    asked.withLock { $0 = true }
    do { try await Task.sleep(for: .seconds(60)) } catch { throw TransportError(.cancelled, delivery: .delivered) }
    return nil
  }
}
