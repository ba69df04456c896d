/// How a stream's endpoint sends again what a lost connection has missed.
///
/// Made of literals alone, as ``Endpoint`` is.
public struct StreamBackfill: Sendable {
  /// The query parameter that says how many minutes are to be sent again.
  public let parameter: StaticString
  /// The most minutes.
  public let limit: Int
  /// Where a record has its id, as a dotted path such as `data.id`; `nil` for records that have none and are compared
  /// whole.
  public let id: StaticString?

  /// Describes a parameter that takes minutes, from 1.
  ///
  /// - Parameters:
  ///   - parameter: Its name.
  ///   - limit: The most minutes.
  ///   - id: Where a record has its id.
  @inlinable
  public static func minutes(_ parameter: StaticString, upTo limit: Int, id: StaticString? = nil) -> StreamBackfill {
    StreamBackfill(parameter: parameter, limit: limit, id: id)
  }

  @usableFromInline
  init(parameter: StaticString, limit: Int, id: StaticString?) {
    self.parameter = parameter
    self.limit = limit
    self.id = id
  }
}
