import CallsignSupport

/// The error of a text that is not the JSON that was expected, or of a value that has no JSON.
///
/// Made for logs: it names the location and the mistake, and never repeats the text.
public struct JSONError: CallsignError, Hashable {
  /// The problem.
  public enum Kind: Hashable, Sendable {
    /// Not JSON by the grammar of RFC 8259; the reason says which rule.
    case syntax(reason: String)
    /// The text ends in the middle of a value, or is empty.
    case unexpectedEnd
    /// A string or name is not well-formed UTF-8 (RFC 8259 §8.1).
    case invalidUTF8
    /// More than ``JSONReader/depthLimit`` arrays and objects inside one another.
    case tooDeep
    /// Something other than whitespace follows the value.
    case trailingContent
    /// The value is of another JSON kind than the field's type.
    case mismatch(expected: String, found: String)
    /// A required member is missing.
    case missing
    /// The value is of the right kind, but not valid for the field's type, such as a text that is not a date.
    case invalid(expected: String)
    /// The value has no JSON: an infinite or undefined number, or a date outside the years 0 to 9999.
    case unencodable(String)
    /// A model has more members than a model can have; the text says which one.
    case unusableModel(String)
  }

  /// The problem.
  public let kind: Kind
  /// The place in the document, such as `data[3].id`; empty for the document itself. A key of a map, being data, is `*`.
  public private(set) var path: String
  /// The position of the mistake in the text, in bytes from 0.
  public let offset: Int

  /// Describes an error.
  public init(_ kind: Kind, path: String = "", offset: Int) {
    self.kind = kind
    self.path = path
    self.offset = offset
  }

  /// One line for people, without line breaks.
  public var description: String {
    let place = path.isEmpty ? "the JSON document" : path
    let problem =
      switch kind {
      case .syntax(let reason): "\(reason)"
      case .unexpectedEnd: "the text ends too early"
      case .invalidUTF8: "the text is not valid UTF-8"
      case .tooDeep:
        "nested deeper than \(JSONReader.depthLimit) levels, or \(JSONReader.modelDepth) for a model"
      case .trailingContent: "something follows the end of the document"
      case .mismatch(let expected, let found): "expected \(expected), found \(found)"
      case .missing: "required, but missing"
      case .invalid(let expected): "is not \(expected)"
      case .unencodable(let reason): reason
      case .unusableModel(let reason): reason
      }
    return "\(place): \(problem) (byte \(offset))"
  }

  /// Whether the text is well-formed there but of another type than requested: a tolerant reading continues after it.
  var isAboutContent: Bool {
    switch kind {
    case .mismatch, .missing, .invalid: true
    case .syntax, .unexpectedEnd, .invalidUTF8, .tooDeep, .trailingContent, .unencodable, .unusableModel: false
    }
  }

  /// Whether it may be single characters that are wrong, which ``RepairedJSON`` repairs.
  var isAboutCharacters: Bool {
    switch kind {
    case .syntax, .invalidUTF8: true
    case .mismatch, .missing, .invalid, .unexpectedEnd, .tooDeep, .trailingContent, .unencodable, .unusableModel: false
    }
  }

  /// The same error seen from the object that has it in a member.
  package func inMember(_ name: String) -> JSONError {
    var error = self
    error.path = path.isEmpty || path.utf8.first == UInt8(ascii: "[") ? name + path : "\(name).\(path)"
    return error
  }

  /// The same error seen from the array that has it in an element.
  package func inElement(_ index: Int) -> JSONError { inMember("[\(index)]") }
}

/// The kinds of JSON values (RFC 8259 §3).
public enum JSONKind: String, Hashable, Sendable, CaseIterable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool
  /// A number.
  case number
  /// A string.
  case string
  /// An array.
  case array
  /// An object.
  case object

  /// For error texts: `a string`.
  package var phrase: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
