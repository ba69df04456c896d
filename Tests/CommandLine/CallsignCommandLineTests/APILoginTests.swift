import CallsignHTTP
import CallsignSupport
import Foundation
import TestSupport
import Testing
import XSandbox

@Suite("callsign login") struct APILoginTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private static func document(_ server: String, _ schemes: String, _ security: String) -> String {
    """
    {"openapi":"3.0.3","info":{"title":"Pets","version":"1"},"servers":[{"url":"\(server)"}],
     "components":{"securitySchemes":{\(schemes)}},"security":[{"\(security)":[]}],
     "paths":{"/pets":{"get":{"operationId":"listPets","summary":"All of them.","parameters":[{"name":"kind","in":"query",
      "schema":{"type":"string","enum":["cat","dog"]}}],"responses":{"200":{"description":"ok","content":{
      "application/json":{"schema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}}}}}
    """
  }

  private func callsign(_ arguments: String..., environment: [String: String] = [:]) async throws -> Run {
    try await Run("callsign", arguments, environment: ["HOME": home.path].merging(environment) { $1 })
  }

  @Test("An API key is kept for its owner, used by later calls, and goes to no other API of the same name")
  func key() async throws {
    let server = try ScriptedServer.responding { request, peer in
      let body = request["X-App-Key"] == "THE-KEY" ? #"{"name":"ann"}"# : #"{"name":"nobody"}"#
      try peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
    }
    defer { server.stop() }
    let scheme = #""app_key":{"type":"apiKey","in":"header","name":"X-App-Key"}"#
    try home.write(Self.document("http://127.0.0.1:\(server.port)", scheme, "app_key"), to: "pets.json")
    let pets = home.path + "/pets.json"
    let login = try await callsign("login", pets, environment: ["CALLSIGN_KEY_APP_KEY": "THE-KEY"])
    #expect(login.status == 0 && login.error.contains("profile default (key app_key)"), "\(login.error)")
    let file = home.path + "/.local/share/callsign/profiles/Pets/default.json"
    #expect(try permissions(file) == 0o600)
    let call = try await callsign("call", pets, "listPets", "--filter", "name", "--raw")
    #expect(call.output == "ann\n", "\(call.error)")
    // Not anywhere else, whatever the document says.
    let elsewhere = try await callsign("call", pets, "listPets", "--base-url", "http://127.0.0.1:1")
    #expect(elsewhere.status == 64 && elsewhere.error.contains("go nowhere else"), "\(elsewhere.error)")
    try home.write(Self.document("https://evil.example", scheme, "app_key"), to: "evil.json")
    let evil = try await callsign("call", home.path + "/evil.json", "listPets")
    #expect(evil.status == 64 && evil.error.contains("https://evil.example"), "\(evil.error)")
    #expect(![login, call, elsewhere, evil].contains { ($0.output + $0.error).contains("THE-KEY") })
    let out = try await callsign("logout", pets)
    #expect(out.status == 0 && !FileManager.default.fileExists(atPath: file), "\(out.error)")
  }

  @Test("A login says where its secrets go, if not to the page that is opened", arguments: [true, false])
  func otherHosts(isForeign: Bool) async throws {
    let host = isForeign ? "evil.example" : "accounts.example"
    let urls = #""authorizationUrl":"https://accounts.example/a","tokenUrl":"https://\#(host)/t""#
    let scheme = #""login":{"type":"oauth2","flows":{"authorizationCode":{\#(urls),"scopes":{}}}}"#
    try home.write(Self.document("https://pets.example", scheme, "login"), to: "pets.json")
    let login = try await callsign(
      "login", home.path + "/pets.json", "--client-id", "me", "--no-browser",
      environment: ["CALLSIGN_CLIENT_SECRET": "SECRET"])
    let note = "The page is at accounts.example. Its response, the tokens and the client's secret go to evil.example."
    #expect(login.error.contains("https://accounts.example/a?"), "\(login.error)")
    #expect(login.error.contains(note) == isForeign && !login.error.contains("SECRET"), "\(login.error)")
  }

  @Test("The pages come from a document by URL or from standard input too", arguments: [true, false])
  func pagesOfAnyDocument(isURL: Bool) async throws {
    let urls = #""authorizationUrl":"https://accounts.example/a","tokenUrl":"https://accounts.example/t""#
    let scheme = #""login":{"type":"oauth2","flows":{"authorizationCode":{\#(urls),"scopes":{}}}}"#
    let document = Self.document("https://pets.example", scheme, "login")
    let server = try ScriptedServer.responding { _, peer in
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(document.utf8.count)\r\n\r\n\(document)")
    }
    defer { server.stop() }
    let place = isURL ? "http://127.0.0.1:\(server.port)/pets.json" : "-"
    let login = try await Run(
      "callsign", ["login", place, "--scheme", "login", "--client-id", "me", "--no-browser"],
      input: isURL ? "" : document, environment: ["HOME": home.path, "CALLSIGN_CLIENT_SECRET": "SECRET"])
    #expect(login.error.contains("https://accounts.example/a?"), "\(login.error)")
  }

  @Test("A login by password says where the password goes, and a client's secret goes only to its own token URL")
  func passwordHosts() async throws {
    let asked = Locked<[String]>([])
    let server = try ScriptedServer.responding { request, peer in
      let form = String(decoding: request.body, as: UTF8.self)
      let line = "\(request.target) \(request["Authorization"] ?? "") \(form)"
      asked.withLock { $0.append(line) }
      let body = #"{"access_token":"T","token_type":"bearer"}"#
      try peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
    }
    defer { server.stop() }
    let place = "http://127.0.0.1:\(server.port)"
    let scheme = #""login":{"type":"oauth2","flows":{"password":{"tokenUrl":"\#(place)/a","scopes":{}}}}"#
    try home.write(Self.document("https://pets.example", scheme, "login"), to: "pets.json")
    let pets = home.path + "/pets.json"
    let note = "The password and any client secret go to 127.0.0.1:\(server.port)."
    let unasked = try await callsign("login", pets, "--username", "ann")
    #expect(unasked.status == 64 && unasked.error.contains(note), "\(unasked.error)")
    #expect(unasked.error.contains("CALLSIGN_PASSWORD") && asked.withLock(\.isEmpty), "\(unasked.error)")
    let first = try await callsign(
      "login", pets, "--username", "ann",
      environment: ["CALLSIGN_PASSWORD": "p", "CALLSIGN_CLIENT_ID": "app", "CALLSIGN_CLIENT_SECRET": "s3cret"])
    #expect(first.status == 0 && first.error.contains(note), "\(first.error)")
    let same = try await callsign("login", pets, "--username", "ann", environment: ["CALLSIGN_PASSWORD": "p"])
    #expect(same.status == 0, "\(same.error)")
    let other = try await callsign(
      "login", pets, "--username", "ann", "--token-url", place + "/b", environment: ["CALLSIGN_PASSWORD": "p"])
    #expect(other.status == 0, "\(other.error)")
    let lines = asked.withLock { $0 }
    let secrets = lines.map { $0.contains("s3cret") || $0.contains("YXBwOnMzY3JldA==") }
    #expect(secrets == [true, true, false] && lines.last?.hasPrefix("/b ") == true, "\(lines)")
  }

  @Test("HTTP Basic and bearer tokens, and a scheme that is chosen")
  func schemes() async throws {
    let server = try ScriptedServer.responding { request, peer in
      let body = #"{"name":"\#(request["Authorization"] ?? "")"}"#
      try peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
    }
    defer { server.stop() }
    let schemes = #""basic":{"type":"http","scheme":"basic"},"bearer":{"type":"http","scheme":"bearer"}"#
    let document = Self.document("http://127.0.0.1:\(server.port)", schemes, "basic")
    try home.write(document.replacing("[{\"basic\":[]}]", with: "[{\"basic\":[]},{\"bearer\":[]}]"), to: "pets.json")
    let pets = home.path + "/pets.json"
    let which = try await callsign("login", pets)
    #expect(which.status == 64 && which.error.contains("choose by --scheme: "), "\(which.error)")
    let token = try await callsign(
      "login", pets, "--scheme", "bearer", "--profile", "b", environment: ["CALLSIGN_BEARER_TOKEN": "T0KEN"])
    #expect(token.status == 0, "\(token.error)")
    let bearer = try await callsign("call", pets, "listPets", "--profile", "b", "--filter", "name", "-r")
    #expect(bearer.output == "Bearer T0KEN\n", "\(bearer.error)")
    let password = try await callsign(
      "login", pets, "--scheme", "basic", "--username", "ann", environment: ["CALLSIGN_PASSWORD": "pass"])
    #expect(password.status == 0, "\(password.error)")
    let basic = try await callsign("call", pets, "listPets", "--filter", "name", "-r")
    #expect(basic.output == "Basic YW5uOnBhc3M=\n", "\(basic.error)")
    let other = try await Run(
      "callsign", ["call", pets, "listPets"],
      environment: ["HOME": home.path, "CALLSIGN_BEARER_TOKEN": "T0KEN", "CALLSIGN_HOSTS": "api.example.com"])
    #expect(other.status == 64 && other.error.contains("CALLSIGN_HOSTS says"), "\(other.error)")
    let own = try await Run(
      "callsign", ["call", pets, "listPets", "--filter", "name", "-r"],
      environment: [
        "HOME": home.path, "CALLSIGN_BEARER_TOKEN": "T0KEN", "CALLSIGN_HOSTS": "api.example.com, 127.0.0.1",
      ])
    #expect(own.output == "Bearer T0KEN\n", "\(own.error)")
    // Neither a path that looks like another host, nor another server.
    try home.write(
      Self.document("http://127.0.0.1:\(server.port)/x://api.example.com", schemes, "bearer"), to: "odd.json")
    let odd = try await Run(
      "callsign", ["call", home.path + "/odd.json", "listPets"],
      environment: ["HOME": home.path, "CALLSIGN_BEARER_TOKEN": "T0KEN", "CALLSIGN_HOSTS": "api.example.com"])
    #expect(odd.status == 64 && odd.error.contains("CALLSIGN_HOSTS says"), "\(odd.error)")
    let given = try await Run(
      "callsign", ["call", pets, "listPets", "--base-url", "http://127.0.0.1:1"],
      environment: ["HOME": home.path, "CALLSIGN_BEARER_TOKEN": "T0KEN", "CALLSIGN_HOSTS": "127.0.0.1:\(server.port)"])
    #expect(given.status == 64 && given.error.contains("127.0.0.1:1;"), "\(given.error)")
    let none = try await callsign("login", pets, "--scheme", "nope")
    #expect(none.status == 64 && none.error.contains("it has: "), "\(none.error)")
    let missing = try await callsign("login", pets, "--scheme", "bearer")
    #expect(missing.status == 64 && missing.error.contains("CALLSIGN_BEARER_TOKEN"), "\(missing.error)")
  }

  @Test("OAuth 2.0 with the pages that the document names")
  func oauth2() async throws {
    try await withSandbox { sandbox in
      let place = sandbox.url.absoluteString
      let scheme = """
        "oauth2":{"type":"oauth2","flows":{"authorizationCode":{"authorizationUrl":"\(place)/i/oauth2/authorize",
         "tokenUrl":"\(place)/2/oauth2/token","scopes":{"users.read":"a","tweet.read":"b","offline.access":"c"}}}}
        """
      let document = Self.document(place, scheme, "oauth2").replacing("\"/pets\"", with: "\"/2/users/me\"")
      try home.write(document, to: "pets.json")
      let run = try LiveProgram(
        "callsign", ["login", home.path + "/pets.json", "--client-id", sandbox.app.clientID, "--port", "0"], home: home,
        environment: ["CALLSIGN_CLIENT_SECRET": sandbox.app.clientSecret ?? ""])
      try await browse(try #require(try await sandbox.approve(try await run.page(), as: sandbox.users.alice).url))
      #expect(await run.status() == 0, "\(run.error)")
      let call = try await callsign("call", home.path + "/pets.json", "listPets", "--filter", "data.username", "-r")
      #expect(call.output == "alice\n", "\(call.error)")
    }
  }

  @Test("An app logs in as itself if the document has no other flow, and calls get and renew its tokens")
  func clientCredentials() async throws {
    let (asked, accepted) = (Locked<[String]>([]), Locked(1))
    let server = try ScriptedServer.responding { request, peer in
      var (status, body) = (200, #"{"name":"ann"}"#)
      if request.target == "/token" {
        let form = String(decoding: request.body, as: UTF8.self)
        let number = asked.withLock { asked in
          asked.append("\(request["Authorization"] ?? "") \(form)")
          return asked.count
        }
        body = #"{"access_token":"T\#(number)","token_type":"bearer","expires_in":3600}"#
        if form.contains("none") { (status, body) = (400, #"{"error":"invalid_scope"}"#) }
      } else if request["Authorization"] != "Bearer T\(accepted.withLock { $0 })" {
        (status, body) = (401, "{}")
      }
      try peer.send(
        "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
    }
    defer { server.stop() }
    let place = "http://127.0.0.1:\(server.port)"
    let scheme = """
      "PetApp":{"type":"oauth2","flows":{"clientCredentials":{"tokenUrl":"\(place)/token","scopes":{"r":"a","w":"b"}}}}
      """
    try home.write(Self.document(place, scheme, "PetApp"), to: "pets.json")
    let pets = home.path + "/pets.json"
    let words = ["login", pets, "--scheme", "PetApp", "--client-id", "app"]
    func login(_ more: String..., secret: String = "s3cret") async throws -> Run {
      let environment = ["HOME": home.path, "CALLSIGN_CLIENT_SECRET": secret]
      return try await Run("callsign", words + more, environment: environment)
    }
    let refused = try await login("--scopes", "none")
    #expect(refused.status != 0 && refused.error.contains("scopes: none"), "\(refused.error)")
    let missing = try await login(secret: "")
    #expect(missing.status == 64 && missing.error.contains("CALLSIGN_CLIENT_SECRET"), "\(missing.error)")
    asked.withLock { $0 = [] }
    let run = try await login()
    #expect(run.status == 0 && run.error.contains("(OAuth 2.0 client credentials)"), "\(run.error)")
    #expect(asked.withLock { $0 } == ["Basic YXBwOnMzY3JldA== grant_type=client_credentials&scope=r%20w"])
    func name() async throws -> String {
      let call = try await callsign("call", pets, "listPets", "--filter", "name", "-r")
      return call.output + call.error
    }
    #expect(try await name() == "ann\n")
    #expect(asked.withLock(\.count) == 1)
    accepted.withLock { $0 = 2 }
    #expect(try await name() == "ann\n")
    #expect(try await name() == "ann\n")
    #expect(asked.withLock(\.count) == 2)
    let profile = home.path + "/.local/share/callsign/profiles/Pets/default.json"
    #expect(try permissions(profile) == 0o600)
    let out = try await callsign("logout", pets)
    #expect(out.status == 0 && !FileManager.default.fileExists(atPath: profile), "\(out.error)")
    // With another server, tokens come from there at login, as they do in calls.
    let (address, elsewhere) = ("https://pets.example/v1", scheme.replacing(place, with: "https://id.example"))
    try home.write(Self.document(address, elsewhere, "PetApp"), to: "pets.json")
    accepted.withLock { $0 = 3 }
    let local = try await login("--base-url", place + "/v1")
    #expect(local.status == 0 && local.error.contains("The client's secret goes to id.example."), "\(local.error)")
    #expect(try await name() == "ann\n")
    accepted.withLock { $0 = 4 }
    #expect(try await name() == "ann\n")
    #expect(asked.withLock(\.count) == 4)
  }

  @Test("If a document states no credentials, --auth does, and credentials that are not sent are reported")
  func unsaidCredentials() async throws {
    let server = try ScriptedServer.responding { request, peer in
      let body = #"{"name":"\#(request["Authorization"] ?? "nobody")"}"#
      try peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
    }
    defer { server.stop() }
    let document = Self.document("http://127.0.0.1:\(server.port)", "", "")
      .replacing(#","security":[{"":[]}],"#, with: ",").replacing(#""components":{"securitySchemes":{}},"#, with: "")
      .replacing(#""security":[{"":[]}],"#, with: "")
    try home.write(document, to: "pets.json")
    let pets = home.path + "/pets.json"
    let token = ["HOME": home.path, "CALLSIGN_BEARER_TOKEN": "T0KEN"]
    let words = [pets, "listPets", "--filter", "name", "-r"]
    let unsent = try await Run("callsign", ["call"] + words, environment: token)
    #expect(unsent.output == "nobody\n" && unsent.error.contains("give --auth bearer"), "\(unsent.error)")
    let sent = try await Run("callsign", ["call", "--auth", "bearer"] + words, environment: token)
    #expect(sent.output == "Bearer T0KEN\n" && sent.error.isEmpty, "\(sent.error)")
    let none = try await Run("callsign", ["login", pets], environment: token)
    #expect(none.status == 64 && none.error.contains("--auth bearer"), "\(none.error)")
    let login = try await Run("callsign", ["login", pets, "--auth", "bearer"], environment: token)
    #expect(login.status == 0, "\(login.error)")
    let kept = try await callsign("call", "--auth=bearer", pets, "listPets", "--filter", "name", "-r")
    #expect(kept.output == "Bearer T0KEN\n", "\(kept.error)")
    let unused = try await callsign("call", pets, "listPets", "--filter", "name", "-r")
    #expect(unused.output == "nobody\n" && unused.error.contains("not sent"), "\(unused.error)")
    let silent = try await Run("callsign", ["call"] + words)
    #expect(silent.output == "nobody\n" && silent.error.isEmpty, "\(silent.error)")
    let wrong = try await callsign("call", "--auth", "nothing", pets, "listPets")
    #expect(wrong.status != 0 && wrong.error.contains("--auth"), "\(wrong.error)")
    let assistant = try await Run("callsign", ["mcp", pets], environment: token)
    #expect(assistant.error.contains("--auth bearer"), "\(assistant.error)")
  }

  @Test("Credentials that are missing are named with the ways to them") func missingCredentials() async throws {
    let schemes = """
      "qk":{"type":"apiKey","in":"query","name":"k"},"id":{"type":"apiKey","in":"header","name":"X-Id"}
      """
    try home.write(Self.document("http://127.0.0.1:1", schemes, "qk"), to: "pets.json")
    let pets = home.path + "/pets.json"
    let none = try await callsign("call", pets, "listPets")
    #expect(none.status == 77 && none.error.contains("accepts qk"), "\(none.error)")
    #expect(none.error.contains("set CALLSIGN_KEY_QK, or log in by `callsign login \(pets)`"), "\(none.error)")
    try home.write(Self.document("http://127.0.0.1:1", schemes, #"qk":[],"id"#), to: "pets.json")
    let half = try await callsign("call", pets, "listPets", environment: ["CALLSIGN_KEY_QK": "x"])
    #expect(half.error.contains("the client lacks id"), "\(half.error)")
    #expect(half.error.contains("set CALLSIGN_KEY_QK and CALLSIGN_KEY_ID"), "\(half.error)")
  }

  @Test(
    "A base URL may end with the API's own base path",
    arguments: [
      ("https://sandbox.example/v1", "https://sandbox.example/v1/a"),
      ("https://sandbox.example/v1/", "https://sandbox.example/v1/a"),
      ("https://sandbox.example", "https://sandbox.example/v1/a"),
      ("https://sandbox.example/x/v1", "https://sandbox.example/x/v1/a"),
      ("https://sandbox.example/xv1", "https://sandbox.example/xv1/v1/a"),
    ])
  func basePath(given: String, url: String) async throws {
    try home.write(
      """
      {"openapi":"3.0.3","info":{"title":"SV","version":"1"},"servers":[{"url":"https://{region}.s.example.com/{ver}",
       "variables":{"region":{"default":"eu","enum":["eu","us"]},"ver":{"default":"v1"}}}],
       "paths":{"/a":{"get":{"operationId":"a","responses":{"204":{"description":""}}}}}}
      """, to: "sv.json")
    let run = try await callsign("call", home.path + "/sv.json", "a", "--base-url", given, "--dry-run")
    #expect(run.output.hasPrefix("GET \(url)\n"), "\(run.output)\(run.error)")
  }

  @Test("Of several base paths, the one that a base URL ends with counts", arguments: ["call", "mcp"])
  func basePaths(command: String) async throws {
    let targets = Locked<[String]>([])
    let server = try ScriptedServer.responding { request, peer in
      targets.withLock { $0.append(request.target) }
      try peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
    }
    defer { server.stop() }
    try home.write(
      """
      api: {name: SV, hosts: {old: "https://s.example/v1", new: "https://s.example/v2"}, schemes: {none: null}, auth: [none]}
      endpoints: {getA: {call: GET /a, returns: json}}

      """, to: "catalogue/api.yaml")
    let given = ["--base-url", "http://127.0.0.1:\(server.port)/v1"]
    let run: Run
    if command == "call" {
      run = try await callsign("call", home.path + "/catalogue", "getA", given[0], given[1])
    } else {
      let lines = [
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getA","arguments":{}}}"#,
      ]
      run = try await Run(
        "callsign", ["mcp", home.path + "/catalogue"] + given, input: lines.joined(separator: "\n") + "\n")
    }
    #expect(targets.withLock { $0 } == ["/v1/a"], "\(run.output)\(run.error)")
  }

  @Test("callsign call is completed from the catalogue") func completion() async throws {
    try home.write(
      Self.document("https://pets.example", #""k":{"type":"apiKey","in":"header","name":"K"}"#, "k"), to: "pets.json")
    let pets = home.path + "/pets.json"
    func words(_ line: String) async throws -> [String] {
      try await callsign("__complete", line).output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try await words("callsign ca") == ["call"])
    #expect(try await words("callsign call ") == [":files"])
    #expect(try await words("callsign call \(pets) ") == ["listPets"])
    #expect(try await words("callsign call \(pets) listPets --ki") == ["--kind"])
    #expect(try await words("callsign call \(pets) listPets --kind ") == ["cat", "dog"])
    #expect(try await words("callsign call /no/such ") == [])
    #expect(try await words("callsign login \(pets) --scheme ") == ["k"])
    #expect(try await words("callsign call --a") == ["--allow-references", "--auth"])
    #expect(try await words("callsign call --auth bearer \(pets) ") == ["listPets"])
    #expect(try await words("callsign mock --la") == ["--latency"])
  }

  @Test("A folder with a catalogue has no provider pages, which is not an error") func folder() async throws {
    try home.write(
      """
      api: {name: Pets, hosts: {api: "https://p.example"}, schemes: {oauth2: {read: Reads.}}, auth: [oauth2(read)]}
      endpoints: {getPet: {call: GET /pet, returns: json}}

      """, to: "catalogue/api.yaml")
    let login = try await callsign("login", home.path + "/catalogue", "--scheme", "oauth2", "--client-id", "x")
    #expect(login.status == 64 && login.error.contains("give --authorize-url"), "\(login.error)")
    #expect(!login.error.contains("this is a folder"), "\(login.error)")
  }
}
