import CallsignJSON
import TestSupport
import Testing

/// API keys in every position are sent only where they belong.
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
      getPet:
        call: GET /bot{token}/pets/{access_token}
        params:
          token: string
          access_token: string
          secret: {type: string?, in: header, as: X-Plain}
          password: {type: string?, in: query, as: p}
        auth: [none]
        returns: Data
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

  @Test(
    "in the path, nor if only the catalogue calls it a secret", arguments: ["-v", "--curl", "--dry-run"])
  func path(option: String) async throws {
    let api = try RecordedAPI(Self.catalogue) { _ in (200, "{}") }
    let run = try await api.call(
      "getPet", "--token", "T/K", "--access-token", "ACC ESS", "--secret", "HEADERSECRET", "--password", "PASSWORD1",
      option)
    let text = run.error + run.output
    #expect(run.status == 0 && text.contains("/botREDACTED/pets/REDACTED?p=REDACTED"), "\(text)")
    for secret in ["T/K", "T%2FK", "ACC", "HEADERSECRET", "PASSWORD1"] { #expect(!text.contains(secret), "\(text)") }
    if option == "-v" { #expect(api.requests.first?.target == "/botT%2FK/pets/ACC%20ESS?p=PASSWORD1", "\(api.lines)") }
  }

  @Test("in a redirect that repeats it by another name") func redirect() async throws {
    let server = try ScriptedServer.responding { request, peer in
      let isFirst = !request.target.contains("echo=")
      try peer.send(
        isFirst
          ? "HTTP/1.1 302 X\r\nLocation: /data?echo=\(Self.written)&q=x\r\nContent-Length: 0\r\n\r\n"
          : "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    try folder.write(Self.catalogue, to: "catalogue/api.yaml")
    let run = try await Run(
      "callsign",
      [
        "call", folder.path + "/catalogue", "getData", "--q", "x", "-v",
        "--base-url", "http://127.0.0.1:\(server.port)",
      ],
      environment: ["CALLSIGN_NO_CACHE": "1", "CALLSIGN_KEY_APPID": Self.key])
    #expect(run.status == 0 && run.error.contains("/data?echo=REDACTED&q=x&appid=REDACTED"), "\(run.error)")
    #expect(!run.error.contains("S3CRETKEY"), "\(run.error)")
  }

  @Test("in the bodies of requests by --verbose", arguments: ["addKey", "sendKey"]) func bodies(operation: String)
    async throws
  {
    let api = try RecordedAPI(
      """
      api: {name: Keys, hosts: {api: "https://k.example"}, schemes: {none: null}, auth: [none]}
      endpoints:
        addKey: {call: POST /keys, body: form, params: {private_key: string, name: string?}}
        sendKey: {call: POST /sent, params: {private_key: string, name: string?}}

      """
    ) { _ in (200, "{}") }
    let run = try await api.call(operation, "private_key=SEKRET", "name=rex", "-v")
    #expect(run.status == 0 && api.lines.first?.contains("SEKRET") == true, "\(api.lines)")
    #expect(run.error.contains("HIDDEN") && run.error.contains("rex") && !run.error.contains("SEKRET"), "\(run.error)")
    #expect(run.error.contains("hidden, as it may be secret: private_key"), "\(run.error)")
  }

  @Test("to an assistant, whatever the response repeats of them") func assistant() async throws {
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
    // A value with the key's name is the API's data.
    #expect(results[0].toolText.contains(#""appid":"of the app""#), "\(results[0])")
    #expect(results[1].toolText.contains("more pages: call again with cursor = "), "\(results[1])")
    for result in results { #expect(!result.description.contains("S3CRETKEY"), "\(result)") }
    // A key that consists of digits is also hidden as a number.
    let number = try await api.assistant(
      ("tools/call", ["name": "getData", "arguments": [:]]), environment: ["CALLSIGN_KEY_APPID": "12345678"])
    #expect(number[0].toolText.contains(#""other":"REDACTED""#), "\(number)")
  }
}
