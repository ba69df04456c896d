import Foundation

extension EventStream: AsyncSequence {
  /// A record, decoded or not.
  public typealias Element = StreamElement<Value>
  /// What ends the stream.
  public typealias Failure = CallError

  /// Prepares to connect; nothing is sent before the first record is asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Reads one record after the other. Dropping it ends the connection.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private enum State: Sendable {
      case idle
      case open(Connection)
      case ended
    }

    private struct Connection: Sendable {
      let exchange: Exchange
      let head: Answer
      let body: ResponseBody
      var framing: RecordFraming
    }

    private let stream: EventStream
    private var state = State.idle

    init(_ stream: EventStream) { self.stream = stream }

    /// The next record; `nil` when the API has ended the stream.
    public mutating func next() async throws(CallError) -> StreamElement<Value>? { try await nextElement() }

    /// The next record; `nil` when the API has ended the stream.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CallError) -> StreamElement<Value>? { try await nextElement() }

    private mutating func nextElement() async throws(CallError) -> StreamElement<Value>? {
      var connection: Connection
      switch state {
      case .idle: connection = try await connect()
      case .open(let open): connection = open
      case .ended: return nil
      }
      // Whatever leaves this function without a record leaves the stream ended.
      state = .ended
      var pieces = connection.body.makeAsyncIterator()
      while true {
        let record: Data?
        do throws(RecordFraming.Violation) { record = try connection.framing.next() } catch {
          throw .unexpectedContent(UnexpectedContent(kind: .framing, answer: connection.head))
        }
        if let record {
          state = .open(connection)
          return Self.decode(record)
        }
        let piece: Data?
        do throws(TransportError) { piece = try await pieces.next() } catch {
          throw connection.exchange.lost(error)
        }
        guard let piece else { return connection.framing.rest().map(Self.decode) }
        connection.framing.append(piece)
      }
    }

    private mutating func connect() async throws(CallError) -> Connection {
      state = .ended
      let client = stream.client
      let exchange = Exchange(client: client, call: try client.prepare(stream.call))
      let response = try await exchange.open()
      return Connection(
        exchange: exchange,
        head: Answer(status: response.head.status, headers: response.head.headerFields),
        body: response.body,
        framing: RecordFraming(
          stream.call.arguments.framing ?? stream.call.endpoint.stream ?? .lines,
          limit: client.configuration.recordLimit))
    }

    private static func decode(_ record: Data) -> StreamElement<Value> {
      do throws(JSONError) { return .value(try Value(jsonData: record)) } catch {
        return .undecodable(UndecodableRecord(bytes: record, error: error))
      }
    }
  }

  /// The records that could be decoded; the others are passed over.
  public var values: Values { Values(stream: self) }

  /// The records of a stream that could be decoded.
  public struct Values: AsyncSequence, Sendable {
    /// A decoded record.
    public typealias Element = Value
    /// What ends the stream.
    public typealias Failure = CallError

    let stream: EventStream

    /// Prepares to connect.
    public func makeAsyncIterator() -> Iterator { Iterator(elements: stream.makeAsyncIterator()) }

    /// Reads one record after the other.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
      var elements: EventStream.Iterator

      /// The next decoded record; `nil` when the API has ended the stream.
      public mutating func next() async throws(CallError) -> Value? { try await nextValue() }

      /// The next decoded record; `nil` when the API has ended the stream.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> Value? {
        try await nextValue()
      }

      private mutating func nextValue() async throws(CallError) -> Value? {
        while let element = try await elements.next() {
          if let value = element.value { return value }
        }
        return nil
      }
    }
  }
}
