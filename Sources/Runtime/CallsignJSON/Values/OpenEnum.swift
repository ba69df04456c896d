// Sound: a static text lasts as long as the process, and places are compared with the counts before they are read.

/// An enum of strings that an API may extend: a value that the catalogue does not know is kept as `.unknown("…")` and
/// written unchanged.
///
/// Two values are equal if their wire texts are, so `.unknown("id")` equals `.id`.
public protocol OpenEnum: JSONCodable, Sendable {
  /// The wire texts in the order of the cases, separated by spaces (by newlines, if the text begins with one).
  static var names: StaticString { get }
  /// The case at a position; for any other index the unknown case with that text.
  init(index: Int, text: String)
  /// The text on the wire.
  var rawValue: String { get }
}

extension OpenEnum {
  /// The case with that wire text, or the unknown case that keeps it.
  public init(rawValue: String) {
    self.init(index: EnumNames(Self.names).index(of: rawValue), text: rawValue)
  }

  /// All cases that the catalogue knows, in its order.
  public static var knownCases: [Self] { (0..<EnumNames(names).count).map { Self(index: $0, text: "") } }

  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) { self.init(rawValue: try reader.string()) }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.string(rawValue) }

  /// Reads the value's JSON through any of Swift's decoders.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the value's JSON through any of Swift's encoders.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// Whether the wire texts are equal.
  public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// Without this the compiler would derive a `hashValue` for each enum.
extension OpenEnum where Self: Hashable {
  /// A hash of what `==` compares.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}

/// The names of an open enum, looked up in the text itself: there are few, and nothing has to be kept.
package struct EnumNames {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let separator: UInt8
  private let isEmpty: Bool

  package init(_ names: StaticString) {
    let whole = UnsafeBufferPointer(start: names.utf8Start, count: names.utf8CodeUnitCount)
    let isByLine = whole.first == UInt8(ascii: "\n")
    bytes = isByLine ? UnsafeBufferPointer(rebasing: whole.dropFirst()) : whole
    separator = isByLine ? UInt8(ascii: "\n") : UInt8(ascii: " ")
    isEmpty = whole.isEmpty
  }

  package var count: Int { isEmpty ? 0 : bytes.count { $0 == separator } + 1 }

  /// -1 if it is none of the names.
  package func index(of text: String) -> Int {
    var text = text
    return text.withUTF8 { index(of: $0) }
  }

  package func index(of text: UnsafeBufferPointer<UInt8>) -> Int {
    guard !isEmpty else { return -1 }
    var start = 0
    var index = 0
    while start + text.count <= bytes.count {
      let end = start + text.count
      var matched = start
      while matched < end, bytes[matched] == text[matched - start] { matched += 1 }
      // A name that contains the separator can't be matched: the list has no such name.
      if matched == end, end == bytes.count || bytes[end] == separator, !text.contains(separator) { return index }
      while start < bytes.count, bytes[start] != separator { start += 1 }
      start += 1
      index += 1
    }
    return -1
  }
}
