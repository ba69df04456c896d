import Foundation
import TestSupport
import Testing
import XSandbox

/// Tests `xapi mcp --http` with the protocol's client library for Python, and with hand-written requests if that library is too
/// polite.
@Suite("xapi mcp --http") struct MCPEndpointTests {
  /// Starts the server with the arguments after the program's name, and has its address, its token and a way to end it.
  private static let server = #"""
    import asyncio, json, os, subprocess, sys
    token = os.environ.get("X_MCP_TOKEN", "")
    def start(*arguments):
        process = subprocess.Popen([sys.argv[1], "mcp", "--http", *arguments], stdout=subprocess.PIPE, text=True)
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:") and address.endswith("/mcp"), address
        return process, address
    def stop(process):
        process.terminate()
        seen["ended"] = process.wait(60)
    seen = {}

    """#

  private func run(_ script: String, _ arguments: [String], environment: [String: String]) async throws -> [String: Any]
  {
    let program = Program.products.appendingPathComponent("xapi").path
    let home = try TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    let settings = environment.merging(["HOME": home.path]) { $1 }.sorted { $0.key < $1.key }
      .map { "import os; os.environ['\($0.key)'] = '\($0.value)'\n" }.joined()
    let output = try await onThread {
      try Python.run(settings + Self.server + script, arguments: [program] + arguments)
    }
    return try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
  }

  private static let client = #"""
    from mcp import ClientSession, types
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client
    url, user, silent = sys.argv[2:5]
    \#(MCPServerTests.responding)
    def connect(address):
        return streamable_http_client(address, http_client=create_mcp_http_client({"Authorization": "Bearer " + token}))

    async def conversation(address, number):
        async with connect(address) as streams:
            async with ClientSession(streams[0], streams[1], elicitation_callback=ask) as session:
                begun = await session.initialize()
                async def call(operation, **arguments):
                    return await session.call_tool("call_operation", {"operation": operation, "arguments": arguments})
                names = [tool.name for tool in (await session.list_tools()).tools]
                me = json.loads(text(await call("getUsersMe")))["data"]["username"]
                posts = [(await call("createPosts", text=f"by HTTP {number} {n}")).is_error for n in range(3)]
                page = text(await call("getUsersPosts", id=user, max_results=5))
                wrong = await call("getUsersFollowers", max_results=5000)
                declined = await call("deletePosts", id="1")
                await session.send_ping()
                return [begun.server_info.name, begun.protocol_version, names, me, posts, "pagination_token = " in page,
                    wrong.is_error, text(wrong), declined.is_error, text(declined)]

    async def cancelled(address):
        async with connect(address) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                # The API responds with nothing, so that the call waits until it is cancelled.
                try:
                    await session.call_tool("getUsersMe", {}, read_timeout_seconds=2)
                except Exception as error:
                    seen["timeout"] = type(error).__name__
                # The session goes on.
                await session.send_ping()
                seen["after"] = [tool.name for tool in (await session.list_tools()).tools]

    async def main():
        process, address = start("--base-url", url)
        try:
            # Two clients at once have a session each.
            seen["talks"] = await asyncio.gather(conversation(address, 1), conversation(address, 2))
        finally:
            stop(process)
        process, address = start("--base-url", silent, "--only", "getUsersMe")
        try:
            await asyncio.wait_for(cancelled(address), 120)
        finally:
            stop(process)
        seen["asked"] = len(responses)
        print(json.dumps(seen))

    asyncio.run(main())
    """#

  @Test(
    "The protocol's own client initialises, lists, calls, pages, confirms and cancels over HTTP, and two do so at once",
    .needs(.python(with: "mcp")))
  func ownClient() async throws {
    let sandbox = try await Sandbox.start()
    let alice = sandbox.users.alice
    // It responds with nothing.
    let silent = try ScriptedServer.responding { _, _ in }
    defer { silent.stop() }
    let seen: [String: Any]
    do {
      seen = try await run(
        Self.client, [sandbox.url.absoluteString, alice.id, "http://127.0.0.1:\(silent.port)"],
        environment: ["X_OAUTH2_ACCESS_TOKEN": alice.oauth2AccessToken, "X_MCP_TOKEN": "a-token-of-this-test"])
    } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
    let talks = try #require(seen["talks"] as? [[Any]])
    #expect(talks.count == 2)
    for talk in talks {
      #expect(talk[0] as? String == "xapi")
      #expect(talk[1] as? String == "2025-11-25")
      #expect(talk[2] as? [String] == ["search_operations", "describe_operation", "call_operation"])
      #expect(talk[3] as? String == "alice")
      #expect(talk[4] as? [Bool] == [false, false, false])
      #expect(talk[6] as? Bool == true)
      #expect((talk[7] as? String)?.contains("max_results: must be a whole number from 1 to 1000") == true)
      #expect(talk[8] as? Bool == true)
      #expect((talk[9] as? String)?.contains("has not confirmed") == true)
    }
    #expect(seen["timeout"] != nil)
    #expect(seen["after"] as? [String] == ["getUsersMe"])
    #expect(seen["asked"] as? Int == 8)
    #expect(seen["ended"] as? Int == 0)
  }

  /// Sends invalid requests of different kinds, and prints the statuses.
  private static let rude = #"""
    import http.client, urllib.parse
    process, address = start("--only", "users")
    port = urllib.parse.urlsplit(address).port
    session = None
    def send(method="POST", body=None, path="/mcp", **changes):
        headers = {"Host": f"127.0.0.1:{port}", "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json", "Authorization": "Bearer " + token, "Mcp-Session-Id": session}
        headers.update({name.replace("_", "-"): value for name, value in changes.items()})
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            if value is not None: connection.putheader(name, value)
        bytes = body.encode() if isinstance(body, str) else body or b""
        connection.putheader("Content-Length", str(len(bytes)))
        connection.endheaders(bytes)
        return connection, connection.getresponse()
    def status(*arguments, **changes):
        connection, response = send(*arguments, **changes)
        text = response.read().decode()
        connection.close()
        return [response.status, json.loads(text)["error"]["code"] if "error" in text else 0]
    try:
        hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}'
        ping = '{"jsonrpc":"2.0","id":2,"method":"ping"}'
        seen["early"] = [status(body=ping), status(body=ping, Mcp_Session_Id="nobody"), status("GET"), status("DELETE")]
        seen["begin"] = status(body='{"jsonrpc":"2.0","id":1,"method":"initialize"}')
        connection, response = send(body=hello)
        session = response.getheader("Mcp-Session-Id")
        seen["session"] = [response.status, len(session) > 30, response.getheader("Content-Type")]
        response.read()
        seen["ready"] = status(body='{"jsonrpc":"2.0","method":"notifications/initialized"}')
        seen["ping"] = status(body=ping)
        seen["strangers"] = [
            status(body=ping, Host="rebound.example"), status(body=ping, Host=f"127.0.0.1.rebound.example:{port}"),
            status(body=ping, Origin="https://rebound.example"), status(body=ping, Origin="null"),
            status(body=ping, Authorization=None), status(body=ping, Authorization="Bearer wrong"),
            status(body=ping, path="/"),
        ]
        seen["page"] = status(body=ping, Origin="http://localhost:6274")
        seen["wrong"] = [
            status(body="{"), status(body=b"\xff"), status(body="[]"), status(body="[" + ping + "]"), status(body="7"),
            status(body="{}"), status(body='{"jsonrpc":"2.0","id":[],"method":"ping"}'),
            status(body='{"jsonrpc":"2.0","id":3,"method":"nothing"}'), status(body=ping, Content_Type="text/plain"),
            status(body=ping, Accept="application/json"), status(body=ping, Accept="text/html"), status("PUT", ping),
            status(body=ping, MCP_Protocol_Version="1999-01-01"), status(body=b" " * (17 << 20)),
        ]
        connection, response = send(body='{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"rm"}}')
        seen["events"] = [response.getheader("Content-Type"), response.read().decode().startswith("event: message\ndata: {")]
        first, stream = send("GET")
        seen["stream"] = [stream.status, stream.getheader("Content-Type"), stream.read(1).decode()]
        # A new one takes the place of the first, which ends.
        second, other = send("GET")
        seen["replaced"] = [len(stream.read()) < 100, other.status]
        seen["end"] = [status("DELETE"), status(body=ping), len(other.read()) < 100]
        # Old sessions make room: none of these is refused.
        seen["many"] = sorted({status(body=hello, Mcp_Session_Id=None)[0] for _ in range(70)})
    finally:
        stop(process)
    print(json.dumps(seen))
    """#

  @Test(
    "Strangers, other sites, malformed messages and unknown sessions are refused, each by its status",
    .needs(.python))
  func refusals() async throws {
    let seen = try await run(Self.rude, [], environment: ["X_OAUTH2_ACCESS_TOKEN": "a", "X_MCP_TOKEN": "right"])
    func pairs(_ name: String) -> [[Int]] { seen[name] as? [[Int]] ?? [] }
    #expect(pairs("early") == [[400, -32600], [404, -32600], [400, -32600], [400, -32600]])
    #expect(seen["begin"] as? [Int] == [200, -32602])
    #expect((seen["session"] as? [Any])?.first as? Int == 200)
    #expect((seen["session"] as? [Any])?.dropFirst().first as? Bool == true)
    #expect((seen["session"] as? [Any])?.last as? String == "application/json")
    #expect(seen["ready"] as? [Int] == [202, 0])
    #expect(seen["ping"] as? [Int] == [200, 0])
    #expect(pairs("strangers").map(\.first) == [403, 403, 403, 403, 401, 401, 404])
    #expect(seen["page"] as? [Int] == [200, 0])
    #expect(
      pairs("wrong") == [
        [400, -32700], [400, -32700], [400, -32600], [400, -32600], [400, -32600], [400, -32600], [400, -32600],
        [200, -32601], [415, -32600], [406, -32600], [406, -32600], [405, -32600], [400, -32600], [413, -32600],
      ])
    let events = seen["events"] as? [Any] ?? []
    #expect(events.first as? String == "text/event-stream" && events.last as? Bool == true)
    #expect(seen["stream"] as? [AnyHashable] == [200, "text/event-stream", ":"])
    let replaced = seen["replaced"] as? [Any] ?? []
    #expect(replaced.first as? Bool == true && replaced.last as? Int == 200)
    let end = seen["end"] as? [Any] ?? []
    #expect(end.first as? [Int] == [204, 0])
    #expect(end.dropFirst().first as? [Int] == [404, -32600])
    #expect(seen["many"] as? [Int] == [200])
    #expect(seen["ended"] as? Int == 0)
  }

  @Test("A port that is taken is an error, and so is a number beyond the last port") func ports() async throws {
    let server = try ScriptedServer.responding { _, _ in }
    defer { server.stop() }
    let run = try await Run("xapi", ["mcp", "--http", "\(server.port)"], environment: ["X_OAUTH2_ACCESS_TOKEN": "a"])
    #expect(run.status == 69 && run.error.contains("cannot listen on port \(server.port)"), "\(run.error)")
    #expect(run.error.contains("X_MCP_TOKEN"))
    let odd = try await Run("xapi", ["mcp", "--http", "99999"], environment: ["X_OAUTH2_ACCESS_TOKEN": "a"])
    #expect(odd.status == 64, "\(odd.error)")
  }
}
