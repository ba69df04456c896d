import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Foundation
import TestSupport

/// A catalogue in a folder, and a server of this machine that responds to its calls and keeps them.
final class RecordedAPI: Sendable {
  let folder: TemporaryFolder
  private let server: ScriptedServer
  private let kept = Locked<[ReceivedRequest]>([])

  /// The address of the server.
  var url: String { "http://127.0.0.1:\(server.port)" }
  /// The requests, in order of arrival.
  var requests: [ReceivedRequest] { kept.withLock { $0 } }
  /// The methods, targets and bodies of the requests.
  var lines: [String] {
    requests.map { "\($0.method) \($0.target) \(String(decoding: $0.body, as: UTF8.self))" }
  }

  /// - Parameter respond: The status and the body of the response to a request.
  init(_ catalogue: String, _ respond: @escaping @Sendable (ReceivedRequest) -> (Int, String)) throws {
    folder = try TemporaryFolder()
    try folder.write(catalogue, to: "catalogue/api.yaml")
    server = try ScriptedServer.responding { [kept] request, peer in
      kept.withLock { $0.append(request) }
      let (status, body) = respond(request)
      try peer.send(
        "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
  }

  deinit { server.stop() }

  /// Runs `callsign call` with the catalogue.
  func call(_ words: String..., input: String = "", environment: [String: String] = [:]) async throws -> Run {
    try await Run(
      "callsign", ["call", folder.path + "/catalogue"] + words + ["--base-url", url], input: input,
      environment: environment.merging(["CALLSIGN_NO_CACHE": "1"]) { $1 })
  }

  /// The results of requests to `callsign mcp` with the catalogue.
  func assistant(
    _ requests: (method: String, parameters: JSONValue)..., environment: [String: String] = [:]
  ) async throws -> [JSONValue] {
    var lines = [#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#]
    for (number, request) in requests.enumerated() {
      let line: JSONValue = [
        "jsonrpc": "2.0", "id": .integer(number + 1), "method": .string(request.method), "params": request.parameters,
      ]
      lines.append(line.description)
    }
    let run = try await Run(
      "callsign", ["mcp", folder.path + "/catalogue", "--base-url", url, "--allow-changes"],
      input: lines.joined(separator: "\n") + "\n", environment: environment)
    let responses = try run.output.split(separator: "\n").map { try JSONValue(jsonString: String($0)) }
    return requests.indices.map { number in
      responses.first { $0["id"]?.int == number + 1 }?["result"] ?? .string(run.output + run.error)
    }
  }
}

extension JSONValue {
  /// The text of a tool's result.
  var toolText: String { self["content"]?[0]?["text"]?.string ?? "no text in \(self)" }
}
