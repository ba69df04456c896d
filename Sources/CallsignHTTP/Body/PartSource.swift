/// What a part of a multipart body is read from, when it is neither bytes in memory nor a whole file.
///
/// Two sources are equal when they are the same object.
public final class PartSource: Sendable, Hashable {
  /// The length in bytes; a source that yields more or less makes the transfer fail.
  public let length: Int
  /// Begins the part anew, once for each attempt.
  public let open: @Sendable () throws -> any BodySource

  /// - Parameters:
  ///   - length: In bytes.
  ///   - open: Begins the part anew, once for each attempt.
  public init(length: Int, open: @escaping @Sendable () throws -> any BodySource) {
    self.length = length
    self.open = open
  }

  /// Whether both are the same object.
  public static func == (left: PartSource, right: PartSource) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
