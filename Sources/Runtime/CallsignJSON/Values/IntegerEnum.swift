/// An enum of whole numbers that an API may extend: a value that the catalogue does not know is kept as `.unknown(7)`
/// and written unchanged.
///
/// Two values are equal if their numbers are, so `.unknown(1)` equals the case that stands for 1.
public protocol IntegerEnum: JSONCodable, Sendable {
  /// The case with that number, or the unknown case that keeps it.
  init(rawValue: Int)
  /// The number on the wire.
  var rawValue: Int { get }
}

extension IntegerEnum {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) { self.init(rawValue: try reader.int()) }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.int(rawValue) }

  /// Reads the value's JSON through any of Swift's decoders.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(Int.self))
  }

  /// Writes the value's JSON through any of Swift's encoders.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// Whether the numbers are equal.
  public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension IntegerEnum where Self: Hashable {
  /// A hash of what `==` compares.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}
