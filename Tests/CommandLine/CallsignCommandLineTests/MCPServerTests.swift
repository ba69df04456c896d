import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Foundation
import TestSupport
import Testing
import XSandbox

@testable import CallsignCommandLine

/// Tests `xapi mcp` with the protocol's client library for Python, and with hand-written messages if that library is too polite.
@Suite("xapi mcp") struct MCPServerTests {
  /// Answers the server's questions: only posts are allowed.
  static let responding = #"""

    responses = []

    async def ask(context, params):
        responses.append(params.message)
        return types.ElicitResult(action="accept" if "createPosts" in params.message else "decline", content={})

    def text(result):
        return result.content[0].text

    """#

  /// Initialises, lists, searches, describes, calls, pages, fails, confirms, refuses and cancels, and prints what it
  /// saw.
  private static let client = #"""
    import asyncio, json, os, sys
    from mcp import ClientSession, StdioServerParameters, types
    from mcp.client.stdio import stdio_client

    program, url, user = sys.argv[1:4]
    \#(responding)
    async def main():
        seen = {}
        server = StdioServerParameters(command=program, args=["mcp", "--base-url", url], env=dict(os.environ))
        async with stdio_client(server) as (read, write):
            async with ClientSession(read, write, elicitation_callback=ask) as session:
                seen["server"] = (await session.initialize()).server_info.name
                seen["tools"] = [tool.name for tool in (await session.list_tools()).tools]
                seen["found"] = text(await session.call_tool("search_operations", {"query": "followers"}))
                described = text(await session.call_tool("describe_operation", {"operation": "createPosts"}))
                seen["schema"] = json.loads(described)["inputSchema"]["properties"]["text"]["type"]
                async def call(operation, **arguments):
                    return await session.call_tool("call_operation", {"operation": operation, "arguments": arguments})
                seen["me"] = json.loads(text(await call("getUsersMe")))["data"]["username"]
                for number in range(7):
                    seen["post"] = (await call("createPosts", text=f"from an assistant {number}")).is_error
                page = text(await call("getUsersPosts", id=user, max_results=5))
                token = page.split("pagination_token = ")[1]
                rest = await call("getUsersPosts", id=user, max_results=5, pagination_token=token)
                seen["pages"] = [len(json.loads(page.split("\n")[0])["data"]), len(json.loads(text(rest).split("\n")[0])["data"])]
                wrong = await call("getUsersFollowers", max_results=5000)
                seen["wrong"] = [wrong.is_error, text(wrong)]
                missing = await call("getPostsById", id="1")
                seen["missing"] = [missing.is_error, text(missing)]
                declined = await call("deletePosts", id="1")
                seen["declined"] = [declined.is_error, text(declined)]
                unsent = await call("createPosts", text="x", reply_settings="nobody")
                seen["unsent"] = [unsent.is_error, text(unsent)]
        async with stdio_client(StdioServerParameters(
                command=program, args=["mcp", "--base-url", url, "--only", "lists", "--read-only"], env=dict(os.environ))) as (read, write):
            async with ClientSession(read, write) as session:
                await session.initialize()
                tools = (await session.list_tools()).tools
                seen["lists"] = sorted(tool.name for tool in tools)
                seen["hints"] = sorted({(tool.annotations.read_only_hint, tool.annotations.destructive_hint) for tool in tools})
        seen["asked"] = len(responses)
        seen["question"] = responses[0]
        print(json.dumps(seen))

    asyncio.run(main())
    """#

  @Test("A user who is asked sees everything that will be done, or how much is not shown") func question() throws {
    let text = """
      api: {name: Notes, hosts: {api: "https://n.example"}, schemes: {none: null}, auth: [none]}
      endpoints:
        write: {call: POST /notes, summary: "Writes\\u202EDo it?", params: {text: string, to: string}}
      """
    let loaded = CatalogueLoader().load(files: [CatalogueSource(path: "notes.yaml", bytes: Array(text.utf8))])
    let catalogue = try #require(loaded.catalogue, "\(loaded.diagnostics)")
    let api = DynamicAPI(catalogue, client: Client(auth: []))
    let tools = OperationTools([api], MCPServer.Options(name: "notes"))
    let long = String(repeating: "a", count: 1000) + "THE END"
    let change = try #require(tools.change("write", ["text": .string(long), "to": "bob\u{202E}\u{2066}\u{200B}@x"]))
    let lines = change.question.split(separator: "\n")
    try #require(lines.count == 4, "\(change.question)")
    #expect(lines[0] == #"write: Writes\u{202E}Do it?"#)
    #expect(lines[1].hasPrefix("  text: \"aaa") && lines[1].hasSuffix("aTHE END\""))
    #expect(lines[1].contains("… and 609 more characters, up to …"), "\(lines[1])")
    #expect(lines[2] == #"  to: "bob\u{202E}\u{2066}\u{200B}@x""#)
  }

  @Test(
    "Invisible characters are shown",
    arguments: [
      ("a\u{200B}b", #"a\u{200B}b"#), ("a\u{200D}b", #"a\u{200D}b"#), ("\u{FEFF}", #"\u{FEFF}"#),
      ("x\u{E0041}", #"x\u{E0041}"#), ("x\u{FE0F}\u{FE0F}", "x\u{FE0F}" + #"\u{FE0F}"#), ("x\u{3164}", #"x\u{3164}"#),
      ("a\u{1B}[1m\n", "a[1m"),
    ])
  func invisible(text: String, shown: String) {
    #expect(Array(text.printable.unicodeScalars) == Array(shown.unicodeScalars), "\(text.printable)")
  }

  @Test(
    "Characters that emoji and scripts need are not escaped",
    arguments: [
      "\u{1F469}\u{200D}\u{2764}\u{FE0F}\u{200D}\u{1F469}", "\u{645}\u{6CC}\u{200C}\u{62E}", "\u{1F1E9}\u{1F1EA} é",
    ])
  func joined(text: String) {
    #expect(Array(text.printable.unicodeScalars) == Array(text.unicodeScalars), "\(text.printable)")
  }

  @Test("A model within itself is any JSON in a tool's schema") func recursion() async throws {
    let api = try RecordedAPI(
      """
      api: {name: Trees, hosts: {api: "https://t.example"}, schemes: {none: null}, auth: [none]}
      endpoints:
        plant: {call: POST /trees, params: {tree: Tree}}
      models:
        Tree: {name: string, left: indirect Tree?, right: indirect Tree?, branches: "[Branch]?"}
        Branch: {tree: Tree?, length: int}
      """
    ) { _ in (204, "") }
    let list = try await api.assistant((method: "tools/list", parameters: [:]))[0]
    let tool = try #require(list["tools"]?.array?.first { $0["name"]?.string == "plant" })
    let tree = tool["inputSchema"]?["properties"]?["tree"]?["properties"]
    #expect(tree?["name"]?["type"] == "string")
    #expect(tree?["left"] == [:] && tree?["right"] == [:])
    let branch = tree?["branches"]?["items"]?["properties"]
    #expect(branch?["length"]?["type"] == "integer")
    #expect(branch?["tree"] == [:])
  }

  @Test(
    "The protocol's own client initialises, lists, calls, pages, confirms, and gets errors with advice",
    .needs(.python(with: "mcp")))
  func ownClient() async throws {
    let sandbox = try await Sandbox.start()
    let alice = sandbox.users.alice
    let home = try TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    let environment = [
      "X_OAUTH2_ACCESS_TOKEN": alice.oauth2AccessToken, "X_BEARER_TOKEN": sandbox.app.bearerToken,
      "HOME": home.path,
    ]
    let program = Program.products.appendingPathComponent("xapi").path
    let output: Data
    do {
      output = try await onThread {
        let script = environment.sorted { $0.key < $1.key }
          .map { "import os; os.environ['\($0.key)'] = '\($0.value)'\n" }.joined()
        return try Python.run(script + Self.client, arguments: [program, sandbox.url.absoluteString, alice.id])
      }
    } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
    let seen = try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
    #expect(seen["server"] as? String == "xapi")
    #expect(seen["tools"] as? [String] == ["search_operations", "describe_operation", "call_operation"])
    #expect((seen["found"] as? String)?.contains("getUsersFollowers") == true)
    #expect(seen["schema"] as? String == "string")
    #expect(seen["me"] as? String == "alice")
    #expect(seen["post"] as? Bool == false)
    #expect((seen["pages"] as? [Int])?.first == 5)
    #expect((seen["pages"] as? [Int])?.last ?? 0 >= 2)
    let wrong = seen["wrong"] as? [Any]
    #expect(wrong?.first as? Bool == true)
    #expect((wrong?.last as? String)?.contains("max_results: must be a whole number from 1 to 1000") == true)
    #expect((wrong?.last as? String)?.contains("id: is required") == true)
    #expect((seen["missing"] as? [Any])?.first as? Bool == true)
    #expect(((seen["declined"] as? [Any])?.last as? String)?.contains("has not confirmed") == true)
    let lists = seen["lists"] as? [String] ?? []
    #expect(lists.contains("getListsById") && !lists.contains("createLists"))
    // Nobody is asked about a call that cannot be sent.
    #expect(((seen["unsent"] as? [Any])?.last as? String)?.contains("reply_settings") == true)
    #expect(seen["asked"] as? Int == 8)
    let question = seen["question"] as? String ?? ""
    #expect(question.hasPrefix("createPosts: Creates a post") && question.hasSuffix("Do it?"))
    #expect(question.contains("\n  text: \"from an assistant 0\"\n"), "\(question)")
    #expect(!String(decoding: output, as: UTF8.self).contains(alice.oauth2AccessToken))
  }

  /// Lines to `xapi mcp`, and what it responds with.
  private func responses(_ lines: [String]) async throws -> [[String: Any]] {
    let run = try await Run("xapi", ["mcp", "--only", "users"], input: lines.joined(separator: "\n") + "\n")
    #expect(run.status == 0, "\(run.error)")
    return try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test("Malformed messages of every kind get the protocol's codes, and the server continues")
  func malformed() async throws {
    let found = try await responses([
      "{", "[]", "7", #"{"id":1,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":[],"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":2,"method":7}"#, #"{"jsonrpc":"2.0","id":3,"method":"nothing"}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#, #"{"jsonrpc":"2.0","id":5,"method":"initialize"}"#,
      #"{"jsonrpc":"2.0","id":6,"method":"initialize","params":[]}"#,
      #"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
      #"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"rm"}}"#,
      #"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"getUsersMe","arguments":7}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}"#,
      #"{"jsonrpc":"2.0","id":10,"method":"ping"}"#,
      // The other versions of the protocol below, invalid IDs, depth, and blank lines, which count as nothing.
      #"{"jsonrpc":"1.0","id":11,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":12,"method":"ping","params":7}"#,
      String(repeating: "[", count: 50_000), "", " \t\r",
      // Responses without a request, and unknown or empty notifications, are skipped.
      #"{"jsonrpc":"2.0","id":77,"result":{}}"#, #"{"jsonrpc":"2.0","id":78,"error":{"code":1,"message":"x"}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#, #"{"jsonrpc":"2.0","method":"notifications/x"}"#,
      #"{"jsonrpc":"2.0","id":"last","method":"ping"}"#,
    ])
    let codes = found.map { ($0["error"] as? [String: Any])?["code"] as? Int ?? 0 }
    #expect(
      codes == [
        -32700, -32600, -32600, -32600, -32600, -32600, -32601, -32600, -32602, -32602, 0, -32602, -32602, 0,
        -32600, -32600, -32600, -32602, -32700, 0,
      ])
    #expect(found.last?["id"] as? String == "last")
  }

  @Test("Messages in a batch get responses one by one, and the last line needs no end") func batch() async throws {
    let run = try await Run(
      "xapi", ["mcp", "--only", "users"],
      input: #"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#)
    #expect(run.output.split(separator: "\n").count == 2)
    #expect(run.output.contains(#""id":1"#) && run.output.contains(#""id":2"#))
  }

  @Test("A line that is too long is refused, and the next one responded") func longLine() async throws {
    let long = #"{"jsonrpc":"2.0","id":1,"method":""# + String(repeating: "x", count: 16 << 20) + #""}"#
    let found = try await responses([long, #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#])
    #expect(found.count == 2)
    let error = found.first?["error"] as? [String: Any]
    #expect(error?["code"] as? Int == -32600 && found.first?["id"] is NSNull)
    #expect(found.last?["id"] as? Int == 2)
  }

  @Test("Null arguments count as left out, and those of the three tools must match their schemas")
  func toolArguments() async throws {
    func call(_ id: Int, _ name: String, _ arguments: String) -> String {
      #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(name)","arguments":\#(arguments)}}"#
    }
    let run = try await Run(
      "xapi", ["mcp", "--base-url", "http://127.0.0.1:1"],
      input: [
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
        call(1, "search_operations", "{}"), call(2, "search_operations", #"{"query":7}"#),
        call(3, "search_operations", "null"), call(4, "describe_operation", "{}"),
        call(5, "call_operation", #"{"operation":"getUsersFollowers","arguments":null}"#),
        call(6, "search_operations", #"{"query":"followers"}"#), "",
      ].joined(separator: "\n"))
    var texts: [Int: (isError: Bool, text: String)] = [:]
    for line in run.output.split(separator: "\n") {
      let response = try JSONValue(jsonString: String(line))
      texts[response["id"]?.int ?? -1] = (response["result"]?["isError"] == true, response["result"]?.toolText ?? "")
    }
    for id in 1...3 { #expect(texts[id]?.isError == true && texts[id]?.text.contains("`query`") == true) }
    #expect(texts[4]?.isError == true && texts[4]?.text.contains("`operation`") == true)
    #expect(texts[5]?.text.contains("id: is required") == true, "\(run.output)")
    #expect(texts[6]?.isError == false && texts[6]?.text.contains("getUsersFollowers") == true)
  }

  @Test("A name that --only cannot mean is an error") func unknownNames() async throws {
    let run = try await Run("xapi", ["mcp", "--only", "users, postz"])
    #expect(run.status == 64 && run.error.contains("unknown operation or group postz"), "\(run.error)")
  }

  @Test("A cancelled request gets no response, and the server continues")
  func cancelled() async throws {
    // It responds with nothing, so that the call waits until it is cancelled.
    let server = try ScriptedServer.responding { _, _ in }
    defer { server.stop() }
    let run = try await Run(
      "xapi", ["mcp", "--only", "getUsersMe", "--base-url", "http://127.0.0.1:\(server.port)"],
      input: [
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"getUsersMe"}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#, "",
      ].joined(separator: "\n"), environment: ["X_OAUTH2_ACCESS_TOKEN": "a"])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains(#""id":1"#) && !run.output.contains(#""id":2"#) && run.output.contains(#""id":3"#))
  }

  @Test("A question that comes when nobody can answer any more is declined, not asked", arguments: [true, false])
  func lateQuestion(isEndOfInput: Bool) async throws {
    let text = """
      api:
        name: Shop
        hosts: {api: "https://shop.example"}
        schemes: {none: null}
        auth: [none]
      endpoints:
        pay: {call: POST /payments}
      """
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "shop.yaml", bytes: Array(text.utf8))])
    let catalogue = try #require(result.catalogue, "\(result.diagnostics)")
    let transport = InMemoryTransport { _ in .json("{}") }
    let api = DynamicAPI(catalogue, configuration: ClientConfiguration(transport: transport, retry: .never))
    let options = MCPServer.Options(name: "shop")
    let sent = Locked<[JSONValue]>([])
    let server = MCPServer(OperationTools([api], options), options) { message in
      guard let text = message.text, let value = try? JSONValue(jsonString: text) else { return }
      sent.withLock { $0.append(value) }
    }
    await server.take([
      "jsonrpc": "2.0", "id": 1, "method": "initialize",
      "params": ["protocolVersion": "2025-06-18", "capabilities": ["elicitation": [:]]],
    ])
    let call: JSONValue = ["jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": ["name": "pay"]]
    // Not waited for: a question that is asked would wait for its answer.
    Task { if isEndOfInput { await server.takeLast(call) } else { await server.takeUnseen(call, "2") } }
    try await eventually { sent.withLock { $0.count } == 2 }
    let response = sent.withLock { $0.last }
    #expect(response?["id"]?.int == 2, "\(response?.description ?? "")")
    #expect(response?["result"]?["isError"] == true)
    #expect(response?["result"]?.toolText.contains("has not confirmed") == true)
    #expect(transport.requests.isEmpty)
  }

  @Test("A call that is cancelled takes its question to the person back") func cancelledQuestion() async throws {
    let (server, sent, transport) = try await Self.shop()
    await server.take(["jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": ["name": "pay"]])
    try await eventually { sent.withLock { $0.last?["method"] } == "elicitation/create" }
    let question = sent.withLock { $0.last?["id"] }
    await server.take(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": 2]])
    try await eventually { sent.withLock { $0.last?["method"] } == "notifications/cancelled" }
    #expect(sent.withLock { $0.last?["params"]?["requestId"] } == question)
    #expect(transport.requests.isEmpty)
    // An answer that still arrives changes nothing.
    await server.take(["jsonrpc": "2.0", "id": question ?? .null, "result": ["action": "accept"]])
    await server.take(["jsonrpc": "2.0", "id": 3, "method": "ping"])
    try await eventually { sent.withLock { $0.last?["id"]?.int } == 3 }
    #expect(transport.requests.isEmpty)
  }

  @Test("An unknown cursor is an error") func cursors() async throws {
    let (server, sent, _) = try await Self.shop()
    for (cursor, isGood) in [("\"2\"", false), ("7", false), ("null", true)] as [(String, Bool)] {
      let message = #"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":\#(cursor)}}"#
      await server.receive(message)
      let response = sent.withLock { $0.last }
      #expect((response?["result"] != nil) == isGood)
      if !isGood { #expect(response?["error"]?["code"] == -32602) }
    }
  }

  /// A server with one operation, whose client can ask the person.
  private static func shop() async throws -> (MCPServer, Locked<[JSONValue]>, InMemoryTransport) {
    let text =
      "api: {name: Shop, hosts: {api: https://shop.example}, schemes: {none: null}, auth: [none]}\n"
      + "endpoints: {pay: {call: POST /payments}}\n"
    let loaded = CatalogueLoader().load(files: [CatalogueSource(path: "shop.yaml", bytes: Array(text.utf8))])
    let catalogue = try #require(loaded.catalogue, "\(loaded.diagnostics)")
    let transport = InMemoryTransport { _ in .json("{}") }
    let api = DynamicAPI(catalogue, configuration: ClientConfiguration(transport: transport, retry: .never))
    let options = MCPServer.Options(name: "shop")
    let sent = Locked<[JSONValue]>([])
    let server = MCPServer(OperationTools([api], options), options) { message in
      guard let text = message.text, let value = try? JSONValue(jsonString: text) else { return }
      sent.withLock { $0.append(value) }
    }
    await server.take([
      "jsonrpc": "2.0", "id": 1, "method": "initialize",
      "params": ["protocolVersion": "2025-06-18", "capabilities": ["elicitation": [:]]],
    ])
    return (server, sent, transport)
  }

  @Test(
    "The newest revisions are supported, and a client that can only open pages is not shown a form",
    arguments: [
      ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"),
      ("2099-01-01", "2025-11-25"),
    ])
  func revisions(wanted: String, spoken: String) async throws {
    let api = try RecordedAPI(
      """
      api: {name: Shop, hosts: {api: "https://shop.example"}, schemes: {none: null}, auth: [none]}
      endpoints: {pay: {call: POST /payments}}
      """
    ) { _ in (204, "") }
    func responses(_ capability: String) async throws -> String {
      let hello = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\#(wanted)","#
      let call = #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"pay"}}"#
      let run = try await Run(
        "callsign", ["mcp", api.folder.path + "/catalogue"],
        input: hello + #""capabilities":{"elicitation":\#(capability)}}}"# + "\n\(call)\n")
      return run.output
    }
    let pages = try await responses(#"{"url":{}}"#)
    #expect(pages.contains(#""protocolVersion":"\#(spoken)""#), "\(pages)")
    #expect(pages.contains("has not confirmed pay") && !pages.contains("elicitation/create"), "\(pages)")
    for capability in ["{}", #"{"form":{}}"#, #"{"form":{},"url":{}}"#] {
      #expect(try await responses(capability).contains("elicitation/create"))
    }
  }
}

extension MCPServer {
  /// Takes a call and the end of the input before the call's own task has had its turn.
  fileprivate func takeLast(_ call: JSONValue) async {
    take(call)
    await end()
  }

  /// Takes a call whose reader goes away before the call's own task has had its turn.
  fileprivate func takeUnseen(_ call: JSONValue, _ id: String) {
    take(call)
    declineQuestions(of: id)
  }
}
