import CallsignJSON
import TestSupport
import Testing

/// API keys of all places stay where they belong.
@Suite("API keys are not shown") struct CallSecretTests {
  private static let catalogue = """
    api:
      name: Weather
      hosts: {api: "https://w.example"}
      schemes:
        appid: {$in: query, $name: appid}
        session: {$in: header, $name: Server}
      auth: [appid]
    endpoints:
      getData: {call: GET /data, params: {q: string?}, returns: Data}
      getOther: {call: GET /other, auth: [session], returns: Data}
      getPages:
        call: GET /pages
        params: {cursor: string?}
        pages: {cursor: cursor, next: next, items: items}
        returns: DataPage
    models:
      Data: {echo: string?, next: string?, number: json?, names: json?}
      DataPage: {items: "[string]", next: string?}
    """
  private static let key = "S3CRETKEY/99\\\""
  private static let written = "S3CRETKEY%2F99%5C%22"

  @Test("in the query by --verbose, nor in a header field whose name is harmless elsewhere") func verbose() async throws
  {
    let api = try RecordedAPI(Self.catalogue) { _ in (200, "{}") }
    let run = try await api.call(
      "getData", "--q", "x", "-v", environment: ["CALLSIGN_KEY_APPID": Self.key])
    #expect(run.status == 0 && api.requests.first?.target.contains("appid=S3CRETKEY") == true, "\(api.lines)")
    #expect(run.error.contains("/data?q=x&appid=REDACTED") && !run.error.contains("S3CRETKEY"), "\(run.error)")
    let other = try await api.call("getOther", "-v", environment: ["CALLSIGN_KEY_SESSION": "S3CRETKEY"])
    #expect(other.status == 0 && api.requests.last?["Server"] == "S3CRETKEY", "\(other.error)")
    #expect(other.error.contains("> Server: REDACTED") && !other.error.contains("S3CRETKEY"), "\(other.error)")
  }

  @Test("to an assistant, whatever the answer repeats of them") func assistant() async throws {
    let body: JSONValue = [
      "echo": .string("you sent \(Self.key)"), "next": "https://w.example/data?page=2&appid=\(Self.written)",
      "number": ["deep": [.string(Self.key)]], "names": .object([Self.key: 1, "appid": "of the app"]),
      "items": [], "other": 12_345_678,
    ]
    let api = try RecordedAPI(Self.catalogue) { request in
      request.target.contains("pages")
        ? (200, #"{"items":["a"],"next":"https://w.example/pages?appid=S3CRETKEY%2F99%5C%22&page=2"}"#)
        : (200, body.description)
    }
    let results = try await api.assistant(
      ("tools/call", ["name": "getData", "arguments": ["q": "x"]]),
      ("tools/call", ["name": "getPages", "arguments": [:]]), environment: ["CALLSIGN_KEY_APPID": Self.key])
    #expect(results[0].toolText.contains("you sent REDACTED"), "\(results[0])")
    #expect(results[0].toolText.contains("page=2&appid=REDACTED"), "\(results[0])")
    // What is called like the key is data of the API's.
    #expect(results[0].toolText.contains(#""appid":"of the app""#), "\(results[0])")
    #expect(results[1].toolText.contains("more pages: call again with cursor = "), "\(results[1])")
    for result in results { #expect(!result.description.contains("S3CRETKEY"), "\(result)") }
    // A key of digits is hidden as a number, too.
    let number = try await api.assistant(
      ("tools/call", ["name": "getData", "arguments": [:]]), environment: ["CALLSIGN_KEY_APPID": "12345678"])
    #expect(number[0].toolText.contains(#""other":"REDACTED""#), "\(number)")
  }
}
