extension Sandbox {
  /// Something that goes wrong in a stream on purpose, after its head has been answered.
  public struct StreamFault: Sendable {
    enum Kind: Sendable {
      case cut
      case cutAfterBytes(Int)
      case end
      case stall
      case disconnect(StreamDisconnection)
      case send(String)
      case split(Int)
      case slow(Duration)
    }

    let kind: Kind
    /// How many records go out before it happens.
    let records: Int

    private init(_ kind: Kind, after records: Int = 0) {
      self.kind = kind
      self.records = max(0, records)
    }

    /// Closes the connection in the middle of the answer, after so many records.
    public static func cut(afterRecords records: Int = 0) -> StreamFault { StreamFault(.cut, after: records) }

    /// Closes the connection in the middle of the answer, after so many bytes as they are sent: compressed, if they are.
    public static func cut(afterBytes bytes: Int) -> StreamFault { StreamFault(.cutAfterBytes(max(0, bytes))) }

    /// Ends the answer in good order, after so many records.
    public static func end(afterRecords records: Int = 0) -> StreamFault { StreamFault(.end, after: records) }

    /// Sends nothing any more, keep-alives neither, after so many records.
    public static func stall(afterRecords records: Int = 0) -> StreamFault { StreamFault(.stall, after: records) }

    /// Sends the API's message, then ends the answer, after so many records.
    public static func disconnect(_ message: StreamDisconnection, afterRecords records: Int = 0) -> StreamFault {
      StreamFault(.disconnect(message), after: records)
    }

    /// Sends this as a record, whatever it is, after so many records.
    public static func send(_ text: String, afterRecords records: Int = 0) -> StreamFault {
      StreamFault(.send(text), after: records)
    }

    /// Sends pieces of so many bytes, each by itself.
    public static func split(every bytes: Int) -> StreamFault { StreamFault(.split(max(1, bytes))) }

    /// Waits so long before each piece; a piece is one byte unless ``split(every:)`` says otherwise.
    public static func slow(_ interval: Duration) -> StreamFault { StreamFault(.slow(interval)) }
  }

  /// What a stream says before it disconnects: v2's kind, and the number of v1.1.
  public enum StreamDisconnection: Sendable, Hashable, CaseIterable {
    /// v2 `OperationalDisconnect`; v1.1's 1.
    case operational
    /// v2 `UpstreamOperationalDisconnect`; v1.1's 12.
    case upstream
    /// v2 `ForceDisconnect`; v1.1's 7.
    case forced
    /// v2 `SlowReader`; v1.1's 4.
    case slowReader
    /// v2 `InternalError`; v1.1's 10.
    case internalError
  }
}

extension Sandbox {
  /// Lets streams go wrong.
  /// - Parameters:
  ///   - faults: what goes wrong; several can be combined.
  ///   - operation: method and path, such as `GET /2/tweets/search/stream`; `*` means every stream.
  ///   - connections: how many connections are to come for which it does.
  public func injectStream(_ faults: StreamFault..., for operation: String = "*", connections: Int = 1) {
    pipeline.streams.plan(faults, for: operation, connections: connections)
  }

  /// Forgets the faults of connections that are still to come.
  public func removeStreamFaults() { pipeline.streams.forgetPlans() }

  /// Lets the streams that are open now go wrong. Records are counted from now. Faults of bytes, ``StreamFault/split(every:)``,
  /// ``StreamFault/slow(_:)`` and ``StreamFault/cut(afterBytes:)``, are for connections to come and do nothing here.
  public func interruptStreams(_ fault: StreamFault) {
    for channel in pipeline.streams.channels { channel.interrupt(fault) }
  }

  /// How many streams are open, as far as the sandbox has noticed.
  public var openStreams: Int { pipeline.streams.channels.count }
}

extension Sandbox.StreamDisconnection {
  /// The message in the form of a version.
  func message(_ version: APIVersion) -> JSON {
    switch version {
    case .v1:
      return ["disconnect": ["code": .integer(code), "stream_name": "sandbox", "reason": .string(reason)]]
    case .v2:
      return [
        "errors": [
          [
            "title": "operational-disconnect", "disconnect_type": .string(kind), "detail": .string(reason),
            "type": .string(Problem.typePrefix + "operational-disconnect"),
          ]
        ]
      ]
    }
  }

  private var kind: String {
    switch self {
    case .operational: "OperationalDisconnect"
    case .upstream: "UpstreamOperationalDisconnect"
    case .forced: "ForceDisconnect"
    case .slowReader: "SlowReader"
    case .internalError: "InternalError"
    }
  }

  private var code: Int {
    switch self {
    case .operational: 1
    case .upstream: 12
    case .forced: 7
    case .slowReader: 4
    case .internalError: 10
    }
  }

  private var reason: String {
    switch self {
    case .operational: "This stream has been disconnected for operational reasons."
    case .upstream: "This stream has been disconnected upstream for operational reasons."
    case .forced: "This stream has been disconnected on request, or by another connection."
    case .slowReader: "This stream has been disconnected because its reader is too slow."
    case .internalError: "This stream has been disconnected by an internal error."
    }
  }
}
