import CallsignHTTP
import CallsignJSON
import Foundation
import LoopbackSockets

/// The sessions of Model Context Protocol clients that connect over HTTP ("Streamable HTTP", revision 2025-11-25).
///
/// Each client message is a POST, and its HTTP response carries the reply. A tool call is answered with an event stream, which can
/// first ask the user a question; everything else is answered with JSON. This type does not use sockets.
actor MCPEndpoint {
  /// An HTTP request.
  struct Request: Sendable {
    var method: String
    var path: String
    /// The header fields, by lowercase name.
    var headers: [String: String]
    var body: Data
  }

  /// An HTTP response.
  struct Response: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body = Body.text("", type: "application/json")

    enum Body: Sendable {
      case text(String, type: String)
      /// Events, each containing one message.
      case events(AsyncStream<String>)
    }
  }

  private struct Session {
    var server: MCPServer
    /// The messages that the server sends, in order.
    var outbox: AsyncStream<MCPServer.Outgoing>.Continuation
    var lastUse: ContinuousClock.Instant
    /// The streams for messages about requests, by the JSON of the request IDs.
    var streams: [String: AsyncStream<String>.Continuation] = [:]
    /// The stream for messages that belong to no request.
    var listener: (number: Int, stream: AsyncStream<String>.Continuation)?
  }

  private let tools: OperationTools
  private let options: MCPServer.Options
  private let token: Secret?
  private var sessions: [String: Session] = [:]
  private var listenerCount = 0
  /// The maximum number of clients at a time. Another one replaces the one that has been silent longest.
  private static let sessionLimit = 64
  /// The maximum number of a client's requests to process at a time.
  private static let requestLimit = 64
  /// The only path.
  static let path = "/mcp"

  /// - Parameter token: The bearer token that a client must send; `nil` for none.
  init(_ tools: OperationTools, _ options: MCPServer.Options, token: Secret?) {
    self.tools = tools
    self.options = options
    self.token = token
  }

  /// Responds to a request.
  func respond(to request: Request) async -> Response {
    if let refusal = refusal(of: request) { return refusal }
    switch request.method {
    case "POST": return await post(request)
    case "GET": return listen(request)
    case "DELETE":
      guard let id = session(of: request) else { return unknownSession(request) }
      await end(id)
      return Response(status: 204)
    default:
      return Self.refuse(405, "the methods are POST, GET and DELETE", [("Allow", "POST, GET, DELETE")])
    }
  }

  /// Keeps connections from timing out, and detects dead ones.
  func keepAlive() {
    for session in sessions.values {
      for stream in session.streams.values { stream.yield(Self.comment) }
      session.listener?.stream.yield(Self.comment)
    }
  }

  /// Ends all sessions.
  func endAll() async {
    for id in sessions.keys { await end(id) }
  }

  // MARK: Access

  /// Refuses unwanted callers: pages from other sites, even if their host name resolves to this machine (DNS rebinding), and
  /// programs without the token.
  private func refusal(of request: Request) -> Response? {
    guard LoopbackAuthority.isLoopback(request.headers["host"] ?? "") else {
      return Self.refuse(403, "the Host field must name this machine: 127.0.0.1 or localhost")
    }
    if let origin = request.headers["origin"], !LoopbackAuthority.isLoopback(origin: origin) {
      return Self.refuse(403, "pages of other sites may not ask")
    }
    guard request.path == Self.path else { return Self.refuse(404, "the path is \(Self.path)") }
    if let token, !isToken(request.headers["authorization"] ?? "", token) {
      return Self.refuse(401, "the bearer token is missing or wrong", [("WWW-Authenticate", "Bearer")])
    }
    if let version = request.headers["mcp-protocol-version"], !MCPServer.versions.contains(version) {
      return Self.refuse(400, "MCP-Protocol-Version must be one of \(MCPServer.versions.joined(separator: ", "))")
    }
    return nil
  }

  private func isToken(_ field: String, _ token: Secret) -> Bool {
    guard field.prefix(7).lowercased() == "bearer " else { return false }
    let (given, wanted) = (Array(field.dropFirst(7).utf8), Array(token.reveal().utf8))
    // The comparison takes the same time for every token of the right length.
    return given.count == wanted.count && zip(given, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private func session(of request: Request) -> String? {
    request.headers["mcp-session-id"].flatMap { sessions[$0] == nil ? nil : $0 }
  }

  private func unknownSession(_ request: Request) -> Response {
    request.headers["mcp-session-id"] == nil
      ? Self.refuse(400, "Mcp-Session-Id is missing; `initialize` comes first")
      : Self.refuse(404, "this session does not exist; start one with `initialize`")
  }

  private static func accepts(_ request: Request, _ type: String) -> Bool {
    let kind = type.prefix { $0 != "/" }
    return (request.headers["accept"] ?? "*/*").split(separator: ",").contains { part in
      let range = part.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
      return range == type || range == "*/*" || range == "\(kind)/*"
    }
  }

  // MARK: Messages

  private func post(_ request: Request) async -> Response {
    guard Self.accepts(request, "application/json"), Self.accepts(request, "text/event-stream") else {
      return Self.refuse(406, "Accept must name application/json and text/event-stream")
    }
    let type = (request.headers["content-type"] ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    guard type.lowercased() == "application/json" else {
      return Self.refuse(415, "Content-Type must be application/json")
    }
    guard request.body.count <= MCPServer.messageLimit else {
      return Self.refuse(413, "a message has at most \(MCPServer.messageLimit) bytes")
    }
    guard let text = String(data: request.body, encoding: .utf8), let message = try? JSONValue(jsonString: text) else {
      return Self.refuse(400, "this is not JSON", code: -32700)
    }
    guard message.object != nil else { return Self.refuse(400, "a body is one message of JSON-RPC 2.0", code: -32600) }
    if message["method"] == "initialize", message["id"] != nil { return await begin(message) }
    guard let id = session(of: request), let server = sessions[id]?.server else { return unknownSession(request) }
    sessions[id]?.lastUse = .now
    // Answers to questions, and notifications, get no answer.
    guard message["method"] != nil, let number = message["id"] else {
      guard message["jsonrpc"] == "2.0", message["method"] != nil || message["id"] != nil else {
        return Self.refuse(400, "this is not a message of JSON-RPC 2.0", code: -32600)
      }
      await server.take(message)
      return Response(status: 202)
    }
    guard number.string != nil || number.int != nil else {
      return Self.refuse(400, "`id` must be a text or a whole number", code: -32600)
    }
    let key = number.description
    guard sessions[id]?.streams[key] == nil else {
      return Self.refuse(400, "a request of this id is getting a response", code: -32600, id: number)
    }
    guard sessions[id]?.streams.count ?? 0 < Self.requestLimit else {
      return Self.refuse(503, "\(Self.requestLimit) requests are getting a response already", code: -32000, id: number)
    }
    let stream = open(key, in: id)
    await server.take(message)
    if message["method"] == "tools/call" {
      return Response(status: 200, headers: [("Cache-Control", "no-store")], body: .events(stream))
    }
    return await whole(stream)
  }

  /// Starts a session.
  private func begin(_ message: JSONValue) async -> Response {
    if sessions.count >= Self.sessionLimit {
      let idle = sessions.filter { $0.value.streams.isEmpty && $0.value.listener == nil }
      let silent = (idle.isEmpty ? sessions : idle).min { $0.value.lastUse < $1.value.lastUse }
      if let silent { await end(silent.key) }
    }
    let id = (0..<2).map { _ in UUID().uuidString.lowercased() }.joined(separator: "-")
    let (messages, outbox) = AsyncStream<MCPServer.Outgoing>.makeStream()
    let server = MCPServer(tools, options) { outbox.yield($0) }
    sessions[id] = Session(server: server, outbox: outbox, lastUse: .now)
    Task { [weak self] in
      for await message in messages { await self?.deliver(message, in: id) }
    }
    let key = (message["id"] ?? .null).description
    let stream = open(key, in: id)
    await server.take(message)
    var response = await whole(stream)
    guard case .text(let text, _) = response.body, let message = try? JSONValue(jsonString: text),
      message["result"] != nil
    else {
      await end(id)
      return response
    }
    response.headers.append(("Mcp-Session-Id", id))
    return response
  }

  private func open(_ key: String, in id: String) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    continuation.onTermination = { [weak self] reason in
      // The reader has gone. This does not cancel the request, but nobody will see its questions.
      guard case .cancelled = reason, let self else { return }
      Task { await self.lose(key, in: id) }
    }
    sessions[id]?.streams[key] = continuation
    return stream
  }

  private func lose(_ key: String, in id: String) async {
    await sessions[id]?.server.declineQuestions(of: key)
  }

  private func deliver(_ message: MCPServer.Outgoing, in id: String) {
    guard let key = message.request, let stream = sessions[id]?.streams[key] else {
      // A message without a known request goes to the listener, for example an error about a message without an ID.
      if let text = message.text { sessions[id]?.listener?.stream.yield(Self.event(text)) }
      return
    }
    if let text = message.text { stream.yield(Self.event(text)) }
    if message.isLast {
      sessions[id]?.streams[key] = nil
      stream.finish()
    }
  }

  /// The single message of a stream, as JSON.
  private func whole(_ stream: AsyncStream<String>) async -> Response {
    for await event in stream where event != Self.comment {
      return Response(
        status: 200, headers: [("Cache-Control", "no-store")],
        body: .text(Self.message(of: event), type: "application/json"))
    }
    // The request was cancelled.
    return Response(status: 202)
  }

  /// Opens the stream for messages that belong to no request. It replaces an existing one.
  private func listen(_ request: Request) -> Response {
    guard Self.accepts(request, "text/event-stream") else {
      return Self.refuse(406, "Accept must name text/event-stream")
    }
    guard let id = session(of: request) else { return unknownSession(request) }
    sessions[id]?.listener?.stream.finish()
    let (stream, continuation) = AsyncStream<String>.makeStream()
    listenerCount += 1
    let number = listenerCount
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      Task { await self.close(number, in: id) }
    }
    sessions[id]?.listener = (number, continuation)
    // Makes the client receive the response's header immediately.
    continuation.yield(Self.comment)
    return Response(status: 200, headers: [("Cache-Control", "no-store")], body: .events(stream))
  }

  private func close(_ number: Int, in id: String) {
    if sessions[id]?.listener?.number == number { sessions[id]?.listener = nil }
  }

  private func end(_ id: String) async {
    guard let session = sessions.removeValue(forKey: id) else { return }
    await session.server.cancel()
    for stream in session.streams.values { stream.finish() }
    session.listener?.stream.finish()
    session.outbox.finish()
  }

  // MARK: Event texts

  private static let comment = ":\n\n"
  private static let eventHead = "event: message\ndata: "

  /// The JSON that we write has no line breaks.
  private static func event(_ message: String) -> String { eventHead + message + "\n\n" }

  private static func message(of event: String) -> String { String(event.dropFirst(eventHead.count).dropLast(2)) }

  private static func refuse(
    _ status: Int, _ message: String, _ headers: [(String, String)] = [], code: Int = -32600, id: JSONValue = .null
  ) -> Response {
    Response(
      status: status, headers: headers,
      body: .text(MCPServer.failure(id, code, message), type: "application/json"))
  }
}
