import CallsignJSON
import CallsignSupport

/// A record of a stream, with its original bytes.
public struct StreamRecord<Value> {
  /// The record, decoded or not.
  public let element: StreamElement<Value>
  /// The record's bytes, without the framing.
  public let bytes: Data
  /// The type of the server-sent event that contained it, `message` if the event names none; `nil` for other streams.
  public let eventName: String?
  /// The id of the last event that had one, including this event. A later call can send it in the header field
  /// `Last-Event-ID` to continue. `nil` if there was none.
  public let eventID: String?

  /// The record, if it could be decoded.
  public var value: Value? { element.value }
}

extension StreamRecord: Sendable where Value: Sendable {}

extension EventStream {
  /// The records with their original bytes and the events that contained them.
  public var records: Records { Records(stream: self) }

  /// The records of a stream with their bytes.
  public struct Records: AsyncSequence, Sendable {
    /// A record with its bytes.
    public typealias Element = StreamRecord<Value>
    /// The error that ends the stream.
    public typealias Failure = CallError

    let stream: EventStream

    /// Prepares to connect.
    public func makeAsyncIterator() -> Iterator { Iterator(elements: stream.makeAsyncIterator()) }

    /// Reads one record after the other.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
      let elements: EventStream.Iterator

      /// The next record; `nil` when the API has ended the stream and the policy does not reconnect.
      public mutating func next() async throws(CallError) -> StreamRecord<Value>? { try await nextRecord() }

      /// The next record; `nil` when the API has ended the stream and the policy does not reconnect.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(CallError) -> StreamRecord<Value>? { try await nextRecord() }

      private func nextRecord() async throws(CallError) -> StreamRecord<Value>? {
        try await elements.reader.next().map { record in
          let id = record.event?.id ?? ""
          return StreamRecord(
            element: elements.decode(record), bytes: record.ownBytes, eventName: record.event?.name,
            eventID: id.isEmpty ? nil : id)
        }
      }
    }
  }
}
