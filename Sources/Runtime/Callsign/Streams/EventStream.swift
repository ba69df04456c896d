import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// An endless response, record by record: an asynchronous sequence of ``StreamElement``.
///
/// The stream connects when you ask for the first record, and disconnects when the iterator is dropped or its task is
/// cancelled. Reading slowly slows the sender. ``values`` yields only the decoded records; ``events`` reports on the
/// connection in the meantime.
///
/// If the connection is lost, stalls or ends, the stream reconnects after the waits of a ``ReconnectPolicy``. It does
/// not reconnect for an array or for a call that must not be sent twice. If the endpoint can send missed records again,
/// the stream asks for them and skips those that arrive twice. So by default, the sequence ends only with an error that
/// waiting cannot fix, such as refused credentials.
///
/// A call for a past time span, given by the API's parameters for it, is not endless. When the API ends the response
/// properly, the sequence ends, whatever the policy is. After a lost connection, the stream asks for the rest.
///
/// A stream has at most one connection. If a second iterator asks for a record while another one is reading, it gets
/// ``CallError/invalidCall(_:)``. This also applies to iterators of a copy of the stream.
public struct EventStream<Value: JSONDecodable & Sendable>: Sendable {
  let client: Client
  let call: Call
  var policy: ReconnectPolicy
  var silenceLimit = SilenceLimit.byDefault
  /// Everything that the API sent before this time was read, perhaps by another process.
  var start: Date?
  let shared: SharedStream

  /// Describes a stream. Generated code calls ``Client/stream(_:)`` instead.
  public init(_ client: Client, _ call: Call) {
    self.client = client
    self.call = call
    // A call that must not be sent twice is not repeated, and an array would begin with its first element again.
    let isOnce = call.endpoint.map { !$0.isRepeatable || $0.stream == .array } ?? false
    policy = isOnce ? .never : .default
    shared = SharedStream(endpoint: call.name)
  }

  /// The same stream, reconnecting after other waits than those of ``ReconnectPolicy/default``.
  public func reconnecting(_ policy: ReconnectPolicy) -> EventStream {
    var stream = self
    stream.policy = policy
    return stream
  }

  /// The same stream, considered dead after another time without a byte.
  ///
  /// Keep-alives count as bytes.
  ///
  /// Default: ``CallOptions/timeouts`` of the call, else 60 seconds, whatever the client's own timeouts are. Choose a
  /// longer time than the API leaves between two keep-alives.
  ///
  /// - Parameter duration: The longest time without a byte; `nil` for no limit.
  public func stallTimeout(_ duration: Duration?) -> EventStream {
    var stream = self
    stream.silenceLimit = duration.map(SilenceLimit.after) ?? .never
    return stream
  }

  /// The same stream, continuing where an earlier reading ended, perhaps in another process. If the endpoint can send
  /// past records again, the first connection asks for everything since then. Records that the earlier reading already
  /// had arrive again.
  ///
  /// - Parameter date: The time until which everything was read, by this machine's clock.
  public func resuming(from date: Date) -> EventStream {
    var stream = self
    stream.start = date
    return stream
  }

  /// The progress of the reading. Any task can read it.
  package var progress: StreamProgress { shared.progress.withLock { $0 } }

  /// The id of a record, if the catalogue says that this endpoint's records have one.
  ///
  /// - Parameter record: The record's bytes.
  public func recordID(in record: Data) -> String? {
    guard let path = call.endpoint?.backfill?.id else { return nil }
    return RecordIDPath(path).id(in: record)
  }

  /// The events of the stream's connection from now on, for another task to watch.
  ///
  /// They end when the reading ends.
  ///
  /// Each access creates a separate sequence. It holds the newest 256 unread events, and never delays the records.
  /// While more than half of that is waiting, keep-alives and duplicates are left out, so that they do not displace
  /// other events.
  public var events: StreamEvents { shared.observe() }
}

/// A limit on the time that a stream may be silent.
enum SilenceLimit: Sendable {
  case byDefault
  case after(Duration)
  case never

  static let standard = Duration.seconds(60)

  func idle(_ timeouts: Timeouts?) -> Duration? {
    switch self {
    case .byDefault: timeouts.map(\.idle) ?? Self.standard
    case .after(let duration): duration
    case .never: nil
    }
  }
}

extension Client {
  /// Makes a call whose response is a stream of records. Nothing is sent until you ask for the first record.
  public func stream<Value: JSONDecodable & Sendable>(_ call: Call) -> EventStream<Value> { EventStream(self, call) }
}

extension EventStream: AsyncSequence {
  /// A record, decoded or not.
  public typealias Element = StreamElement<Value>
  /// The error that ends the stream.
  public typealias Failure = CallError

  /// Prepares to connect. Nothing is sent until you ask for the first record.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: StreamReader(self), client: client, endpoint: call.name, shared: shared)
  }

  /// Reads one record after the other. Dropping it ends the connection.
  ///
  /// Its copies read the same connection, one at a time.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let reader: StreamReader
    let client: Client
    let endpoint: String
    let shared: SharedStream

    /// The next record; `nil` when the API has ended the stream and the policy does not reconnect.
    ///
    /// - Throws: ``CallError``: an error that the policy cannot fix, ``CallError/invalidCall(_:)`` if another iterator
    ///   reads the same stream, or ``CallError/cancelled``.
    public mutating func next() async throws(CallError) -> StreamElement<Value>? {
      guard let record = try await reader.next() else { return nil }
      return decode(record)
    }

    /// The next record; `nil` when the API has ended the stream and the policy does not reconnect.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CallError) -> StreamElement<Value>? {
      // If data has arrived already, no change of executors is needed.
      if let record = try reader.arrived() { return decode(record) }
      guard let record = try await reader.next() else { return nil }
      return decode(record)
    }

    func decode(_ record: RawRecord) -> StreamElement<Value> {
      do throws(JSONError) { return .value(try value(record)) } catch {
        return .undecodable(UndecodableRecord(bytes: record.ownBytes, error: error))
      }
    }

    /// The decoded record. Decoding issues are reported.
    func value(_ record: RawRecord) throws(JSONError) -> Value {
      do throws(JSONError) {
        guard client.configuration.decoding == .tolerant else { return try Value(jsonData: record.bytes) }
        var issues: [DecodingIssue] = []
        let value = try Value(jsonData: record.bytes, issues: &issues)
        if !issues.isEmpty { report(issues) }
        return value
      } catch {
        // A disconnect message is among the events, and is not an issue.
        if client.conventions.disconnect(in: record.bytes) == nil { report([DecodingIssue(undecodable: error)]) }
        throw error
      }
    }

    private func report(_ issues: [DecodingIssue]) {
      client.report(issues, endpoint: endpoint)
      shared.report(.issues(issues))
    }
  }

  /// The records as they come, without being decoded: for programs that store them.
  package var undecoded: UndecodedRecords { UndecodedRecords(stream: self) }

  /// The records of a stream as they arrive.
  package struct UndecodedRecords: AsyncSequence, Sendable {
    /// A record's bytes, without the framing.
    package typealias Element = Data
    /// The error that ends the stream.
    package typealias Failure = CallError

    let stream: EventStream

    /// Prepares to connect.
    package func makeAsyncIterator() -> Iterator { Iterator(reader: StreamReader(stream)) }

    /// Reads one record after the other.
    package struct Iterator: AsyncIteratorProtocol, Sendable {
      let reader: StreamReader

      /// The next record; `nil` when the API has ended the stream and the policy does not reconnect.
      package mutating func next() async throws(CallError) -> Data? { try await reader.next()?.ownBytes }

      /// The next record; `nil` when the API has ended the stream and the policy does not reconnect.
      package mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> Data? {
        if let record = try reader.arrived() { return record.ownBytes }
        return try await reader.next()?.ownBytes
      }
    }
  }

  /// The records that could be decoded. The others are skipped, and reported by ``StreamEvent/issues(_:)``, the log and
  /// ``ClientConfiguration/reportIssues``.
  public var values: Values { Values(stream: self) }

  /// The records of a stream that could be decoded.
  public struct Values: AsyncSequence, Sendable {
    /// A decoded record.
    public typealias Element = Value
    /// The error that ends the stream.
    public typealias Failure = CallError

    let stream: EventStream

    /// Prepares to connect.
    public func makeAsyncIterator() -> Iterator { Iterator(elements: stream.makeAsyncIterator()) }

    /// Reads one record after the other.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
      let elements: EventStream.Iterator

      /// The next decoded record; `nil` when the API has ended the stream and the policy does not reconnect.
      public mutating func next() async throws(CallError) -> Value? {
        while let record = try await elements.reader.next() {
          do throws(JSONError) { return try elements.value(record) } catch {}
        }
        return nil
      }

      /// The next decoded record; `nil` when the API has ended the stream and the policy does not reconnect.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> Value? {
        while true {
          let record: RawRecord
          // If data has arrived already, no change of executors is needed.
          if let arrived = try elements.reader.arrived() {
            record = arrived
          } else if let next = try await elements.reader.next() {
            record = next
          } else {
            return nil
          }
          do throws(JSONError) { return try elements.value(record) } catch {}
        }
      }
    }
  }
}

/// One record of a stream.
public enum StreamElement<Value> {
  /// The record, decoded.
  case value(Value)
  /// A record that does not match the catalogue; the stream continues.
  case undecodable(UndecodableRecord)

  /// The record, if it could be decoded.
  public var value: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }
}

extension StreamElement: Sendable where Value: Sendable {}
extension StreamElement: Equatable where Value: Equatable {}
extension StreamElement: Hashable where Value: Hashable {}

/// A record that could not be decoded, as it arrived.
public struct UndecodableRecord: Sendable, Hashable {
  /// The record's bytes, without the framing.
  public let bytes: Data
  /// The mistake, with the field's path.
  public let error: JSONError

  /// The problems that the API reports in place of the record, for example that it is about to disconnect.
  public var problems: [ProblemDetails] { ProblemDetails.beside(data: bytes) }

  /// Keeps a record and the reason.
  public init(bytes: Data, error: JSONError) {
    self.bytes = bytes
    self.error = error
  }
}
