/// The value of an answer that has no content worth decoding.
public struct NoContent: Sendable, Hashable {
  /// Nothing.
  public init() {}
}
