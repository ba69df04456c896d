/// A failure that the sandbox causes in a stream on purpose, after the response's header.
public struct SandboxStreamFault: Sendable {
  enum Kind: Sendable {
    case cut
    case cutAfterBytes(Int)
    case end
    case stall
    case disconnect(SandboxStreamDisconnection)
    case send(String)
    case split(Int)
    case slow(Duration)
  }

  let kind: Kind
  /// The number of records before it.
  let records: Int

  private init(_ kind: Kind, after records: Int = 0) {
    self.kind = kind
    self.records = max(0, records)
  }

  /// Closes the connection in the middle of the response, after a number of records.
  public static func cut(afterRecords records: Int = 0) -> SandboxStreamFault {
    SandboxStreamFault(.cut, after: records)
  }

  /// Closes the connection in the middle of the response, after a number of bytes on the wire (compressed bytes, if the stream is
  /// compressed).
  public static func cut(afterBytes bytes: Int) -> SandboxStreamFault {
    SandboxStreamFault(.cutAfterBytes(max(0, bytes)))
  }

  /// Ends the response normally, after a number of records.
  public static func end(afterRecords records: Int = 0) -> SandboxStreamFault {
    SandboxStreamFault(.end, after: records)
  }

  /// Stops sending anything, even keep-alives, after a number of records.
  public static func stall(afterRecords records: Int = 0) -> SandboxStreamFault {
    SandboxStreamFault(.stall, after: records)
  }

  /// Sends the API's message and ends the response, after a number of records.
  public static func disconnect(_ message: SandboxStreamDisconnection, afterRecords records: Int = 0)
    -> SandboxStreamFault
  {
    SandboxStreamFault(.disconnect(message), after: records)
  }

  /// Sends a text as a record, after a number of records.
  public static func send(_ text: String, afterRecords records: Int = 0) -> SandboxStreamFault {
    SandboxStreamFault(.send(text), after: records)
  }

  /// Sends pieces of a fixed number of bytes, one at a time.
  public static func split(every bytes: Int) -> SandboxStreamFault { SandboxStreamFault(.split(max(1, bytes))) }

  /// Waits before each piece. Without ``split(every:)``, a piece is one byte.
  public static func slow(_ interval: Duration) -> SandboxStreamFault { SandboxStreamFault(.slow(interval)) }
}

/// The message of a stream before it disconnects: a kind in v2, a code in v1.1.
public enum SandboxStreamDisconnection: Sendable, Hashable, CaseIterable {
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

extension SandboxStreamDisconnection {
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
