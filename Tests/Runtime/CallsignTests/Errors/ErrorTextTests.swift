import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("The words of an API in its errors") struct ErrorTextTests {
  private func error(_ body: String, type: String? = "application/json", status: Int = 422) -> APIError {
    var headers = HTTPFields()
    if let type { headers[.contentType] = type }
    return APIError(
      rawResponse: RawResponse(status: .init(code: status), headers: headers, body: Data(body.utf8)))
  }

  @Test(
    "The explanation of each kind of server is in the description",
    arguments: [
      // FastAPI, with pydantic's and with its own errors.
      (
        #"{"detail":[{"type":"missing","loc":["body","name"],"msg":"Field required","input":{"password":"hunter2"}}]}"#,
        "body.name: Field required"
      ),
      (
        #"{"detail":[{"loc":["query","limit",0],"msg":"too big","type":"value_error"},{"loc":[],"msg":"also"}]}"#,
        "query.limit.0: too big; also"
      ),
      (#"{"detail":"Flow not found"}"#, "Flow not found"),
      (#"{"detail":["ValueError","no such name"]}"#, "ValueError; no such name"),
      (#"{"detail":{"error":"bad model"}}"#, "error: bad model"), (#"{"detail":{"message":"m","code":3}}"#, "m"),
      // Prefect.
      (
        #"{"exception_message":"Invalid request received.","exception_detail":[{"loc":["body","name"],"msg":"Field required"}],"request_body":{"a":"hunter2"}}"#,
        "Invalid request received.; body.name: Field required"
      ),
      (#"{"exception_message":"Internal Server Error"}"#, "Internal Server Error"),
      // pygeoapi, PostgREST, OpenAI.
      (
        #"{"code":"InvalidParameterValue","type":"InvalidParameterValue","description":"limit value should be positive"}"#,
        "InvalidParameterValue: limit value should be positive"
      ),
      (#"{"code":"PGRST116","details":null,"hint":null,"message":"no rows"}"#, "PGRST116: no rows"),
      (
        #"{"error":{"message":"Wrong key","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
        "invalid_api_key: Wrong key"
      ),
      // Kinto, Chroma, PowerDNS.
      (
        #"{"errno":107,"code":400,"error":"Invalid parameters","message":"data in body: Required","details":[{"location":"body","name":"data","description":"Required"}]}"#,
        "data: Required"
      ),
      (#"{"error":"InvalidArgumentError","message":"no such tenant"}"#, "InvalidArgumentError: no such tenant"),
      (#"{"error":"Domain is invalid","errors":["not canonical"]}"#, "Domain is invalid"),
      // Label Studio, Django REST framework, GitHub, JSON:API.
      (
        #"{"status_code":400,"version":"1","detail":"Validation error","exc_info":null,"validation_errors":{"title":["May not be blank."]}}"#,
        "Validation error; title: May not be blank."
      ),
      (
        #"{"title":["This field is required."],"color":["Not a color.","Too long."]}"#,
        "color: Not a color.; color: Too long.; title: This field is required."
      ),
      (
        #"{"message":"Validation Failed","errors":[{"resource":"Issue","field":"title","code":"missing_field"}]}"#,
        "Validation Failed; title: missing_field"
      ),
      (
        #"{"errors":[{"status":"422","title":"Invalid","detail":"Too short.","source":{"pointer":"/data"}}]}"#,
        "Invalid: Too short."
      ),
      (#"{"Message":"User is not authorized"}"#, "Message: User is not authorized"),
    ])
  func explanations(body: String, text: String) {
    let error = error(body)
    #expect(error.description.contains(text), "\(error)")
    #expect(!error.description.contains("hunter2") && !error.description.contains("\n"))
    #expect(CallError.api(error).description == error.description)
  }

  @Test(
    "Plain text is an explanation, and a page is none",
    arguments: [
      ("Not here", "text/plain", "404: Not here"), ("Unauthorized access\r\n", nil, ": Unauthorized access"),
      ("zone is missing", "text/plain; charset=utf-8", ": zone is missing"), ("404 page", "text/plain", ": 404 page"),
      ("{broken", "application/json", ": {broken"), ("<html><title>x", "text/html", "an HTML page"),
      (String(repeating: "あ", count: 2_000), "text/plain; charset=utf-8", ": ああ"),
      ("\u{0}", nil, "not JSON"),
      ("PNG", "image/png", "not JSON"),
    ] as [(String, String?, String)])
  func plainText(body: String, type: String?, text: String) {
    #expect(error(body, type: type, status: 404).description.contains(text), "\(error(body, type: type, status: 404))")
  }

  @Test("A long explanation is cut, and credentials in it are hidden") func bounds() async throws {
    #expect(error(#"{"detail":"\#(String(repeating: "x", count: 5_000))"}"#).description.count < 500)
    let many = (0..<3_000).map { #"{"loc":["body",\#($0)],"msg":"m\#($0)"}"# }.joined(separator: ",")
    #expect(error("{\"detail\":[\(many)]}").description.count < 500)
    let transport = InMemoryTransport { request in
      .json(#"{"detail":[{"loc":["header"],"msg":"bad \#(request.authorization ?? "")"}]}"#, status: .badRequest)
    }
    do throws(CallError) {
      let _: Response<NoContent> = try await client([Bearer("s3cr3t-token")], transport).send(
        Call(endpoint(auth: "bearer")))
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains("header: bad") && !"\(error)".contains("s3cr3t"))
      #expect(error.problems.first?.detail?.contains("s3cr3t") == false)
    }
  }

  private struct Refusal: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("message:string? errno:int?") }
    var message: String? { _storage[string: 0] }
  }
  private struct Strict: Model, Codable, Hashable {
    var _storage: ModelStorage
    static var _layout: ModelLayout { ModelLayout("message:string errno:int") }
    var errno: Int { _storage[int: 1] }
  }
  private enum Refusals: ErrorCases {
    case refusal(Refusal)
    case unknown
    static var cases: [ErrorCase<Refusals>] { [ErrorCase("4xx") { .refusal($0) }] }
  }

  @Test(
    "A body is not of a type if it has no member of it", arguments: [#"{"detail":"x"}"#, "{}", "[]", "7", "text", ""])
  func otherBodies(body: String) {
    let error = error(body)
    #expect(throws: JSONError.self) { try error.body(as: Refusal.self) }
    #expect(throws: JSONError.self) { try error.body(as: Strict.self) }
    #expect(throws: JSONError.self) { try CallError.api(error).body(as: Refusal.self) }
    if case .refusal = error.body(as: Refusals.self) { Issue.record("\(body)") }
  }

  @Test("A body is of a type if it has a member of that type") func bodies() throws {
    let error = error(#"{"message":"m","errno":null}"#)
    #expect(try error.body(as: Refusal.self).message == "m")
    #expect(try error.body(as: Strict.self).errno == 0)
    guard case .refusal = error.body(as: Refusals.self) else {
      Issue.record("unknown")
      return
    }
    #expect(try self.error("plain", type: "text/plain").body(as: String.self) == "plain")
    #expect(try self.error("[1]").body(as: [Int].self) == [1])
  }
}
