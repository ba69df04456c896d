import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// An endless response, record by record: an asynchronous sequence of ``StreamElement``.
///
/// The connection is made when the first record is asked for, and ended when the iterator is dropped or its task is
/// cancelled. Reading slowly slows the sender. ``values`` are the decoded records alone, ``events`` report on the
/// connection meanwhile.
///
/// A lost, stalled or ended connection is made anew, after the waits of a ``ReconnectPolicy``; that of a call which must not
/// be sent twice, and of an array, is not. Where the endpoint can
/// send missed records again, it is asked to, and those that come twice are passed over. So by default the sequence
/// ends only with an error that waiting does not mend, such as refused credentials.
///
/// A call for a span of time that is over, by the parameters that the API has for it, is no endless one: when the API ends
/// the response in good order, the sequence ends, whatever the policy. After a lost connection it asks for the rest.
///
/// A stream has one connection at most: a second iterator that asks for a record while another one reads, of a copy of the
/// stream too, gets ``CallError/invalidCall(_:)``.
public struct EventStream<Value: JSONDecodable & Sendable>: Sendable {
  let client: Client
  let call: Call
  var policy: ReconnectPolicy
  var stallBound = StallBound.byDefault
  /// Whatever the API sent before was read, perhaps by another process.
  var start: Date?
  let shared: SharedStream

  /// Describes a stream. Generated code does so through ``Client/stream(_:)``.
  public init(_ client: Client, _ call: Call) {
    self.client = client
    self.call = call
    // What must not be sent twice is not, and an array begins with its first element again.
    let isOnce = call.endpoint.map { !$0.isRepeatable || $0.stream == .array } ?? false
    policy = isOnce ? .never : .default
    shared = SharedStream(endpoint: call.name)
  }

  /// The same stream, made anew after other waits than those of ``ReconnectPolicy/default``.
  public func reconnecting(_ policy: ReconnectPolicy) -> EventStream {
    var stream = self
    stream.policy = policy
    return stream
  }

  /// The same stream, taken for dead after another time without a byte, keep-alives included.
  ///
  /// Default: ``CallOptions/timeouts`` of the call, else 60 seconds, whatever the client's own timeouts are. Choose
  /// more than the time between two keep-alives of the API.
  ///
  /// - Parameter duration: How long no byte may arrive; `nil`: for ever.
  public func stallTimeout(_ duration: Duration?) -> EventStream {
    var stream = self
    stream.stallBound = duration.map(StallBound.after) ?? .never
    return stream
  }

  /// The same stream, going on where another reading has ended, perhaps of another process: where the endpoint can send
  /// again what it has sent since, the first connection asks for it. What the other reading had comes again.
  ///
  /// - Parameter date: Whatever the API sent before was read, by this machine's clock.
  public func resuming(from date: Date) -> EventStream {
    var stream = self
    stream.start = date
    return stream
  }

  /// The progress of the reading; to be asked from any task.
  package var progress: StreamProgress { shared.progress.withLock { $0 } }

  /// The id of a record, where the catalogue says that this endpoint's have one.
  ///
  /// - Parameter record: Its bytes.
  public func recordID(in record: Data) -> String? {
    guard let path = call.endpoint?.backfill?.id else { return nil }
    return RecordIDPath(path).id(in: record)
  }

  /// The events of the stream's connection from now on, for another task to watch; they end when the reading ends.
  ///
  /// Each use makes a sequence of its own. It holds the newest 256 events that nobody has looked at yet, and never holds up
  /// the records. While more than half of that waits, keep-alives and duplicates are left out, so that they do not push out
  /// the others.
  public var events: StreamEvents { shared.observe() }
}

/// A bound of the time that a stream may be silent.
enum StallBound: Sendable {
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
  /// Makes a call whose response is a stream of records. Nothing is sent before the first record is asked for.
  public func stream<Value: JSONDecodable & Sendable>(_ call: Call) -> EventStream<Value> { EventStream(self, call) }
}

extension EventStream: AsyncSequence {
  /// A record, decoded or not.
  public typealias Element = StreamElement<Value>
  /// The error that ends the stream.
  public typealias Failure = CallError

  /// Prepares to connect; nothing is sent before the first record is asked for.
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
    /// - Throws: ``CallError``: what the policy does not mend, ``CallError/invalidCall(_:)`` where another iterator reads
    ///   the same stream, ``CallError/cancelled``.
    public mutating func next() async throws(CallError) -> StreamElement<Value>? {
      guard let record = try await reader.next() else { return nil }
      return decode(record)
    }

    /// The next record; `nil` when the API has ended the stream and the policy does not reconnect.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CallError) -> StreamElement<Value>? {
      // What has arrived already needs no change of executors.
      if let record = try reader.arrived() { return decode(record) }
      guard let record = try await reader.next() else { return nil }
      return decode(record)
    }

    func decode(_ record: RawRecord) -> StreamElement<Value> {
      do throws(JSONError) { return .value(try value(record)) } catch {
        return .undecodable(UndecodableRecord(bytes: record.ownBytes, error: error))
      }
    }

    /// The decoded record. A mistake in it is reported.
    func value(_ record: RawRecord) throws(JSONError) -> Value {
      do throws(JSONError) {
        guard client.configuration.decoding == .tolerant else { return try Value(jsonData: record.bytes) }
        var issues: [DecodingIssue] = []
        let value = try Value(jsonData: record.bytes, issues: &issues)
        if !issues.isEmpty { report(issues) }
        return value
      } catch {
        // A farewell is among the events, and no mistake.
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

  /// The records of a stream as they come.
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

  /// The records that could be decoded; the others are passed over, and told by ``StreamEvent/issues(_:)``, the log and
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
          // What has arrived already needs no change of executors.
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
  /// A record that is not what the catalogue says; the stream goes on.
  case undecodable(UndecodableRecord)

  /// The record, where it could be decoded.
  public var value: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }
}

extension StreamElement: Sendable where Value: Sendable {}
extension StreamElement: Equatable where Value: Equatable {}
extension StreamElement: Hashable where Value: Hashable {}

/// A record that could not be decoded, as it came.
public struct UndecodableRecord: Sendable, Hashable {
  /// The record's bytes, without the framing.
  public let bytes: Data
  /// The mistake, with the field's path.
  public let error: JSONError

  /// The problems that the API reports in place of the record, such as that it is about to disconnect.
  public var problems: [ProblemDetails] { ProblemDetails.beside(data: bytes) }

  /// Keeps a record and the reason.
  public init(bytes: Data, error: JSONError) {
    self.bytes = bytes
    self.error = error
  }
}
