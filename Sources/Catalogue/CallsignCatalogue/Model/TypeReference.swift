/// A use of a type, as written in one line of the catalogue's type language: `string(1..25)?`, `[User]`, `date | null`.
public struct TypeReference: Sendable, Hashable {
  /// The kind of type.
  public indirect enum Kind: Sendable, Hashable {
    /// A built-in type of the language.
    case scalar(Scalar)
    /// A model, enum, union or alias of the catalogue.
    case named(String)
    /// A JSON array: `[int]`.
    case list(TypeReference)
    /// A JSON object whose keys are data: `{int}`.
    case map(TypeReference)
  }

  /// The kind of type.
  public var kind: Kind
  /// `?`: may be left out of a request, or be missing (or null) in a response.
  public var isOptional: Bool
  /// `| null`: JSON null is a separate value, distinct from a missing one.
  public var isNullable: Bool
  /// `indirect`: the value is stored behind a reference, so that a model can contain itself.
  public var isIndirect: Bool
  /// Limits on the value.
  public var constraints: Constraints
  /// The location in the catalogue.
  public var location: SourceLocation

  /// Creates a value from its properties.
  public init(
    _ kind: Kind, isOptional: Bool = false, isNullable: Bool = false, isIndirect: Bool = false,
    constraints: Constraints = Constraints(), location: SourceLocation = .none
  ) {
    self.kind = kind
    self.isOptional = isOptional
    self.isNullable = isNullable
    self.isIndirect = isIndirect
    self.constraints = constraints
    self.location = location
  }
}

/// The built-in types of the language.
public enum Scalar: Sendable, Hashable {
  /// A string.
  case string
  /// A 64-bit whole number.
  case int
  /// A 64-bit floating-point number.
  case number
  /// `true` or `false`.
  case bool
  /// A point in time, or a day.
  case date(DateFormat)
  /// Raw bytes as a whole body or response; a base64 string inside JSON.
  case bytes
  /// Bytes as a base64url string without padding inside JSON (RFC 4648 §5).
  case base64URL
  /// A file part of a multipart body: bytes or a file on disk, with a name and a media type.
  case file
  /// Any JSON value.
  case json
  /// A 32-bit whole number.
  case int32
  /// A 64-bit whole number that is never negative.
  case uint64
  /// An exact decimal number: a JSON number, or a string.
  case decimal(isText: Bool)
  /// A URL as a string.
  case url
  /// A UUID as a string.
  case uuid
  /// A duration.
  case duration(DurationFormat)
}

/// How a duration is written on the wire.
public enum DurationFormat: String, Sendable, Hashable, CaseIterable {
  /// ISO 8601, `PT1H30M`. `duration`
  case iso8601
  /// A number of seconds. `duration(seconds)`
  case seconds
  /// A number of milliseconds. `duration(milliseconds)`
  case milliseconds
  /// Seconds with an `s`, `3.5s`. `duration(protobuf)`
  case protobuf
}

/// How a date is written on the wire.
public enum DateFormat: Sendable, Hashable {
  /// RFC 3339, with or without fractional seconds. Written in UTC, with milliseconds if there are any. `date`
  case rfc3339
  /// A calendar day, `yyyy-MM-dd`. `date(day)`
  case day
  /// Seconds since 1970 as a number. `date(seconds)`
  case seconds
  /// Milliseconds since 1970 as a number. `date(milliseconds)`
  case milliseconds
  /// A Unicode date pattern in English, such as `EEE MMM dd HH:mm:ss Z yyyy`. `date(EEE MMM …)`
  case pattern(String)
}

/// Limits on a value. They are documentation for the reader; the API enforces them.
public struct Constraints: Sendable, Hashable {
  /// The inclusive lower bound: of a number's value, a string's length in characters, or a list's count.
  public var minimum: String?
  /// The inclusive upper bound.
  public var maximum: String?
  /// A regular expression that a string must match.
  public var pattern: String?
  /// The name under `patterns:` that is written instead of the expression. Only the catalogue writer sets it.
  package var patternName: String?

  /// Creates a value from its properties.
  public init(minimum: String? = nil, maximum: String? = nil, pattern: String? = nil) {
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
  }
}

extension TypeReference {
  /// The type in the catalogue's type language.
  package var text: String {
    var text = isIndirect ? "indirect " : ""
    switch kind {
    case .scalar(let scalar): text += scalar.text
    case .named(let name): text += name
    case .list(let element): text += "[\(element.text)]"
    case .map(let element): text += "{\(element.text)}"
    }
    text += constraints.text
    if isNullable { text += " | null" }
    if isOptional { text += "?" }
    return text
  }
}

extension TypeReference {
  /// The type with aliases resolved at every depth, and without the parts that apply only to this use. Each type then has a single
  /// spelling.
  ///
  /// - Parameter resolved: Resolves aliases at one depth.
  package func canonical(_ resolved: (TypeReference) -> TypeReference) -> TypeReference {
    let type = resolved(self)
    let kind: Kind =
      switch type.kind {
      case .scalar, .named: type.kind
      case .list(let element): .list(element.canonical(resolved))
      case .map(let element): .map(element.canonical(resolved))
      }
    return TypeReference(kind, isNullable: isNullable || type.isNullable)
  }
}

extension Scalar {
  /// The scalar with that name in the type language; `date` gets the default format.
  init?(_ name: String) {
    switch name {
    case "string": self = .string
    case "int": self = .int
    case "number": self = .number
    case "bool": self = .bool
    case "date": self = .date(.rfc3339)
    case "bytes": self = .bytes
    case "file": self = .file
    case "json": self = .json
    case "int32": self = .int32
    case "uint64": self = .uint64
    case "decimal": self = .decimal(isText: false)
    case "url": self = .url
    case "uuid": self = .uuid
    case "duration": self = .duration(.iso8601)
    default: return nil
    }
  }

  /// The names that the type language knows.
  static let names = [
    "string", "int", "number", "bool", "date", "bytes", "file", "json", "int32", "uint64", "decimal", "url", "uuid",
    "duration",
  ]

  /// The name in the type language, without the format of a date.
  package var name: String {
    switch self {
    case .string: "string"
    case .int: "int"
    case .number: "number"
    case .bool: "bool"
    case .date: "date"
    case .bytes, .base64URL: "bytes"
    case .file: "file"
    case .json: "json"
    case .int32: "int32"
    case .uint64: "uint64"
    case .decimal: "decimal"
    case .url: "url"
    case .uuid: "uuid"
    case .duration: "duration"
    }
  }

  /// The name in the type language, including its format.
  package var text: String {
    switch self {
    case .date(.day): "date(day)"
    case .date(.seconds): "date(seconds)"
    case .date(.milliseconds): "date(milliseconds)"
    case .date(.pattern(let pattern)): "date(\(pattern))"
    case .base64URL: "bytes(base64url)"
    case .decimal(isText: true): "decimal(text)"
    case .duration(let format) where format != .iso8601: "duration(\(format.rawValue))"
    default: name
    }
  }
}

extension Constraints {
  fileprivate var text: String {
    var parts: [String] = []
    switch (minimum, maximum) {
    case (let low?, let high?): parts.append(low == high ? low : "\(low)..\(high)")
    case (let low?, nil): parts.append("\(low)..")
    case (nil, let high?): parts.append("..\(high)")
    case (nil, nil): break
    }
    if let patternName {
      parts.append(patternName)
    } else if let pattern {
      parts.append("/\(Self.escaped(pattern))/")
    }
    return parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))"
  }

  /// A regular expression between slashes, with inner slashes escaped.
  private static func escaped(_ pattern: String) -> String {
    var result = ""
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if scalar == "/", !isEscaped { result.unicodeScalars.append("\\") }
      isEscaped = scalar == "\\" && !isEscaped
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
