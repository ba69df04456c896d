import CallsignJSON
import CallsignMock
import ChildProcesses
import Foundation
import TestSupport
import Testing

/// `callsign mcp` with operations that continue after their response, against a mock behind a socket.
@Suite("callsign mcp waits for operations") struct ContextWaitTests {
  /// Has a mock that was prepared, and the words that start the server for it.
  private func with<Result>(
    _ prepare: (MockServer) throws -> Void, _ body: (MockServer, [String]) async throws -> Result
  ) async throws -> Result {
    try await ExportShop.with(prepare) { mock, folder, url in
      try await body(mock, ["mcp", folder, "--base-url", url, "--allow-changes"])
    }
  }

  private static let initialize =
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#

  /// Starts the server for one call of a tool, and reads the messages that it writes about that.
  private func call(
    _ tool: String, _ arguments: JSONValue, token: JSONValue? = nil, prepare: (MockServer) throws -> Void
  ) async throws -> (messages: [JSONValue], requests: [String]) {
    try await with(prepare) { mock, words in
      var parameters: [String: JSONValue] = ["name": .string(tool), "arguments": arguments]
      if let token { parameters["_meta"] = ["progressToken": token] }
      let call: JSONValue = ["jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": .object(parameters)]
      let run = try await Run("callsign", words, input: Self.initialize + "\n" + call.description + "\n")
      #expect(run.status == 0, "\(run.error)")
      let messages = try run.output.split(separator: "\n").dropFirst().map { try JSONValue(jsonString: String($0)) }
      return (messages, mock.requests.compactMap(\.operation))
    }
  }

  private func text(_ message: JSONValue?) -> String { message?["result"]?["content"]?[0]?["text"]?.string ?? "" }

  @Test("until the state is done, with progress for a token")
  func done() async throws {
    let (messages, requests) = try await call("startExport", ["shelf": "a b"], token: "t") {
      try ExportShop.states($0, "waiting", "running", "done")
    }
    #expect(text(messages.last) == #"{"id":"7","state":"done"}"# && messages.last?["result"]?["isError"] == false)
    #expect(requests == ["startExport", "getExport", "getExport", "getExport"])
    let progress = messages.dropLast()
    #expect(progress.allSatisfy { $0["method"] == "notifications/progress" && $0["id"] == nil })
    #expect(progress.allSatisfy { $0["params"]?["progressToken"] == "t" })
    #expect(progress.compactMap { $0["params"]?["progress"]?.int } == [1, 2, 3])
    let words = progress.compactMap { $0["params"]?["message"]?.string }
    #expect(words == ["startExport: waiting", "startExport: running", "startExport: done"])
  }

  @Test("without a token, no progress is reported") func untold() async throws {
    let (messages, requests) = try await call("startExport", ["shelf": "a"]) {
      try ExportShop.states($0, "running", "done")
    }
    #expect(messages.count == 1 && text(messages.last) == #"{"id":"7","state":"done"}"#)
    #expect(requests.count == 3)
  }

  @Test("a state that reports a failure is an error, without its secrets") func failed() async throws {
    let (messages, _) = try await call("startExport", ["shelf": "a"]) { mock in
      let state: JSONValue = ["id": "7", "state": "lost", "access_token": "very-secret"]
      try mock.reply(to: "getExport", with: .json(state), times: 1)
    }
    #expect(messages.last?["result"]?["isError"] == true)
    let text = text(messages.last)
    #expect(text.hasPrefix("startExport has failed; the last state was {") && text.contains(#""state":"lost""#))
    #expect(!text.contains("very-secret"))
  }

  @Test("0 seconds give the first response, ask nothing, and name the operation that would")
  func atOnce() async throws {
    let (messages, requests) = try await call("startExport", ["shelf": "a", "wait_seconds": 0]) { _ in }
    #expect(text(messages.last) == #"{"data":{"id":"7"}}"# + "\ngetExport returns its state.")
    #expect(requests == ["startExport"])
  }

  @Test("the limit ends the wait, and the result says what was started and how to ask for it")
  func limit() async throws {
    let (messages, requests) = try await call("startExport", ["shelf": "a", "wait_seconds": 1]) { mock in
      try mock.reply(to: "getExport", with: .json(["id": "7", "state": "running"]))
    }
    let start = """
      startExport is still running after the requested wait. Do not start it again.
      The first response was {"data":{"id":"7"}}
      getExport returns its state.
      """
    let last = "\nThe last state was {\"id\":\"7\",\"state\":\"running\"}"
    let text = text(messages.last)
    // A slow machine may have asked once without a response in time; if it asked twice, there was one.
    #expect(text == start + last || text == start && requests.count <= 2, "\(text)")
    #expect(messages.last?["result"]?["isError"] == false && requests.first == "startExport")
    #expect(requests.filter { $0 == "startExport" }.count == 1)
  }

  @Test("a failed request for the state is an error that says that the operation was started") func failedQuestion()
    async throws
  {
    let (messages, _) = try await call("startExport", ["shelf": "a"]) { mock in
      try mock.reply(to: "getExport", with: .status(404))
    }
    let text = text(messages.last)
    #expect(messages.last?["result"]?["isError"] == true)
    #expect(text.contains("404") && text.contains("startExport was carried out, and may still be running."), "\(text)")
    #expect(text.contains(#"The first response was {"data":{"id":"7"}}"#), "\(text)")
  }

  @Test("seconds of another kind or size send nothing", arguments: [-1, 3_601, 1.5, "1", false] as [JSONValue])
  func wrong(_ seconds: JSONValue) async throws {
    let (messages, requests) = try await call("startExport", ["shelf": "a", "wait_seconds": seconds]) { _ in }
    #expect(text(messages.last) == "wait_seconds: must be a whole number from 0 to 3600")
    #expect(messages.last?["result"]?["isError"] == true && requests.isEmpty)
  }

  @Test("the tool's schema and description mention it, even if a parameter has the argument's name")
  func schema() async throws {
    let run = try await with({ _ in }) { _, words in
      let list = #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#
      return try await Run("callsign", words, input: Self.initialize + "\n" + list + "\n")
    }
    let response = try JSONValue(jsonString: String(run.output.split(separator: "\n").last ?? ""))
    let tools = try #require(response["result"]?["tools"]?.array)
    func tool(_ name: String) -> JSONValue? { tools.first { $0["name"]?.string == name } }
    func argument(_ tool: JSONValue?, _ name: String) -> JSONValue? { tool?["inputSchema"]?["properties"]?[name] }
    let export = argument(tool("startExport"), "wait_seconds")
    #expect(export?["minimum"] == 0 && export?["maximum"] == 3_600 && export?["default"] == 45)
    #expect(tool("startExport")?["inputSchema"]?["required"] == ["shelf"])
    #expect(tool("startExport")?["description"]?.string?.contains("the call waits for its end (wait_seconds)") == true)
    #expect(argument(tool("startSale"), "wait_seconds")?["minimum"] == nil)
    #expect(argument(tool("startSale"), "wait_seconds_")?["default"] == 45)
    #expect(argument(tool("getExport"), "wait_seconds") == nil)
  }

  @Test("a parameter that has the argument's name is sent") func namesake() async throws {
    let (messages, requests) = try await call("startSale", ["wait_seconds": 5]) { mock in
      try mock.reply(to: "startSale", with: .status(202, headers: [.location: "/sales/9"]))
      try mock.reply(to: "getSale", with: .json(["id": "9"], status: 202), times: 1)
      try mock.reply(to: "getSale", with: .json(["id": "9", "state": "sold"]), times: 1)
    }
    #expect(text(messages.last) == #"{"id":"9","state":"sold"}"#)
    #expect(requests == ["startSale", "getSale", "getSale"])
  }

  @Test("a cancelled request stops polling and gets no response, and the server continues") func cancelled()
    async throws
  {
    try await with({ try $0.reply(to: "getExport", with: .json(["id": "7", "state": "running"])) }) { mock, words in
      let process = Process()
      process.executableURL = Program.products.appendingPathComponent("callsign")
      process.arguments = words
      let (input, output) = (Pipe.forChildProcess(), Pipe.forChildProcess())
      process.standardInput = input
      process.standardOutput = output
      try process.start()
      defer { process.terminate() }
      func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }
      try send(Self.initialize)
      let arguments = #"{"shelf":"a","wait_seconds":3600}"#
      try send(
        #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"startExport","arguments":\#(arguments)}}"#)
      // It waits by now.
      try await eventually { mock.requests.count { $0.operation == "getExport" } >= 3 }
      try send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#)
      try send(#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#)
      // Without the cancellation it would continue for an hour.
      try input.fileHandleForWriting.close()
      let written = try await onThread { output.fileHandleForReading.readDataToEndOfFile() }
      let text = String(decoding: written, as: UTF8.self)
      #expect(text.contains(#""id":1"#) && !text.contains(#""id":2"#) && text.contains(#""id":3"#))
    }
  }

  /// Calls with the protocol's own client, which asks for progress.
  private static let client = #"""
    import asyncio, json, subprocess, sys
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    process = subprocess.Popen(sys.argv[1:] + ["--http"], stdout=subprocess.PIPE, text=True)
    address = process.stdout.readline().strip()
    told = []

    async def tell(progress, total, message):
        told.append([progress, total, message])

    async def main():
        async with streamable_http_client(address) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                result = await session.call_tool("startExport", {"shelf": "a"}, progress_callback=tell)
                print(json.dumps({"told": told, "text": result.content[0].text}))

    try:
        asyncio.run(main())
    finally:
        process.terminate()
        process.wait(60)
    """#

  @Test("the protocol's own client receives progress over HTTP", .needs(.python(with: "mcp")))
  func ownClient() async throws {
    let output = try await with({ try ExportShop.states($0, "running", "done") }) { _, words in
      let program = Program.products.appendingPathComponent("callsign").path
      return try await onThread { try Python.run(Self.client, arguments: [program] + words) }
    }
    let seen = try JSONValue(jsonData: output)
    #expect(seen["told"] == [[1.0, nil, "startExport: running"], [2.0, nil, "startExport: done"]])
    #expect(seen["text"] == #"{"id":"7","state":"done"}"#)
  }
}
