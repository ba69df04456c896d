import Foundation

/// An endless answer, record by record: an asynchronous sequence of ``StreamElement``.
///
/// The connection is made when the first record is asked for, and ended when the iterator is dropped or its task is
/// cancelled. Reading slowly slows the sender. ``values`` are the decoded records alone.
public struct EventStream<Value: JSONDecodable & Sendable>: Sendable {
  let client: Client
  let call: Call

  /// Describes a stream. Generated code does so through ``Client/stream(_:)``.
  public init(_ client: Client, _ call: Call) {
    self.client = client
    self.call = call
  }
}
