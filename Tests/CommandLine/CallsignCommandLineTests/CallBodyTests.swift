import Foundation
import TestSupport
import Testing

/// Bodies and files of `callsign call`.
@Suite("callsign call: bodies and files") struct CallBodyTests {
  private static let catalogue = """
    api: {name: Pets, hosts: {api: "https://p.example"}, schemes: {none: null}, auth: [none]}
    endpoints:
      putPet:
        call: PUT /pets/{path_id}
        body: form
        params:
          path_id: {type: int, in: path}
          mode: {type: string?, in: query}
          id: {type: string?, in: field}
          form_mode: {type: string?, in: field, as: mode}
          name: {type: string?, in: field}
      plainPet: {call: "PUT /plain/{id}", params: {id: int, name: string?}}
      putText: {call: PUT /text, body: text/plain, params: {text: {type: string, in: body}}}
      putBytes: {call: PUT /bytes, body: image/png, params: {image: {type: bytes, in: body}}}
      putOctets: {call: PUT /octets, params: {octets: {type: bytes, in: body}}}
      putFiles: {call: POST /files, body: multipart, params: {file: file, files: "[file]?"}}
      putThumb: {call: POST /thumb, params: {thumb: bytes?, inner: Inner?}}
      find: {call: GET /find, params: {fields: string, raw: bool?, q: string?}}
      list: {call: GET /list, params: {is_raw: bool?, q: string?}}
      pay: {call: POST /pay, params: {method: Method, labels: "Labels?"}}
      getImage: {call: GET /image, returns: bytes}
      getInner: {call: GET /inner, returns: Inner}
      watch: {call: GET /watch, returns: Inner, stream: events}
    models:
      Inner: {thumb: bytes?}
      Method: {$tag: type, $union: {card: Card, account: Account}}
      Card: {type: string, pan: string, code: string?, next: indirect Method?}
      Account: {type: string, iban: string, code: int?}
      Labels: {$union: [Tags, Cleared]}
      Tags: "{string}"
      Cleared: {$enum: [""]}
    """

  @Test("A word after a flag that is neither true nor false is reported with the correct form")
  func flags() async throws {
    let api = try api()
    let run = try await api.call("list", "--is_raw", "yes")
    #expect(run.status == 64 && run.error.contains("write it without a value, or as --is_raw=false"), "\(run.error)")
    let stray = try await api.call("list", "--is_raw", "--q", "x", "yes")
    #expect(stray.status == 64 && stray.error.contains("unexpected word `yes`"), "\(stray.error)")
    #expect(api.requests.isEmpty)
  }

  @Test("An unknown operation name gets the closest ones") func unknownOperations() async throws {
    let api = try api()
    let run = try await api.call("put")
    #expect(run.status == 64 && run.error.contains("unknown operation put; the nearest are put"), "\(run.error)")
  }

  @Test("An assistant learns how a file is given") func filesOfAssistants() async throws {
    let response = try await api().assistant(
      (method: "tools/call", parameters: ["name": "putFiles", "arguments": ["file": "/etc/hosts"]]))[0]
    #expect(response["isError"] == true && response.toolText.contains(#"{"base64": "#), "\(response)")
    #expect(!response.toolText.contains("cannot be read"), "\(response)")
  }

  private func api() throws -> RecordedAPI { try RecordedAPI(Self.catalogue) { _ in (204, "") } }

  @Test("The members of a body go into the body, whatever parameters of their names are elsewhere")
  func members() async throws {
    let api = try api()
    let put = try await api.call(
      "putPet", "--path_id", "7", "--body", "-", input: #"{"id":"9","mode":"m","name":"x"}"#)
    #expect(put.status == 0, "\(put.error)")
    #expect(api.lines == ["PUT /pets/7 id=9&mode=m&name=x"])
    for body in [#"{"id":"9","name":"x"}"#, #"{"name":"x","path_id":7}"#] {
      let plain = try await api.call("plainPet", "--id", "7", "--body", "-", input: body)
      #expect(plain.status == 64 && plain.error.contains("no members of these names: "), "\(plain.error)")
    }
    #expect(api.lines.count == 1)
  }

  @Test("A body for an operation without one is a mistake, even an empty object", arguments: ["{}", #"{"a":1}"#, "x"])
  func bodiesOfNone(body: String) async throws {
    let api = try api()
    let run = try await api.call("getInner", "-d", body)
    #expect(run.status == 64 && run.error.contains("getInner has no body; leave --body and --data out"), "\(run.error)")
    #expect(api.requests.isEmpty)
  }

  @Test("Texts within a union are texts if its variants agree, although they look like numbers") func unions()
    async throws
  {
    let api = try api()
    let paid = try await api.call(
      "pay", "--method.type", "card", "--method.pan", "4111", "--method.next.type", "account", "--method.next.iban",
      "17",
      "--labels.order", "6735")
    #expect(paid.status == 0, "\(paid.error)")
    let body = try JSONSerialization.jsonObject(with: Data(api.requests.last?.body ?? [])) as? [String: NSObject]
    let next: [String: NSObject] = ["type": "account" as NSString, "iban": "17" as NSString]
    #expect(
      body?["method"] == ["type": "card" as NSString, "pan": "4111" as NSString, "next": next as NSDictionary]
        as NSDictionary)
    #expect(body?["labels"] == ["order": "6735"] as NSDictionary)
    // A card's code is a text and an account's is a number: the value's form decides.
    let account = try await api.call("pay", "--method.type", "account", "--method.iban", "1", "--method.code", "7")
    #expect(account.status == 0, "\(account.error)")
    #expect(api.lines.last?.contains(#""code":7"#) == true)
  }

  @Test("A request that is only shown prompts for the same values as the call") func accepted() async throws {
    let api = try api()
    for (name, type) in [("getImage", "*/*"), ("watch", "text/event-stream"), ("getInner", "application/json")] {
      for option in ["--dry-run", "--curl"] {
        let shown = try await api.call(name, option)
        #expect(shown.output.contains("Accept: \(type)"), "\(shown.output)\(shown.error)")
      }
    }
    #expect(api.lines.isEmpty)
  }

  @Test(
    "Numbers, decimals and dates go out with the digits that were given",
    arguments: [
      ("--amount", "12.50", #""amount":"12.50""#), ("--amount", "1234567890.123456789012345678901234567890123", nil),
      ("--price", "0.10", #""price":0.10"#), ("--id", "1234567890123456789", #""id":1234567890123456789"#),
      ("--id", "12345678901234567890123", #""id":12345678901234567890123"#), ("--id", "7", #""id":7}"#),
      ("--id", "7.5", #""id":7.5"#), ("--since", "2026-01-01T00:00:00.123456Z", nil),
      ("--since", "2026-01-01T00:00:00.999999Z", nil),
      ("--since", "2026-01-01T02:00:00+02:00", #""since":"2026-01-01T00:00:00Z""#),
    ] as [(String, String, String?)])
  func digits(name: String, value: String, body: String?) async throws {
    let api = try RecordedAPI(
      """
      api: {name: Shop, hosts: {api: "https://shop.example"}, schemes: {none: null}, auth: [none]}
      endpoints:
        pay: {call: POST /pay, params: {amount: "decimal(text)?", price: decimal?, id: number?, since: date?}}
      """
    ) { _ in (200, "{}") }
    #expect(try await api.call("pay", name, value).status == 0)
    let line = try #require(api.lines.first)
    #expect(line.contains(body ?? value), "\(line)")
  }

  @Test("A text that is not a decimal number is refused", arguments: ["0x10", "nan", "inf"])
  func notNumbers(value: String) async throws {
    let api = try RecordedAPI(
      """
      api: {name: Shop, hosts: {api: "https://shop.example"}, schemes: {none: null}, auth: [none]}
      endpoints:
        pay: {call: POST /pay, params: {price: decimal?, id: number?, since: "date(seconds)?"}}
      """
    ) { _ in (200, "{}") }
    for name in ["--price", "--id", "--since"] {
      #expect(try await api.call("pay", name, value).status == 64)
    }
    #expect(api.lines.isEmpty)
  }

  @Test("An idempotency key can be given, and header fields are shown unless they are secrets")
  func idempotencyKey() async throws {
    let api = try RecordedAPI(
      """
      api:
        name: Shop
        hosts: {api: "https://shop.example"}
        schemes: {key: {$in: header, $name: X-Key}, none: null}
        auth: [none]
      endpoints:
        pay:
          call: POST /pay
          idempotency: Idempotency-Key
          params:
            version: {type: string?, in: header, as: Api-Version}
            token: {type: string?, in: header, as: X-Device-Token}
        getPay: {call: GET /pay}
      """
    ) { _ in (200, "{}") }
    #expect(try await api.call("pay", "--idempotency-key", "k-1").status == 0)
    #expect(api.requests.first?["Idempotency-Key"] == "k-1")
    let other = try await api.call("getPay", "--idempotency-key", "k-1")
    #expect(other.status == 64 && other.error.contains("takes no key"))
    for option in ["--curl", "--dry-run"] {
      let shown = try await api.call(
        "pay", "--idempotency-key", "k-1", "--version", "2026-01", "--token", "s3cret", option)
      #expect(shown.output.contains("k-1") && shown.output.contains("2026-01"), "\(shown.output)\(shown.error)")
      #expect(!shown.output.contains("s3cret"))
    }
  }

  @Test("A value that an enum lacks is refused, unless its document allows it") func extensibleEnums()
    async throws
  {
    let api = try RecordedAPI(
      """
      api: {name: Shop, hosts: {api: "https://shop.example"}, schemes: {none: null}, auth: [none]}
      models:
        Engine: {$enum: [small, large], $closed: false}
        Size: enum [s, m]
      endpoints: {ask: {call: POST /ask, params: {engine: Engine?, size: Size?}}}
      """
    ) { _ in (200, "{}") }
    #expect(try await api.call("ask", "--engine", "larger").status == 0)
    #expect(api.lines.last?.contains(#""engine":"larger""#) == true)
    #expect(try await api.call("ask", "--size", "l").status == 64)
    let tools = try await api.assistant(("tools/list", [:])).first?["tools"]?[0]?["inputSchema"]?["properties"]
    #expect(tools?["engine"]?["anyOf"] == [["type": "string", "enum": ["small", "large"]], ["type": "string"]])
    #expect(tools?["size"]?["enum"] == ["s", "m"])
  }

  @Test("Members that the API sets can be sent with what was read, and distinguish unions") func readOnlyMembers()
    async throws
  {
    let api = try RecordedAPI(
      """
      api: {name: Shop, hosts: {api: "https://shop.example"}, schemes: {none: null}, auth: [none]}
      models:
        Cat: {kind: {type: string?, read_only: true}, lives: int?}
        Pet: {$tag: kind, $union: {cat: Cat}}
      endpoints: {addPet: {call: POST /pets, params: {pet: Pet}}}
      """
    ) { _ in (200, "{}") }
    #expect(try await api.call("addPet", "--pet.kind", "cat", "--pet.lives", "9").status == 0)
    #expect(api.lines.last?.contains(#""pet":{"kind":"cat","lives":9}"#) == true, "\(api.lines)")
  }

  @Test("If the document names no server, the command says how to give it") func noServer() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      api: {name: Pets, hosts: {api: "https://server.invalid/v1"}, schemes: {none: null}, auth: [none]}
      endpoints: {getPets: {call: GET /pets}}
      """, to: "api.yaml")
    for words in [[], ["--dry-run"], ["--curl"]] {
      let run = try await Run("callsign", ["call", folder.path, "getPets"] + words)
      #expect(run.status == 64 && run.error.contains("--base-url") && run.error.contains("getPets was not sent"))
      let given = try await Run(
        "callsign", ["call", folder.path, "getPets", "--dry-run", "--base-url", "http://127.0.0.1:9"])
      #expect(given.status == 0 && given.output.contains("127.0.0.1:9"))
    }
    let hello = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#
    let call = #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"getPets","arguments":{}}}"#
    let server = try await Run("callsign", ["mcp", folder.path], input: "\(hello)\n\(call)\n")
    #expect(server.output.contains("getPets was not sent") && server.output.contains("--base-url"), "\(server.output)")
  }

  @Test("A body that is not JSON is the file as it is") func raw() async throws {
    let api = try api()
    #expect(try await api.call("putText", "--body", "-", input: "{ not JSON").status == 0)
    let file = api.folder.url.appendingPathComponent("image")
    try Data([0xFF, 0x00, 0x7B]).write(to: file)
    for name in ["putBytes", "putOctets"] {
      #expect(try await api.call(name, "--body", file.path).status == 0)
      #expect(api.requests.last?.body == [0xFF, 0x00, 0x7B])
    }
    #expect(api.requests.count == 3 && api.requests.first?.body == Array("{ not JSON".utf8))
    let text = try await api.call("putText", "--body", file.path)
    #expect(text.status == 65 && text.error.contains("not UTF-8"), "\(text.error)")
  }

  @Test("A body may be in a pipe or a device, and not in a folder") func pipes() async throws {
    let api = try api()
    func put(_ script: String) async throws -> Run {
      try await Run(
        "/bin/sh", ["-c", script, "sh", api.folder.path + "/catalogue", api.url],
        environment: ["CALLSIGN_NO_CACHE": "1"])
    }
    let piped = try await put(#"printf 'hello' | callsign call "$1" putText --body /dev/fd/0 --base-url "$2""#)
    #expect(piped.status == 0 && api.lines == ["PUT /text hello"], "\(piped.error) \(api.lines)")
    let empty = try await put(#"callsign call "$1" putText --body /dev/null --base-url "$2""#)
    #expect(!empty.error.contains("cannot be read"), "\(empty.error)")
    let folder = try await api.call("putText", "--body", api.folder.path)
    #expect(folder.status == 66 && folder.error.contains("it is a folder"), "\(folder.error)")
  }

  @Test("Standard input can be read only once") func standardInput() async throws {
    let api = try api()
    let twice = try await api.call("putFiles", "--file", "-", "--files", "-", input: "abc")
    #expect(twice.status == 64 && twice.error.contains("- is given twice"), "\(twice.error)")
    let body = try await api.call("putThumb", "--body", "-", "--inner.thumb", "-", input: "{}")
    #expect(body.status == 64 && body.error.contains("- is given twice"), "\(body.error)")
    #expect(api.requests.isEmpty)
  }

  @Test("A missing file is named, and bytes can be base64 if no file has the name")
  func files() async throws {
    let api = try api()
    for path in ["nope.txt", "/no/such/file", api.folder.path] {
      let missing = try await api.call("putFiles", "--file", path)
      #expect(
        missing.status == 66 && missing.error.contains("file: the file \(path) cannot be read"), "\(missing.error)")
    }
    for word in ["--thumb=aGVsbG8=", "--inner.thumb=aGVsbG8="] {
      let run = try await api.call("putThumb", word)
      #expect(run.status == 0 && api.lines.last?.contains("\"aGVsbG8=\"") == true, "\(run.error)")
    }
    try api.folder.write("hello", to: "hello")
    let file = try await api.call("putThumb", "--thumb", api.folder.path + "/hello")
    #expect(file.status == 0 && api.lines.last?.contains("\"aGVsbG8=\"") == true, "\(file.error)")
    #expect(try await api.call("putThumb", "--thumb", "neither?").status == 66)
    // Names of files that could also be base64, by their letters and length.
    let count = api.requests.count
    for path in ["/no/such/picture", "/tmp/nothing", "/nothing/is/here", "/abc"] {
      let missing = try await api.call("putThumb", "--thumb", path)
      #expect(
        missing.status == 66 && missing.error.contains("thumb: the file \(path) cannot be read"), "\(missing.error)")
      let inner = try await api.call("putThumb", "--inner", #"{"thumb": "\#(path)"}"#)
      #expect(
        inner.status == 64 && inner.error.contains("not the path of a file that cannot be read"), "\(inner.error)")
      #expect(!inner.error.contains("another text"), "\(inner.error)")
    }
    #expect(api.requests.count == count)
    // JPEG data in base64 starts with a slash, and so may a key.
    for bytes in [Data([0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 0x10, count: 200)), Data([0xFF] + [1, 2, 3])] {
      let base64 = bytes.base64EncodedString()
      let run = try await api.call("putThumb", "--thumb", base64)
      #expect(
        run.status == 0 && api.lines.last?.contains("\"\(base64)\"") == true,
        "\(run.error) \(api.lines.last ?? "")")
      let inner = try await api.call("putThumb", "--inner", #"{"thumb": "\#(base64)"}"#)
      #expect(inner.status == 0, "\(inner.error)")
    }
  }

  @Test("Help and completions name parameters as they can be given, even if the program has the name")
  func namesakes() async throws {
    let api = try api()
    let help = try await api.call("find", "--help")
    #expect(help.output.contains("find fields=… [--parameter …]"), "\(help.output)")
    #expect(help.output.contains("\n  fields=… (required)\n") && help.output.contains("\n  raw=…\n"), "\(help.output)")
    #expect(help.output.contains("\n  --q\n"))
    let run = try await api.call("find", "fields=a", "raw=true")
    #expect(run.status == 0 && api.lines == ["GET /find?fields=a&raw=true "], "\(run.error) \(api.lines)")
    let line = "callsign call \(api.folder.path)/catalogue find "
    func words(_ line: String) async throws -> [Substring] {
      let offered = try await Run("callsign", ["__complete", line], environment: ["CALLSIGN_NO_CACHE": "1"])
      return offered.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    }
    #expect(try await words(line) == ["fields=", "raw=", "--q"])
    #expect(try await words(line + "q=x raw=true --fields id ") == ["fields=", ":goes-on"])
    #expect(try await words(line + "raw=t") == ["raw=true"])
  }
}
