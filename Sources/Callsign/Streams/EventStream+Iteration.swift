import CallsignJSON
import Foundation

extension EventStream: AsyncSequence {
  /// A record, decoded or not.
  public typealias Element = StreamElement<Value>
  /// What ends the stream.
  public typealias Failure = CallError

  /// Prepares to connect; nothing is sent before the first record is asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: StreamReader(self)) }

  /// Reads one record after the other. Dropping it ends the connection.
  ///
  /// Its copies read the same connection, one at a time.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let reader: StreamReader

    /// The next record; `nil` when the API has ended the stream and the policy does not reconnect.
    ///
    /// - Throws: ``CallError``: what the policy does not mend, ``CallError/invalidCall(_:)`` where another iterator reads
    ///   the same stream, ``CallError/cancelled``.
    public mutating func next() async throws(CallError) -> StreamElement<Value>? {
      try await reader.next().map(Self.decode)
    }

    /// The next record; `nil` when the API has ended the stream and the policy does not reconnect.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CallError) -> StreamElement<Value>? {
      // What has arrived already needs no change of executors.
      if let record = try reader.arrived() { return Self.decode(record) }
      return try await reader.next().map(Self.decode)
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

      /// The next decoded record; `nil` when the API has ended the stream and the policy does not reconnect.
      public mutating func next() async throws(CallError) -> Value? {
        while let element = try await elements.next() {
          if let value = element.value { return value }
        }
        return nil
      }

      /// The next decoded record; `nil` when the API has ended the stream and the policy does not reconnect.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(CallError) -> Value? {
        while let element = try await elements.next(isolation: actor) {
          if let value = element.value { return value }
        }
        return nil
      }
    }
  }
}
