import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Foundation
import TestSupport
import Testing

@Suite("callsign, against servers as they are") struct ServerCallTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func callsign(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) async throws -> Run {
    try await Run("callsign", arguments, input: input, environment: ["HOME": home.path].merging(environment) { $1 })
  }

  /// A server whose responses have any type.
  private func server(
    _ respond: @escaping @Sendable (ReceivedRequest) -> (status: Int, type: String, body: String)
  ) throws -> ScriptedServer {
    try ScriptedServer.responding { request, peer in
      let (status, type, body) = respond(request)
      try peer.send(
        "HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
  }

  /// A document that names no server.
  private static let passwordFlow = #"""
    {"openapi":"3.1.0","info":{"title":"Tickets","version":"1"},
     "paths":{"/me":{"get":{"operationId":"me","security":[{"login":[]}],"responses":{"200":{"description":"ok","content":{
       "application/json":{"schema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}}}},
     "components":{"securitySchemes":{"login":{"type":"oauth2","flows":{"password":{"tokenUrl":"/login","scopes":{}}}}}}}
    """#

  @Test("A name and a password become a token that later calls carry", arguments: ["", "/"])
  func passwordLogin(end: String) async throws {
    let forms = Locked<[String]>([])
    let server = try server { request in
      if request.target == "/login" {
        let form = String(decoding: request.body, as: UTF8.self)
        forms.withLock { $0.append(form) }
        return form.contains("password=pass%20word")
          ? (200, "application/json", #"{"access_token":"TOKEN","token_type":"bearer"}"#)
          : (400, "application/json", #"{"detail":"Incorrect username or password"}"#)
      }
      let isKnown = request["Authorization"] == "Bearer TOKEN"
      return isKnown
        ? (200, "application/json", #"{"name":"ann"}"#) : (401, "application/json", #"{"detail":"Not authenticated"}"#)
    }
    defer { server.stop() }
    let url = "http://127.0.0.1:\(server.port)"
    try home.write(Self.passwordFlow, to: "tickets.json")
    let tickets = home.path + "/tickets.json"
    let nowhere = try await callsign(["login", tickets, "--username", "ann"], environment: ["CALLSIGN_PASSWORD": "x"])
    #expect(nowhere.status == 64 && nowhere.error.contains("names no server"), "\(nowhere.error)")
    let wrong = try await callsign(
      ["login", tickets, "--base-url", url + end, "--username", "ann"], environment: ["CALLSIGN_PASSWORD": "SECRET"])
    #expect(wrong.status != 0 && wrong.error.contains("Incorrect username or password"), "\(wrong.error)")
    let login = try await callsign(
      ["login", tickets, "--base-url", url + end, "--username", "ann"], environment: ["CALLSIGN_PASSWORD": "pass word"])
    #expect(login.status == 0 && login.error.contains("(OAuth 2.0)"), "\(login.error)")
    #expect(forms.withLock { $0.last } == "grant_type=password&username=ann&password=pass%20word")
    let me = try await callsign(["call", tickets, "me"])
    #expect(me.output == #"{"name":"ann"}"# + "\n", "\(me.error)")
    let other = try await callsign(["call", tickets, "me", "--base-url", "http://127.0.0.1:1"])
    #expect(other.status == 64 && other.error.contains("go nowhere else"), "\(other.error)")
    let file = try String(
      contentsOfFile: home.path + "/.local/share/callsign/profiles/Tickets/default.json", encoding: .utf8)
    #expect(!file.contains("pass word") && ![wrong, login].contains { $0.error.contains("SECRET") })
  }

  private static let openDocument = #"""
    {"openapi":"3.1.0","info":{"title":"Open","version":"1"},"servers":[{"url":"http://127.0.0.1:1/api/v1"}],
     "security":[{"key":[]}],
     "paths":{"/file":{"get":{"operationId":"getFile","parameters":[{"name":"kind","in":"query","schema":{"type":"string"}},
       {"name":"account","in":"query","schema":{"type":"string"}}],
       "responses":{"200":{"description":"ok","content":{"application/json":{"schema":{}}}}}},
       "post":{"operationId":"makeFile","requestBody":{"content":{"application/json":{"schema":{"type":"object","required":["owner"],
        "properties":{"owner":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"age":{"type":"integer"}}},
        "parts":{"type":"array","items":{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}}}}}}},
        "responses":{"204":{"description":"ok"}}}}},
     "components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"Authorization",
       "description":"The token goes as `Authorization: Token <token>`."}}}}
    """#

  @Test("A response of any type is written unchanged, and no credentials are sent when none are wanted")
  func untyped() async throws {
    let seen = Locked<[String]>([])
    let server = try server { request in
      seen.withLock { $0.append("\(request.target) \(request["Authorization"] ?? "-")") }
      switch request.target.split(separator: "=").last {
      case "csv": return (200, "text/csv", "a,b\n1,2\n")
      case "events": return (200, "text/event-stream", "event: a\ndata: {\"n\":1}\n\ndata: end\n\n")
      case "lines": return (200, "application/x-ndjson", "{\"n\":1}\n{\"n\":2}\n")
      case "bytes": return (200, "application/octet-stream", "\u{1}\u{2}")
      case "error":
        return (422, "application/json", #"{"detail":[{"loc":["query","kind"],"msg":"no such kind","type":"x"}]}"#)
      default: return (200, "application/json", #"{"n":1}"#)
      }
    }
    defer { server.stop() }
    let url = "http://127.0.0.1:\(server.port)"
    try home.write(Self.openDocument, to: "open.json")
    let document = home.path + "/open.json"
    func call(_ kind: String) async throws -> Run {
      try await callsign(
        ["call", "--auth", "none", document, "getFile", "--kind", kind, "--base-url", url],
        environment: ["CALLSIGN_KEY_KEY": "KEY"])
    }
    #expect(try await call("csv").output == "a,b\n1,2\n")
    #expect(try await call("bytes").output == "\u{1}\u{2}")
    #expect(try await call("json").output == "{\"n\":1}\n")
    #expect(try await call("lines").output == "{\"n\":1}\n{\"n\":2}\n")
    let events = try await call("events")
    #expect(
      events.output.split(separator: "\n").count == 2 && events.output.contains(#""data":{"n":1}"#), "\(events.error)")
    let refused = try await call("error")
    #expect(refused.status != 0 && refused.error.contains("query.kind: no such kind"), "\(refused.error)")
    let none = seen.withLock { $0 }
    #expect(none.count == 6 && none.allSatisfy { $0.hasSuffix(" -") }, "\(none)")
    // The prefix is the client's to add, and is not added to a key that has it.
    for key in ["KEY", "Token KEY"] {
      let keyed = try await callsign(
        ["call", document, "getFile", "kind=json", "--base-url", url + "/api/v1", "--verbose"],
        environment: ["CALLSIGN_KEY_KEY": key])
      #expect(keyed.output == "{\"n\":1}\n" && keyed.error.contains(#"< {"n":1}"#), "\(keyed.error)")
    }
    #expect(seen.withLock { Array($0.suffix(2)) } == Array(repeating: "/api/v1/file?kind=json Token KEY", count: 2))
  }

  @Test("Help shows the prefix of a key, the members of objects, and parameters that are named as an option")
  func help() async throws {
    try home.write(Self.openDocument, to: "open.json")
    let document = home.path + "/open.json"
    let get = try await callsign(["call", document, "getFile", "--help"])
    #expect(get.output.contains(#"sent as "Token KEY"; give only the key"#), "\(get.output)")
    #expect(
      get.output.contains("account=…\n      (without hyphens: --account is an option of the program)"), "\(get.output)")
    let make = try await callsign(["call", document, "makeFile", "--help"])
    for line in ["--owner.name (required)  ", "--owner.age  ", "each an object with id (required)"] {
      #expect(make.output.contains(line), "\(line): \(make.output)")
    }
    let clash = try await callsign(["call", document, "getFile", "--account", "x"])
    #expect(clash.status == 64 && clash.error.contains("for the parameter, write account=…"), "\(clash.error)")
  }

  @Test("A profile serves paths below the place that it was made for")
  func deeperPath() async throws {
    let server = try server { request in (200, "application/json", "\"\(request["Authorization"] ?? "-")\"") }
    defer { server.stop() }
    let url = "http://127.0.0.1:\(server.port)"
    try home.write(Self.openDocument, to: "open.json")
    let document = home.path + "/open.json"
    let login = try await callsign(["login", document, "--base-url", url], environment: ["CALLSIGN_KEY_KEY": "KEY"])
    #expect(login.status == 0, "\(login.error)")
    for place in ["", "/", "/api/v1", "/api/v1/"] {
      let call = try await callsign(["call", document, "getFile", "kind=json", "--base-url", url + place])
      #expect(call.output == "\"Token KEY\"\n", "\(place): \(call.error)")
    }
    for place in ["/../x", "/.%2e"] {
      let call = try await callsign(["call", document, "getFile", "kind=json", "--base-url", url + place])
      #expect(call.status == 64, "\(place): \(call.error)")
    }
  }

  @Test("An assistant gets no secrets, whatever their names, and the base path is used once")
  func assistant() async throws {
    let targets = Locked<[String]>([])
    let server = try server { request in
      targets.withLock { $0.append(request.target) }
      let key = "hT4gqXbVmzvA2YsdRfQ9kLw1eJc8NpUo"
      return (
        200, "application/json",
        """
        {"id":"PROJ-1","key":"PROJ-12","privatekey":"Private-key-format: v1.2\\nAlgorithm: 13","next_page_token":"p2",
         "tsig":{"name":"k","key":"\(key)"},"list":[{"api_key":"a1"},{"webhookSecret":"w"}],"note":"eyJh.\(key)\(key).c2ln"}
        """
      )
    }
    defer { server.stop() }
    let document = Self.openDocument.replacing(
      #""servers":[{"url":"http://127.0.0.1:1/api/v1"}]"#,
      with: #""servers":[{"url":"http://127.0.0.1:1/api/v1"},{"url":"http://127.0.0.1:1"}]"#)
    try home.write(document, to: "open.json")
    let request: JSONValue = [
      "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ["name": "getFile", "arguments": ["kind": "x"]],
    ]
    let first = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#
    let run = try await callsign(
      ["mcp", home.path + "/open.json", "--base-url", "http://127.0.0.1:\(server.port)/api/v1", "--auth", "none"],
      input: first + "\n" + request.description + "\n")
    let text =
      run.output.split(separator: "\n").compactMap { try? JSONValue(jsonString: String($0)) }
      .first { $0["id"]?.int == 1 }?["result"]?.toolText ?? ""
    for word in ["Private-key", "hT4gq", "a1", "\"w\"", "c2ln"] { #expect(!text.contains(word), "\(word): \(text)") }
    for word in ["PROJ-12", "\"p2\"", "hidden, as it may be secret: ", "privatekey", "tsig.key", "list[].api_key"] {
      #expect(text.contains(word), "\(word): \(text)")
    }
    #expect(targets.withLock { $0 } == ["/api/v1/file?kind=x"], "\(run.error)")
  }
}
